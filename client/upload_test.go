package client_test

import (
	"bufio"
	"bytes"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"assay/client"
	"assay/client/assert"
)

const (
	institution = "0b6e5c3a-7d0f-4a53-9a55-3f1b1d2c4e5f"
	identifier  = "9f8e7d6c-5b4a-4938-8271-605f4e3d2c1b"
)

func TestRequestUpload(t *testing.T) {
	t.Run("U1 the address is asked for by POST with the file name as JSON and read from response.signedUrl", func(t *testing.T) {
		s := serve(t, answer(http.StatusOK, `{"response":{"signedUrl":"https://storage.example/a/b.jpg?s=1"},"requestId":"r1"}`))
		up, err := connect(t, s.URL).RequestUpload(t.Context(), `holiday & "beach".jpg`)
		assert.NoError(t, err)
		got := s.only(t)
		if got.Method != http.MethodPost || got.Target != "/odd/base/api/files/cloud-presigned" {
			t.Errorf("asked %s %s", got.Method, got.Target)
		}
		assert.Equal(t, "application/json", got.Header.Get("Content-Type"))
		assert.Equal(t, `{"fileName":"holiday \u0026 \"beach\".jpg"}`, string(got.Body))
		if want := "https://storage.example/a/b.jpg?s=1"; up.SignedURL != want {
			t.Errorf("the address is %q, want %q", up.SignedURL, want)
		}
	})

	t.Run("another deployment's path is asked where the options name it", func(t *testing.T) {
		s := serve(t, answer(http.StatusOK, `{"response":{"signedUrl":"https://storage.example/a"}}`))
		c := connect(t, s.URL, func(o *client.Options) { o.UploadPath = "/api/files/aws-presigned" })
		if _, err := c.RequestUpload(t.Context(), "a.jpg"); err != nil {
			t.Fatal(err)
		}
		assert.Equal(t, "/odd/base/api/files/aws-presigned", s.only(t).Target)
	})

	t.Run("the time of issue is when the answer came", func(t *testing.T) {
		at := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
		s := serve(t, answer(http.StatusOK, `{"response":{"signedUrl":"https://storage.example/a"}}`))
		up, err := connect(t, s.URL, func(o *client.Options) { o.Now = func() time.Time { return at } }).RequestUpload(t.Context(), "a.jpg")
		if err != nil || !up.Issued.Equal(at) {
			t.Errorf("issued %v (%v), want %v", up.Issued, err, at)
		}
	})
}

func TestRequestUploadIdentifier(t *testing.T) {
	for _, c := range []struct{ name, answer, want string }{
		{"beside response", `{"requestId":"r1","response":{"signedUrl":"https://s.example/x"}}`, "r1"},
		{"inside response", `{"response":{"signedUrl":"https://s.example/x","requestId":"r2"}}`, "r2"},
		{"beside before inside", `{"requestId":"r1","response":{"signedUrl":"https://s.example/x","requestId":"r2"}}`, "r1"},
		{"before the path's", `{"requestId":"r1","response":{"signedUrl":"https://s.example/` + identifier + `.jpg"}}`, "r1"},
		{"null beside, given inside", `{"requestId":null,"response":{"signedUrl":"https://s.example/x","requestId":"r2"}}`, "r2"},
		{"of another type beside, given inside", `{"requestId":{"id":7},"response":{"signedUrl":"https://s.example/x","requestId":"r2"}}`, "r2"},
		{"in the path, with an extension", `{"response":{"signedUrl":"https://s.example/` + institution + `/` + identifier + `.jpg?sig=1"}}`, identifier},
		{"in the path, without one", `{"response":{"signedUrl":"https://s.example/bucket/` + identifier + `"}}`, identifier},
		{"in the path before the file's own name", `{"response":{"signedUrl":"https://s.example/` + institution + `/` + identifier + `.mp4/original"}}`, identifier},
		{"not the institution's", `{"response":{"signedUrl":"https://s.example/` + institution + `/photo.jpg"}}`, ""},
		{"not from further up the path", `{"response":{"signedUrl":"https://s.example/` + identifier + `.jpg/a/b"}}`, ""},
		{"not from the query", `{"response":{"signedUrl":"https://s.example/photo.jpg?id=` + identifier + `"}}`, ""},
		{"not from the host", `{"response":{"signedUrl":"https://` + identifier + `.example/photo.jpg"}}`, ""},
		{"not from another field", `{"mediaId":"` + identifier + `","response":{"signedUrl":"https://s.example/photo.jpg","id":"m"}}`, ""},
		{"not from something like a UUID", `{"response":{"signedUrl":"https://s.example/x` + identifier + `.jpg"}}`, ""},
	} {
		t.Run("U10 "+c.name, func(t *testing.T) {
			s := serve(t, answer(http.StatusOK, c.answer))
			up, err := connect(t, s.URL).RequestUpload(t.Context(), "photo.jpg")
			if err != nil || up.RequestID != c.want {
				t.Errorf("got %q (%v), want %q", up.RequestID, err, c.want)
			}
		})
	}
}

func TestRequestUploadTolerance(t *testing.T) {
	t.Run("U11 unknown fields are ignored", func(t *testing.T) {
		s := serve(t, answer(http.StatusCreated, `{"code":7,"errno":null,"new":[{}],"mediaId":{"a":1},"requestId":"r1",
			"response":{"signedUrl":"https://s.example/x?sig=1","headers":{"a":["b"]},"expires":900}}`))
		up, err := connect(t, s.URL).RequestUpload(t.Context(), "a.jpg")
		if err != nil || up.SignedURL != "https://s.example/x?sig=1" || up.RequestID != "r1" {
			t.Errorf("got %+v, %v", up, err)
		}
	})
	for _, c := range []struct{ name, answer string }{
		{"no response", `{"requestId":"r1"}`},
		{"response null", `{"response":null}`},
		{"response a text", `{"response":"see https://s.example/x?sig=` + signature + `"}`},
		{"no address", `{"response":{}}`},
		{"address null", `{"response":{"signedUrl":null}}`},
		{"address empty", `{"response":{"signedUrl":""}}`},
		{"address a number", `{"response":{"signedUrl":12}}`},
		{"address without host", `{"response":{"signedUrl":"/x?sig=` + signature + `"}}`},
		{"address with a port alone", `{"response":{"signedUrl":"https://:443/x?sig=` + signature + `"}}`},
		{"address of this computer", `{"response":{"signedUrl":"https://0.0.0.0/x?sig=` + signature + `"}}`},
		{"address with an impossible port", `{"response":{"signedUrl":"https://s.example:99999/x?sig=` + signature + `"}}`},
		{"address not of the web", `{"response":{"signedUrl":"ftp://s.example/x?sig=` + signature + `"}}`},
		{"address unencrypted", `{"response":{"signedUrl":"http://s.example/x?sig=` + signature + `"}}`},
		{"address malformed", `{"response":{"signedUrl":"https://[::1/x?sig=` + signature + `"}}`},
		{"answer a list", `[]`},
		{"answer null", `null`},
	} {
		t.Run("U11 an answer without a usable address is said so and quotes none of it: "+c.name, func(t *testing.T) {
			s := serve(t, answer(http.StatusOK, c.answer))
			up, err := connect(t, s.URL).RequestUpload(t.Context(), "a.jpg")
			wantKind(t, err, client.KindAnswer)
			e := failure(t, err)
			if !strings.Contains(e.Message.String(), "no usable upload address") || strings.Contains(e.Error()+e.Sentence(), signature) {
				t.Errorf("it says %q", e)
			}
			if up != (client.Upload{}) {
				t.Errorf("it still returned %+v", up)
			}
		})
	}
}

// wire accepts one connection, reads one request from it byte for byte, gives the answer and hands out what it read.
func wire(t *testing.T, answer string) (address string, request <-chan []byte) {
	t.Helper()
	listener, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	assert.NoError(t, err)
	read, done := make(chan []byte, 1), make(chan struct{})
	t.Cleanup(func() { _ = listener.Close(); <-done })
	go func() {
		defer close(done)
		conn, err := listener.Accept()
		if err != nil {
			return // the test ended first
		}
		defer conn.Close() //nolint:errcheck // the end of it
		var raw bytes.Buffer
		if r, err := http.ReadRequest(bufio.NewReader(io.TeeReader(conn, &raw))); err == nil {
			_, _ = io.Copy(io.Discard, r.Body) // what arrived is in raw
		}
		read <- raw.Bytes()
		_, _ = io.WriteString(conn, answer)
	}()
	return "http://" + listener.Addr().String(), read
}

func TestPutOnTheWire(t *testing.T) {
	content := make([]byte, 300_000)
	_, _ = rand.Read(content) // never fails
	for _, c := range []struct {
		name    string
		content []byte
	}{{"a small file", []byte("\xff\xd8 a photo")}, {"a file of many packets", content}} {
		t.Run("U2 the request is its line, Host, Content-Length and the raw bytes, and nothing else: "+c.name, func(t *testing.T) {
			address, request := wire(t, "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
			api := connect(t, address) // the signed URL is on the API's own host, and still gets no key
			err := api.Put(t.Context(), address+"/inst/id.jpg?X-Sig=a%2Fb", open(t, c.content), int64(len(c.content)), nil)
			assert.NoError(t, err)
			want := fmt.Sprintf("PUT /inst/id.jpg?X-Sig=a%%2Fb HTTP/1.1\r\nHost: %s\r\nContent-Length: %d\r\n\r\n",
				strings.TrimPrefix(address, "http://"), len(c.content))
			got := <-request
			head, body, _ := bytes.Cut(got, []byte("\r\n\r\n"))
			assert.Equal(t, want, string(head)+"\r\n\r\n")
			if !bytes.Equal(body, c.content) {
				t.Errorf("%d bytes arrived, which are not the %d of the file", len(body), len(c.content))
			}
		})
	}
}

func TestPut(t *testing.T) {
	t.Run("U2 cookies of earlier answers are not sent", func(t *testing.T) {
		s := serve(t, func(w http.ResponseWriter, _ *http.Request) {
			http.SetCookie(w, &http.Cookie{Name: "session", Value: "1", Path: "/", Secure: true, HttpOnly: true, SameSite: http.SameSiteStrictMode})
		})
		c := connect(t, s.URL)
		for range 2 {
			assert.NoError(t, c.Put(t.Context(), s.URL+"/x", open(t, []byte("bytes")), 5, nil))
		}
		for _, r := range s.seen() {
			assert.Equal(t, http.Header{"Content-Length": {"5"}}, r.Header)
		}
	})

	t.Run("U2 over TLS too, by HTTP/1.1", func(t *testing.T) {
		s := newService(t, answer(http.StatusOK, ""))
		s.EnableHTTP2 = true
		s.StartTLS()
		roots := x509.NewCertPool()
		roots.AddCert(s.Certificate())
		c := connect(t, s.URL, func(o *client.Options) { o.TLS = &tls.Config{RootCAs: roots, MinVersion: tls.VersionTLS12} })
		assert.NoError(t, c.Put(t.Context(), s.URL+"/x", open(t, []byte("bytes")), 5, nil))
		got := s.only(t)
		if got.Proto != "HTTP/1.1" || got.Length != 5 || got.Chunked || string(got.Body) != "bytes" {
			t.Errorf("arrived as %+v", got)
		}
		assert.Equal(t, http.Header{"Content-Length": {"5"}}, got.Header)
	})

	t.Run("any 2xx is success, whatever its body", func(t *testing.T) {
		for _, status := range []int{200, 201, 202, 204, 299} {
			s := serve(t, answer(status, ""))
			if err := connect(t, s.URL).Put(t.Context(), s.URL+"/x", open(t, []byte("bytes")), 5, nil); err != nil {
				t.Errorf("%d: %v", status, err)
			}
		}
	})

	t.Run("a file that was read before goes from its first byte", func(t *testing.T) {
		s := serve(t, answer(http.StatusOK, ""))
		file := open(t, []byte("bytes"))
		if _, err := io.ReadAll(file); err != nil {
			t.Fatal(err)
		}
		assert.NoError(t, connect(t, s.URL).Put(t.Context(), s.URL+"/x", file, 5, nil))
		assert.Equal(t, "bytes", string(s.only(t).Body))
	})

	t.Run("the file is closed in the end, whichever end", func(t *testing.T) {
		s := serve(t, answer(http.StatusOK, ""))
		c := connect(t, s.URL)
		for _, address := range []string{s.URL + "/x", "nowhere", "http://unencrypted.example/x", "http://127.0.0.1:1/x", "https://[::1/x"} {
			file := open(t, []byte("bytes"))
			_ = c.Put(t.Context(), address, file, 5, nil) // its error is another test's
			if _, err := file.Stat(); err == nil {
				t.Errorf("%s: still open", address)
			}
		}
	})

	t.Run("bytes go to no address that is unencrypted or none", func(t *testing.T) {
		c := connect(t, "https://api.example")
		for _, address := range []string{"", "nowhere", "ftp://s.example/x", "http://s.example/x?sig=" + signature, "https://[::1/x?sig=" + signature} {
			err := c.Put(t.Context(), address, open(t, []byte("bytes")), 5, nil)
			wantKind(t, err, client.KindAnswer)
			if strings.Contains(err.Error(), signature) {
				t.Errorf("the error quotes the address: %v", err)
			}
		}
	})
}

func TestPutDenied(t *testing.T) {
	for _, c := range []struct {
		status int
		kind   client.Kind
	}{
		{400, client.KindExpired}, {401, client.KindExpired}, {403, client.KindExpired},
		{404, client.KindRefused}, {413, client.KindRefused},
		{429, client.KindBusy}, {500, client.KindService}, {503, client.KindBusy},
	} {
		t.Run(fmt.Sprintf("U13 storage's %d is kind %s, by which the caller asks for a new address or not", c.status, c.kind), func(t *testing.T) {
			s := serve(t, answer(c.status, `<Error><Code>AccessDenied</Code><Message>Request has expired</Message></Error>`))
			err := connect(t, s.URL).Put(t.Context(), s.URL+"/x?sig="+signature, open(t, []byte("bytes")), 5, nil)
			wantKind(t, err, c.kind)
			if e := failure(t, err); e.Status != c.status || e.Temporary() != (c.status == 429 || c.status >= 500) {
				t.Errorf("got %+v", e)
			}
		})
	}

	t.Run("U13 a denial that comes before the bytes are read is told from a fault", func(t *testing.T) {
		s := newService(t, nil)
		s.Config.Handler = answer(http.StatusForbidden, `<Error><Code>AccessDenied</Code></Error>`) // reads nothing
		s.Start()
		const size = 64 << 20
		wantKind(t, connect(t, s.URL).Put(t.Context(), s.URL+"/x", sparse(t, size), size, nil), client.KindExpired)
	})
}

func TestPutOfAFileThatChanges(t *testing.T) {
	t.Run("one that is not of the size said is not sent", func(t *testing.T) {
		s := serve(t, answer(http.StatusOK, ""))
		c := connect(t, s.URL)
		for _, size := range []int64{0, 4, 6} {
			wantKind(t, c.Put(t.Context(), s.URL+"/x", open(t, []byte("bytes")), size, nil), client.KindFile)
		}
		if seen := s.seen(); len(seen) != 0 {
			t.Errorf("the service saw %d requests", len(seen))
		}
	})

	t.Run("a folder is not sent", func(t *testing.T) {
		folder, err := os.Open(t.TempDir())
		assert.NoError(t, err)
		info, err := folder.Stat()
		assert.NoError(t, err)
		s := serve(t, answer(http.StatusOK, ""))
		wantKind(t, connect(t, s.URL).Put(t.Context(), s.URL+"/x", folder, info.Size(), nil), client.KindFile)
	})

	const size = 64 << 20
	for _, c := range []struct {
		name   string
		change func(name string) error
		kind   client.Kind
	}{
		{"one that grows", func(name string) error { return os.Truncate(name, size+1) }, client.KindFile},
		{"one that shrinks", func(name string) error { return os.Truncate(name, size/2) }, client.KindFile},
		{"one that is rewritten", func(name string) error {
			file, err := os.OpenFile(name, os.O_WRONLY, 0)
			if err != nil {
				return err
			}
			_, err = file.WriteAt([]byte("new"), size-3)
			return errors.Join(err, file.Close())
		}, client.KindFile},
	} {
		t.Run(c.name+" while it is sent is not taken for sent", func(t *testing.T) {
			file := sparse(t, size)
			s := newService(t, nil)
			s.Config.Handler = http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
				_, _ = io.CopyN(io.Discard, r.Body, 1<<20) // now it is under way
				if err := c.change(file.Name()); err != nil {
					t.Error(err)
				}
				_, _ = io.Copy(io.Discard, r.Body) // a shrunk one ends early
			})
			s.Start()
			wantKind(t, connect(t, s.URL).Put(t.Context(), s.URL+"/x", file, size, nil), c.kind)
		})
	}

	t.Run("an answer before all bytes were sent is no success", func(t *testing.T) {
		s := newService(t, nil)
		s.Config.Handler = answer(http.StatusOK, "") // reads nothing
		s.Start()
		err := connect(t, s.URL).Put(t.Context(), s.URL+"/x", sparse(t, size), size, nil)
		wantKind(t, err, client.KindNetwork)
		if !failure(t, err).Temporary() {
			t.Error("it is not tried again")
		}
	})
}

func TestPutDoesNotTrustAConnectionThatStorageMayHaveClosed(t *testing.T) {
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		conn, _, err := w.(http.Hijacker).Hijack()
		if err != nil {
			t.Error(err)
			return
		}
		_, _ = fmt.Fprint(conn, "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n") // promises to stay open
		_ = conn.Close()
	})
	c := connect(t, s.URL)
	path := filepath.Join(t.TempDir(), "a.bin")
	assert.NoError(t, os.WriteFile(path, make([]byte, 4096), 0o600))
	for n := range 50 {
		file, err := os.Open(path)
		assert.NoError(t, err)
		if err := c.Put(t.Context(), s.URL+"/x", file, 4096, nil); err != nil {
			t.Fatalf("upload %d: %v", n, err)
		}
	}
}
