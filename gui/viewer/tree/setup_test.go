package tree

import (
	"context"
	"io/fs"
	"strings"
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/test"

	"assay/gui/kit"
	"assay/gui/look"
	"assay/gui/present"
	"assay/gui/work"
)

// desk is a pane in a window, with the UI thread in the test's hands.
type desk struct {
	*Pane
	t       testing.TB
	window  fyne.Window
	closure chan func()
	answer  map[string]string // by ID
	details map[string]string
	fail    error // of the next loads
	loads   int
}

func setup(t testing.TB, mode look.Mode, size fyne.Size) *desk {
	t.Helper()
	d := &desk{t: t, closure: make(chan func(), 1000), answer: map[string]string{}, details: map[string]string{}}
	app := test.NewTempApp(t)
	app.Settings().SetTheme(look.New(mode))
	workers := work.New(2, func(f func()) { d.closure <- f })
	t.Cleanup(workers.Close)
	from := func(texts map[string]string) func(context.Context, string) ([]byte, error) {
		return func(_ context.Context, id string) ([]byte, error) {
			d.loads++
			if d.fail != nil {
				return nil, d.fail
			}
			text, ok := texts[id]
			if !ok {
				return nil, fs.ErrNotExist
			}
			return []byte(text), nil
		}
	}
	d.Pane = New(Params{Workers: workers, Documents: []Document{
		{Label: "Answer", Load: from(d.answer)},
		{Label: "Details of the analysis", Absent: "The service sent no details of the analysis.", Load: from(d.details)},
		{Label: "Sound", For: func(v present.Viewer) bool { return v.Medium == present.Clip }, Load: from(d.details)},
	}})
	d.window = test.NewTempWindow(t, nil)
	d.window.SetPadded(false)
	d.window.SetContent(container.NewStack(kit.NewGround(look.ColorBackground), container.NewPadded(d.Object())))
	d.window.Resize(size)
	return d
}

// pump runs what workers hand to the UI thread until something holds.
func (d *desk) pump(what string, holds func() bool) {
	d.t.Helper()
	late := time.After(30 * time.Second)
	for !holds() {
		select {
		case f := <-d.closure:
			f()
		case <-late:
			d.t.Fatalf("%s: never", what)
		}
	}
}

// show shows a result and waits for its document.
func (d *desk) show(id string) {
	d.t.Helper()
	d.Show(present.Viewer{ID: id})
	d.pump("the document is read", func() bool { return d.open != nil })
}

// searchFor types a query and waits for its end.
func (d *desk) searchFor(query string) {
	d.t.Helper()
	d.search.SetText(query)
	d.pump("the search ends", func() bool { return !d.searching })
	if len(d.found) > 0 {
		d.pump("a match is chosen", func() bool { return d.rows.matchAt() >= 0 })
	}
}

// texts are all on screen, from the top.
func (d *desk) texts() []string {
	var found []string
	var walk func(o fyne.CanvasObject)
	walk = func(o fyne.CanvasObject) {
		if !o.Visible() {
			return
		}
		switch o := o.(type) {
		case *canvas.Text:
			found = append(found, o.Text)
		case *fyne.Container:
			for _, child := range o.Objects {
				walk(child)
			}
		case fyne.Widget:
			for _, child := range test.WidgetRenderer(o).Objects() {
				walk(child)
			}
		}
	}
	walk(d.Object())
	return found
}

func (d *desk) shows(text string) bool { return strings.Contains(strings.Join(d.texts(), "\n"), text) }

func (d *desk) keys(names ...fyne.KeyName) {
	for _, name := range names {
		d.rows.TypedKey(&fyne.KeyEvent{Name: name})
	}
}

func (d *desk) clipboard() string { return fyne.CurrentApp().Clipboard().Content() }
