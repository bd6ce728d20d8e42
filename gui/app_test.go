package gui

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fyne.io/fyne/v2"

	"assay/client/assert"
	"assay/gui/present"
	"assay/gui/screens"
)

func TestADroppedPictureBecomesAVerdictWithItsHeatmap(t *testing.T) {
	d := setup(t)
	if d.inbox.Filled() {
		t.Fatal("the inbox is not empty at first")
	}
	d.drop(absolutePicture(t, "mountains-spliced.jpg"))
	d.Until("the answer stands in the inbox", func() bool { return d.inbox.Filled() && len(d.listed()) == 1 })
	id := d.listed()[0].ID

	d.act([]string{id}, present.Open)
	if d.rail.Selected() != screens.Results || d.viewer.Shown() != id {
		t.Fatalf("screen %d, viewer shows %q", d.rail.Selected(), d.viewer.Shown())
	}
	lower := d.photo()
	if _, upper := d.layers(); upper != nil {
		t.Error("the heatmap is on before anybody asked for it")
	}
	upper := d.heatmap()
	if lower.Image.Bounds().Size() != upper.Image.Bounds().Size() || lower.Size() != upper.Size() {
		t.Error("photo and heatmap do not lie on each other")
	}
	for range 20 {
		d.typedRune(']')
	}
	if upper.Translucency != 0 {
		t.Errorf("at 100 %% the heatmap is not as it was sent: translucency %v", upper.Translucency)
	}
	pixels := upper.Image
	for range 20 {
		d.typedRune('[')
	}
	if upper.Translucency != 1 {
		t.Errorf("at 0 %% something of the heatmap is left: translucency %v", upper.Translucency)
	}
	if upper.Image != pixels {
		t.Error("a change of opacity made new pixels")
	}
	d.typedRune('o')
	if _, upper := d.layers(); upper != nil {
		t.Error("the heatmap can't be switched off")
	}
}

func TestEveryBadFileSaysWhyAndTheOthersGoOn(t *testing.T) {
	d := setup(t)
	dir := t.TempDir()
	empty, scanned := filepath.Join(dir, "empty.png"), filepath.Join(dir, "scan.pdf")
	for _, name := range []string{empty, scanned} {
		assert.NoError(t, os.WriteFile(name, nil, 0o600))
	}
	good := absolutePicture(t, "poster.png")
	d.drop(scanned, empty, good)
	d.Until("all three have ended", func() bool {
		ended := 0
		for _, s := range d.Queue.All() {
			if s.State.Ended() {
				ended++
			}
		}
		return ended == 3 && len(d.listed()) == 1
	})
	rows := d.inbox.Rows()
	if len(rows) != 3 {
		t.Fatalf("%d rows", len(rows))
	}
	for i, says := range []string{"alac", "empty"} {
		if rows[i].State != "Not sent" || !strings.Contains(rows[i].Detail, says) {
			t.Errorf("row %d says %q, %q", i, rows[i].State, rows[i].Detail)
		}
	}
	if rows[2].State != "Not assessable" {
		t.Errorf("the good one says %q", rows[2].State)
	}
}

func TestShortcutsReachTheScreens(t *testing.T) {
	d := setup(t)
	d.drop(absolutePicture(t, "poster.png"), absolutePicture(t, "generated.png"))
	d.Until("both are answered", func() bool { return len(d.listed()) == 2 })
	d.showResults()
	newest := d.listed()[0].ID
	if shown := d.viewer.Shown(); shown != newest {
		t.Errorf("the viewer shows %q, the newest is %q", shown, newest)
	}
	d.typedRune('j')
	if shown := d.viewer.Shown(); shown != d.listed()[1].ID {
		t.Error("J does not go down")
	}
	d.typedKey(&fyne.KeyEvent{Name: fyne.KeyUp})
	if shown := d.viewer.Shown(); shown != newest {
		t.Error("the arrow does not go up")
	}
	d.rail.Select(screens.Inbox)
	d.typedRune('j')
	if shown := d.viewer.Shown(); shown != newest {
		t.Error("J works on a screen that is not shown")
	}
}

func TestTheWindowIsUsableFrom900By600(t *testing.T) {
	if testing.Short() {
		t.Skip("it lays screens out again and again, beside which nothing runs")
	}
	d := setup(t)
	d.drop(absolutePicture(t, "mountains-spliced.jpg"))
	d.Until("it is answered", func() bool { return len(d.listed()) == 1 })
	for i, s := range d.screens {
		if size := contentOf(d.window).MinSize(); size.Width > 900 || size.Height > 600 {
			t.Errorf("screen %d asks for %v", i, s.object.MinSize())
		}
		d.rail.Select(i)
	}
}

func TestTheWindowShrinksWithTheViewerOpen(t *testing.T) {
	if testing.Short() {
		t.Skip("it lays screens out again and again, beside which nothing runs")
	}
	d := setup(t)
	d.drop(absolutePicture(t, "mountains-spliced.jpg"), absolutePicture(t, "poster.png"))
	d.Until("both are answered", func() bool { return len(d.listed()) == 2 })
	for _, row := range d.listed() {
		d.window.Resize(fyne.NewSize(1280, 800))
		d.act([]string{row.ID}, present.Open)
		if size := contentOf(d.window).MinSize(); size.Width > 900 || size.Height > 600 {
			t.Errorf("%s: the window can't be smaller than %v", row.Name, size)
		}
	}
}

func TestTheFileDialogOpens(t *testing.T) {
	d := setup(t)
	d.choose()
	d.Until("the dialog is open", func() bool { return d.window.Canvas().Overlays().Top() != nil })
	d.typedRune('?')
	if d.sheet.Open() {
		t.Error("what is typed over the dialog means something to the screen below")
	}
	d.typedKey(&fyne.KeyEvent{Name: fyne.KeyEscape})
	if d.window.Canvas().Overlays().Top() != nil {
		t.Error("Esc does not close the dialog")
	}
}

func TestShortcutsWorkWhereverTheFocusIs(t *testing.T) {
	d := setup(t)
	d.drop(absolutePicture(t, "poster.png"), absolutePicture(t, "generated.png"))
	d.Until("both are answered", func() bool { return len(d.listed()) == 2 })
	d.showResults()
	c := d.window.Canvas()
	seen := map[fyne.Focusable]bool{}
	for {
		c.FocusNext()
		focused := c.Focused()
		if focused == nil || seen[focused] {
			break
		}
		seen[focused] = true
		if _, text := focused.(interface{ SelectedText() string }); text {
			continue // a text field keeps its characters
		}
		d.results.Open(d.listed()[0].ID)
		focused.TypedRune('j')
		if d.viewer.Shown() != d.listed()[1].ID {
			t.Errorf("%T keeps the keys to itself", focused)
		}
	}
	if len(seen) < 4 {
		t.Errorf("only %d controls take the focus", len(seen))
	}
}

func TestEscClosesWhatIsOpenWhereverTheFocusIs(t *testing.T) {
	if testing.Short() {
		t.Skip("it lays screens out again and again, beside which nothing runs")
	}
	d := setup(t)
	esc := func() {
		if o := d.window.Canvas().Focused(); o != nil {
			o.TypedKey(&fyne.KeyEvent{Name: fyne.KeyEscape})
			return
		}
		d.typedKey(&fyne.KeyEvent{Name: fyne.KeyEscape})
	}
	d.typedRune('?')
	if !d.sheet.Open() || d.window.Canvas().Focused() == nil {
		t.Fatal("the keys are not shown, or nothing there has the focus")
	}
	if esc(); d.sheet.Open() {
		t.Error("the keys are still shown")
	}
	d.drop(absolutePicture(t, "mountains-spliced.jpg"))
	d.Until("the answer stands in the inbox", func() bool { return d.inbox.Filled() && len(d.listed()) == 1 })
	d.act([]string{d.listed()[0].ID}, present.Open)
	d.Until("the feedback bar asks", func() bool {
		d.typedRune('v')
		return d.window.Canvas().Focused() != nil
	})
	if esc(); d.window.Canvas().Focused() != nil {
		t.Error("the feedback bar keeps the focus")
	}
}

func TestAPastedLinkGoesThroughTheSameDoor(t *testing.T) {
	d := setup(t)
	if d.pasteLink("not a link") || d.pasteLink("ftp://example.org/x") {
		t.Error("what is no web link was taken")
	}
	if !d.pasteLink(" https://example.org/clip ") {
		t.Fatal("a link was not taken")
	}
	d.Until("the row says what became of it", func() bool {
		rows := d.inbox.Rows()
		return len(rows) == 1 && rows[0].State == "The service could not fetch it"
	})
	if name := d.inbox.Rows()[0].Name; name != "example.org/clip" {
		t.Errorf("the row is called %q", name)
	}
}
