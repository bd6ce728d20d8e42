package sandbox

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"assay/client"
	"assay/client/assert"
	"assay/client/sandbox/forensics"
	"assay/client/sandbox/forensics/picture"
)

func TestSignedAddress(t *testing.T) {
	t.Run("an upload address works until just before 900 s and is denied from then on", func(t *testing.T) {
		s := setup(t)
		first, second := s.ask(t, "a.jpg"), s.ask(t, "b.jpg")
		s.clock.Advance(899 * time.Second)
		if got := s.put(t, first.Response.SignedURL, photo(t, 1)); got.status != http.StatusOK {
			t.Errorf("after 899 s: %d %s", got.status, got.body)
		}
		s.clock.Advance(time.Second)
		s.wantDenied(t, "after 900 s", s.put(t, second.Response.SignedURL, photo(t, 1)))
		if s.Submissions() != 1 {
			t.Errorf("%d submissions, want 1", s.Submissions())
		}
	})
	t.Run("links in a result are signed afresh at every request", func(t *testing.T) {
		s := setup(t)
		id := s.upload(t, "a.jpg", photo(t, 1))
		old := s.settled(t, id)
		s.clock.Advance(900 * time.Second)
		fresh := s.result(t, id)
		for what, links := range map[string][2]string{
			"original":    {old.StorageLocation, fresh.StorageLocation},
			"thumbnail":   {old.Thumbnail, fresh.Thumbnail},
			"aggregation": {old.ModelMetadataURL, fresh.ModelMetadataURL},
		} {
			s.wantDenied(t, "the old link of the "+what, s.send(t, http.MethodGet, links[0], nil, nil))
			if got := s.send(t, http.MethodGet, links[1], nil, nil); got.status != http.StatusOK {
				t.Errorf("the fresh link of the %s: %d %s", what, got.status, got.body)
			}
		}
	})

	s := setup(t)
	mine, other := s.ask(t, "a.jpg"), s.ask(t, "b.jpg")
	signed := func(change func(*url.URL, url.Values)) string {
		u, err := url.Parse(mine.Response.SignedURL)
		assert.NoError(t, err)
		q := u.Query()
		change(u, q)
		u.RawQuery = q.Encode()
		return u.String()
	}
	for what, tampered := range map[string]string{
		"another object":      signed(func(u *url.URL, _ url.Values) { u.Path = strings.Replace(u.Path, mine.RequestID, other.RequestID, 1) }),
		"another extension":   signed(func(u *url.URL, _ url.Values) { u.Path = strings.Replace(u.Path, ".jpg", ".txt", 1) }),
		"a later date":        signed(func(_ *url.URL, q url.Values) { q.Set(dateParameter, "99999999999") }),
		"a longer life":       signed(func(_ *url.URL, q url.Values) { q.Set(expiresParameter, "999999") }),
		"another signature":   signed(func(_ *url.URL, q url.Values) { q.Set(signatureParameter, strings.Repeat("0", 64)) }),
		"no signature":        signed(func(_ *url.URL, q url.Values) { q.Del(signatureParameter) }),
		"no query whatsoever": signed(func(_ *url.URL, q url.Values) { clear(q) }),
	} {
		t.Run("a link altered to "+what+" is denied", func(t *testing.T) {
			s.wantDenied(t, what, s.put(t, tampered, []byte("x")))
		})
	}
	t.Run("an upload link can't be used to read", func(t *testing.T) {
		s.wantDenied(t, "GET", s.send(t, http.MethodGet, mine.Response.SignedURL, nil, nil))
	})
}

func TestPut(t *testing.T) {
	t.Run("caps are by type: one byte more is refused before it is read", func(t *testing.T) {
		s := setup(t)
		for name, limit := range map[string]int64{
			"a.png": 50 << 20, "a.wav": 20 << 20, "a.mov": 250 << 20, "a.txt": 5 << 20,
		} {
			answer := s.sendPartly(t, s.ask(t, name).Response.SignedURL, limit+1, nil)
			if !strings.Contains(answer, " 413 ") || !strings.Contains(answer, "<Code>EntityTooLarge</Code>") || !strings.Contains(answer, fmt.Sprint(limit)) {
				t.Errorf("%s: got %q", name, answer)
			}
		}
		if s.Submissions() != 0 {
			t.Errorf("%d submissions, want none", s.Submissions())
		}
	})
	t.Run("a file of exactly the cap is accepted", func(t *testing.T) {
		s := setup(t)
		id := s.upload(t, "a.txt", bytes.Repeat([]byte("x"), 5<<20))
		if got := s.settled(t, id); got.StorageLocation == "" || s.Submissions() != 1 {
			t.Errorf("it did not become a submission: %s", got.Raw)
		}
	})
	t.Run("an upload that breaks off is not accepted, leaves nothing, and can be done again", func(t *testing.T) {
		s := setup(t)
		asked, data := s.ask(t, "a.jpg"), photo(t, 1)
		answer := s.sendPartly(t, asked.Response.SignedURL, int64(len(data)), data[:len(data)-1])
		if !strings.Contains(answer, " 400 ") || !strings.Contains(answer, "IncompleteBody") {
			t.Errorf("got %q, want 400 IncompleteBody", answer)
		}
		if got := s.result(t, asked.RequestID); got.ResultsSummary != nil || got.StorageLocation != "" || s.Submissions() != 0 {
			t.Errorf("it counts as uploaded: %s", got.Raw)
		}
		for _, room := range []string{incomingDir, objectsDir} {
			if left, err := os.ReadDir(filepath.Join(s.dir, room)); err != nil || len(left) != 0 {
				t.Errorf("%s holds %v (%v), want nothing", room, left, err)
			}
		}
		if got := s.put(t, asked.Response.SignedURL, data); got.status != http.StatusOK || s.Submissions() != 1 {
			t.Errorf("the second try: %d %s, %d submissions", got.status, got.body, s.Submissions())
		}
	})
	t.Run("a body without a length is refused", func(t *testing.T) {
		s := setup(t)
		r, err := http.NewRequestWithContext(t.Context(), http.MethodPut, s.ask(t, "a.jpg").Response.SignedURL, io.MultiReader(strings.NewReader("x")))
		assert.NoError(t, err)
		resp, err := http.DefaultClient.Do(r)
		assert.NoError(t, err)
		defer resp.Body.Close() //nolint:errcheck // only its status counts
		if resp.StatusCode != http.StatusLengthRequired || s.Submissions() != 0 {
			t.Errorf("got %d and %d submissions", resp.StatusCode, s.Submissions())
		}
	})
	t.Run("the same bytes again are neither a second submission nor a second analysis", func(t *testing.T) {
		var analyses atomic.Int32
		s := setup(t, counted(&analyses))
		asked := s.ask(t, "a.jpg")
		for range 2 {
			if got := s.put(t, asked.Response.SignedURL, photo(t, 1)); got.status != http.StatusOK {
				t.Fatalf("%d %s", got.status, got.body)
			}
			s.settled(t, asked.RequestID)
		}
		if analyses.Load() != 1 || s.Submissions() != 1 {
			t.Errorf("%d analyses and %d submissions, want one of each", analyses.Load(), s.Submissions())
		}
	})
	t.Run("other bytes replace the object and are analysed, within the same submission", func(t *testing.T) {
		var analyses atomic.Int32
		s := setup(t, counted(&analyses))
		asked := s.ask(t, "a.jpg")
		s.put(t, asked.Response.SignedURL, photo(t, 1))
		before := s.settled(t, asked.RequestID)
		s.put(t, asked.Response.SignedURL, photo(t, 2))
		after := s.settled(t, asked.RequestID)
		if analyses.Load() != 2 || s.Submissions() != 1 {
			t.Errorf("%d analyses and %d submissions, want 2 and 1", analyses.Load(), s.Submissions())
		}
		if string(before.fields["models"]) == string(after.fields["models"]) {
			t.Error("the numbers are still those of the first bytes")
		}
		if got := s.send(t, http.MethodGet, after.StorageLocation, nil, nil); !bytes.Equal(got.body, photo(t, 2)) {
			t.Error("the original is not the bytes that came last")
		}
	})
	t.Run("bytes replaced during their analysis: the numbers of the later ones stay, however late the earlier end", func(t *testing.T) {
		var calls atomic.Int32
		began, later := make(chan struct{}), make(chan struct{})
		s := setup(t, func(s *Sandbox) {
			s.analyseImage = func(ctx context.Context, data []byte, finished func(forensics.Model)) (*picture.Report, error) {
				switch calls.Add(1) {
				case 1:
					close(began)
					<-later
				case 3: // so the worker that does not wait has ended the second
					close(later)
				}
				return picture.Analyse(ctx, data, finished)
			}
		})
		asked := s.ask(t, "a.jpg")
		s.put(t, asked.Response.SignedURL, photo(t, 1))
		<-began
		s.put(t, asked.Response.SignedURL, photo(t, 2))
		alone := s.settled(t, s.upload(t, "b.jpg", photo(t, 2)))
		replaced := s.settled(t, asked.RequestID)
		if string(replaced.fields["models"]) != string(alone.fields["models"]) {
			t.Errorf("got %s, want %s", replaced.fields["models"], alone.fields["models"])
		}
		if left, err := os.ReadDir(filepath.Join(s.dir, artifactsDir)); err != nil || len(left) != 2 {
			t.Errorf("%d analyses left files (%v), want 2", len(left), err)
		}
	})
	t.Run("bytes replaced before their analysis are not analysed", func(t *testing.T) {
		var analyses atomic.Int32
		g := newGate()
		s := setup(t, held(g), counted(&analyses))
		for range analysers {
			s.upload(t, "before.jpg", photo(t, 3))
			<-g.reached
		}
		asked := s.ask(t, "a.jpg")
		s.put(t, asked.Response.SignedURL, photo(t, 1))
		s.put(t, asked.Response.SignedURL, photo(t, 2))
		g.open()
		s.settled(t, asked.RequestID)
		if analyses.Load() != analysers+1 {
			t.Errorf("%d analyses, want %d", analyses.Load(), analysers+1)
		}
	})
	t.Run("a model's end of replaced bytes is not shown", func(t *testing.T) {
		e := &entry{record: record{Object: "later"}, live: waitingModels(client.Image)}
		e.publish("earlier", client.Model{Name: e.live[0].Name, Status: client.Fake})
		assert.Equal(t, client.Analyzing, e.snapshot().live[0].Status)
	})
}

// counted counts the real analyses.
func counted(n *atomic.Int32) func(*Sandbox) {
	return func(s *Sandbox) {
		s.analyseImage = func(ctx context.Context, data []byte, finished func(forensics.Model)) (*picture.Report, error) {
			n.Add(1)
			return picture.Analyse(ctx, data, finished)
		}
	}
}

// sendPartly announces an upload of a length, sends only some of it, and returns the whole answer.
func (s *service) sendPartly(t *testing.T, signedURL string, length int64, data []byte) string {
	t.Helper()
	u, err := url.Parse(signedURL)
	assert.NoError(t, err)
	conn, err := new(net.Dialer).DialContext(t.Context(), "tcp", u.Host)
	assert.NoError(t, err)
	defer conn.Close() //nolint:errcheck // everything was read
	_, err = fmt.Fprintf(conn, "PUT %s HTTP/1.1\r\nHost: %s\r\nContent-Length: %d\r\nConnection: close\r\n\r\n%s", u.RequestURI(), u.Host, length, data)
	assert.NoError(t, err)
	assert.NoError(t, conn.(*net.TCPConn).CloseWrite())
	answer, err := io.ReadAll(conn)
	assert.NoError(t, err)
	return string(answer)
}

// The sandbox's caps are those that a client checks before it sends anything.
func TestCapsInBytes(t *testing.T) {
	for media, want := range map[client.MediaType]int64{
		client.Image: 52_428_800, client.Audio: 20_971_520, client.Video: 262_144_000, client.Text: 5_242_880,
	} {
		for extension, k := range kinds {
			if k.media == media && k.cap != want {
				t.Errorf("%s: %d bytes, want %d", extension, k.cap, want)
			}
		}
	}
}
