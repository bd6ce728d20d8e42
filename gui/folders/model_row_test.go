package folders_test

import (
	"errors"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"assay/client"
	clientfolders "assay/client/folders"
	"assay/client/submission"
	"assay/gui/folders"
	"assay/watch"
)

// reported is an error with words for a person.
type reported string

func (t reported) Error() string    { return "not for a person" }
func (t reported) Sentence() string { return string(t) }

func TestFolderRow(t *testing.T) {
	now := time.Date(2026, time.November, 21, 18, 0, 0, 0, time.UTC)
	t.Run("names the folder by its last part, and says where that lies", func(t *testing.T) {
		for path, want := range map[string][2]string{
			"/mnt/agency/in": {"in", filepath.FromSlash("/mnt/agency")},
			"/in":            {"in", filepath.FromSlash("/")},
			"/":              {filepath.FromSlash("/"), ""},
			"/a\nb/c\u202ed": {"c\ufffdd", filepath.FromSlash("/a\ufffdb")},
			"/a/b\xff":       {"b\ufffd", filepath.FromSlash("/a")},
		} {
			row := folders.RowOf(clientfolders.Folder{Settings: clientfolders.Settings{Path: filepath.FromSlash(path)}})
			if row.Name != want[0] || row.Where != want[1] {
				t.Errorf("%q: %q in %q, want %q in %q", path, row.Name, row.Where, want[0], want[1])
			}
			if row.Form.Path != filepath.FromSlash(path) {
				t.Errorf("%q became %q: the path itself must stay as it is", path, row.Form.Path)
			}
		}
	})
	t.Run("says what it takes", func(t *testing.T) {
		for want, s := range map[string]clientfolders.Settings{
			"All supported types":                   {},
			"All supported types, subfolders":       {Subfolders: true},
			"Pictures and clips, subfolders, *.jpg": {Types: []client.MediaType{client.Video, client.Image}, Subfolders: true, Only: []string{"*.jpg"}},
			"Pictures, recordings and texts":        {Types: []client.MediaType{client.Text, client.Audio, client.Image}},
			"Recordings, not *_a, not b":            {Types: []client.MediaType{client.Audio}, Skip: []string{"*_a", "b"}},
			"All supported types, moved when done":  {Types: []client.MediaType{client.Text, client.Audio, client.Image, client.Video}, MoveTo: "/done"},
			"All supported types, a\ufffdb":         {Only: []string{"a\nb"}},
		} {
			if got := folders.RowOf(clientfolders.Folder{Settings: s}).Takes; got != want {
				t.Errorf("%q, want %q", got, want)
			}
		}
	})
	t.Run("says how it is watched, each phase in words and by a symbol", func(t *testing.T) {
		for _, c := range []struct {
			folder clientfolders.Folder
			want   string
			symbol folders.Symbol
		}{
			{clientfolders.Folder{}, "Looking through what is there", folders.SymbolBusy},
			{clientfolders.Folder{State: watch.State{Phase: watch.Starting}}, "Looking through what is there", folders.SymbolBusy},
			{clientfolders.Folder{State: watch.State{Phase: watch.Watching}}, "Watching", folders.SymbolWatching},
			{clientfolders.Folder{State: watch.State{Phase: watch.Polling}}, "Looked at every few seconds", folders.SymbolPolling},
			{clientfolders.Folder{State: watch.State{Phase: watch.Paused}}, "Paused", folders.SymbolPaused},
			{clientfolders.Folder{State: watch.State{Phase: watch.Watching}, Settings: clientfolders.Settings{Paused: true}}, "Paused", folders.SymbolPaused},
			{clientfolders.Folder{State: watch.State{Phase: watch.Gone}}, "Not there: looking for it", folders.SymbolGone},
			{clientfolders.Folder{State: watch.State{Phase: watch.Unreadable}}, "Can't be read", folders.SymbolTrouble},
			{clientfolders.Folder{State: watch.State{Phase: watch.Stuck}}, "Not answering", folders.SymbolTrouble},
			{clientfolders.Folder{State: watch.State{Phase: watch.Watching}, Problem: "A file could not be moved."}, "Watching", folders.SymbolWarns},
			{clientfolders.Folder{State: watch.State{Phase: watch.Polling}, Problem: "A file could not be moved."}, "Looked at every few seconds", folders.SymbolWarns},
			{clientfolders.Folder{State: watch.State{Phase: watch.Watching, Problem: reported("A subfolder can't be read.")}}, "Watching", folders.SymbolWarns},
			{clientfolders.Folder{State: watch.State{Phase: watch.Gone}, Problem: "A file could not be moved."}, "Not there: looking for it", folders.SymbolGone},
			{clientfolders.Folder{State: watch.State{Phase: watch.Watching}, Temporary: true}, "Watching, for “assay watch”", folders.SymbolWatching},
		} {
			if row := folders.RowOf(c.folder); row.State != c.want || row.Symbol != c.symbol {
				t.Errorf("%q, %s; want %q, %s", row.State, row.Symbol, c.want, c.symbol)
			}
		}
	})
	t.Run("says the reason and the last error as sentences, each once", func(t *testing.T) {
		polled := watch.State{Phase: watch.Polling}
		for _, c := range []struct {
			state   watch.State
			problem string
			want    string
		}{
			{watch.State{Phase: watch.Watching}, "", ""},
			{polled, "", "The system does not tell of every change there."},
			{watch.State{Phase: watch.Polling, Problem: reported("There are too many folders.")}, "", "There are too many folders."},
			{watch.State{Phase: watch.Unreadable, Problem: reported("It is not allowed.")}, "It is not allowed.", "It is not allowed."},
			{watch.State{Phase: watch.Unreadable, Problem: reported("It is not allowed.")}, "The disk is full.", "It is not allowed. The disk is full."},
			{watch.State{Phase: watch.Stuck, Problem: errors.New("a\nb")}, "", "a\ufffdb"},
		} {
			if got := folders.RowOf(clientfolders.Folder{State: c.state, Problem: c.problem}).Problem; got != c.want {
				t.Errorf("%q, want %q", got, c.want)
			}
		}
		paused := folders.RowOf(clientfolders.Folder{Settings: clientfolders.Settings{Paused: true}, State: polled})
		if paused.Problem != "" {
			t.Errorf("a paused folder says %q", paused.Problem)
		}
	})
	t.Run("counts, and says nothing of what there is none of", func(t *testing.T) {
		none := folders.RowOf(clientfolders.Folder{})
		if none.Counts != "" || none.Progress != "" || none.Waiting != "" || none.Last(now) != "" {
			t.Errorf("%+v", none)
		}
		row := folders.RowOf(clientfolders.Folder{Taken: 1280, Held: 3, UnderWay: 4, Answered: 120, Failed: 1, State: watch.State{Settling: 2, Offered: 5}})
		if row.Counts != "1,280 taken · 1 failed · 4 under way · 120 answered" || row.Waiting != "3 wait for you" || row.Held != 3 ||
			row.Progress != "2 not complete yet · 5 about to be taken" {
			t.Errorf("%q, %q, %q", row.Counts, row.Waiting, row.Progress)
		}
		if one := folders.RowOf(clientfolders.Folder{Held: 1}); one.Waiting != "1 waits for you" {
			t.Errorf("%q", one.Waiting)
		}
	})
	t.Run("says which file was taken last, and how long ago", func(t *testing.T) {
		row := folders.RowOf(clientfolders.Folder{LastName: "a\u202eb.jpg", LastAt: now.Add(-3 * time.Minute)})
		if row.Last(now) != "a\ufffdb.jpg · 3 min ago" || row.Age(now.Add(time.Hour)) != "63 min ago" {
			t.Errorf("%q, %q", row.Last(now), row.Age(now.Add(time.Hour)))
		}
		if untimed := folders.RowOf(clientfolders.Folder{LastName: "a.jpg"}); untimed.Last(now) != "a.jpg" {
			t.Errorf("%q", untimed.Last(now))
		}
	})
	t.Run("the same folder makes the same row", func(t *testing.T) {
		f := clientfolders.Folder{ID: "a", Settings: clientfolders.Settings{Path: "/a", Only: []string{"x"}}, LastName: "n", LastAt: now}
		if again := folders.RowOf(f); folders.RowOf(f) != again {
			t.Error("it differs")
		}
		f.Gate = submission.GateNever
		if folders.RowOf(f) == folders.RowOf(clientfolders.Folder{ID: "a"}) {
			t.Error("another one is the same")
		}
	})
}

func TestFoldersWhole(t *testing.T) {
	folder := func(phase watch.Phase, held int) folders.Row {
		return folders.RowOf(clientfolders.Folder{State: watch.State{Phase: phase}, Held: held})
	}
	count, detail := folders.SummaryOf([]folders.Row{folder(watch.Watching, 0)})
	if count != "1 folder" || detail != "" {
		t.Errorf("%q, %q", count, detail)
	}
	count, detail = folders.SummaryOf([]folders.Row{folder(watch.Watching, 2), folder(watch.Stuck, 1), folder(watch.Unreadable, 0),
		folder(watch.Gone, 0), folder(watch.Paused, 0)})
	if count != "5 folders" || detail != "3 files wait for your decision · 2 can't be watched · 1 not there · 1 paused" {
		t.Errorf("%q, %q", count, detail)
	}
	warned := folders.RowOf(clientfolders.Folder{State: watch.State{Phase: watch.Watching}, Problem: "A file could not be moved."})
	if _, detail = folders.SummaryOf([]folders.Row{warned}); detail != "1 with a problem" {
		t.Errorf("%q", detail)
	}
	if _, detail = folders.SummaryOf([]folders.Row{folder(watch.Watching, 1)}); !strings.HasPrefix(detail, "1 file waits") {
		t.Errorf("%q", detail)
	}
}
