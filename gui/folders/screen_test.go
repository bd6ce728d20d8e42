package folders

import (
	"slices"
	"strings"
	"testing"
	"time"

	"fyne.io/fyne/v2"

	clientfolders "assay/client/folders"
	"assay/client/i18n"
	"assay/client/submission"
	"assay/gui/guitest"
	"assay/gui/kit"
	"assay/watch"
)

func TestFoldersRows(t *testing.T) {
	t.Run("without a folder, the screen says what one is for", func(t *testing.T) {
		d := setup(t, guitest.Usual)
		purpose, count := i18n.T("For each folder you choose: send its files, ask you first, or never let them leave this computer."), i18n.N(1, "%s folder", "%s folders")
		for range 2 {
			d.WantWords(purpose)
			d.WantNoWords(count)
			d.show(plainFolder("a", "/in/a"))
			d.WantWords(count)
			d.WantNoWords(purpose)
			d.show()
		}
	})
	t.Run("a row says what its folder says", func(t *testing.T) {
		d := setup(t, guitest.Usual)
		all := manyFolders(9)
		d.show(all...)
		row, want := d.visible("f001"), RowOf(all[1])
		seen := rowWords(row)
		for _, words := range []string{want.Name, want.Where, want.Takes, want.State, want.LastName, want.Age(testNow), want.Counts, want.Problem} {
			if !strings.Contains(seen, words) {
				t.Errorf("it does not say %q: %q", words, seen)
			}
		}
		if !slices.Contains(guitest.Seen(row), GateWords(submission.GateAsk)) {
			t.Error("it does not say what becomes of the files")
		}
		if guitest.ButtonIn(row, want.Waiting) == nil || len(guitest.InSight[*kit.Button](row)) != len(guitest.InSight[*kit.Button](d.visible("f000")))+1 {
			t.Error("what waits can't be shown, or a folder in which nothing waits offers to show it")
		}
	})
	t.Run("in a narrow window, nothing is left out of a row", func(t *testing.T) {
		d := setup(t, fyne.NewSize(828, 600))
		all := manyFolders(9)
		d.show(all...)
		row, want := d.visible("f001"), RowOf(all[1])
		for _, part := range []string{want.State, want.Problem, want.Counts, want.Last(testNow)} {
			if said := rowWords(row); strings.Count(said, part) != 1 {
				t.Errorf("%q lacks %q, or has it twice", said, part)
			}
		}
	})
	t.Run("where nothing was taken, a problem has room for its whole sentence", func(t *testing.T) {
		const sentence = "Assay could not read all settings of this folder. Check them, and save them again."
		for _, width := range []float32{828, 1208} {
			d := setup(t, fyne.NewSize(width, 600))
			f := plainFolder("a", "/in/a")
			waiting := plainFolder("b", "/in/b")
			f.Problem, waiting.Held = i18n.Verbatim(sentence), 1204 // for which there is room in all rows
			d.show(f, waiting)
			if drawn := strings.Join(guitest.Seen(d.visible("a")), " "); !strings.Contains(drawn, sentence) { // nothing of it is cut
				t.Errorf("%g wide: it says %q", width, drawn)
			}
		}
	})
	t.Run("a changed folder refreshes its row alone", func(t *testing.T) {
		d := setup(t, guitest.Usual)
		all := manyFolders(5)
		d.show(all...)
		made := 0
		create := d.table.CreateItem
		d.table.CreateItem = func() fyne.CanvasObject { made++; return create() }
		update := d.table.UpdateItem
		d.table.UpdateItem = func(i int, o fyne.CanvasObject) { made++; update(i, o) }
		all[2].Taken, all[2].State.Phase = 500, watch.Gone
		d.show(all...)
		if said, want := rowWords(d.visible("f002")), RowOf(all[2]); !strings.Contains(said, want.Counts) || !strings.Contains(said, want.State) {
			t.Errorf("it says %q", said)
		}
		if made != 0 {
			t.Errorf("the list was laid out again: %d rows", made)
		}
	})
	t.Run("ages go by the present time", func(t *testing.T) {
		d := setup(t, guitest.Usual)
		d.show(manyFolders(1)...)
		now := testNow.Add(time.Hour)
		d.Now = func() time.Time { return now }
		d.Tick()
		d.WantWords(RowOf(manyFolders(1)[0]).Age(now))
	})
	t.Run("a sentence as long as its column is broken at a word", func(t *testing.T) {
		setup(t, guitest.Usual)
		first, rest := brokenAt("The disk does not answer. It is asked again until it does.", 150)
		if first == "" || rest == "" || first+" "+rest != "The disk does not answer. It is asked again until it does." {
			t.Errorf("%q, %q", first, rest)
		}
		if first, rest = brokenAt(strings.Repeat("x", 300), 150); rest != "" || len(first) != 300 {
			t.Errorf("%q, %q", first, rest)
		}
	})
	t.Run("a hundred folders make objects for those in sight alone", func(t *testing.T) {
		d := setup(t, guitest.Usual)
		made := 0
		create := d.table.CreateItem
		d.table.CreateItem = func() fyne.CanvasObject { made++; return create() }
		d.show(manyFolders(100)...)
		d.Press(fyne.KeyEnd)
		if made > 30 {
			t.Errorf("%d rows were made", made)
		}
		if row := d.visible("f099"); row.row.ID != "f099" || !guitest.Ringed(row) {
			t.Error("the last one is not shown")
		}
	})
}

func TestFoldersActions(t *testing.T) {
	t.Run("pausing and going on, one thing at a time", func(t *testing.T) {
		d := setup(t, guitest.Usual)
		paused := plainFolder("b", "/in/b")
		paused.Paused = true
		d.show(plainFolder("a", "/in/a"), paused)
		d.Hold = make(chan struct{})
		d.Tap("Pause")
		<-d.Begun
		d.Tap("Pause")
		d.TapIn(d.visible("a"), "Stop watching")
		close(d.Hold)
		d.idle()
		d.Tap("Resume")
		d.idle()
		d.Want(t, "pause a", "resume b")
	})
	t.Run("removing happens at once and can be undone for some seconds", func(t *testing.T) {
		d := setup(t, guitest.Usual)
		d.show(plainFolder("a", "/in/agency"))
		d.TapIn(d.visible("a"), "Stop watching")
		d.idle()
		d.WantLast(t, "remove a")
		if d.WantWords(i18n.F("“%s” is no longer watched. Files already added from it stay.", "agency")); d.laterIn != undoOffered {
			t.Errorf("for %v", d.laterIn)
		}
		d.show()
		d.Tap("Undo")
		d.idle()
		if d.Button("Undo") != nil || d.later != nil {
			t.Error("it offers that on")
		}
		d.Type("u")
		d.idle()
		d.Want(t, "remove a", "undo a")
	})
	t.Run("it can still be undone after a card was opened and closed", func(t *testing.T) {
		d := setup(t, guitest.Usual)
		d.show(plainFolder("a", "/in/a"), plainFolder("b", "/in/b"))
		d.TapIn(d.visible("a"), "Stop watching")
		d.idle()
		d.TapIn(d.visible("b"), "Change… (Enter)")
		d.Press(fyne.KeyEscape)
		d.Type("u")
		d.idle()
		d.WantLast(t, "undo a")
	})
	t.Run("after that, it can't", func(t *testing.T) {
		d := setup(t, guitest.Usual)
		d.show(plainFolder("a", "/in/a"), plainFolder("b", "/in/b"))
		d.TapIn(d.visible("a"), "Stop watching")
		d.idle()
		d.later()
		d.Type("u")
		if d.Want(t, "remove a"); d.Button("Undo") != nil {
			t.Error("it is offered on")
		}
	})
	t.Run("what could not be done is said", func(t *testing.T) {
		d := setup(t, guitest.Usual)
		d.show(plainFolder("a", "/in/a"))
		d.Fail("remove", guitest.Sentence("The disk is full."))
		d.TapIn(d.visible("a"), "Stop watching")
		d.idle()
		failed := i18n.T("The folder is still watched.") + " The disk is full."
		if d.WantWords(failed); d.Button("Undo") != nil {
			t.Error("it can be undone")
		}
		d.Press(fyne.KeyEscape)
		d.WantNoWords(failed)
	})
	t.Run("what waits is shown in the inbox, and the folder in the file manager", func(t *testing.T) {
		d := setup(t, guitest.Usual)
		f := plainFolder("a", "/in/a")
		f.Held = 3
		d.show(f)
		d.Tap(RowOf(f).Waiting)
		d.WantLast(t, "held /in/a")
		d.TapIn(d.visible("a"), "Open in the file manager (O)")
		d.WantLast(t, "open /in/a")
	})
	t.Run("what waits has the same room in all rows", func(t *testing.T) {
		d := setup(t, guitest.Usual)
		a, b := plainFolder("a", "/in/a"), plainFolder("b", "/in/b")
		d.show(a, b)
		states := func() (at [2]float32) {
			for i, id := range []string{"a", "b"} {
				for _, line := range guitest.InSight[*kit.Text](d.visible(id)) {
					if line.Text() == RowOf(a).State {
						at[i] = line.Position().X
					}
				}
			}
			return at
		}
		before := states()
		b.Held = 1204
		d.show(a, b)
		if at := states(); at[0] >= before[0] || at[0] != at[1] {
			t.Errorf("columns at %v, before at %v", at, before)
		}
	})
}

func TestFoldersKeys(t *testing.T) {
	folderWith := func(id string, held int) clientfolders.Folder {
		f := plainFolder(id, "/in/"+id)
		f.Held = held
		return f
	}
	open := func(t *testing.T) *fixture {
		d := setup(t, guitest.Usual)
		d.show(folderWith("a", 0), folderWith("b", 2), folderWith("c", 0))
		return d
	}
	t.Run("J and K, the arrows, Home and End move the cursor, which is seen", func(t *testing.T) {
		d := open(t)
		d.Type("jjjJ")
		if d.cursor() != "c" || guitest.Ringed(d.visible("b")) {
			t.Errorf("at %q", d.cursor())
		}
		d.Type("k")
		d.Press(fyne.KeyUp, fyne.KeyUp)
		if d.cursor() != "a" {
			t.Errorf("at %q", d.cursor())
		}
		d.Press(fyne.KeyEnd)
		if d.cursor() != "c" {
			t.Errorf("at %q", d.cursor())
		}
	})
	t.Run("O, W and the shortcuts are for the folder at the cursor", func(t *testing.T) {
		d := open(t)
		d.Type("jj")
		d.PauseOrResume()
		d.idle()
		d.WantLast(t, "pause b")
		d.Type("o")
		d.WantLast(t, "open /in/b")
		d.Type("w")
		d.WantLast(t, "held /in/b")
		d.Type("kw")
		d.WantLast(t, "held /in/b") // nothing waits in the first
		d.RemoveFolder()
		d.idle()
		d.WantLast(t, "remove a")
		d.Type("u")
		d.idle()
		d.WantLast(t, "undo a")
	})
	t.Run("without a cursor, they do nothing", func(t *testing.T) {
		d := open(t)
		d.Type("pow")
		d.Press(fyne.KeyDelete, fyne.KeyReturn)
		d.idle()
		if d.Want(t); d.editing() {
			t.Error("a card is open")
		}
	})
	t.Run("the cursor stays at its place when its folder goes", func(t *testing.T) {
		d := open(t)
		d.Type("jj")
		d.show(folderWith("a", 0), folderWith("c", 0))
		if d.cursor() != "c" {
			t.Errorf("at %q", d.cursor())
		}
		d.show(folderWith("a", 0))
		if d.cursor() != "a" {
			t.Errorf("at %q", d.cursor())
		}
	})
	t.Run("Enter changes, Esc goes back, N adds", func(t *testing.T) {
		d := open(t)
		d.Type("j")
		d.Press(fyne.KeyReturn)
		if !d.editing() {
			t.Fatal("the card is not open")
		}
		d.WantNoWords("/in/b") // the list
		d.Type("jp")
		d.Press(fyne.KeyDelete)
		d.Want(t)
		if !d.editing() {
			t.Fatal("keys of the list do something behind the card")
		}
		d.Press(fyne.KeyEscape)
		if d.editing() || d.cursor() != "a" || d.Canvas().Focused() != d.table {
			t.Error("the card stays, or the focus is lost")
		}
		d.Type("n")
		if d.dialog == nil {
			t.Error("no dialog was opened")
		}
	})
	t.Run("the list takes them while it has the focus, and passes on what it has no use for", func(t *testing.T) {
		d := open(t)
		d.Canvas().Focus(d.table)
		if d.cursor() != "a" {
			t.Errorf("at %q", d.cursor())
		}
		var passed rune
		d.Canvas().SetOnTypedRune(func(r rune) { passed = r })
		d.table.TypedRune('j')
		d.table.TypedRune('?')
		if d.cursor() != "b" || passed != '?' {
			t.Errorf("at %q, passed %q", d.cursor(), passed)
		}
		d.table.TypedKey(&fyne.KeyEvent{Name: fyne.KeyUp})
		if d.cursor() != "a" {
			t.Errorf("at %q", d.cursor())
		}
	})
	t.Run("a click puts the cursor on a folder", func(t *testing.T) {
		d := open(t)
		d.Click("c")
		if d.cursor() != "c" || d.Canvas().Focused() != d.table {
			t.Errorf("at %q", d.cursor())
		}
	})
	t.Run("each has a line in the sheet", func(t *testing.T) {
		d := setup(t, guitest.Usual)
		if len(d.Shortcuts()) != 8 {
			t.Errorf("%d", len(d.Shortcuts()))
		}
		if d.TypedRune('j') || d.TypedKey(&fyne.KeyEvent{Name: fyne.KeyDown}) {
			t.Error("without a folder, keys of the list mean something")
		}
	})
}
