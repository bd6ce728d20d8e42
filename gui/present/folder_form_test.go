package present_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"assay/client"
	"assay/client/folders"
	"assay/client/submission"
	"assay/gui/present"
)

func TestFolderForm(t *testing.T) {
	t.Run("begins with asking first and all types", func(t *testing.T) {
		f := present.NewFolderForm("/in", submission.GateAsk, submission.GateSend)
		if f.Gate != present.FolderAsks || !f.Pictures || !f.Clips || !f.Recordings || !f.Texts || f.Quiet != 0 || f.MoveTo != "" || f.Path != "/in" {
			t.Errorf("%+v", f)
		}
		s, refused := f.Settings()
		if diff := cmp.Diff(folders.Default("/in"), s); diff != "" || refused.Any() {
			t.Errorf("refused %+v; -want +got:\n%s", refused, diff)
		}
	})
	t.Run("keeps settings as they are", func(t *testing.T) {
		for _, want := range []folders.Settings{
			{Path: "/in", Gate: submission.GateSend},
			{Path: "/in", Gate: submission.GateNever, Types: []client.MediaType{client.Image, client.Text}, Subfolders: true, Paused: true},
			{Path: "/in", Gate: submission.GateAsk, Only: []string{"*.jpg", "IMG_*"}, Skip: []string{"[a,b]*", `c\,d`}, Quiet: 1500 * time.Millisecond, MoveTo: "/done"},
		} {
			got, refused := present.FolderFormOf(want).Settings()
			if diff := cmp.Diff(want, got); diff != "" || refused.Any() {
				t.Errorf("refused %+v; -want +got:\n%s", refused, diff)
			}
		}
	})
	t.Run("a gate that is not known asks first", func(t *testing.T) {
		if got := present.FolderFormOf(folders.Settings{Gate: "later"}).Gate; got != present.FolderAsks {
			t.Errorf("%v", got)
		}
	})
	t.Run("takes patterns apart at their commas", func(t *testing.T) {
		for typed, want := range map[string][]string{
			"":                       nil,
			" , ,":                   nil,
			"*.jpg":                  {"*.jpg"},
			"*.jpg, IMG_*,, *.jpg ,": {"*.jpg", "IMG_*"},
			"a b.txt\nc":             {"a b.txt", "c"},
			"[a,b]?,c":               {"[a,b]?", "c"},
			`a\,b,c`:                 {`a\,b`, "c"},
		} {
			s, refused := present.FolderForm{Pictures: true, Only: typed}.Settings()
			if diff := cmp.Diff(want, s.Only); diff != "" || refused.Any() {
				t.Errorf("%q: refused %+v; %s", typed, refused, diff)
			}
		}
	})
	t.Run("a pattern with a comma, from elsewhere, stays one", func(t *testing.T) {
		form := present.FolderFormOf(folders.Settings{Only: []string{"a,b*"}})
		if s, _ := form.Settings(); len(s.Only) != 1 || s.Only[0] != "a[,]b*" {
			t.Errorf("%q became %q", form.Only, s.Only)
		}
	})
	t.Run("refuses field by field, in a sentence", func(t *testing.T) {
		good := present.NewFolderForm("/in", submission.GateAsk, submission.GateSend)
		for _, c := range []struct {
			change func(f *present.FolderForm)
			said   func(r present.FolderRefusals) string
			words  string
		}{
			{func(f *present.FolderForm) { f.Pictures, f.Clips, f.Recordings, f.Texts = false, false, false, false },
				func(r present.FolderRefusals) string { return r.Types }, "at least one"},
			{func(f *present.FolderForm) { f.Only = "*.jpg, [a" }, func(r present.FolderRefusals) string { return r.Only }, "“[a”"},
			{func(f *present.FolderForm) { f.Skip = "in/*" }, func(r present.FolderRefusals) string { return r.Skip }, "“in/*”"},
			{func(f *present.FolderForm) { f.Skip = `a\` }, func(r present.FolderRefusals) string { return r.Skip }, "pattern"},
			{func(f *present.FolderForm) { f.MoveTo = f.Path }, func(r present.FolderRefusals) string { return r.MoveTo }, "another"},
		} {
			f := good
			c.change(&f)
			_, refused := f.Settings()
			said := c.said(refused)
			if !strings.Contains(said, c.words) || !strings.HasSuffix(said, ".") {
				t.Errorf("%+v says %q", f, said)
			}
		}
	})
	t.Run("offers times to rest, with the one that is set among them", func(t *testing.T) {
		all, words := present.FolderQuiets(0)
		if len(all) != len(words) || words[0] != "Automatic" || words[1] != "2 s" || words[5] != "1 min" {
			t.Errorf("%v", words)
		}
		all, words = present.FolderQuiets(1500 * time.Millisecond)
		if len(all) != 8 || words[1] != "1.5s" || all[1] != 1500*time.Millisecond {
			t.Errorf("%v", words)
		}
	})
	t.Run("every gate and every beginning has its words and its line", func(t *testing.T) {
		for _, choices := range [][]present.FolderChoice{present.FolderGates(), present.FolderBegins(present.FolderAsks),
			present.FolderBegins(present.FolderSends), present.FolderBegins(present.FolderKeeps)} {
			for _, c := range choices {
				if c.Words == "" || !strings.HasSuffix(c.Means, ".") {
					t.Errorf("%+v", c)
				}
			}
		}
	})
	t.Run("what is inside and sent at once is said to be", func(t *testing.T) {
		for gate, sent := range map[present.FolderGate]bool{present.FolderAsks: false, present.FolderSends: true, present.FolderKeeps: false} {
			if got := strings.Contains(present.FolderBegins(gate)[present.FolderAll].Means, "sent"); got != sent {
				t.Errorf("%s: %q", gate.Words(), present.FolderBegins(gate)[present.FolderAll].Means)
			}
		}
	})
}

func TestFolderInside(t *testing.T) {
	at := time.Date(2026, time.November, 12, 14, 2, 0, 0, time.UTC)
	t.Run("says how much it is", func(t *testing.T) {
		for want, in := range map[string]folders.Inside{
			"Nothing that counts is inside yet.": {},
			"1 file, 5.2 MB":                     {Files: 1, Bytes: 5_452_595},
			"1,204 files, 8.3 GB":                {Files: 1204, Bytes: 8_912_000_000},
		} {
			if got := present.FolderInsideOf(in).Words(); got != want {
				t.Errorf("%q, want %q", got, want)
			}
		}
	})
	t.Run("says which can be chosen only where it is not all of them", func(t *testing.T) {
		in := folders.Inside{Files: 2, Newest: []folders.InsideFile{{Path: "/in/a\nb", Name: "a\nb", Size: 1 << 20, Time: at}}}
		inside := present.FolderInsideOf(in)
		if inside.Listed() != "The newest 1 of 2 are listed." {
			t.Errorf("%q", inside.Listed())
		}
		in.Files = 1
		if got := present.FolderInsideOf(in).Listed(); got != "" {
			t.Errorf("%q", got)
		}
		f := inside.Newest[0]
		if f.Path != "/in/a\nb" || f.Name != "a\ufffdb" || f.Size() != "1 MB" || f.When(at) != "12 Nov, 14:02" || (present.FolderInsideFile{}).When(at) != "" {
			t.Errorf("%+v", f)
		}
	})
	t.Run("says what was chosen", func(t *testing.T) {
		if present.FolderChosen(0, 0) != "None chosen" || present.FolderChosen(1000, 1<<30) != "1,000 chosen, 1 GB" {
			t.Error(present.FolderChosen(0, 0), present.FolderChosen(1000, 1<<30))
		}
	})
	t.Run("stands for the beginnings of the folders", func(t *testing.T) {
		if present.FolderOnlyNew.Begin() != folders.OnlyNew || present.FolderAll.Begin() != folders.All || present.FolderChoose.Begin() != folders.Chosen {
			t.Error("it does not")
		}
	})
}
