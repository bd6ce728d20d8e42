package gui

import (
	"context"
	"image"
	"image/color"
	"image/png"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"fyne.io/fyne/v2"

	"assay/client/assert"
	"assay/client/config"
	"assay/client/intake"
	"assay/client/store"
	"assay/client/submission"
	"assay/gui/present"
	"assay/gui/results"
	"assay/gui/screens"
	"assay/gui/work"
)

// vividPicture is a file with fields of a colour that Assay itself never paints.
func vividPicture(t *testing.T, name string, field int) string {
	t.Helper()
	img := image.NewRGBA(image.Rect(0, 0, 960, 640))
	for y := range 640 {
		for x := range 960 {
			c := color.RGBA{R: 255, B: 255, A: 255}
			if (x/field+y/field)%3 == 0 {
				c = color.RGBA{G: 40, A: 255}
			}
			img.SetRGBA(x, y, c)
		}
	}
	path := filepath.Join(t.TempDir(), name)
	file, err := os.Create(path) //nolint:gosec // the test's own
	assert.NoError(t, err)
	assert.NoError(t, png.Encode(file, img))
	assert.NoError(t, file.Close())
	return path
}

// vivid is how many pixels of the window have that colour, or nearly.
func (d *fixture) vivid() (n int) {
	painted := d.window.Canvas().Capture()
	for y := painted.Bounds().Min.Y; y < painted.Bounds().Max.Y; y++ {
		for x := painted.Bounds().Min.X; x < painted.Bounds().Max.X; x++ {
			if r, g, b, _ := painted.At(x, y).RGBA(); r>>8 > 180 && g>>8 < 90 && b>>8 > 180 {
				n++
			}
		}
	}
	return n
}

// setCareful chooses how careful the window is, as Settings do.
func (d *fixture) setCareful(choice present.PreviewChoice) {
	d.T.Helper()
	before, now := d.Config.Settings(), d.Config.Settings()
	before.Appearance.Careful, now.Appearance.Careful = "-", string(choice)
	assert.NoError(d.T, d.Config.Change(func(s *config.Settings) { s.Appearance.Careful = string(choice) }))
	d.settingsChanged(before, now)
}

// allPainted waits until the workers have made what they were asked for.
func (d *fixture) allPainted() {
	d.T.Helper()
	for range 2 { // what one has made may ask another
		for workers, n := range map[*work.Workers]int{d.readers: readersAtATime, d.player: playersAtATime, d.decoders: decodersAtATime, d.lookers: lookersAtATime} {
			var free sync.WaitGroup // all of them at a time: nothing else is under way then
			free.Add(n)
			done := 0
			for range n {
				workers.Do(func(context.Context) func() {
					free.Done()
					free.Wait()
					return func() { done++ }
				})
			}
			d.Until("the workers are done", func() bool { return done == n })
		}
	}
}

// On no screen does a pixel of a covered picture reach the window. That each screen does show the picture otherwise is checked first.
func TestNothingUncoveredIsPainted(t *testing.T) {
	if testing.Short() {
		t.Skip("painting takes long, and starts no goroutine")
	}
	d := setup(t)
	d.setCareful(present.CarefulOff)
	d.drop(vividPicture(t, "vivid.png", 40))
	d.Until("it is answered", func() bool { return len(d.listed()) == 1 })
	d.scanAgain([]string{d.listed()[0].ID})
	d.Until("it is answered again", func() bool { return len(d.listed()) == 2 })
	later, earlier := d.listed()[0].ID, d.listed()[1].ID
	inCase, err := d.Store.AddCase(t.Context(), store.Case{Title: "Harbour"})
	assert.NoError(t, err)
	_, err = d.Store.AddToCase(t.Context(), inCase.ID, []string{later, earlier}, "")
	assert.NoError(t, err)
	held := vividPicture(t, "held.png", 50)
	_, err = d.Queue.Accept(t.Context(), []intake.Input{{ID: "held", Path: held, Folder: filepath.Dir(held), Gate: submission.GateAsk}},
		intake.Options{Source: submission.Watched})
	assert.NoError(t, err)
	d.Until("it waits for the person", func() bool { s, _ := d.Queue.Get("held"); return s.State == submission.Held })

	for _, screen := range []struct {
		name string
		show func()
		says string // once the picture is there, or what covers it
	}{
		{"the inbox", func() { d.rail.Select(screens.Inbox) }, "vivid.png"},
		{"the list of results, and the viewer", func() { d.showResults(); d.results.SetShape(results.Wide) }, "What does the desk think?"},
		{"the thumbnails beside the viewer", func() { d.showResults(); d.results.SetShape(results.Strip) }, "What does the desk think?"},
		{"the comparison", func() { d.compare(later, earlier) }, "Two answers for vivid.png"},
		{"the items of a case", func() { d.openCase(inCase.ID) }, "vivid.png"},
		{"the sheet before sending", func() { d.act([]string{"held"}, present.Approve) }, "held.png"},
		{"the preview of a report", func() { d.act([]string{later}, present.Report) }, "As received, made smaller"},
	} {
		d.Run(screen.name, func(t *testing.T) {
			for _, choice := range []present.PreviewChoice{present.CarefulAll, present.CarefulMost} {
				d.setCareful(present.CarefulOff)
				screen.show()
				d.allPainted() // else the window is painted again and again meanwhile
				d.Until("the picture is painted", func() bool { return d.vivid() > 500 })
				d.sheet.Close()
				d.setCareful(choice)
				if n := d.vivid(); n > 0 {
					t.Errorf("%s: %d pixels of the picture are painted when that is chosen", choice, n)
				}
				screen.show()
				if n := d.vivid(); n > 0 {
					t.Errorf("%s: %d pixels of the picture are painted at first", choice, n)
				}
				d.reads(screen.says)
				d.allPainted()
				if n := d.vivid(); n > 0 {
					t.Errorf("%s: %d pixels of the picture are painted", choice, n)
				}
				d.sheet.Close()
				if d.comparing {
					d.typedKey(&fyne.KeyEvent{Name: fyne.KeyEscape})
				}
			}
		})
	}
}
