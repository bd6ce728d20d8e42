package sandbox

import (
	"context"
	"net/http"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"assay/client"
	"assay/client/assert"
)

func TestListen(t *testing.T) {
	s, err := New(Options{Dir: filepath.Join(t.TempDir(), "made", "on", "demand")})
	assert.NoError(t, err)
	defer s.Close() //nolint:errcheck // nothing to lose

	for _, addr := range []string{":0", "0.0.0.0:0", "[::]:0", "192.0.2.1:0", "example.org:0", "127.0.0.1"} {
		t.Run("an address that is not this computer's alone is refused: "+addr, func(t *testing.T) {
			if server, err := Listen(t.Context(), addr, s); err == nil {
				t.Errorf("it serves at %s", server.URL())
			}
		})
	}
	t.Run("it serves until ctx ends", func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		server, err := Listen(ctx, "127.0.0.1:0", s)
		assert.NoError(t, err)
		get := func() error {
			r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, server.URL(), nil)
			assert.NoError(t, err)
			resp, err := http.DefaultClient.Do(r)
			if err != nil {
				return err
			}
			return resp.Body.Close()
		}
		assert.NoError(t, get())
		cancel()
		<-server.served
		if get() == nil {
			t.Error("it still answers")
		}
		if err := server.Close(); err != nil {
			t.Error(err)
		}
	})
	t.Run("a folder is needed", func(t *testing.T) {
		if _, err := New(Options{}); err == nil {
			t.Error("it began without one")
		}
	})
}

// The client of this repository has the whole way of a picture from the sandbox.
func TestWithTheClient(t *testing.T) {
	s := setup(t)
	c, err := client.New(client.Options{BaseURL: s.url, Key: s.Key, Now: s.clock.Now})
	assert.NoError(t, err)
	t.Cleanup(c.Close)
	since := s.clock.Now()
	address, err := c.RequestUpload(t.Context(), "a photo.jpg")
	assert.NoError(t, err)
	data := photo(t, 1)
	path := filepath.Join(t.TempDir(), "a photo.jpg")
	assert.NoError(t, os.WriteFile(path, data, 0o600))
	file, err := os.Open(path)
	assert.NoError(t, err)
	assert.NoError(t, c.Put(t.Context(), address.SignedURL, file, int64(len(data)), nil))
	assert.NoError(t, s.Idle(t.Context()))

	t.Run("the result is final and names its models", func(t *testing.T) {
		r, err := c.Result(t.Context(), address.RequestID)
		if err != nil || !r.Final() || r.RequestID != address.RequestID {
			t.Fatalf("%v: %+v", err, r)
		}
		original, err := client.NewArtifacts(c, r, time.Now()).Fetch(t.Context(), client.Original, 1<<20)
		assert.NoError(t, err)
		if diff := cmp.Diff(data, original); diff != "" {
			t.Error("the original differs")
		}
	})
	t.Run("the list holds it, and the upload is found by its name", func(t *testing.T) {
		listed, err := c.List(t.Context(), client.ListQuery{})
		if err != nil || len(listed) != 1 || listed[0].RequestID != address.RequestID {
			t.Errorf("%v: %v", err, listed)
		}
		found, err := c.FindUpload(t.Context(), "a photo.jpg", since)
		if err != nil || found != address.RequestID {
			t.Errorf("found %q: %v", found, err)
		}
	})
	t.Run("a denied link is KindExpired and a wrong key KindKey", func(t *testing.T) {
		again, err := os.Open(file.Name())
		assert.NoError(t, err)
		if err := c.Put(t.Context(), address.SignedURL+"0", again, int64(len(data)), nil); !client.IsKind(err, client.KindExpired) {
			t.Errorf("the link: %v", err)
		}
		stranger, err := client.New(client.Options{BaseURL: s.url})
		assert.NoError(t, err)
		defer stranger.Close()
		if _, err := stranger.Result(t.Context(), address.RequestID); !client.IsKind(err, client.KindKey) {
			t.Errorf("the key: %v", err)
		}
	})
}
