package tree

import (
	"context"
	"io/fs"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"assay/gui/guitest"
	"assay/gui/kit"
	"assay/gui/look"
	"assay/gui/present"
)

// fixture is a pane in a window, with the UI thread in the test's hands.
type fixture struct {
	*Pane
	*guitest.UI
	t       testing.TB
	window  fyne.Window
	answer  map[string]string // by ID
	details map[string]string
	fail    error // of the next loads
	loads   int
}

func setup(t testing.TB, mode look.Mode, size fyne.Size) *fixture {
	t.Helper()
	d := &fixture{t: t, UI: guitest.NewUI(t), answer: map[string]string{}, details: map[string]string{}}
	guitest.App(t, mode)
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
	d.Pane = New(Params{Workers: d.Workers(2), Documents: []Document{
		{Label: "Answer", Load: from(d.answer)},
		{Label: "Details of the analysis", Absent: "The service sent no details of the analysis.", Load: from(d.details)},
		{Label: "Sound", For: func(v present.Viewer) bool { return v.Medium == present.Clip }, Load: from(d.details)},
	}})
	d.window = guitest.Window(t, container.NewStack(kit.NewFill(look.ColorBackground), container.NewPadded(d.Object())), size)
	return d
}

// show shows a result and waits for its document.
func (d *fixture) show(id string) {
	d.t.Helper()
	d.Show(present.Viewer{ID: id})
	d.Until("the document is read", func() bool { return d.open != nil })
}

// searchFor types a query and waits for its end.
func (d *fixture) searchFor(query string) {
	d.t.Helper()
	d.search.SetText(query)
	d.Until("the search ends", func() bool { return !d.searching })
	if len(d.found) > 0 {
		d.Until("a match is chosen", func() bool { return d.rows.matchAt() >= 0 })
	}
}

// texts are all on screen, from the top.
func (d *fixture) texts() []string { return guitest.Seen(d.Object()) }

func (d *fixture) shows(text string) bool {
	return strings.Contains(strings.Join(d.texts(), "\n"), text)
}

func (d *fixture) keys(names ...fyne.KeyName) {
	for _, name := range names {
		d.rows.TypedKey(&fyne.KeyEvent{Name: name})
	}
}

func (d *fixture) clipboard() string { return fyne.CurrentApp().Clipboard().Content() }
