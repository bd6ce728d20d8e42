package gui

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"assay/client"
	"assay/client/assert"
	"assay/client/media"
	"assay/client/sandbox"
	"assay/client/store"
	"assay/client/submission"
	"assay/client/vault"
)

// nothingQueued is a queue whose memory is empty, as after a restart.
type nothingQueued struct{}

func (nothingQueued) Get(string) (submission.Submission, bool) { return submission.Submission{}, false }
func (nothingQueued) OpenFile(string) (*os.File, error)        { return nil, errors.New("not in the queue") }

// queuedInBrief is a queue that has one submission, of whose answer it holds what the verdict is made of.
type queuedInBrief struct {
	nothingQueued
	submission.Submission
}

func (q queuedInBrief) Get(id string) (submission.Submission, bool) {
	q.Result = q.Result.Brief()
	return q.Submission, id == q.ID
}

func TestAnAnswerThatTheQueueHasInBriefIsShownWhole(t *testing.T) {
	s := openStore(t)
	fake := answered(t, "fake", 1, `{"overallStatus":"FAKE","mediaType":"IMAGE","unknown":"field"}`)
	again := submission.Submission{ID: "again", Name: "fake.jpg", Source: submission.Dropped, State: submission.Done, Earlier: "fake", Accepted: shelfNow}
	if _, err := s.Add(t.Context(), []submission.Submission{fake, again}); err != nil {
		t.Fatal(err)
	}
	again.Result, again.RequestID = fake.Result, fake.RequestID // as a duplicate is shown
	for _, queued := range []submission.Submission{fake, again} {
		subs := newSubmissions(queuedInBrief{Submission: queued}, s, nil, func(submission.Submission) {}, time.Now)
		if data, err := subs.Raw(t.Context(), queued.ID); err != nil || !strings.Contains(string(data), `"unknown":"field"`) {
			t.Errorf("%s: %q, %v", queued.ID, data, err)
		}
		if v, ok, err := subs.Viewer(t.Context(), queued.ID); err != nil || !ok || v.Verdict.Status != client.Fake {
			t.Errorf("%s: %v, %v, %+v", queued.ID, ok, err, v)
		}
	}
	fake.ID = "removed"
	subs := newSubmissions(queuedInBrief{Submission: fake}, s, nil, func(submission.Submission) {}, time.Now)
	if _, ok, err := subs.Viewer(t.Context(), "removed"); ok || err != nil {
		t.Errorf("one that the store has no more: %v, %v", ok, err)
	}
}

func TestSubmissionsThatTheQueueHasForgotten(t *testing.T) {
	s := openStore(t)
	path := filepath.Join(t.TempDir(), "fake.jpg")
	assert.NoError(t, os.WriteFile(path, []byte("the picture"), 0o600))
	info, err := os.Stat(path)
	assert.NoError(t, err)
	sum := sha256.Sum256([]byte("the picture"))
	fake := answered(t, "fake", 1, `{"overallStatus":"FAKE","mediaType":"IMAGE"}`)
	fake.Path, fake.Size, fake.Modified, fake.SHA256 = path, info.Size(), info.ModTime(), hex.EncodeToString(sum[:])
	again := submission.Submission{ID: "again", Name: "fake.jpg", Source: submission.Dropped, State: submission.Done, Earlier: "fake", Filed: true,
		Accepted: shelfNow}
	elsewhere := answered(t, "elsewhere", 2, `{"overallStatus":"FAKE","mediaType":"IMAGE"}`)
	elsewhere.Source = submission.Service
	if _, err := s.Add(t.Context(), []submission.Submission{elsewhere, fake, again}); err != nil {
		t.Fatal(err)
	}
	subs := newSubmissions(nothingQueued{}, s, nil, func(submission.Submission) {}, time.Now)

	t.Run("are shown from the store", func(t *testing.T) {
		v, ok, err := subs.Viewer(t.Context(), "fake")
		if err != nil || !ok || v.Name != "fake.jpg" || v.Verdict.Status != client.Fake {
			t.Errorf("%v, %v, %+v", ok, err, v)
		}
	})
	t.Run("show the answer of the earlier one", func(t *testing.T) {
		v, ok, err := subs.Viewer(t.Context(), "again")
		if err != nil || !ok || v.Verdict.Status != client.Fake {
			t.Errorf("%v, %v, %+v", ok, err, v)
		}
	})
	t.Run("are none where nobody knows them", func(t *testing.T) {
		if _, ok, err := subs.Viewer(t.Context(), "nobody"); ok || err != nil {
			t.Errorf("%v, %v", ok, err)
		}
	})
	t.Run("open their own file while it is the same", func(t *testing.T) {
		file, err := subs.OpenFile(t.Context(), "fake")
		assert.NoError(t, err)
		defer file.Close() //nolint:errcheck // only read from
		if content, err := io.ReadAll(file); err != nil || string(content) != "the picture" {
			t.Errorf("%q, %v", content, err)
		}
	})
	t.Run("open no file that has changed, and none of another device", func(t *testing.T) {
		assert.NoError(t, os.WriteFile(path, []byte("another picture"), 0o600))
		for _, id := range []string{"fake", "elsewhere", "nobody"} {
			if file, err := subs.OpenFile(t.Context(), id); err == nil {
				t.Errorf("%s: opened %s", id, file.Name())
			}
		}
	})
	t.Run("have the thumbnail that the vault keeps", func(t *testing.T) {
		if _, err := subs.OpenThumbnail(t.Context(), "elsewhere"); !errors.Is(err, fs.ErrNotExist) {
			t.Fatalf("before it is kept: %v", err)
		}
		keepCopy(t, s, "request-elsewhere", vault.Thumbnail, "", []byte("small"))
		file, err := subs.OpenThumbnail(t.Context(), "elsewhere")
		assert.NoError(t, err)
		defer file.Close() //nolint:errcheck // only read from
		if content, err := io.ReadAll(file); err != nil || string(content) != "small" {
			t.Errorf("%q, %v", content, err)
		}
	})
	t.Run("have the heatmap that the vault keeps, without asking the service", func(t *testing.T) {
		keepCopy(t, s, "request-fake", vault.Heatmap, "svc-oak-img", []byte("heat"))
		if png, err := subs.Heatmap(t.Context(), "fake", "svc-oak-img"); err != nil || string(png) != "heat" {
			t.Errorf("%q, %v", png, err)
		}
	})
}

func keepCopy(t *testing.T, s *store.Store, requestID, kind, model string, content []byte) {
	t.Helper()
	if _, err := s.Keep(t.Context(), requestID, kind, model, func(w io.Writer) error {
		_, err := w.Write(content)
		return err
	}); err != nil {
		t.Fatal(err)
	}
}

func TestWhatIsNotKeptIsFetchedByFreshLinksAndKept(t *testing.T) {
	box, server := newSandbox(t, sandbox.Options{}, nil)
	c := newClient(t, client.Options{BaseURL: server.URL, Key: box.Key})
	result, err := analysed(t.Context(), c, box, filepath.Join("..", "testdata", "pictures", "mountains-spliced.jpg"))
	assert.NoError(t, err)
	s := openStore(t)
	sub := answered(t, "spliced", 0, `{"mediaType":"IMAGE"}`)
	sub.RequestID, sub.Result = result.RequestID, result
	if _, err := s.Add(t.Context(), []submission.Submission{sub}); err != nil {
		t.Fatal(err)
	}
	withClient := newSubmissions(nothingQueued{}, s, c, func(submission.Submission) {}, time.Now)
	without := newSubmissions(nothingQueued{}, s, nil, func(submission.Submission) {}, time.Now) // there is no client to ask
	t.Run("a heatmap", func(t *testing.T) {
		model := result.UsableHeatmaps()[0].Model.Verbatim()
		first, err := withClient.Heatmap(t.Context(), "spliced", model)
		if err != nil || len(first) == 0 {
			t.Fatalf("%d bytes, %v", len(first), err)
		}
		second, err := without.Heatmap(t.Context(), "spliced", model)
		if err != nil || !bytes.Equal(first, second) {
			t.Errorf("%d bytes, then %d, %v", len(first), len(second), err)
		}
	})
	t.Run("the thumbnail of what is looked at", func(t *testing.T) {
		if file, err := withClient.OpenThumbnail(t.Context(), "spliced"); !errors.Is(err, fs.ErrNotExist) {
			t.Fatalf("a list asks for it: %v, %v", file, err)
		}
		for _, from := range []clips{{withClient}, {without}} {
			file, err := from.OpenThumbnail(t.Context(), "spliced")
			assert.NoError(t, err)
			if err := file.Close(); err != nil {
				t.Error(err)
			}
		}
	})
	t.Run("A6 the original, where the person's own file is not here; what is read ahead is not fetched", func(t *testing.T) {
		sent, err := os.ReadFile(photoFile("mountains-spliced.jpg"))
		assert.NoError(t, err)
		if file, err := withClient.OpenKept(t.Context(), "spliced"); err == nil {
			t.Errorf("%s was fetched", file.Name())
		}
		for _, from := range []*submissions{withClient, without} {
			file, err := from.OpenOriginal(t.Context(), "spliced")
			assert.NoError(t, err)
			got, err := io.ReadAll(file)
			if err := errors.Join(err, file.Close()); err != nil || !bytes.Equal(got, sent) {
				t.Errorf("%d bytes of %d, %v", len(got), len(sent), err)
			}
		}
		file, err := without.OpenKept(t.Context(), "spliced")
		assert.NoError(t, err)
		assert.NoError(t, file.Close())
	})
	t.Run("in place of a picture that can't be decoded here the copy that was sent, and else the file itself", func(t *testing.T) {
		sent, err := os.ReadFile(photoFile("mountains-spliced.jpg"))
		assert.NoError(t, err)
		avif := filepath.Join("..", "client", "media", "convert", "testdata", "picture.avif")
		heic := filepath.Join("..", "client", "media", "convert", "testdata", "phone.heic")
		for name, c := range map[string]struct{ file, want string }{"avif": {avif, photoFile("mountains-spliced.jpg")}, "heic": {heic, heic}} {
			spliced, ok, err := s.Get(t.Context(), "spliced")
			assert.True(t, ok && err == nil, "%v", err)
			path, err := filepath.Abs(c.file)
			assert.NoError(t, err)
			own, err := os.ReadFile(path)
			assert.NoError(t, err)
			info, err := os.Stat(path)
			assert.NoError(t, err)
			spliced.ID, spliced.Path, spliced.Size, spliced.Modified = name, path, info.Size(), info.ModTime()
			spliced.SHA256 = fmt.Sprintf("%x", sha256.Sum256(own))
			spliced.Copy = submission.Copy{SHA256: fmt.Sprintf("%x", sha256.Sum256(sent)), Size: int64(len(sent)), Format: "JPEG", Metadata: true}
			_, err = s.Add(t.Context(), []submission.Submission{spliced})
			assert.NoError(t, err)
			want, err := os.ReadFile(c.want)
			assert.NoError(t, err)
			file, err := pictures{withClient}.OpenOriginal(t.Context(), name)
			assert.NoError(t, err)
			got, err := io.ReadAll(file)
			if err := errors.Join(err, file.Close()); err != nil || !bytes.Equal(got, want) {
				t.Errorf("%s: %d bytes of %d, %v", name, len(got), len(want), err)
			}
		}
	})
	t.Run("A6 an original that the retention rules removed is said to be", func(t *testing.T) {
		gone := answered(t, "removed", 0, `{"mediaType":"IMAGE","storageLocation":""}`)
		gone.Path, gone.SHA256 = "", ""
		if _, err := s.Add(t.Context(), []submission.Submission{gone}); err != nil {
			t.Fatal(err)
		}
		if file, err := withClient.OpenOriginal(t.Context(), "removed"); !errors.Is(err, errRemoved) {
			t.Errorf("%v, %v", file, err)
		}
	})
}

// analysed sends a file and returns its final result.
func analysed(ctx context.Context, c *client.Client, box *sandbox.Sandbox, path string) (*client.Result, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close() //nolint:errcheck // only read from
	info, err := file.Stat()
	if err != nil {
		return nil, err
	}
	upload, err := c.RequestUpload(ctx, filepath.Base(path))
	if err != nil {
		return nil, err
	}
	if err := c.Put(ctx, upload.SignedURL, file, info.Size(), func(int64) {}); err != nil {
		return nil, err
	}
	if err := box.Idle(ctx); err != nil {
		return nil, err
	}
	r, err := c.Result(ctx, upload.RequestID)
	if err == nil && len(r.UsableHeatmaps()) == 0 {
		err = fmt.Errorf("no heatmap is usable of %s", r.Status())
	}
	return r, err
}

func TestThePersonsOwnFileServesWhereItsHashMatches(t *testing.T) {
	s := openStore(t)
	path := filepath.Join(t.TempDir(), "statement.txt")
	write := func(text string, at time.Time) {
		assert.NoError(t, errors.Join(os.WriteFile(path, []byte(text), 0o600), os.Chtimes(path, at, at)))
	}
	at := time.Now().Add(-time.Hour).Truncate(time.Second)
	write("as it was", at)
	sum := sha256.Sum256([]byte("as it was"))
	sub := answered(t, "own", 0, `{"mediaType":"TEXT","storageLocation":""}`)
	sub.Path, sub.Size, sub.Modified, sub.SHA256 = path, 9, at, hex.EncodeToString(sum[:])
	if _, err := s.Add(t.Context(), []submission.Submission{sub}); err != nil {
		t.Fatal(err)
	}
	open := func() error {
		kept := newSubmissions(nothingQueued{}, s, nil, func(submission.Submission) {}, time.Now)
		file, err := kept.ownFile(t.Context(), "own")
		if err == nil {
			err = file.Close()
		}
		return err
	}
	assert.NoError(t, open())
	write("as it is ", at) // of the same size, and dated back
	var changed *media.Changed
	if err := open(); !errors.As(err, &changed) {
		t.Errorf("another file is shown for it: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	kept := newSubmissions(nothingQueued{}, s, nil, func(submission.Submission) {}, time.Now)
	if _, err := kept.OpenOriginal(ctx, "own"); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
}
