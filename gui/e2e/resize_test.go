//go:build e2e && linux

package e2e

import (
	"image"
	"strconv"
	"testing"
	"time"

	"assay/client/assert"
)

// A size that a person gives the window stays, even right after another result was opened, whose content needs another room: the toolkit makes a
// window larger for that, by a size that may be old by then.
func TestResizesAfterAnotherResultStay(t *testing.T) {
	const resizes, stay = 100, "0.25"
	desktop := setup(t)
	files := append(pictures(t), writeFile(t, "voice.wav", Voice(1, 440, 660)),
		writeFile(t, "a name that is as long as those that agencies give to their pictures, and longer.txt", []byte("Nothing of the kind has happened, he said on Sunday.")))
	app := open(t, desktop, Options{Theme: "light", Files: files}, image.Pt(1280, 800))
	if _, err := app.Answers(t.Context(), len(files), answerLimit); err != nil {
		t.Fatal(err)
	}
	v := &fixture{t: t, desktop: desktop, app: app, shot: keep(t, desktop, app.Window, "1-inbox")}
	v.press("2-first", "ctrl+2", "Home")
	v.press("3-second", "j")
	v.press("4-first", "k")

	window, undone := app.Window, 0
	for n := range resizes {
		// Each differs in both directions from the one before.
		wanted := image.Pt(900+n*173%381, 600+n*89%201)
		key := "j"
		if n/(len(files)-1)%2 == 1 { // at the end of the list, back up
			key = "k"
		}
		_, err := desktop.Run(t.Context(), "xdotool", "key", key, "windowsize", window.id, strconv.Itoa(wanted.X), strconv.Itoa(wanted.Y))
		assert.NoError(t, err)
		var got image.Point
		err = Until(t.Context(), 5*time.Second, "the window has its size", func() (bool, error) {
			var err error
			got, err = window.Size(t.Context())
			return got == wanted, err
		})
		if err == nil {
			got, err = window.shellNumbers(t.Context(), "WIDTH", "HEIGHT", "sleep", stay, "getwindowgeometry", "--shell", window.id)
		}
		if err != nil || got != wanted {
			undone++
			t.Errorf("resize %d, after %s: the window is %v, not %v (%v)", n+1, key, got, wanted, err)
			keepNow(t, desktop, window, "undone-"+strconv.Itoa(n+1))
		}
		if undone == 5 {
			t.Fatal("five were undone")
		}
	}
	keep(t, desktop, window, "5-last")
}
