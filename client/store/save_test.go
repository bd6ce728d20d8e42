package store_test

import (
	"errors"
	"reflect"
	"strings"
	"testing"
	"time"

	"assay/client"
	"assay/client/assert"
	"assay/client/i18n"
	"assay/client/store"
	"assay/client/submission"
)

func TestEveryFieldComesBack(t *testing.T) {
	full := submission.Submission{
		ID: "id", Path: "/incoming/Ünïcode \xff'\"%.jpg", Link: "https://posts.example/1?a=b", Name: "Ünïcode\u202f東京.jpg", Note: "a 'note'\nof two lines\x1f", Tags: []string{"river bank", "🌊"},
		Source: submission.Scanned, State: submission.Done, Step: submission.Answered, Paused: true, Filed: true, Graphic: true,
		Gate: submission.GateAsk, Allowed: noon.Add(3 * time.Nanosecond), Folder: "/incoming/\xff camera",
		Neutral: true, Copy: submission.Copy{Path: "/home/copies/id.mp4", SHA256: strings.Repeat("cd", 32), Size: 1 << 39, Removed: "position,serial",
			Format: "MP4", Metadata: true, Part: submission.Part{From: time.Second, To: 3*time.Minute + 1}, Note: i18n.Verbatim("Its sound is another.")},
		Needs: submission.NeedsPart, Copies: submission.CopiesAlways, Part: submission.Part{From: 2 * time.Second, To: time.Hour},
		Colleagues: submission.TakeOver, AnsweredBy: submission.Colleague{Name: "Rui\n🌊", At: noon.Add(5 * time.Nanosecond)},
		Type: client.Video, Size: 1 << 40, Modified: noon.Add(7 * time.Nanosecond), SHA256: strings.Repeat("ab", 32), SendName: "123456-a.jpg",
		Warning: i18n.Verbatim("It is long."), Upload: client.Upload{SignedURL: "https://storage.example/x?signature=secret", RequestID: "upload-request", Issued: noon},
		Asking: submission.Asking{At: noon.Add(time.Second), Warned: true, Refetch: true}, RequestID: "request", Earlier: "other", Again: true, Recheck: strings.Repeat("ab", 32),
		Result:  result(t, " {\"requestId\": \"request\",\n \"overallStatus\":\"FAKE\", \"unknown\": [1.0, 1e2]} \n"),
		Problem: i18n.M("This file is %s (%d): %s.", i18n.SizeMessage(5<<20), 503, "\u202ea <name>"), Accepted: noon, Uploaded: noon.Add(time.Hour), Answered: noon.Add(2 * time.Hour),
	}
	t.Run("the test sets every field", func(t *testing.T) {
		moment := map[string]bool{"Key": true, "Sent": true, "Rate": true, "Delay": true}
		for v, i := reflect.ValueOf(full), 0; i < v.NumField(); i++ {
			if name := v.Type().Field(i).Name; v.Field(i).IsZero() != moment[name] {
				t.Errorf("%s is to be set: %v", name, !moment[name])
			}
		}
	})
	bare := submission.Submission{ID: "bare"}
	ancient := waiting("ancient")
	ancient.Modified = time.Date(1600, 1, 1, 0, 0, 0, 1, time.UTC)
	far := waiting("far")
	far.Modified, far.Accepted = time.Date(9999, 12, 31, 23, 59, 59, 999_999_999, time.UTC), time.Unix(0, 0)
	folder := t.TempDir()
	s := open(t, folder, store.Options{})
	for _, sub := range []submission.Submission{full, bare, ancient, far} {
		t.Run("added: "+sub.ID, func(t *testing.T) {
			kept := add(t, s, sub)[0]
			sub.Key = kept.Key
			same(t, sub, kept)
			same(t, sub, get(t, s, sub.ID))
		})
	}
	t.Run("saved", func(t *testing.T) {
		sub := add(t, s, waiting("saved"))[0]
		all := full
		all.ID, all.Key, all.Note, all.Tags, all.Graphic = sub.ID, sub.Key, "", nil, false
		assert.NoError(t, s.Answer(t.Context(), all, "answered"))
		same(t, all, get(t, s, "saved"))
	})
	t.Run("after another start", func(t *testing.T) {
		assert.NoError(t, s.Close())
		again := open(t, folder, store.Options{})
		got := get(t, again, "id")
		full.Key = got.Key
		same(t, full, got)
		if again.SetAside() != "" {
			t.Error("it was set aside")
		}
	})
	t.Run("what is of the moment is not kept", func(t *testing.T) {
		s := setup(t)
		sub := waiting("a")
		sub.Sent, sub.Rate, sub.Delay = 5, 2, i18n.Verbatim("Trying again.")
		add(t, s, sub)
		if got := get(t, s, "a"); got.Sent != 0 || got.Rate != 0 || !got.Delay.IsZero() {
			t.Errorf("%+v", got)
		}
	})
}

func TestKeys(t *testing.T) {
	s := setup(t)
	t.Run("follow the date", func(t *testing.T) {
		late, early := waiting("late"), waiting("early")
		early.Accepted = noon.Add(-time.Hour)
		late, early = add(t, s, late)[0], add(t, s, early)[0]
		if early.Key >= late.Key || late.Key != noon.UnixMicro() {
			t.Error(early.Key, late.Key)
		}
	})
	t.Run("of one instant stay in the order in which they came", func(t *testing.T) {
		var last int64
		for i := range 300 {
			sub := waiting("same" + string(rune('A'+i)))
			sub.Accepted = noon.Add(time.Hour)
			if sub = add(t, s, sub)[0]; sub.Key <= last {
				t.Fatal(sub.Key, "after", last)
			}
			last = sub.Key
		}
	})
}

func TestAddIsAllOrNothing(t *testing.T) {
	s := setup(t)
	add(t, s, waiting("a"))
	if _, err := s.Add(t.Context(), []submission.Submission{waiting("b"), waiting("a")}); err == nil {
		t.Error("the same ID was kept twice")
	}
	if _, ok, err := s.Get(t.Context(), "b"); ok || err != nil {
		t.Error("half of it was kept", err)
	}
	entries, err := s.Custody(t.Context(), "b")
	if len(entries) != 0 || err != nil {
		t.Error(entries, err)
	}
	assert.NoError(t, s.VerifyCustody(t.Context()))
}

func TestSave(t *testing.T) {
	s := setup(t)
	sub := add(t, s, waiting("a"))[0]
	t.Run("keeps the row and its entry together", func(t *testing.T) {
		sub.State, sub.Upload = submission.Sending, client.Upload{SignedURL: "https://storage.example/?secret", Issued: noon}
		assert.NoError(t, s.Save(t.Context(), sub, "upload address received"))
		same(t, sub, get(t, s, "a"))
		assert.Equal(t, "accepted, upload address received", eventsOf(t, s, "a"))
	})
	t.Run("without an event adds no entry, and an empty upload clears the address", func(t *testing.T) {
		sub.Upload = client.Upload{}
		assert.NoError(t, s.Save(t.Context(), sub, ""))
		if got := get(t, s, "a"); got.Upload != (client.Upload{}) || eventsOf(t, s, "a") != "accepted, upload address received" {
			t.Error(got.Upload, eventsOf(t, s, "a"))
		}
	})
	t.Run("leaves the note and the answer alone", func(t *testing.T) {
		assert.NoError(t, s.SetNote(t.Context(), "a", "my note"))
		done := answered(t, "a", client.Fake)
		assert.NoError(t, s.Answer(t.Context(), done, "answered"))
		done.Result, done.Note = nil, ""
		assert.NoError(t, s.Save(t.Context(), done, ""))
		if got := get(t, s, "a"); got.Note != "my note" || got.Result == nil || got.Result.Status() != client.Fake {
			t.Error(got.Note, got.Result)
		}
	})
	t.Run("of an unknown one is ErrUnknown, and leaves no entry", func(t *testing.T) {
		for _, err := range []error{s.Save(t.Context(), waiting("none"), "sent"), s.Answer(t.Context(), answered(t, "none", client.Fake), "answered"),
			s.SetNote(t.Context(), "none", "x"), s.Remove(t.Context(), "none")} {
			if !errors.Is(err, store.ErrUnknown) {
				t.Error(err)
			}
		}
		assert.Equal(t, "", eventsOf(t, s, "none"))
		assert.NoError(t, s.VerifyCustody(t.Context()))
	})
}

func TestHistory(t *testing.T) {
	s := setup(t)
	sub := add(t, s, waiting("a"))[0]
	provisional := answered(t, "a", client.Analyzing)
	provisional.State, provisional.Answered = submission.Analysing, time.Time{}
	assert.NoError(t, s.Answer(t.Context(), provisional, ""))
	assert.NoError(t, s.Answer(t.Context(), answered(t, "a", client.Suspicious), "answered"))
	later := answered(t, "a", client.Fake)
	later.Answered = noon.Add(time.Hour)
	assert.NoError(t, s.Answer(t.Context(), later, "answered again"))
	changes, err := s.History(t.Context(), "a")
	assert.NoError(t, err)
	if len(changes) != 2 || changes[0].Status != client.Suspicious || changes[1].Status != client.Fake || changes[1].Release != "2.1" ||
		!changes[0].At.Equal(noon.Add(time.Minute)) || !changes[1].At.Equal(noon.Add(time.Hour)) {
		t.Fatalf("%+v", changes)
	}
	for i, want := range []client.Status{client.Suspicious, client.Fake} {
		earlier, ok, err := s.EarlierAnswer(t.Context(), "a", changes[i].RawSHA256)
		if err != nil || !ok || earlier.Status() != want {
			t.Error(earlier, ok, err)
		}
	}
	later.Key = sub.Key
	same(t, later, get(t, s, "a"))
	all, err := s.Answers(t.Context(), []string{"a", "none"})
	if err != nil || len(all) != 1 || string(all["a"].Raw) != string(later.Result.Raw) {
		t.Error(all, err)
	}
}

func TestRemove(t *testing.T) {
	s := setup(t)
	failed, running, done, shown, shows := waiting("failed"), waiting("running"), answered(t, "done", client.Fake), waiting("shown"), waiting("shows")
	failed.State, shown.State, shows.Earlier = submission.Failed, submission.Failed, "shown"
	add(t, s, failed, running, done, shown, shows)
	for _, id := range []string{"running", "done", "shown"} {
		if err := s.Remove(t.Context(), id); !errors.Is(err, store.ErrKept) {
			t.Errorf("%s: %v", id, err)
		}
		get(t, s, id)
	}
	assert.NoError(t, s.Remove(t.Context(), "failed"))
	if _, ok, err := s.Get(t.Context(), "failed"); ok || err != nil {
		t.Error("it is still there", err)
	}
	assert.Equal(t, "accepted, removed", eventsOf(t, s, "failed"))
}

func TestInbox(t *testing.T) {
	s := setup(t)
	filedRunning, filedDone, recent, old := waiting("filed running"), answered(t, "filed done", client.Fake), answered(t, "recent", client.Fake), answered(t, "old", client.Fake)
	filedRunning.Filed, filedDone.Filed = true, true
	old.Answered = noon.Add(-time.Hour)
	failed := waiting("failed")
	failed.State = submission.Failed
	held, stays, filedStays := waiting("held"), waiting("stays"), waiting("filed stays")
	held.State, stays.State, filedStays.State, filedStays.Filed = submission.Held, submission.Stays, submission.Stays, true
	add(t, s, filedRunning, filedDone, recent, old, failed, held, stays, filedStays)
	inbox := func() string {
		t.Helper()
		subs, err := s.Inbox(t.Context())
		assert.NoError(t, err)
		var ids []string
		for _, sub := range subs {
			ids = append(ids, sub.ID)
			if sub.State == submission.Done && sub.Result == nil {
				t.Error("without its result:", sub.ID)
			}
		}
		return strings.Join(ids, ", ")
	}
	assert.Equal(t, "filed running, recent, old, failed, held, stays", inbox())
	assert.NoError(t, s.FileDone(t.Context(), noon, 10))
	assert.Equal(t, "filed running, recent, failed, held, stays", inbox())
	if !get(t, s, "old").Filed {
		t.Error("it is not filed")
	}
	assert.NoError(t, s.FileDone(t.Context(), noon, 0))
	assert.Equal(t, "filed running, failed, held, stays", inbox())
}

func TestFindByContentAndRequest(t *testing.T) {
	s := setup(t)
	of := func(id, hash string, state submission.State, after time.Duration) submission.Submission {
		sub := waiting(id)
		sub.SHA256, sub.State, sub.Accepted, sub.Step = hash, state, noon.Add(after), submission.Gated
		return sub
	}
	shows := of("shows", "hash", submission.Done, 4*time.Hour)
	shows.Earlier, shows.RequestID = "second", "r2"
	link := waiting("link")
	link.Path, link.Link, link.Step = "", "HTTPS://Posts.Example", submission.Gated
	seen := waiting("seen") // its link is known from the first, and says nothing yet
	seen.Path, seen.Link, seen.Accepted = "", link.Link, noon.Add(time.Hour)
	second := of("second", "hash", submission.Failed, time.Hour)
	second.RequestID = "r2"
	gated := func(id, hash string, state submission.State, gate submission.Gate) submission.Submission {
		sub := of(id, hash, state, 5*time.Hour)
		sub.Gate = gate
		return sub
	}
	allowed := gated("allowed", "allowed", submission.Analysing, submission.GateAsk)
	allowed.Allowed = noon
	add(t, s, of("first", "hash", submission.Done, 0), second, of("cancelled", "hash", submission.Cancelled, 2*time.Hour),
		of("refused", "hash", submission.Refused, 3*time.Hour), shows, link, seen,
		gated("held", "hash", submission.Held, submission.GateAsk), gated("stays", "hash", submission.Stays, submission.GateNever),
		gated("unasked", "hash", submission.Waiting, submission.GateAsk), gated("never", "hash", submission.Waiting, submission.GateNever), allowed)
	for content, want := range map[string]string{"hash": "second", "https://posts.example/": "link", "allowed": "allowed", "": "", "other": ""} {
		got, ok, err := s.ByContent(t.Context(), content)
		if err != nil || got.ID != want || ok != (want != "") {
			t.Errorf("%q: %q %v %v", content, got.ID, ok, err)
		}
	}
	known, err := s.ByRequest(t.Context(), []string{"r1", "r2", "", "r2"})
	assert.NoError(t, err)
	same(t, map[string]string{"r2": "second"}, known)
}

func TestFacts(t *testing.T) {
	s := setup(t)
	for _, step := range []struct{ set, want string }{{"", ""}, {"page 3", "page 3"}, {"page 4", "page 4"}, {"", ""}} {
		assert.NoError(t, s.SetFact(t.Context(), "pull", step.set))
		if got, err := s.Fact(t.Context(), "pull"); got != step.want || err != nil {
			t.Errorf("%q, want %q (%v)", got, step.want, err)
		}
	}
}

func TestFeedback(t *testing.T) {
	s := setup(t)
	f, err := s.AddFeedback(t.Context(), store.Feedback{Feedback: client.Feedback{
		RequestID: "r", Label: client.LabelReal, Category: client.FalsePositive, Comment: "It is ours."}})
	assert.NoError(t, err)
	if f.ID == "" || !f.Given.Equal(noon) {
		t.Errorf("%+v", f)
	}
	unsent, err := s.UnsentFeedback(t.Context())
	assert.NoError(t, err)
	same(t, []store.Feedback{f}, unsent)
	f.Sent, f.Record, f.Problem = noon.Add(time.Second), []byte(`{"id": "7"}`), i18n.Verbatim("once")
	assert.NoError(t, s.SaveFeedback(t.Context(), f))
	unsent, err = s.UnsentFeedback(t.Context())
	if len(unsent) != 0 || err != nil {
		t.Error(unsent, err)
	}
	all, err := s.FeedbackOf(t.Context(), "r")
	assert.NoError(t, err)
	same(t, []store.Feedback{f}, all)
	f.ID = "none"
	if err := s.SaveFeedback(t.Context(), f); !errors.Is(err, store.ErrUnknown) {
		t.Error(err)
	}
}

func eventsOf(t *testing.T, s *store.Store, id string) string {
	t.Helper()
	entries, err := s.Custody(t.Context(), id)
	assert.NoError(t, err)
	var events []string
	for _, e := range entries {
		events = append(events, string(e.Event))
	}
	return strings.Join(events, ", ")
}

func TestSameContent(t *testing.T) {
	s := setup(t)
	first, second := answered(t, "first", client.Authentic), answered(t, "second", client.Fake)
	second.Accepted = first.Accepted.Add(time.Hour)
	shows, other, unfinished := answered(t, "shows", client.Fake), answered(t, "other", client.Fake), waiting("unfinished")
	shows.Earlier = "first"
	first.SHA256, second.SHA256, shows.SHA256, unfinished.SHA256, other.SHA256 = "same", "same", "same", "same", "another"
	add(t, s, first, second, shows, unfinished, other)
	t.Run("lists those with an answer of their own, the newest first", func(t *testing.T) {
		all, err := s.SameContent(t.Context(), "same", 10)
		assert.NoError(t, err)
		var ids []string
		for _, sub := range all {
			ids = append(ids, sub.ID)
			if sub.Result == nil {
				t.Errorf("%s came without its answer", sub.ID)
			}
		}
		same(t, []string{"second", "first"}, ids)
	})
	t.Run("is bounded", func(t *testing.T) {
		if all, err := s.SameContent(t.Context(), "same", 1); err != nil || len(all) != 1 || all[0].ID != "second" {
			t.Errorf("%d, %v", len(all), err)
		}
	})
	t.Run("of no content there is none", func(t *testing.T) {
		if all, err := s.SameContent(t.Context(), "", 10); err != nil || len(all) != 0 {
			t.Errorf("%d, %v", len(all), err)
		}
	})
}

func TestErrorsSayWhatTheyAreAbout(t *testing.T) {
	s := setup(t)
	t.Run("what has a kind says that once", func(t *testing.T) {
		err := s.SetNote(t.Context(), "nobody's", "a")
		if want := "keep the note: There is no such submission."; !errors.Is(err, store.ErrUnknown) || err.Error() != want {
			t.Errorf("%v", err)
		}
	})
	t.Run("what is of no kind says its cause", func(t *testing.T) {
		add(t, s, waiting("twice"))
		_, err := s.Add(t.Context(), []submission.Submission{waiting("twice")})
		for _, kind := range []error{store.ErrFull, store.ErrIO, store.ErrDamaged, store.ErrNewer, store.ErrUnknown, store.ErrClosed} {
			if errors.Is(err, kind) {
				t.Errorf("it is %v", kind)
			}
		}
		if err == nil || !strings.Contains(err.Error(), "Something unexpected") || !strings.Contains(err.Error(), "UNIQUE") || s.SetAside() != "" {
			t.Errorf("%v", err)
		}
	})
}
