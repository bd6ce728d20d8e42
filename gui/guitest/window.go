// Package guitest is what tests of the window share: a UI thread that the test controls, a window, functions for what is visible in it, a check that
// all words are translated, and files and a sound output for panes. It imports the toolkit and those packages of gui that screens use.
package guitest

import (
	"fmt"
	"image"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/test"

	"assay/assets"
	"assay/gui/chart"
	"assay/gui/kit"
	"assay/gui/look"
	"assay/gui/work"
)

// UI replaces the UI thread: closures wait until the test's goroutine runs them.
type UI struct {
	T        testing.TB      // of the subtest, while Run runs one
	OnScreen func() []string // what to report if Until waits in vain; nil: nothing
	queue    chan func()
	toolkits chan func() // by fyne.Do: timers, and widgets
}

// current is the UI of the test that runs now, or ran last: a timer that is late must not draw beside the next test.
var current atomic.Pointer[UI]

// NewUI makes one. What is given to fyne.Do waits for it from then on, too.
func NewUI(t testing.TB) *UI {
	u := &UI{T: t, queue: make(chan func(), 10_000), toolkits: make(chan func(), 10_000)}
	current.Store(u)
	return u
}

// Do queues a closure, from any goroutine.
func (u *UI) Do(f func()) { u.queue <- f }

// Workers makes workers whose closures it queues. They end with the test.
func (u *UI) Workers(n int) *work.Workers {
	workers := work.New(n, u.Do)
	u.T.Cleanup(workers.Close)
	return workers
}

// Next waits for a closure that was given to Do and runs it.
func (u *UI) Next() {
	u.T.Helper()
	late := time.NewTimer(patience)
	defer late.Stop()
	for {
		select {
		case f := <-u.toolkits:
			f()
		case f := <-u.queue:
			f()
			return
		case <-late.C:
			u.T.Fatalf("%v went by before a closure was handed over", patience)
		}
	}
}

// patience is how long a test waits for what has to happen, and pollEvery how often it looks for what brings no closure.
const patience, pollEvery = time.Minute, 20 * time.Millisecond

// RunGiven runs what has been given to it so far, as a frame of the toolkit's does, and waits for nothing.
func (u *UI) RunGiven() {
	for _, given := range []chan func(){u.queue, u.toolkits} {
		for range len(given) {
			(<-given)()
		}
	}
}

// Until runs closures as they come, until holds returns true. It fails the test after a minute.
func (u *UI) Until(what string, holds func() bool) {
	u.T.Helper()
	late, again := time.NewTimer(patience), time.NewTicker(pollEvery)
	defer late.Stop()
	defer again.Stop()
	for !holds() {
		select {
		case f := <-u.queue:
			f()
		case f := <-u.toolkits:
			f()
		case <-again.C:
		case <-late.C:
			if u.OnScreen != nil {
				what += fmt.Sprintf("; on screen: %q", u.OnScreen())
			}
			u.T.Fatalf("%v went by before %s", patience, what)
		}
	}
}

// Run is t.Run for a subtest that uses the same window.
func (u *UI) Run(name string, subtest func(t *testing.T)) {
	whole := u.T.(*testing.T)
	defer func() { u.T = whole }()
	whole.Run(name, func(t *testing.T) {
		u.T = t
		subtest(t)
	})
}

// onUI is the toolkit's test application. The toolkit's own one runs what is given to fyne.Do at once, in the goroutine of a timer, beside the test.
type onUI struct{ fyne.App }

func (a onUI) Driver() fyne.Driver { return queueing{a.App.Driver()} }

type queueing struct{ fyne.Driver }

func (d queueing) DoFromGoroutine(f func(), wait bool) {
	if u := current.Load(); u != nil && !wait {
		u.toolkits <- f
		return
	}
	d.Driver.DoFromGoroutine(f, wait)
}

// App starts the toolkit's test application with a theme. Call it before anything is shown.
func App(t testing.TB, mode look.Mode) fyne.App {
	t.Helper()
	app := onUI{App: test.NewTempApp(t)}
	fyne.SetCurrentApp(app)
	app.Settings().SetTheme(look.New(mode))
	test.NewCanvas().Capture() // the toolkit reads its clock when it paints: after a minute without, it would forget how what is new was laid out
	return app
}

// Window shows an object in a window of a size, without a margin.
func Window(t testing.TB, o fyne.CanvasObject, size fyne.Size) fyne.Window {
	t.Helper()
	window := test.NewTempWindow(t, nil)
	window.SetPadded(false)
	window.SetContent(o)
	window.Resize(size)
	return window
}

// Walk visits the visible parts of an object, and the parts of those for which visit returns true.
func Walk(o fyne.CanvasObject, visit func(o fyne.CanvasObject) (further bool)) {
	if o == nil || !o.Visible() || !visit(o) {
		return
	}
	for _, each := range inside(o) {
		Walk(each, visit)
	}
}

// inside returns the objects that an object consists of.
func inside(o fyne.CanvasObject) []fyne.CanvasObject {
	switch o := o.(type) {
	case *fyne.Container:
		return o.Objects
	case fyne.Widget:
		return test.WidgetRenderer(o).Objects()
	}
	return nil
}

// Seen returns the texts that are drawn for an object, in the order of drawing.
func Seen(o fyne.CanvasObject) (texts []string) {
	Walk(o, func(o fyne.CanvasObject) bool {
		if text, ok := o.(*canvas.Text); ok && text.Text != "" {
			texts = append(texts, text.Text)
		}
		return true
	})
	return texts
}

// BarRows returns the rows of a chart as a screen reader reads them, without the scale: "oak: 93 flagged", and the models that did not apply.
func BarRows(bars *chart.Bars) (rows []string) {
	for _, row := range strings.Split(bars.AccessibilityLabel(), "; ")[1:] {
		rows = append(rows, strings.TrimSpace(row))
	}
	return rows
}

// Marks returns the verdict marks that are drawn for an object, in the order of drawing.
func Marks(o fyne.CanvasObject) (marks []look.Mark) {
	for _, drawn := range InSight[*canvas.Raster](o) {
		picture := drawn.Generator(16, 16)
		for _, mark := range Drawings[look.Mark]("marks") {
			if picture == look.Rasterise(look.MarkResource(mark), 16, 16) {
				marks = append(marks, mark)
			}
		}
	}
	return marks
}

// Filled returns how much of a progress line is filled, 0 to 1.
func Filled(line *kit.Progress) float32 {
	bars := InSight[*canvas.Rectangle](line)
	if len(bars) < 2 {
		return 0
	}
	return bars[1].Size().Width / line.Size().Width
}

// Ringed reports whether an object has an outline in the accent colour, which means that keys act on it.
func Ringed(o fyne.CanvasObject) bool {
	for _, area := range InSight[*canvas.Rectangle](o) {
		accent, size := look.Color(look.ColorAccent), o.Size().SubtractWidthHeight(2, 2)
		if (area.FillColor == accent || area.StrokeColor == accent) && area.Size().Width >= size.Width && area.Size().Height >= size.Height {
			return true
		}
	}
	return false
}

// AtCursor returns the visible row of a list with such an outline, if there is one.
func AtCursor[R fyne.CanvasObject](list fyne.CanvasObject) (row R, found bool) {
	for _, row := range InSight[R](list) {
		if Ringed(row) {
			return row, true
		}
	}
	return row, false
}

// Dimmed reports whether a text in an object is drawn in the colour of what can't be chosen now.
func Dimmed(o fyne.CanvasObject, text string) (dimmed bool) {
	Walk(o, func(o fyne.CanvasObject) bool {
		if drawn, ok := o.(*canvas.Text); ok && drawn.Text == text {
			dimmed = drawn.Color == look.Color(look.ColorDisabled)
		}
		return true
	})
	return dimmed
}

// Drawings returns the names of all files in "icons" or "marks".
func Drawings[T ~string](folder string) (names []T) {
	files, err := assets.Drawings.ReadDir(folder)
	if err != nil {
		panic(err) // they are part of the binary
	}
	for _, file := range files {
		names = append(names, T(strings.TrimSuffix(file.Name(), ".svg")))
	}
	return names
}

// Read returns the texts that can be read on an object, in full even if they are cut or wrapped on screen.
func Read(o fyne.CanvasObject) []string { return read(o, "") }

// read is Read for an object within one that was read as whole, which includes the texts of its parts.
func read(o fyne.CanvasObject, whole string) (texts []string) {
	Walk(o, func(o fyne.CanvasObject) (further bool) {
		switch text := o.(type) {
		case *canvas.Text:
			if part := strings.TrimSuffix(text.Text, "…"); whole == "" || !strings.Contains(whole, part) {
				texts = append(texts, text.Text)
			}
		case interface{ Text() string }:
			said := text.Text()
			if said != "" && said != whole {
				texts = append(texts, said)
			}
			for _, each := range inside(o) {
				texts = append(texts, read(each, said)...)
			}
			return false
		}
		return true
	})
	return texts
}

// Words returns the texts of Read, a line each.
func Words(o fyne.CanvasObject) string { return strings.Join(Read(o), "\n") }

// Reads reports whether a text can be read on an object.
func Reads(o fyne.CanvasObject, text string) bool { return strings.Contains(Words(o), text) }

// PixelsApart counts the pixels in which two pictures of one size differ.
func PixelsApart(a, b image.Image) int {
	n := 0
	for y := a.Bounds().Min.Y; y < a.Bounds().Max.Y; y++ {
		for x := a.Bounds().Min.X; x < a.Bounds().Max.X; x++ {
			if a.At(x, y) != b.At(x, y) {
				n++
			}
		}
	}
	return n
}

// GalleryFolder is the folder for pictures to look at, from ASSAY_GALLERY; "" if there is none.
func GalleryFolder() string { return os.Getenv("ASSAY_GALLERY") }

// Keep saves a picture of a window in the gallery's folder, if there is one.
func Keep(t testing.TB, window fyne.Window, name string) {
	t.Helper()
	if GalleryFolder() == "" {
		return
	}
	file, err := os.Create(filepath.Join(GalleryFolder(), name+".png"))
	if err != nil {
		t.Fatal(err)
	}
	if err := png.Encode(file, window.Canvas().Capture()); err != nil {
		t.Error(err)
	}
	if err := file.Close(); err != nil {
		t.Error(err)
	}
}
