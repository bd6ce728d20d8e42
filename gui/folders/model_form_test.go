package folders_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"assay/client"
	clientfolders "assay/client/folders"
	"assay/client/submission"
	"assay/gui/folders"
	"assay/gui/present"
)

func TestFolderForm(t *testing.T) {
	t.Run("begins with asking first and all types", func(t *testing.T) {
		f := folders.NewForm("/in", submission.GateAsk, submission.GateSend)
		if f.Gate != submission.GateAsk || !f.Pictures || !f.Clips || !f.Recordings || !f.Texts || f.Quiet != 0 || f.MoveTo != "" || f.Path != "/in" {
			t.Errorf("%+v", f)
		}
		s, refused := f.Settings()
		if diff := cmp.Diff(clientfolders.Default("/in"), s); diff != "" || refused.Any() {
			t.Errorf("refused %+v; -want +got:\n%s", refused, diff)
		}
	})
	t.Run("keeps settings as they are", func(t *testing.T) {
		for _, want := range []clientfolders.Settings{
			{Path: "/in", Gate: submission.GateSend},
			{Path: "/in", Gate: submission.GateNever, Types: []client.MediaType{client.Image, client.Text}, Subfolders: true, Paused: true},
			{Path: "/in", Gate: submission.GateAsk, Only: []string{"*.jpg", "IMG_*"}, Skip: []string{"[a,b]*", `c\,d`}, Quiet: 1500 * time.Millisecond, MoveTo: "/done"},
		} {
			got, refused := folders.FormOf(want).Settings()
			if diff := cmp.Diff(want, got); diff != "" || refused.Any() {
				t.Errorf("refused %+v; -want +got:\n%s", refused, diff)
			}
		}
	})
	t.Run("a gate that is not known asks first", func(t *testing.T) {
		if got := folders.FormOf(clientfolders.Settings{Gate: "later"}).Gate; got != submission.GateAsk {
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
			s, refused := folders.Form{Pictures: true, Only: typed}.Settings()
			if diff := cmp.Diff(want, s.Only); diff != "" || refused.Any() {
				t.Errorf("%q: refused %+v; %s", typed, refused, diff)
			}
		}
	})
	t.Run("a pattern with a comma, from elsewhere, stays one", func(t *testing.T) {
		form := folders.FormOf(clientfolders.Settings{Only: []string{"a,b*"}})
		if s, _ := form.Settings(); len(s.Only) != 1 || s.Only[0] != "a[,]b*" {
			t.Errorf("%q became %q", form.Only, s.Only)
		}
	})
	t.Run("refuses field by field, in a sentence", func(t *testing.T) {
		good := folders.NewForm("/in", submission.GateAsk, submission.GateSend)
		for _, c := range []struct {
			change func(f *folders.Form)
			said   func(r folders.Refusals) string
			words  string
		}{
			{func(f *folders.Form) { f.Pictures, f.Clips, f.Recordings, f.Texts = false, false, false, false },
				func(r folders.Refusals) string { return r.Types }, "at least one"},
			{func(f *folders.Form) { f.Only = "*.jpg, [a" }, func(r folders.Refusals) string { return r.Only }, "“[a”"},
			{func(f *folders.Form) { f.Skip = "in/*" }, func(r folders.Refusals) string { return r.Skip }, "“in/*”"},
			{func(f *folders.Form) { f.Skip = `a\` }, func(r folders.Refusals) string { return r.Skip }, "pattern"},
			{func(f *folders.Form) { f.MoveTo = f.Path }, func(r folders.Refusals) string { return r.MoveTo }, "another"},
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
		all, words := folders.Quiets(0)
		if len(all) != len(words) || words[0] != "Automatic" || words[1] != "2 s" || words[5] != "1 min" {
			t.Errorf("%v", words)
		}
		all, words = folders.Quiets(1500 * time.Millisecond)
		if len(all) != 8 || words[1] != "1.5s" || all[1] != 1500*time.Millisecond {
			t.Errorf("%v", words)
		}
	})
	t.Run("every gate and every beginning has its words and its line", func(t *testing.T) {
		for _, choices := range [][]present.Option{folders.Gates(), folders.Begins(submission.GateAsk),
			folders.Begins(submission.GateSend), folders.Begins(submission.GateNever)} {
			for _, c := range choices {
				if c.Words == "" || !strings.HasSuffix(c.Means, ".") {
					t.Errorf("%+v", c)
				}
			}
		}
	})
	t.Run("what is inside and sent at once is said to be", func(t *testing.T) {
		for gate, sent := range map[submission.Gate]bool{submission.GateAsk: false, submission.GateSend: true, submission.GateNever: false} {
			if got := strings.Contains(folders.Begins(gate)[folders.All].Means, "sent"); got != sent {
				t.Errorf("%s: %q", folders.GateWords(gate), folders.Begins(gate)[folders.All].Means)
			}
		}
	})
}

func TestFolderInside(t *testing.T) {
	at := time.Date(2026, time.November, 12, 14, 2, 0, 0, time.UTC)
	t.Run("says how much it is", func(t *testing.T) {
		for want, in := range map[string]clientfolders.Inside{
			"No matching files inside yet.": {},
			"1 file, 5.2 MB":                {Files: 1, Bytes: 5_452_595},
			"1,204 files, 8.3 GB":           {Files: 1204, Bytes: 8_912_000_000},
		} {
			if got := folders.InsideOf(in).Words(); got != want {
				t.Errorf("%q, want %q", got, want)
			}
		}
	})
	t.Run("says which can be chosen only where it is not all of them", func(t *testing.T) {
		in := clientfolders.Inside{Files: 2, Newest: []clientfolders.InsideFile{{Path: "/in/a\nb", Name: "a\nb", Size: 1 << 20, Time: at}}}
		inside := folders.InsideOf(in)
		if inside.Listed() != "The newest 1 of 2 are listed." {
			t.Errorf("%q", inside.Listed())
		}
		in.Files = 1
		if got := folders.InsideOf(in).Listed(); got != "" {
			t.Errorf("%q", got)
		}
		f := inside.Newest[0]
		if f.Path != "/in/a\nb" || f.Name != "a\ufffdb" || f.Size() != "1 MB" || f.When(at) != "12 Nov, 14:02" || (folders.File{}).When(at) != "" {
			t.Errorf("%+v", f)
		}
	})
	t.Run("says what was chosen", func(t *testing.T) {
		if folders.ChosenWords(0, 0) != "None chosen" || folders.ChosenWords(1000, 1<<30) != "1,000 chosen, 1 GB" {
			t.Error(folders.ChosenWords(0, 0), folders.ChosenWords(1000, 1<<30))
		}
	})
	t.Run("stands for the beginnings of the folders", func(t *testing.T) {
		if folders.OnlyNew.Begin() != clientfolders.OnlyNew || folders.All.Begin() != clientfolders.All || folders.Choose.Begin() != clientfolders.Chosen {
			t.Error("it does not")
		}
	})
}
