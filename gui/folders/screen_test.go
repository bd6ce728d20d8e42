package folders

import (
	"strings"
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"github.com/google/go-cmp/cmp"

	clientfolders "assay/client/folders"
	"assay/gui/guitest"
	"assay/gui/kit"
	"assay/gui/look"
	"assay/watch"
)

func TestFoldersRows(t *testing.T) {
	t.Run("without a folder, the screen says what one is for", func(t *testing.T) {
		d := setup(t, guitest.Usual)
		if !d.empty.Visible() || d.filled.Visible() {
			t.Error("it does not")
		}
		d.show(plainFolder("a", "/in/a"))
		if d.empty.Visible() || !d.filled.Visible() || d.count.Text() != "1 folder" {
			t.Errorf("with a folder, it shows %q", d.count.Text())
		}
		d.show()
		if !d.empty.Visible() || d.filled.Visible() {
			t.Error("with the last folder gone, it does not")
		}
	})
	t.Run("a row says what its folder says", func(t *testing.T) {
		d := setup(t, guitest.Usual)
		all := manyFolders(9)
		d.show(all...)
		row, want := d.visible("f001"), RowOf(all[1])
		for said, got := range map[string]string{want.Name: row.name.Text(), want.Where: row.where.Text(), want.Takes: row.takes.Text(),
			"Ask first": row.gate.AccessibilityLabel(), want.State: row.state.Text(), want.LastName: row.last.Text(), "9 min ago": row.age.Text(),
			want.Counts: row.counts.Text(), "3 wait for you": row.held.Label(), want.Problem: strings.TrimSpace(row.detail.Text() + " " + row.detailRest.Text())} {
			if said != got {
				t.Errorf("it says %q, want %q", got, said)
			}
		}
		if d.visible("f000").held.Visible() {
			t.Error("a folder in which nothing waits offers to show it")
		}
	})
	t.Run("in a narrow window, nothing is left out of a row", func(t *testing.T) {
		d := setup(t, fyne.NewSize(828, 600))
		all := manyFolders(9)
		d.show(all...)
		row, want := d.visible("f001"), RowOf(all[1])
		said := strings.Join([]string{row.detail.Text(), row.detailRest.Text(), row.counts.Text()}, " ")
		for _, part := range []string{want.Problem, want.Counts, want.Last(testNow)} {
			if !strings.Contains(said, part) {
				t.Errorf("%q lacks %q", said, part)
			}
		}
		if row.last.Visible() || row.state.Text() != want.State {
			t.Error("the column of a wide window is shown")
		}
	})
	t.Run("where nothing was taken, a problem has room for its whole sentence", func(t *testing.T) {
		const sentence = "The settings of this folder could not all be read. Look through them, and save them again."
		for _, width := range []float32{828, 1208} {
			d := setup(t, fyne.NewSize(width, 600))
			f := plainFolder("a", "/in/a")
			waiting := plainFolder("b", "/in/b")
			f.Problem, waiting.Held = sentence, 1204 // for which there is room in all rows
			d.show(f, waiting)
			row, said := d.visible("a"), []string{}
			for _, line := range []*kit.Text{row.detail, row.detailRest, row.detailEnd} {
				if line.Text() != "" {
					said = append(said, line.Text())
				}
				if needs := fyne.MeasureText(line.Text(), look.Size(look.SizeSmall), fyne.TextStyle{}).Width; needs > line.Size().Width {
					t.Errorf("%g wide: %q needs %g and has %g", width, line.Text(), needs, line.Size().Width)
				}
			}
			if got := strings.Join(said, " "); got != sentence {
				t.Errorf("%g wide: it says %q", width, got)
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
		if row := d.visible("f002"); !strings.HasPrefix(row.counts.Text(), "500 taken") || row.state.Text() != "Not there: looking for it" {
			t.Errorf("it says %q, %q", row.state.Text(), row.counts.Text())
		}
		if made != 0 {
			t.Errorf("the list was laid out anew: %d rows", made)
		}
	})
	t.Run("ages go by the present time", func(t *testing.T) {
		d := setup(t, guitest.Usual)
		d.show(manyFolders(1)...)
		now := testNow.Add(time.Hour)
		d.Now = func() time.Time { return now }
		d.Tick()
		if got := d.visible("f000").age.Text(); got != "62 min ago" {
			t.Errorf("%q", got)
		}
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
		d.keys(fyne.KeyEnd)
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
		d.hold = make(chan struct{})
		d.visible("a").pause.Tapped(nil)
		<-d.begun
		d.visible("a").pause.Tapped(nil)
		d.visible("a").remove.Tapped(nil)
		close(d.hold)
		d.idle()
		if d.visible("b").pause.ToolTip() != "Go on (P)" {
			t.Errorf("%q", d.visible("b").pause.ToolTip())
		}
		d.visible("b").pause.Tapped(nil)
		d.idle()
		if diff := cmp.Diff([]string{"pause a", "resume b"}, d.actions); diff != "" {
			t.Error(diff)
		}
	})
	t.Run("removing happens at once and can be undone for some seconds", func(t *testing.T) {
		d := setup(t, guitest.Usual)
		d.show(plainFolder("a", "/in/agency"))
		d.visible("a").remove.Tapped(nil)
		d.idle()
		d.wantLast("remove a")
		if got := d.said.Text(); got != "“agency” is no longer watched. What was taken from it stays." || d.laterIn != undoOffered {
			t.Errorf("it says %q, for %v", got, d.laterIn)
		}
		d.show()
		guitest.InSight[*kit.Button](d.said.Box)[0].Tapped(nil)
		d.idle()
		d.wantLast("undo a")
		if d.said.Text() != "" || d.later != nil {
			t.Error("it offers that on")
		}
		d.runes("u")
		d.idle()
		if len(d.actions) != 2 {
			t.Errorf("undone twice: %v", d.actions)
		}
	})
	t.Run("it can still be undone after a card was opened and closed", func(t *testing.T) {
		d := setup(t, guitest.Usual)
		d.show(plainFolder("a", "/in/a"), plainFolder("b", "/in/b"))
		d.visible("a").remove.Tapped(nil)
		d.idle()
		d.visible("b").change.Tapped(nil)
		d.keys(fyne.KeyEscape)
		d.runes("u")
		d.idle()
		d.wantLast("undo a")
	})
	t.Run("after that, it can't", func(t *testing.T) {
		d := setup(t, guitest.Usual)
		d.show(plainFolder("a", "/in/a"), plainFolder("b", "/in/b"))
		d.visible("a").remove.Tapped(nil)
		d.idle()
		d.later()
		d.runes("u")
		if d.said.Text() != "" || len(d.actions) != 1 {
			t.Errorf("it says %q, and did %v", d.said.Text(), d.actions)
		}
	})
	t.Run("what could not be done is said", func(t *testing.T) {
		d := setup(t, guitest.Usual)
		d.show(plainFolder("a", "/in/a"))
		d.failing = guitest.Sentence("The disk is full.")
		d.visible("a").remove.Tapped(nil)
		d.idle()
		if d.said.Text() != "It is still watched. The disk is full." || d.removed != "" {
			t.Errorf("it says %q", d.said.Text())
		}
		d.keys(fyne.KeyEscape)
		if d.said.Text() != "" {
			t.Error("Esc does not dismiss it")
		}
	})
	t.Run("what waits is shown in the inbox, and the folder in the file manager", func(t *testing.T) {
		d := setup(t, guitest.Usual)
		f := plainFolder("a", "/in/a")
		f.Held = 3
		d.show(f)
		d.visible("a").held.Tapped(nil)
		d.wantLast("held /in/a")
		d.visible("a").open.Tapped(nil)
		d.wantLast("open /in/a")
	})
	t.Run("what waits has the same room in all rows", func(t *testing.T) {
		d := setup(t, guitest.Usual)
		a, b := plainFolder("a", "/in/a"), plainFolder("b", "/in/b")
		d.show(a, b)
		before := d.visible("a").counts.Position().X
		b.Held = 1204
		d.show(a, b)
		if x := d.visible("a").counts.Position().X; x >= before || x != d.visible("b").counts.Position().X {
			t.Errorf("columns at %g and %g", x, d.visible("b").counts.Position().X)
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
		d.runes("jjjJ")
		if d.table.Cursor() != "c" || !guitest.Ringed(d.visible("c")) || guitest.Ringed(d.visible("b")) {
			t.Errorf("at %q", d.table.Cursor())
		}
		d.runes("k")
		d.keys(fyne.KeyUp, fyne.KeyUp)
		if d.table.Cursor() != "a" {
			t.Errorf("at %q", d.table.Cursor())
		}
		d.keys(fyne.KeyEnd)
		if d.table.Cursor() != "c" {
			t.Errorf("at %q", d.table.Cursor())
		}
	})
	t.Run("P, O, W and Delete are for the folder at the cursor", func(t *testing.T) {
		d := open(t)
		d.runes("jjp")
		d.idle()
		d.wantLast("pause b")
		d.runes("o")
		d.wantLast("open /in/b")
		d.runes("w")
		d.wantLast("held /in/b")
		d.runes("kw")
		d.wantLast("held /in/b") // nothing waits in the first
		d.keys(fyne.KeyDelete)
		d.idle()
		d.wantLast("remove a")
		d.runes("u")
		d.idle()
		d.wantLast("undo a")
	})
	t.Run("without a cursor, they do nothing", func(t *testing.T) {
		d := open(t)
		d.runes("pow")
		d.keys(fyne.KeyDelete, fyne.KeyReturn)
		d.idle()
		if len(d.actions) != 0 || d.editing() {
			t.Error(d.actions)
		}
	})
	t.Run("the cursor stays at its place when its folder goes", func(t *testing.T) {
		d := open(t)
		d.runes("jj")
		d.show(folderWith("a", 0), folderWith("c", 0))
		if d.table.Cursor() != "c" {
			t.Errorf("at %q", d.table.Cursor())
		}
		d.show(folderWith("a", 0))
		if d.table.Cursor() != "a" {
			t.Errorf("at %q", d.table.Cursor())
		}
	})
	t.Run("Enter changes, Esc goes back, N adds", func(t *testing.T) {
		d := open(t)
		d.runes("j")
		d.keys(fyne.KeyReturn)
		if !d.editing() || d.card.id != "a" || d.list.Visible() {
			t.Fatal("the card is not open")
		}
		d.runes("jp")
		d.keys(fyne.KeyDelete)
		if d.table.Cursor() != "a" || len(d.actions) != 0 {
			t.Error("keys of the list do something behind the card")
		}
		d.keys(fyne.KeyEscape)
		if d.editing() || !d.list.Visible() || d.Canvas().Focused() != d.table {
			t.Error("the card stays, or the focus is lost")
		}
		d.runes("n")
		if d.dialog == nil {
			t.Error("no dialog was opened")
		}
	})
	t.Run("the list takes them while it has the focus, and passes on what it has no use for", func(t *testing.T) {
		d := open(t)
		d.Canvas().Focus(d.table)
		if d.table.Cursor() != "a" {
			t.Errorf("at %q", d.table.Cursor())
		}
		var passed rune
		d.Canvas().SetOnTypedRune(func(r rune) { passed = r })
		d.table.TypedRune('j')
		d.table.TypedRune('?')
		if d.table.Cursor() != "b" || passed != '?' {
			t.Errorf("at %q, passed %q", d.table.Cursor(), passed)
		}
		d.table.TypedKey(&fyne.KeyEvent{Name: fyne.KeyUp})
		if d.table.Cursor() != "a" {
			t.Errorf("at %q", d.table.Cursor())
		}
	})
	t.Run("a click puts the cursor on a folder", func(t *testing.T) {
		d := open(t)
		d.visible("c").Tapped(nil)
		if d.table.Cursor() != "c" || d.Canvas().Focused() != d.table {
			t.Errorf("at %q", d.table.Cursor())
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
