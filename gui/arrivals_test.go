package gui

import (
	"path/filepath"
	"testing"

	"assay/client/intake"
	"assay/client/submission"
	"assay/gui/inbox"
	"assay/gui/present"
	"assay/gui/results"
)

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
	if err != nil {
		t.Fatal(err)
	}
	d.pump("two wait for the person, one stays", func() bool {
		return row("ask").Held() && row("keep").Held() && row("never").Symbol == inbox.SymbolStays
	})
	if got := row("ask").From; got != filepath.Base(folder) {
		t.Errorf("it came from %q", got)
	}
	d.act([]string{"keep"}, present.Withhold)
	d.act([]string{"ask"}, present.Approve)
	d.pressSheet("Send")
	d.pump("one is kept here, the other answered", func() bool {
		return row("keep").Symbol == inbox.SymbolStays && row("ask").Group == inbox.FilterAnswered && len(d.results.Rows()) == 1
	})
	if shown := d.results.Rows()[0]; shown.ID != "ask" || !shown.Watched() {
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
		d.pressSheet("Send")
		d.pump("it is answered", func() bool { return row("keep").Group == inbox.FilterAnswered })
	})
}
