package client_test

import (
	"bytes"
	"context"
	"image"
	_ "image/jpeg" // the photo
	"image/png"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"assay/client"
	"assay/client/assert"
	"assay/client/sandbox"
)

// splicedPhoto is a photo that the sandbox's error level analysis calls FAKE, with a heatmap.
var splicedPhoto = filepath.Join("..", "testdata", "pictures", "mountains-spliced.jpg")

// serviceInProcess is the sandbox behind a client of it.
type serviceInProcess struct {
	*client.Client
	sandbox *sandbox.Sandbox
	clock   *clock
	open    chan struct{} // closed: models may end
}

func startSandbox(t *testing.T) *serviceInProcess {
	t.Helper()
	s := &serviceInProcess{clock: newClock(), open: make(chan struct{})}
	box, err := sandbox.New(sandbox.Options{Dir: t.TempDir(), Key: key, SecondUser: true, Now: s.clock.Now, Hold: func(ctx context.Context, _, _ string) {
		select {
		case <-s.open:
		case <-ctx.Done():
		}
	}})
	assert.NoError(t, err)
	s.sandbox = box
	server, err := sandbox.Listen(t.Context(), "127.0.0.1:0", box)
	assert.NoError(t, err)
	t.Cleanup(func() {
		if err := server.Close(); err != nil {
			t.Error(err)
		}
		if err := box.Close(); err != nil {
			t.Error(err)
		}
	})
	s.Client, err = client.New(client.Options{BaseURL: server.URL(), Key: box.Key, Now: s.clock.Now})
	assert.NoError(t, err)
	t.Cleanup(s.Close)
	return s
}

// put sends the photo to an address.
func (s *serviceInProcess) put(t *testing.T, up client.Upload, progress func(int64)) error {
	t.Helper()
	file := reopen(t, splicedPhoto)
	info, err := file.Stat()
	assert.NoError(t, err)
	return s.Put(t.Context(), up.SignedURL, file, info.Size(), progress)
}

func (s *serviceInProcess) result(t *testing.T, id string) *client.Result {
	t.Helper()
	r, err := s.Result(t.Context(), id)
	assert.NoError(t, err)
	return r
}

func TestOwnUploads(t *testing.T) {
	first := startSandbox(t)
	close(first.open)
	api, err := client.New(client.Options{BaseURL: first.Address(), Key: first.sandbox.SecondKey, Now: first.clock.Now})
	assert.NoError(t, err)
	t.Cleanup(api.Close)
	second := &serviceInProcess{Client: api, sandbox: first.sandbox}
	for name, c := range map[string]struct{ own, other *serviceInProcess }{"first": {first, second}, "second": {second, first}} {
		t.Run("P7 the list holds the uploads of this key's user, and no other's: the "+name+" user", func(t *testing.T) {
			var own []string
			for range 2 {
				up, err := c.own.RequestUpload(t.Context(), "mountains-spliced.jpg")
				assert.NoError(t, err)
				assert.NoError(t, c.own.put(t, up, nil))
				own = append(own, up.RequestID)
			}
			list := func(s *serviceInProcess) (ids []string) {
				for r, err := range s.Results(t.Context(), client.ListQuery{Name: "mountains"}) {
					assert.NoError(t, err)
					ids = append(ids, r.RequestID)
				}
				return ids
			}
			if got := list(c.own); len(got) != len(own) || !slices.Contains(got, own[0]) || !slices.Contains(got, own[1]) {
				t.Errorf("it lists %v, and uploaded %v", got, own)
			}
			if got := list(c.other); slices.ContainsFunc(got, func(id string) bool { return slices.Contains(own, id) }) {
				t.Errorf("the other user's list is %v, with one of %v", got, own)
			}
		})
	}
}

func TestAgainstTheSandbox(t *testing.T) {
	s := startSandbox(t)
	photo, err := os.ReadFile(splicedPhoto)
	assert.NoError(t, err)
	up, err := s.RequestUpload(t.Context(), "mountains-spliced.jpg")
	assert.NoError(t, err)
	var told atomic.Int64
	sendErr := s.put(t, up, told.Store)
	var early, final *client.Result

	t.Run("U1 the address is given, with its identifier and time of issue", func(t *testing.T) {
		if up.SignedURL == "" || up.RequestID == "" || !up.Issued.Equal(s.clock.Now()) {
			t.Errorf("got %+v", up)
		}
	})
	t.Run("U2 the bytes arrive as they are", func(t *testing.T) {
		if sendErr != nil || told.Load() != int64(len(photo)) {
			t.Fatalf("%v, %d of %d bytes told", sendErr, told.Load(), len(photo))
		}
		early = s.result(t, up.RequestID)
		original, err := s.Artifact(t.Context(), early.StorageLocation, int64(len(photo)))
		if err != nil || !bytes.Equal(original, photo) {
			t.Errorf("%d bytes came back, %v", len(original), err)
		}
	})
	t.Run("R1 polling sees the models run and then end", func(t *testing.T) {
		if early.Final() || early.Running() == 0 || len(early.UsableHeatmaps()) != 0 {
			t.Errorf("at first: %s, %d of %d run", early.Status(), early.Running(), len(early.Models))
		}
		close(s.open)
		assert.NoError(t, s.sandbox.Idle(t.Context()))
		final = s.result(t, up.RequestID)
		if !final.Final() || final.RequestID != up.RequestID || final.MediaType != client.Image || final.Status() != client.Fake {
			t.Fatalf("in the end: %+v", final)
		}
		if _, ok := final.Ensemble(); !ok {
			t.Error("no ensemble is recognised")
		}
	})
	if final == nil {
		t.Fatal("there is no result to go on with")
	}
	t.Run("A2 the usable heatmaps are pictures of the photo's size", func(t *testing.T) {
		usable := final.UsableHeatmaps()
		if len(usable) == 0 {
			t.Fatal("there is none")
		}
		want, _, err := image.DecodeConfig(bytes.NewReader(photo))
		assert.NoError(t, err)
		for _, h := range usable {
			body, err := s.Artifact(t.Context(), h.URL, 64<<20)
			assert.NoError(t, err)
			heat, err := png.DecodeConfig(bytes.NewReader(body))
			if err != nil || heat.Width != want.Width || heat.Height != want.Height {
				t.Errorf("%s: %d × %d (%v), the photo %d × %d", h.Model, heat.Width, heat.Height, err, want.Width, want.Height)
			}
		}
	})
	t.Run("A5 a signed URL serves without the key", func(t *testing.T) {
		keyless, err := client.New(client.Options{BaseURL: s.Address()})
		assert.NoError(t, err)
		defer keyless.Close()
		if _, err := keyless.Artifact(t.Context(), final.StorageLocation, 64<<20); err != nil {
			t.Error(err)
		}
		_, err = keyless.Result(t.Context(), up.RequestID)
		wantKind(t, err, client.KindKey)
	})
	t.Run("A3 an address that is 900 s old is expired, and the result's next answer has a fresh one", func(t *testing.T) {
		s.clock.set(client.SignedURLLife)
		_, err := s.Artifact(t.Context(), final.StorageLocation, 64<<20)
		wantKind(t, err, client.KindExpired)
		if _, err := s.Artifact(t.Context(), s.result(t, up.RequestID).StorageLocation, 64<<20); err != nil {
			t.Error(err)
		}
		_, query, _ := strings.Cut(final.StorageLocation, "?")
		if query == "" || strings.Contains(err.Error(), query) {
			t.Errorf("the error %q quotes the signature", err)
		}
	})
	t.Run("U10 the upload is found by its name as well", func(t *testing.T) {
		id, err := s.FindUpload(t.Context(), "mountains-spliced.jpg", up.Issued)
		if err != nil || id != up.RequestID {
			t.Errorf("got %q, %v", id, err)
		}
	})
}

func TestExpiredUploadAgainstTheSandbox(t *testing.T) {
	s := startSandbox(t)
	close(s.open)
	up, err := s.RequestUpload(t.Context(), "photo.jpg")
	assert.NoError(t, err)
	s.clock.set(client.SignedURLLife)
	t.Run("U13 an upload address that expired before the bytes went is kind expired, and a new one serves", func(t *testing.T) {
		wantKind(t, s.put(t, up, nil), client.KindExpired)
		assert.Equal(t, 0, s.sandbox.Submissions())
		again, err := s.RequestUpload(t.Context(), "photo.jpg")
		assert.NoError(t, err)
		assert.NoError(t, s.put(t, again, nil))
		assert.Equal(t, 1, s.sandbox.Submissions())
	})
}
