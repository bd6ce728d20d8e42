package text

import (
	"context"
	"os"
	"strings"
	"testing"

	"fyne.io/fyne/v2"

	"assay/client"
	"assay/client/i18n"
	"assay/gui/guitest"
	"assay/gui/look"
	"assay/gui/present"
	"assay/gui/work"
)

// result is a Source of one result.
type result struct {
	page    []byte
	pageErr error
	text    string // the file's path
	textErr error
	asked   chan struct{} // closed when the page is asked for
	wait    chan struct{} // the page comes when this is closed
}

func (r *result) Explanation(ctx context.Context, _ string) ([]byte, error) {
	if r.asked != nil {
		close(r.asked)
	}
	if r.wait != nil {
		select {
		case <-r.wait:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
	if r.page == nil && r.pageErr == nil {
		return nil, client.ErrNoArtifact
	}
	return r.page, r.pageErr
}

func (r *result) OpenOriginal(context.Context, string) (*os.File, error) {
	if r.textErr != nil {
		return nil, r.textErr
	}
	return os.Open(r.text)
}

// fixture is a pane in a window, and the UI thread of a test: closures run when the test says.
type fixture struct {
	*guitest.Frame
	pane   *Pane
	copied string
	run    func(f func()) // runs a closure on the UI thread
}

func setup(t *testing.T, from Source, mode look.Mode, width, height float32) *fixture {
	t.Helper()
	d := &fixture{Frame: guitest.NewFrame(t, fyne.NewSize(width, height)), run: func(f func()) { f() }}
	d.SetMode(mode)
	workers := work.New(1, func(f func()) { d.Do(func() { d.run(f) }) })
	t.Cleanup(workers.Close)
	d.pane = New(Params{Workers: workers, Source: from, Copy: func(text string) { d.copied = text }})
	d.Display(d.pane.Object(), nil)
	d.size(width, height)
	return d
}

func (d *fixture) size(width, height float32) {
	d.Resize(fyne.NewSize(width+1, height+1))
	d.Resize(fyne.NewSize(width, height))
}

func (d *fixture) show(id string) {
	d.T.Helper()
	d.pane.Show(viewerOf(id))
	d.settle()
}

func viewerOf(id string) present.Viewer { return present.Viewer{ID: id, Medium: present.Text} }

func (d *fixture) settle() {
	d.T.Helper()
	d.Until("the text is read and laid out", func() bool {
		return d.pane.summary.Text() != i18n.T("Reading the text…") && (len(d.pane.prose.Blocks) == 0 || d.pane.sheet.lines != nil)
	})
}

func textFile(t *testing.T, text string) string {
	t.Helper()
	return guitest.File(t, "text.txt", []byte(text))
}

// drawn is all text that has objects on screen.
func (d *fixture) drawn() string {
	var words []string
	for _, t := range d.pane.sheet.leaf.paint.texts[:d.pane.sheet.leaf.paint.nTexts] {
		words = append(words, t.Text)
	}
	return strings.Join(words, "|")
}

func (d *fixture) tapAll() {
	for _, h := range append([]spot(nil), d.pane.sheet.leaf.spots...) {
		d.pane.sheet.leaf.Tapped(&fyne.PointEvent{Position: fyne.NewPos(h.x+h.w/2, h.y+h.h/2)})
	}
}
