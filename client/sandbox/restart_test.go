package sandbox

import (
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"

	"assay/client/assert"
)

func TestRestart(t *testing.T) {
	t.Run("results, key and links outlive it", func(t *testing.T) {
		before := setup(t)
		id := before.upload(t, "a.jpg", photo(t, 1))
		then := before.settled(t, id)
		before.stop()

		after := setupIn(t, before.dir, before.clock)
		now := after.result(t, id)
		if after.Key() != before.Key() || after.Submissions() != 1 {
			t.Errorf("the key changed, or %d submissions are not one", after.Submissions())
		}
		for _, field := range []string{"models", "resultsSummary", "overallStatus", "uploadedDate", "filename"} {
			if diff := cmp.Diff(string(then.fields[field]), string(now.fields[field])); diff != "" {
				t.Errorf("%s: %s", field, diff)
			}
		}
		old, err := url.Parse(then.Thumbnail)
		assert.NoError(t, err)
		if got := after.send(t, http.MethodGet, after.url+old.RequestURI(), nil, nil); got.status != http.StatusOK {
			t.Errorf("a link from before: %d %s", got.status, got.body)
		}
	})
	t.Run("an upload address from before takes the bytes after", func(t *testing.T) {
		before := setup(t)
		asked := before.ask(t, "a.jpg")
		before.stop()

		after := setupIn(t, before.dir, before.clock)
		old, err := url.Parse(asked.Response.SignedURL)
		assert.NoError(t, err)
		if got := after.put(t, after.url+old.RequestURI(), photo(t, 1)); got.status != http.StatusOK {
			t.Fatalf("%d %s", got.status, got.body)
		}
		if got := after.settled(t, asked.RequestID); !got.Final() {
			t.Errorf("got %s", got.Raw)
		}
	})
	t.Run("an analysis that was under way is done again", func(t *testing.T) {
		g := newGate()
		before := setup(t, held(g))
		id := before.upload(t, "a.jpg", photo(t, 1))
		<-g.reached
		before.stop()

		after := setupIn(t, before.dir, before.clock)
		got := after.settled(t, id)
		if !got.Final() || got.ResultsSummary.Failure != nil || after.Submissions() != 1 {
			t.Errorf("got %s and %d submissions", got.Raw, after.Submissions())
		}
	})
	t.Run("a damaged record is left out and left alone, the others serve", func(t *testing.T) {
		before := setup(t)
		id := before.upload(t, "a.txt", []byte("hello"))
		before.settled(t, id)
		before.stop()
		damaged := filepath.Join(before.dir, recordsDir, uuid.NewString()+".json")
		assert.NoError(t, os.WriteFile(damaged, []byte(`{"requestId":`), 0o600))

		after := setupIn(t, before.dir, before.clock)
		after.result(t, id)
		if _, err := os.Stat(damaged); err != nil {
			t.Error(err)
		}
	})
	t.Run("files that no record names are cleared away", func(t *testing.T) {
		before := setup(t)
		id := before.upload(t, "a.jpg", photo(t, 1))
		before.settled(t, id)
		before.stop()
		for _, room := range []string{incomingDir, objectsDir, artifactsDir} {
			assert.NoError(t, os.WriteFile(filepath.Join(before.dir, room, uuid.NewString()), []byte("left behind"), 0o600))
		}

		after := setupIn(t, before.dir, before.clock)
		for room, want := range map[string]int{incomingDir: 0, objectsDir: 1, artifactsDir: 1} {
			if left, err := os.ReadDir(filepath.Join(after.dir, room)); err != nil || len(left) != want {
				t.Errorf("%s: %v (%v), want %d", room, left, err, want)
			}
		}
		if got := after.send(t, http.MethodGet, after.result(t, id).StorageLocation, nil, nil); got.status != http.StatusOK {
			t.Errorf("the original went too: %d", got.status)
		}
	})
}

func TestFolder(t *testing.T) {
	s := setup(t)
	s.settled(t, s.upload(t, "../../Source Name.jpg", photo(t, 1)))
	s.stop()
	err := filepath.WalkDir(s.dir, func(path string, file os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		facts, err := file.Info()
		if err != nil {
			return err
		}
		if strings.Contains(path, "Source") {
			t.Errorf("the name of an upload is in the path %s", path)
		}
		if path != s.dir && runtime.GOOS != "windows" && facts.Mode().Perm()&0o077 != 0 {
			t.Errorf("%s is open to others: %v", path, facts.Mode())
		}
		return nil
	})
	assert.NoError(t, err)
}
