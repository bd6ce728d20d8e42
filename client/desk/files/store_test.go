package files_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"

	"assay/client/assert"
	"assay/client/desk/files"
	"assay/client/desk/files/filestest"
	"assay/client/i18n"
)

// wantCause checks what is wrong, and that it is said without what is secret.
func wantCause(t testing.TB, cause files.Cause, err error) {
	t.Helper()
	var p *files.Problem
	if !errors.As(err, &p) || p.Cause != cause || errors.Is(err, fs.ErrNotExist) {
		t.Errorf("%v", err)
		return
	}
	if said := i18n.Sentence(err); said == "" || strings.Contains(said+err.Error(), "secret") {
		t.Errorf("%q, %q", said, err)
	}
}

func TestWhyAStoreRefuses(t *testing.T) {
	s := filestest.Start(t)
	all := func(t *testing.T, cause files.Cause, at files.Place) {
		t.Helper()
		wantCause(t, cause, sends(t, at))
		wantCause(t, cause, receives(t, at))
		wantCause(t, cause, at.Check(t.Context()))
	}
	t.Run("no key", func(t *testing.T) {
		for _, key := range []string{"", "desk-access", ":desk-secret", "desk-access:"} {
			_, err := files.Open(s.URL, files.Options{Key: key})
			wantCause(t, files.NoKey, err)
		}
	})
	t.Run("a wrong key", func(t *testing.T) {
		all(t, files.WrongKey, open(t, s.URL, "desk-access:another-secret"))
		all(t, files.WrongKey, open(t, s.URL, "another:desk-secret-of-the-store"))
	})
	t.Run("no bucket, and none is made", func(t *testing.T) {
		other := strings.Replace(s.URL, "/desk/", "/another/", 1)
		all(t, files.NoBucket, open(t, other, filestest.Key))
		all(t, files.NoBucket, open(t, other, filestest.Key))
	})
	t.Run("full", func(t *testing.T) {
		s.Fault(func(w http.ResponseWriter, r *http.Request) bool {
			if r.Method != http.MethodPut {
				return false
			}
			filestest.Refuse(w, http.StatusInsufficientStorage, "XMinioStorageFull")
			return true
		})
		defer s.Fault(nil)
		wantCause(t, files.Full, sends(t, open(t, s.URL, filestest.Key)))
	})
	t.Run("it fails", func(t *testing.T) {
		s.Fault(func(w http.ResponseWriter, _ *http.Request) bool {
			filestest.Refuse(w, http.StatusInternalServerError, "InternalError")
			return true
		})
		defer s.Fault(nil)
		all(t, "", open(t, s.URL, filestest.Key))
	})
	t.Run("nobody answers", func(t *testing.T) {
		gone := httptest.NewServer(nil)
		gone.Close()
		all(t, "", open(t, gone.URL+"/desk", filestest.Key))
	})
	t.Run("it sends elsewhere: nobody else gets the signature", func(t *testing.T) {
		var asked atomic.Int64
		other := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { asked.Add(1) }))
		defer other.Close()
		s.Fault(func(w http.ResponseWriter, r *http.Request) bool {
			http.Redirect(w, r, other.URL, http.StatusTemporaryRedirect)
			return true
		})
		defer s.Fault(nil)
		all(t, "", open(t, s.URL, filestest.Key))
		assert.Equal(t, int64(0), asked.Load())
	})
	t.Run("a certificate that nobody vouches for", func(t *testing.T) {
		tls := filestest.StartWith(t, httptest.NewTLSServer)
		all(t, "", open(t, tls.URL, filestest.Key))
		assert.Equal(t, 0, len(tls.Requests()))
	})
	t.Run("who asks no more is told nothing of the store", func(t *testing.T) {
		ended, end := context.WithCancel(t.Context())
		end()
		assert.True(t, errors.Is(open(t, s.URL, filestest.Key).Check(ended), context.Canceled), "it is no problem of the store's")
	})
}

func TestNothingIsSentToAStoreTwice(t *testing.T) {
	s := filestest.Start(t)
	at := open(t, s.URL, filestest.Key)
	assert.NoError(t, sends(t, at))
	s.Requests()
	assert.NoError(t, sends(t, at))
	for _, request := range s.Requests() {
		if !strings.HasPrefix(request, "HEAD ") {
			t.Errorf("%s", request)
		}
	}
	s.Write(only(t, s), []byte("half"))
	assert.NoError(t, sends(t, at))
	assert.True(t, bytes.Equal(content(10), s.Read(only(t, s))), "what is there and is another size is sent again")
}

func TestASendingThatIsCut(t *testing.T) {
	s := filestest.Start(t)
	at := open(t, s.URL, filestest.Key)
	large := content(20 << 20)
	cut := true
	s.Fault(func(_ http.ResponseWriter, r *http.Request) bool {
		if !cut || r.URL.Query().Get("partNumber") != "2" {
			return false
		}
		_, _ = io.CopyN(io.Discard, r.Body, 1<<20)
		panic(http.ErrAbortHandler)
	})
	_, err := files.Send(t.Context(), at, bytes.NewReader(large), false)
	wantCause(t, "", err)
	assert.Equal(t, 0, len(s.Names()))
	cut = false
	kept, err := files.Send(t.Context(), at, bytes.NewReader(large), false)
	assert.NoError(t, err)
	assert.True(t, bytes.Equal(large, s.Read(kept.Name)), "all of it is there")

	t.Run("and a receiving", func(t *testing.T) {
		s.Fault(func(w http.ResponseWriter, _ *http.Request) bool {
			w.Header().Set("Content-Length", "20971520")
			w.Header().Set("Last-Modified", "Thu, 26 Nov 2026 10:00:00 GMT")
			_, _ = w.Write(large[:5<<20])
			panic(http.ErrAbortHandler)
		})
		wantCause(t, "", files.Receive(t.Context(), at, kept, new(bytes.Buffer)))
		s.Fault(nil)
		var got bytes.Buffer
		assert.NoError(t, files.Receive(t.Context(), at, kept, &got))
		assert.True(t, bytes.Equal(large, got.Bytes()), "all of it comes")
	})
}

// zeros is a file of that many bytes.
type zeros struct{ size, at int64 }

func (z *zeros) Read(p []byte) (int, error) {
	n := min(int64(len(p)), z.size-z.at)
	if n == 0 {
		return 0, io.EOF
	}
	clear(p[:n])
	z.at += n
	return int(n), nil
}

func (z *zeros) Seek(offset int64, whence int) (int64, error) {
	if whence == io.SeekStart {
		z.at = offset
	}
	return z.at, nil
}

// counting is a store that keeps nothing but how much of a file it was sent.
func counting(t testing.TB) (at files.Place, sent *atomic.Int64) {
	sent = new(atomic.Int64)
	s := filestest.Start(t)
	s.Fault(func(w http.ResponseWriter, r *http.Request) bool {
		n, _ := io.Copy(io.Discard, r.Body)
		sent.Add(n)
		w.Header().Set("ETag", `"1"`)
		switch {
		case r.Method == http.MethodHead:
			w.WriteHeader(http.StatusNotFound)
		case r.Method == http.MethodPost && r.URL.Query().Has("uploads"):
			_, _ = io.WriteString(w, "<InitiateMultipartUploadResult><UploadId>1</UploadId></InitiateMultipartUploadResult>")
		case r.Method == http.MethodPost:
			_, _ = io.WriteString(w, "<CompleteMultipartUploadResult><Bucket>desk</Bucket><Key>1</Key><ETag>1</ETag></CompleteMultipartUploadResult>")
		}
		return true
	})
	return open(t, s.URL, filestest.Key), sent
}

func TestAFileOfTheLargestSizeTakesNoMemory(t *testing.T) {
	const size, most = 250 << 20, 40 << 20
	at, sent := counting(t)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	kept, err := files.Send(t.Context(), at, &zeros{size: size}, true)
	runtime.ReadMemStats(&after)
	assert.NoError(t, err)
	assert.Equal(t, int64(size), kept.Size)
	assert.True(t, sent.Load() > size, "only %d bytes were sent", sent.Load())
	if got := after.TotalAlloc - before.TotalAlloc; got > most {
		t.Errorf("%d MB in memory for %d MB", got>>20, size>>20)
	}
}
