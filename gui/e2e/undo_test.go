//go:build e2e && linux

package e2e

import (
	"image"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"assay/client/assert"
)

// Nothing is sent, removed or judged by mistake: stray keys do nothing of the kind, and what was asked for by the mouse can be taken back for five seconds.
// Then it happens, once.
func TestWhatIsAskedForByMistakeIsTakenBack(t *testing.T) {
	desktop := setup(t)
	service, err := desktop.StartService(t.Context(), t.TempDir(), "127.0.0.1:0")
	assert.NoError(t, err)
	files := []string{pictures(t)[0], manipulated(t)}
	v := &fixture{t: t, desktop: desktop, service: service, options: Options{Theme: "light", Home: t.TempDir(), Server: service.URL, Key: service.Key}}
	v.open(files...)
	_, err = v.app.Answers(t.Context(), len(files), answerLimit)
	assert.NoError(t, err)
	v.look()
	v.show("ctrl+2")
	had := v.submissions()

	t.Run("no stray key sends or judges, with a result shown and selected", func(t *testing.T) {
		v := v.in(t)
		typed := []string{"key", "--delay", "30"} // hundreds of keys
		for _, key := range append(strings.Split("abcdefghijklmnopqrstuvwxyz0123456789", ""), "Delete", "BackSpace", "Insert", "Return", "space", "F1", "F2", "F5", "F9") {
			typed = append(typed, "Escape", "Escape", "x", key, "Escape", "Escape")
		}
		assert.NoError(t, v.app.Window.Activate(t.Context()))
		_, err := desktop.Run(t.Context(), "xdotool", typed...)
		assert.NoError(t, err)
		v.look()
		v.keep("1-typed")
	})
	t.Run("a result is scanned again once", func(t *testing.T) {
		v := v.in(t)
		report := v.shot.Primary()
		again := middleOf(report[len(report)-1]).Sub(image.Pt(100, 0)) // the button left of it
		v.takeBack(v.ask("2-again", again))
		v.ask("3-again", again)
		// What a key or the first click began would come before.
		_, err := v.app.Answers(t.Context(), len(files)+1, answerLimit)
		assert.NoError(t, err)
		news := 0
		for content, times := range v.submissions() {
			news += times - had[content]
		}
		if had = v.submissions(); news != 1 {
			t.Errorf("the service has got %d submissions more", news)
		}
		if given := categories(t, service); len(given) > 0 {
			t.Errorf("the service has feedback: %v", given)
		}
	})
	t.Run("rows of the inbox come back", func(t *testing.T) {
		v := v.in(t)
		v.look()
		v.keep("4-inbox")
		first := inRows(v.shot)[0]
		for name, at := range map[string]image.Point{"5-one": {first.Max.X + 21, middleOf(first).Y}, "6-all-done": middleOf(aboveRows(v.shot, 1))} {
			before := v.shot
			line := v.ask(name, at)
			if v.shot.ChangedIn(inboxRows, before) == 0 {
				t.Errorf("%s: rows are to be removed, and look as before", name)
			}
			v.takeBack(line)
			v.sees(name+"-is-back", "the rows are as before", undoFor, func(s *Shot) bool { return s.ChangedIn(inboxRows, before) == 0 })
		}
		v.tap(v.shot.Boxes()[0])
		v.look()
		v.takeBack(v.ask("7-again", middleOf(aboveRows(v.shot, 3)))) // before it stand a case, and Remove
		v.keys("Escape")
		v.look()
		v.ask("8-all-done", middleOf(aboveRows(v.shot, 1)))
		v.sees("9-gone", "the rows are gone", 2*undoFor, inboxEmpty)
		if diff := cmp.Diff(had, v.submissions()); diff != "" {
			t.Errorf("submissions that the service has, by their digests (-before +after they were to be scanned again):\n%s", diff)
		}
	})
}

// Where things are in a window of 1280 × 800: the rows of the inbox, and the line that offers to take something back, with the middle of its button by
// its right end.
var (
	inboxRows  = image.Rect(88, 186, 1264, 640)
	undoLine   = image.Rect(300, 640, 980, 722)
	undoButton = image.Pt(-69, 0)
)

// aboveRows is a button between the inbox's head and its rows, counted from the right end.
func aboveRows(s *Shot, n int) image.Rectangle {
	var found []image.Rectangle
	for _, patch := range s.Patches(image.Rect(600, dropStrip, 1270, 134), like(surface, 3)) {
		if patch.Dx() >= 40 && off(patch.Dy(), buttonHeight) <= 4 {
			found = append(found, patch.Rectangle)
		}
	}
	slices.SortFunc(found, func(a, b image.Rectangle) int { return b.Min.X - a.Min.X })
	return append(found, make([]image.Rectangle, n)...)[n-1]
}

// ask clicks what can be taken back for some seconds, and waits for the line that offers it.
func (v *fixture) ask(name string, at image.Point) (line image.Rectangle) {
	v.t.Helper()
	v.look()
	before := v.shot
	assert.NoError(v.t, v.app.Window.Click(v.t.Context(), at.X, at.Y))
	waitFor(v.t, undoFor, "it can be taken back", func() bool {
		var err error
		v.shot, err = v.app.Window.Shot(v.t.Context())
		assert.NoError(v.t, err)
		line = v.shot.Changes(undoLine, before)
		return line.Dx() > 200 && off(line.Min.X+line.Max.X, v.shot.Pixels.Rect.Dx()) < 10 // in the middle
	})
	v.keep(name)
	return line
}

// takeBack clicks the button of a line that offers it, and waits until the line is gone.
func (v *fixture) takeBack(line image.Rectangle) {
	v.t.Helper()
	offered := v.shot
	at := image.Pt(line.Max.X, middleOf(line).Y).Add(undoButton)
	assert.NoError(v.t, v.app.Window.Click(v.t.Context(), at.X, at.Y))
	waitFor(v.t, 2*time.Second, "it is taken back", func() bool {
		v.look()
		return v.shot.ChangedIn(line, offered) > 0.05
	})
}
