package folders_test

import (
	"errors"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"
	"time"

	"assay/client"
	"assay/client/assert"
	clientfolders "assay/client/folders"
	"assay/client/i18n"
	"assay/client/submission"
	"assay/client/verdict"
	"assay/gui/folders"
	"assay/gui/present"
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
			{clientfolders.Folder{}, "Looking through the folder", folders.SymbolBusy},
			{clientfolders.Folder{State: watch.State{Phase: watch.Starting}}, "Looking through the folder", folders.SymbolBusy},
			{clientfolders.Folder{State: watch.State{Phase: watch.Watching}}, "Watching", folders.SymbolWatching},
			{clientfolders.Folder{State: watch.State{Phase: watch.Polling}}, "Watching, every few seconds", folders.SymbolPolling},
			{clientfolders.Folder{State: watch.State{Phase: watch.Paused}}, "Paused", folders.SymbolPaused},
			{clientfolders.Folder{State: watch.State{Phase: watch.Watching}, Settings: clientfolders.Settings{Paused: true}}, "Paused", folders.SymbolPaused},
			{clientfolders.Folder{State: watch.State{Phase: watch.Gone}}, "Not found: looking for it", folders.SymbolGone},
			{clientfolders.Folder{State: watch.State{Phase: watch.Unreadable}}, "Can't be read", folders.SymbolTrouble},
			{clientfolders.Folder{State: watch.State{Phase: watch.Stuck}}, "Not answering", folders.SymbolTrouble},
			{clientfolders.Folder{State: watch.State{Phase: watch.Watching}, Problem: i18n.Verbatim("A file could not be moved.")}, "Watching", folders.SymbolWarns},
			{clientfolders.Folder{State: watch.State{Phase: watch.Polling}, Problem: i18n.Verbatim("A file could not be moved.")}, "Watching, every few seconds", folders.SymbolWarns},
			{clientfolders.Folder{State: watch.State{Phase: watch.Watching, Problem: reported("A subfolder can't be read.")}}, "Watching", folders.SymbolWarns},
			{clientfolders.Folder{State: watch.State{Phase: watch.Gone}, Problem: i18n.Verbatim("A file could not be moved.")}, "Not found: looking for it", folders.SymbolGone},
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
			{polled, "", "The system does not report every change there."},
			{watch.State{Phase: watch.Polling, Problem: reported("There are too many folders.")}, "", "There are too many folders."},
			{watch.State{Phase: watch.Unreadable, Problem: reported("It is not allowed.")}, "It is not allowed.", "It is not allowed."},
			{watch.State{Phase: watch.Unreadable, Problem: reported("It is not allowed.")}, "The disk is full.", "It is not allowed. The disk is full."},
			{watch.State{Phase: watch.Stuck, Problem: errors.New("a\nb")}, "", "a\ufffdb"},
		} {
			if got := folders.RowOf(clientfolders.Folder{State: c.state, Problem: i18n.Verbatim(c.problem)}).Problem; got != c.want {
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
		if row.Counts != "1,280 added · 1 failed · 4 under way · 120 answered" || row.Waiting != "3 wait for you" || row.Held != 3 ||
			row.Progress != "2 not complete yet · 5 about to be added" {
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
	if count != "5 folders" || detail != "3 files wait for your decision · 2 can't be watched · 1 not found · 1 paused" {
		t.Errorf("%q, %q", count, detail)
	}
	warned := folders.RowOf(clientfolders.Folder{State: watch.State{Phase: watch.Watching}, Problem: i18n.Verbatim("A file could not be moved.")})
	if _, detail = folders.SummaryOf([]folders.Row{warned}); detail != "1 with a problem" {
		t.Errorf("%q", detail)
	}
	if _, detail = folders.SummaryOf([]folders.Row{folder(watch.Watching, 1)}); !strings.HasPrefix(detail, "1 file waits") {
		t.Errorf("%q", detail)
	}
}

func TestBatchNotification(t *testing.T) {
	for _, c := range []struct {
		name  string
		batch clientfolders.Batch
		want  string
	}{
		{"nothing came of it", clientfolders.Batch{}, ""},
		{"it all stays here", clientfolders.Batch{Arrived: 5}, ""},
		{"one file", clientfolders.Batch{Arrived: 1, Answered: 1, Fake: 1}, "1 file checked: likely manipulated."},
		{"several", clientfolders.Batch{Arrived: 15, Held: 3, Answered: 12, Fake: 2, Suspicious: 1, Authentic: 9},
			"12 files checked: 2 likely manipulated, 1 suspicious, 9 no sign found. 3 wait for your decision."},
		{"all that there can be", clientfolders.Batch{Arrived: 1236, Held: 1, Answered: 1234, Fake: 1, Suspicious: 1, Authentic: 1, Other: 1231, Failed: 1},
			"1,234 files checked: 1 likely manipulated, 1 suspicious, 1 no sign found, 1,231 without a verdict. 1 could not be checked. 1 waits for your decision."},
		{"one that contradicts itself", clientfolders.Batch{Arrived: 2, Answered: 2, Contradictory: 1, Authentic: 1}, "2 files checked: 1 contradictory, 1 no sign found."},
		{"only decisions", clientfolders.Batch{Arrived: 3, Held: 3}, "3 files wait for your decision."},
		{"one decision", clientfolders.Batch{Arrived: 1, Held: 1}, "1 file waits for your decision."},
		{"only failures", clientfolders.Batch{Arrived: 3, Held: 1, Failed: 2}, "2 files could not be checked. 1 waits for your decision."},
	} {
		t.Run(c.name, func(t *testing.T) {
			title, text := folders.BatchNotification(c.batch, false)
			if text != c.want || (title == "Assay") != (c.want != "") {
				t.Errorf("%q: %q", title, text)
			}
		})
	}
	t.Run("counts by the words that the lists have", func(t *testing.T) {
		_, text := folders.BatchNotification(clientfolders.Batch{Answered: 6, Fake: 2, Suspicious: 2, Authentic: 2}, false)
		for _, s := range []client.Status{client.Fake, client.Suspicious, client.Authentic} {
			if words := verdict.Say(s).Short; !strings.Contains(text, strings.ToLower(words)) {
				t.Errorf("%q is not in %q", words, text)
			}
		}
	})
	t.Run("of the sandbox says so, where there is an answer", func(t *testing.T) {
		if _, text := folders.BatchNotification(clientfolders.Batch{Answered: 1, Authentic: 1}, true); !strings.HasSuffix(text, present.SandboxNote) {
			t.Errorf("it says %q", text)
		}
		if _, text := folders.BatchNotification(clientfolders.Batch{Held: 1}, true); strings.Contains(text, "Sandbox") {
			t.Errorf("it says %q", text)
		}
	})
	t.Run("is made of numbers alone, so that no name, link or word of the service can get in", func(t *testing.T) {
		batch := reflect.TypeFor[clientfolders.Batch]()
		for i := range batch.NumField() {
			if f := batch.Field(i); f.Type.Kind() != reflect.Int {
				t.Errorf("%s is a %s", f.Name, f.Type)
			}
		}
	})
	t.Run("holds nothing that ends a shell's string, in any language", func(t *testing.T) {
		t.Cleanup(func() { _ = i18n.Use("en", "") })
		for _, language := range i18n.All() {
			assert.NoError(t, i18n.Use(language.Code, ""))
			for _, batch := range []clientfolders.Batch{{Answered: 2, Fake: 1, Other: 1, Failed: 1, Held: 1}, {Answered: 1, Suspicious: 1, Failed: 2, Held: 2}, {Failed: 1}, {Held: 1}, {Failed: 2}, {Held: 2}, {Answered: 1}} {
				if title, text := folders.BatchNotification(batch, true); strings.ContainsAny(title+text, "\"$`\\<>&|;\n") {
					t.Errorf("%s: %q, %q", language.Code, title, text)
				}
			}
		}
	})
	t.Run("holds nothing that a shell reads otherwise", func(t *testing.T) {
		plain := regexp.MustCompile(`^[A-Za-z0-9 .,:]+$`)
		title, text := folders.BatchNotification(clientfolders.Batch{Arrived: 9999, Held: 1111, Answered: 8000, Fake: 2000, Suspicious: 2000, Authentic: 2000, Other: 2000, Failed: 888}, true)
		if !plain.MatchString(title) || !plain.MatchString(text) {
			t.Errorf("%q, %q", title, text)
		}
	})
}
