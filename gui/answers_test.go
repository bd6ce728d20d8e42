package gui

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"assay/client"
	"assay/client/sandbox"
	"assay/client/store"
	"assay/client/submission"
	"assay/client/vault"
	"assay/client/verdict"
	"assay/gui/present"
	"assay/gui/results"
)

var shelfNow = time.Date(2026, time.November, 12, 14, 2, 0, 0, time.UTC)

func openStore(t *testing.T) *store.Store {
	t.Helper()
	s, err := store.Open(t.Context(), t.TempDir(), store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() }) // one test closes it itself
	return s
}

// answered is a submission that is done, days old.
func answered(t *testing.T, id string, days int, answer string) submission.Submission {
	t.Helper()
	r := new(client.Result)
	if err := json.Unmarshal([]byte(answer), r); err != nil {
		t.Fatal(err)
	}
	at := shelfNow.AddDate(0, 0, -days)
	return submission.Submission{ID: id, Name: id + ".jpg", Source: submission.Dropped, State: submission.Done, Step: submission.Answered, Filed: true,
		Type: r.MediaType, RequestID: "request-" + id, Accepted: at, Answered: at.Add(time.Minute), Result: r}
}

func TestWhatContradictsItselfIsListedWithWhatNeedsAHuman(t *testing.T) {
	s := openStore(t)
	if _, err := s.Add(t.Context(), []submission.Submission{
		answered(t, "authentic", 0, `{"overallStatus":"AUTHENTIC"}`), answered(t, "fake", 1, `{"overallStatus":"FAKE"}`), answered(t, "suspicious", 2, `{"overallStatus":"SUSPICIOUS"}`),
		answered(t, "contrary", 3, `{"overallStatus":"AUTHENTIC","resultsSummary":{"status":"FAKE"}}`),
	}); err != nil {
		t.Fatal(err)
	}
	a := newAnswers(s, func() time.Time { return shelfNow })
	for name, c := range map[string]struct {
		query results.Query
		want  []string
	}{
		"not among those without a sign":     {results.Query{Statuses: []client.Status{client.Authentic}}, []string{"authentic"}},
		"with what is suspicious":            {results.Query{Statuses: []client.Status{client.Suspicious}}, []string{"suspicious", "contrary"}},
		"first where a human is needed":      {results.Query{Order: results.HumanFirst}, []string{"suspicious", "contrary", "fake", "authentic"}},
		"nor among those that are likely so": {results.Query{Statuses: []client.Status{client.Fake}}, []string{"fake"}},
	} {
		t.Run(name, func(t *testing.T) {
			rows, err := a.Rows(t.Context(), c.query, 0, 9)
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, row := range rows {
				got = append(got, row.ID)
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Error(diff)
			}
			want := results.Counts{Shown: len(c.want), All: 4, ByStatus: map[client.Status]int{client.Authentic: 1, client.Fake: 1, client.Suspicious: 2}}
			if counts, err := a.Counts(t.Context(), c.query); err != nil || !cmp.Equal(want, counts) {
				t.Errorf("counted %+v, %v", counts, err)
			}
		})
	}
}

func TestTheListReadsTheStore(t *testing.T) {
	s := openStore(t)
	fake := answered(t, "fake", 0, `{"overallStatus":"FAKE","mediaType":"IMAGE","resultsSummary":{"metadata":{"finalScore":88.4}}}`)
	suspicious := answered(t, "suspicious", 3, `{"overallStatus":"SUSPICIOUS","mediaType":"AUDIO"}`)
	link := answered(t, "link", 20, `{"overallStatus":"AUTHENTIC","mediaType":"VIDEO"}`)
	link.Link, link.Name, link.Source = "https://clips.example/42", "clips.example/42", submission.Pasted
	elsewhere := answered(t, "elsewhere", 400, `{"overallStatus":"NEWLY_INVENTED","mediaType":"TEXT"}`)
	elsewhere.Source = submission.Service
	if _, err := s.Add(t.Context(), []submission.Submission{elsewhere, link, suspicious, fake}); err != nil {
		t.Fatal(err)
	}
	a := newAnswers(s, func() time.Time { return shelfNow })

	for name, c := range map[string]struct {
		query results.Query
		want  []string
	}{
		"all, the newest first":           {results.Query{}, []string{"fake", "suspicious", "link", "elsewhere"}},
		"the oldest first":                {results.Query{Order: results.OldestFirst}, []string{"elsewhere", "link", "suspicious", "fake"}},
		"by name":                         {results.Query{Order: results.ByName}, []string{"link", "elsewhere", "fake", "suspicious"}},
		"what needs a human first":        {results.Query{Order: results.HumanFirst}, []string{"suspicious", "elsewhere", "fake", "link"}},
		"by text":                         {results.Query{Text: "clips"}, []string{"link"}},
		"by verdicts":                     {results.Query{Statuses: []client.Status{client.Fake, client.Authentic}}, []string{"fake", "link"}},
		"by type":                         {results.Query{Medium: present.Recording}, []string{"suspicious"}},
		"today":                           {results.Query{Dates: results.Today}, []string{"fake"}},
		"last 7 days":                     {results.Query{Dates: results.LastWeek}, []string{"fake", "suspicious"}},
		"last 30 days":                    {results.Query{Dates: results.LastMonth}, []string{"fake", "suspicious", "link"}},
		"this year":                       {results.Query{Dates: results.ThisYear}, []string{"fake", "suspicious", "link"}},
		"own files":                       {results.Query{Source: results.OwnFiles}, []string{"fake", "suspicious"}},
		"own links":                       {results.Query{Source: results.OwnLinks}, []string{"link"}},
		"from another device":             {results.Query{Source: results.AnotherDevice}, []string{"elsewhere"}},
		"several at once, and none match": {results.Query{Source: results.AnotherDevice, Dates: results.Today}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			rows, err := a.Rows(t.Context(), c.query, 0, 50)
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for i, row := range rows {
				got = append(got, row.ID)
				at, ok, err := a.Place(t.Context(), c.query, row.ID)
				if err != nil || !ok || at != i {
					t.Errorf("%s stands at %d (%v, %v), want %d", row.ID, at, ok, err, i)
				}
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Error(diff)
			}
			counts, err := a.Counts(t.Context(), c.query)
			if err != nil || counts.Shown != len(rows) {
				t.Errorf("counted %d of %d, %v", counts.Shown, len(rows), err)
			}
		})
	}
	t.Run("counts of verdicts ignore which are chosen", func(t *testing.T) {
		counts, err := a.Counts(t.Context(), results.Query{Statuses: []client.Status{client.Fake}})
		if err != nil {
			t.Fatal(err)
		}
		want := results.Counts{Shown: 1, All: 4,
			ByStatus: map[client.Status]int{client.Fake: 1, client.Suspicious: 1, client.Authentic: 1, "NEWLY_INVENTED": 1}}
		if diff := cmp.Diff(want, counts); diff != "" {
			t.Error(diff)
		}
	})
	t.Run("rows say what the kept answer says", func(t *testing.T) {
		rows, err := a.Rows(t.Context(), results.Query{}, 0, 1)
		if err != nil {
			t.Fatal(err)
		}
		v := verdict.Of(fake.Result)
		if rows[0].Words != v.Short || rows[0].Score != v.Score.Text() || rows[0].Line != v.Line() || rows[0].RequestID != "request-fake" {
			t.Errorf("%+v", rows[0])
		}
	})
	t.Run("a store that fails is told in a sentence", func(t *testing.T) {
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
		_, err := a.Rows(t.Context(), results.Query{}, 0, 1)
		var sentence interface{ Sentence() string }
		if !errors.As(err, &sentence) || sentence.Sentence() == "" || !errors.Is(err, store.ErrClosed) {
			t.Errorf("%v", err)
		}
	})
}

// nothingQueued is a queue whose memory is empty, as after a restart.
type nothingQueued struct{}

func (nothingQueued) Get(string) (submission.Submission, bool) { return submission.Submission{}, false }
func (nothingQueued) OpenFile(string) (*os.File, error)        { return nil, errors.New("not in the queue") }

func TestSubmissionsThatTheQueueHasForgotten(t *testing.T) {
	s := openStore(t)
	path := filepath.Join(t.TempDir(), "fake.jpg")
	if err := os.WriteFile(path, []byte("the picture"), 0o600); err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
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
		if err != nil {
			t.Fatal(err)
		}
		defer file.Close() //nolint:errcheck // only read from
		if content, err := io.ReadAll(file); err != nil || string(content) != "the picture" {
			t.Errorf("%q, %v", content, err)
		}
	})
	t.Run("open no file that has changed, and none of another device", func(t *testing.T) {
		if err := os.WriteFile(path, []byte("another picture"), 0o600); err != nil {
			t.Fatal(err)
		}
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
		if err != nil {
			t.Fatal(err)
		}
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
	box, err := sandbox.New(sandbox.Options{Dir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	server, err := sandbox.Listen(t.Context(), "127.0.0.1:0", box)
	if err != nil {
		t.Fatal(err)
	}
	c, err := client.New(client.Options{BaseURL: server.URL(), Key: box.Key})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		c.Close()
		if err := errors.Join(server.Close(), box.Close()); err != nil {
			t.Error(err)
		}
	})
	result, err := analysed(t.Context(), c, box, filepath.Join("..", "testdata", "pictures", "mountains-spliced.jpg"))
	if err != nil {
		t.Fatal(err)
	}
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
			if err != nil {
				t.Fatal(err)
			}
			if err := file.Close(); err != nil {
				t.Error(err)
			}
		}
	})
	t.Run("A6 the original, where the person's own file is not here", func(t *testing.T) {
		sent, err := os.ReadFile(photoFile("mountains-spliced.jpg"))
		if err != nil {
			t.Fatal(err)
		}
		for _, from := range []*submissions{withClient, without} {
			file, err := from.OpenOriginal(t.Context(), "spliced")
			if err != nil {
				t.Fatal(err)
			}
			got, err := io.ReadAll(file)
			if err := errors.Join(err, file.Close()); err != nil || !bytes.Equal(got, sent) {
				t.Errorf("%d bytes of %d, %v", len(got), len(sent), err)
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
