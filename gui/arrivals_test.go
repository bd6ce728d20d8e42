package gui

import (
	"path/filepath"
	"testing"

	"assay/client/intake"
	"assay/client/submission"
	"assay/gui/present"
)

func TestWhatAWatchedFolderBringsWaitsForThePerson(t *testing.T) {
	d := newDesk(t)
	path := func(name string) string { return absolutePicture(t, name) }
	folder := filepath.Dir(path("poster.png"))
	row := func(id string) present.Row {
		for _, r := range d.inbox.Rows() {
			if r.ID == id {
				return r
			}
		}
		return present.Row{}
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
		return row("ask").Held() && row("keep").Held() && row("never").Symbol == present.SymbolStays
	})
	if got := row("ask").From; got != filepath.Base(folder) {
		t.Errorf("it came from %q", got)
	}
	d.act([]string{"keep"}, present.Withhold)
	d.act([]string{"ask"}, present.Allow)
	d.pressSheet("Send")
	d.pump("one is kept here, the other answered", func() bool {
		return row("keep").Symbol == present.SymbolStays && row("ask").Group == present.FilterAnswered && len(d.results.Rows()) == 1
	})
	if shown := d.results.Rows()[0]; shown.ID != "ask" || !shown.Watched() {
		t.Errorf("among the results stands %+v", shown)
	}
	t.Run("and the results can be narrowed to it", func(t *testing.T) {
		answers := newAnswers(d.Store, d.Now)
		for source, want := range map[present.ResultsSource]int{present.WatchedFolders: 1, present.OwnFiles: 0, present.AnotherDevice: 0} {
			rows, err := answers.Rows(t.Context(), present.ResultsQuery{Source: source}, 0, 10)
			if err != nil || len(rows) != want {
				t.Errorf("%s: %d rows, %v", present.ResultsSources()[source], len(rows), err)
			}
		}
	})
	t.Run("and what was kept here can be sent after all", func(t *testing.T) {
		if row("never").Can(present.Allow) || !row("keep").Can(present.Allow) {
			t.Fatal("not by what its folder's gate allows")
		}
		d.act([]string{"keep"}, present.Allow)
		d.pressSheet("Send")
		d.pump("it is answered", func() bool { return row("keep").Group == present.FilterAnswered })
	})
}
