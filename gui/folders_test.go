package gui

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"fyne.io/fyne/v2"

	"assay/client/assert"
	"assay/client/config"
	"assay/client/folders"
	"assay/client/i18n"
	"assay/client/intake"
	"assay/client/store"
	"assay/client/submission"
	"assay/gui/guitest"
	"assay/gui/inbox"
	"assay/gui/present"
	"assay/gui/results"
	"assay/gui/screens"
)

func TestWhatIsDroppedOnTheWatchedFolders(t *testing.T) {
	d := setup(t)
	one, other := t.TempDir(), t.TempDir()
	assert.NoError(t, os.WriteFile(filepath.Join(one, "source.txt"), []byte("A source to protect."), 0o600))
	file := absolutePicture(t, "poster.png")
	t.Run("of several folders nothing is sent", func(t *testing.T) {
		for _, dropped := range [][]string{{one, other}, {one, file}} {
			d.rail.Select(screens.Folders)
			d.folders.Say("")
			d.drop(dropped...)
			d.Until("it is said", func() bool {
				return len(d.Queue.Order()) > 0 || guitest.Reads(d.folders.Object(), "one folder at a time")
			})
			if n := len(d.Queue.Order()); n > 0 || d.rail.Selected() != screens.Folders {
				t.Fatalf("%d are on their way", n)
			}
		}
	})
	t.Run("one folder is offered to be watched", func(t *testing.T) {
		d.drop(one)
		d.Until("it is offered", func() bool { return guitest.Reads(d.folders.Object(), i18n.T("Watch this folder")) })
		if len(d.Queue.Order()) > 0 || len(d.Folders.All()) > 0 {
			t.Error("more than that was done")
		}
	})
	t.Run("a file is submitted", func(*testing.T) {
		d.rail.Select(screens.Folders)
		d.drop(file)
		d.Until("it is taken", func() bool { return len(d.Queue.Order()) == 1 })
	})
}

func TestAFileOfAWatchedFolderThatIsScannedAgain(t *testing.T) {
	t.Run("goes by what the folder says now, where that lets less out", func(t *testing.T) {
		d, in := setup(t), t.TempDir()
		file := filepath.Join(in, "leak.txt")
		assert.NoError(t, os.WriteFile(file, []byte("A source to protect."), 0o600))
		if _, err := d.Queue.Accept(t.Context(), []intake.Input{{ID: "first", Path: file, Folder: in, Gate: submission.GateSend}}, intake.Options{Source: submission.Watched}); err != nil {
			t.Fatal(err)
		}
		d.Until("it is answered", func() bool { s, _ := d.Queue.Get("first"); return s.State == submission.Done })
		if _, err := d.Folders.Add(t.Context(), folders.Settings{Path: in, Gate: submission.GateNever}, folders.OnlyNew, nil); err != nil {
			t.Fatal(err)
		}
		d.scanAgain([]string{"first"})
		d.Until("it is taken", func() bool { return len(d.Queue.All()) == 2 })
		d.Until("it stays here", func() bool {
			for _, s := range d.Queue.All() {
				if s.ID != "first" {
					return s.State == submission.Stays
				}
			}
			return false
		})
	})
}

func TestWhatAWatchedFolderBringsWaitsForThePerson(t *testing.T) {
	d := setup(t)
	path := func(name string) string { return absolutePicture(t, name) }
	folder := filepath.Dir(path("poster.png"))
	row := func(id string) inbox.Row {
		for _, r := range d.inbox.Rows() {
			if r.ID == id {
				return r
			}
		}
		return inbox.Row{}
	}
	_, err := d.Queue.Accept(t.Context(), []intake.Input{
		{ID: "ask", Path: path("poster.png"), Folder: folder, Gate: submission.GateAsk},
		{ID: "keep", Path: path("generated.png"), Folder: folder, Gate: submission.GateAsk},
		{ID: "never", Path: path("mountains.jpg"), Folder: folder, Gate: submission.GateNever},
	}, intake.Options{Source: submission.Watched})
	assert.NoError(t, err)
	d.Until("two wait for the person, one stays", func() bool {
		return row("ask").Held() && row("keep").Held() && row("never").Symbol == inbox.SymbolStays
	})
	if got := row("ask").From; got != filepath.Base(folder) {
		t.Errorf("it came from %q", got)
	}
	d.act([]string{"keep"}, present.Withhold)
	d.act([]string{"ask"}, present.Approve)
	d.Until("it is shown what would be sent", d.sheet.Open)
	d.press("Send")
	d.Until("one is kept here, the other answered", func() bool {
		return row("keep").Symbol == inbox.SymbolStays && row("ask").Group == inbox.FilterAnswered && len(d.listed()) == 1
	})
	if shown := d.listed()[0]; shown.ID != "ask" || !shown.Care().Watched {
		t.Errorf("among the results stands %+v", shown)
	}
	t.Run("and the results can be narrowed to it", func(t *testing.T) {
		answers := newAnswers(d.Store, d.Now)
		for source, want := range map[results.Source]int{results.WatchedFolders: 1, results.OwnFiles: 0, results.AnotherDevice: 0} {
			rows, err := answers.Rows(t.Context(), results.Query{Source: source}, 0, 10)
			if err != nil || len(rows) != want {
				t.Errorf("%s: %d rows, %v", results.SourceWords()[source], len(rows), err)
			}
		}
	})
	t.Run("and what was kept here can be sent after all", func(t *testing.T) {
		if row("never").Can(present.Approve) || !row("keep").Can(present.Approve) {
			t.Fatal("not by what its folder's gate allows")
		}
		d.act([]string{"keep"}, present.Approve)
		d.press("Send")
		d.Until("it is answered", func() bool { return row("keep").Group == inbox.FilterAnswered })
	})
}

// notified is an app that hands its notifications over instead of showing them.
type notified struct {
	fyne.App
	send func(*fyne.Notification)
}

func (n notified) SendNotification(one *fyne.Notification) { n.send(one) }

func TestAWatchedFolderFeedsACase(t *testing.T) {
	d, in := setup(t), t.TempDir()
	story, err := d.Store.AddCase(t.Context(), store.Case{Title: "The flood"})
	assert.NoError(t, err)
	settings := folders.Default(in)
	settings.Gate, settings.Case = submission.GateNever, story.ID
	_, err = d.Folders.Add(t.Context(), settings, folders.OnlyNew, nil)
	assert.NoError(t, err)
	d.rail.Select(screens.Folders)
	d.Until("its row says so", func() bool { return guitest.Reads(d.folders.Object(), "case “The flood”") })
	assert.NoError(t, d.Store.ChangeCase(t.Context(), story.ID, store.CaseEvent{Kind: store.CaseRenamed, Text: "The bridge"}))
	d.Until("and what it is called now", func() bool { return guitest.Reads(d.folders.Object(), "case “The bridge”") })
	assert.NoError(t, os.WriteFile(filepath.Join(in, "leak.txt"), []byte("A source to protect."), 0o600))
	d.Until("the file is in it", func() bool {
		items, err := d.Store.CaseItems(t.Context(), story.ID)
		assert.NoError(t, err)
		return len(items) == 1
	})
}

func TestABatchIsToldInOneNotification(t *testing.T) {
	d := setup(t)
	sent := make(chan *fyne.Notification, 10)
	d.App = notified{d.App, func(n *fyne.Notification) { sent <- n }}
	d.notify(folders.Batch{}) // nothing came of it: nothing is told
	d.notify(folders.Batch{Arrived: 15, Held: 3, Answered: 12, Fake: 2, Suspicious: 1, Authentic: 9})
	const want = "12 files checked: 2 likely manipulated, 1 suspicious, 9 no sign found. 3 wait for your decision. " + present.SandboxNote
	if got := receive(t, sent); got.Title != "Assay" || got.Content != want {
		t.Errorf("%q: %q", got.Title, got.Content)
	}
	d.player.Close() // nothing more is on its way
	if len(sent) != 0 {
		t.Errorf("there is another one: %q", (<-sent).Content)
	}
}

func TestANotificationThatHangsHoldsUpNeitherTheWindowNorItsClosing(t *testing.T) {
	d := setup(t)
	begun, release := make(chan struct{}), make(chan struct{})
	defer close(release)
	d.App = notified{d.App, func(*fyne.Notification) { close(begun); <-release }}
	d.notify(folders.Batch{Arrived: 1, Held: 1})
	receive(t, begun)
	d.player.Close() // waits for what still goes on
}

func receive[T any](t *testing.T, from <-chan T) (one T) {
	t.Helper()
	select {
	case one = <-from:
	case <-time.After(60 * time.Second):
		t.Fatal("it never came")
	}
	return one
}

func TestWhichNotificationsAreWished(t *testing.T) {
	batch := folders.Batch{Arrived: 9, Held: 1, Answered: 5, Fake: 2, Suspicious: 1, Authentic: 1, Other: 1, Failed: 3}
	for _, c := range []struct {
		of   config.Notifications
		want folders.Batch
	}{
		{config.Notifications{Answers: true, Decisions: true}, batch},
		{config.Notifications{Decisions: true}, folders.Batch{Arrived: 9, Held: 1}},
		{config.Notifications{}, folders.Batch{Arrived: 9}},
	} {
		if got := wished(batch, c.of); got != c.want {
			t.Errorf("%+v leaves %+v", c.of, got)
		}
	}
	if got := wished(batch, config.Notifications{Answers: true}); got.Held != 0 || got.Answered != 5 {
		t.Errorf("answers alone leave %+v", got)
	}
}
