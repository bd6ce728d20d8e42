package guitest

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/test"
	"fyne.io/fyne/v2/widget"
	tooltip "github.com/dweymouth/fyne-tooltip"

	"assay/client/i18n"
	"assay/gui/kit"
	"assay/gui/look"
	"assay/gui/screens"
	"assay/gui/work"
)

// The sizes at which screens are tested: the smallest window, and the usual one without the rail.
var (
	Smallest = fyne.NewSize(900, 600)
	Usual    = fyne.NewSize(1208, 800)
)

// Frame is a window with a sheet that shows a screen, and workers for it. The test's goroutine is the UI thread: closures run when the test calls
// Next or Until.
type Frame struct {
	fyne.Window
	*UI
	Sheet   *kit.Sheet
	Workers *work.Workers // four
	typed   func(*fyne.KeyEvent)
}

// NewFrame opens a window in light mode, which is closed at the end of the test.
func NewFrame(t testing.TB, size fyne.Size) *Frame {
	t.Helper()
	App(t, look.ModeLight)
	w := &Frame{UI: NewUI(t), typed: func(*fyne.KeyEvent) {}}
	w.OnScreen = func() []string { return Read(w.Top()) }
	w.Workers = w.UI.Workers(4)
	w.Window = Window(t, container.NewStack(), size)
	w.Sheet = kit.NewSheet(w.Canvas())
	w.Canvas().SetOnTypedKey(func(e *fyne.KeyEvent) {
		if w.Sheet.Open() {
			w.Sheet.TypedKey(e)
			return
		}
		w.typed(e)
	})
	return w
}

// SetMode changes to another palette.
func (w *Frame) SetMode(mode look.Mode) { fyne.CurrentApp().Settings().SetTheme(look.New(mode)) }

// Display shows a screen in the window, as the app does. typed is called for keys that no control uses; it may be nil.
func (w *Frame) Display(o fyne.CanvasObject, typed func(*fyne.KeyEvent)) {
	if typed != nil {
		w.typed = typed
	}
	size := w.Canvas().Size()
	w.SetContent(tooltip.AddWindowToolTipLayer(container.NewStack(kit.NewFill(look.ColorBackground), o), w.Canvas()))
	w.Resize(size)
}

// Top is the sheet if it is open, or else the window's content.
func (w *Frame) Top() fyne.CanvasObject {
	if o := w.Canvas().Overlays().Top(); o != nil {
		return o
	}
	return w.Content()
}

// Words are all visible texts, in full even if they are cut on screen.
func (w *Frame) Words() string { return Words(w.Top()) }

// WantTexts fails the test for each of these that is not a whole visible text.
func (w *Frame) WantTexts(want ...string) {
	w.T.Helper()
	texts := Read(w.Top())
	for _, want := range want {
		if !slices.Contains(texts, want) {
			w.T.Errorf("%q is none of %q", want, texts)
		}
	}
}

// WantWords fails the test for each text that is not visible.
func (w *Frame) WantWords(want ...string) {
	w.T.Helper()
	words := w.Words()
	for _, want := range want {
		if !strings.Contains(words, want) {
			w.T.Errorf("%q is not said in:\n%s", want, words)
		}
	}
}

// UntilWords runs closures of the UI thread until a text is visible.
func (w *Frame) UntilWords(want string) {
	w.T.Helper()
	w.Until("it says "+want, func() bool { return strings.Contains(w.Words(), want) })
}

// WantNoWords fails the test for each text that is visible.
func (w *Frame) WantNoWords(unwanted ...string) {
	w.T.Helper()
	words := w.Words()
	for _, unwanted := range unwanted {
		if strings.Contains(words, unwanted) {
			w.T.Errorf("%q is said", unwanted)
		}
	}
}

// Button returns the visible button with these words, or with an icon and this tooltip, in English or in the test's language; nil if there is none.
func (w *Frame) Button(label string) *kit.Button { return ButtonIn(w.Top(), label) }

// ButtonIn returns such a button within an object.
func ButtonIn(o fyne.CanvasObject, label string) *kit.Button {
	for _, b := range InSight[*kit.Button](o) {
		name := b.Label()
		if name == "" {
			name = b.ToolTip()
		}
		if name == label || name == Translated(label) {
			return b
		}
	}
	return nil
}

// Tap clicks a button, which must be visible and enabled.
func (w *Frame) Tap(label string) {
	w.T.Helper()
	w.TapIn(w.Top(), label)
}

// TapIn is Tap for a button in an object.
func (w *Frame) TapIn(o fyne.CanvasObject, label string) {
	w.T.Helper()
	b := ButtonIn(o, label)
	if b == nil {
		w.T.Fatalf("there is no button %q", label)
	}
	if b.Disabled() {
		w.T.Fatalf("%q is disabled", label)
	}
	test.Tap(b)
}

// Tipped is the visible button that a tooltip names; nil for none.
func (w *Frame) Tipped(tip string) *kit.Button {
	for _, b := range InSight[*kit.Button](w.Top()) {
		if b.ToolTip() == Translated(tip) {
			return b
		}
	}
	return nil
}

// TapTip taps the visible button that a tooltip names.
func (w *Frame) TapTip(tip string) {
	w.T.Helper()
	b := w.Tipped(tip)
	if b == nil {
		w.T.Fatalf("there is no button that is called %q", tip)
	}
	test.Tap(b)
}

// TapItem chooses an entry of the open menu.
func (w *Frame) TapItem(label string) {
	w.T.Helper()
	item := MenuItem(w.Top(), label)
	if item == nil {
		w.T.Fatalf("no menu with %q is open", label)
	}
	item.Tapped(nil)
}

// MenuItem returns the entry of the open menu with these words; nil if there is none.
func MenuItem(top fyne.CanvasObject, label string) (item fyne.Tappable) {
	Walk(top, func(o fyne.CanvasObject) bool {
		if tappable, ok := o.(fyne.Tappable); ok && slices.Equal(Seen(o), []string{Translated(label)}) {
			item = tappable
		}
		return item == nil
	})
	return item
}

// CheckOf returns the box with these words.
func (w *Frame) CheckOf(words string) *kit.Check {
	w.T.Helper()
	for _, tick := range InSight[*kit.Check](w.Top()) {
		if tick.Label() == words || tick.Label() == Translated(words) {
			return tick
		}
	}
	w.T.Fatalf("there is no box %q", words)
	return nil
}

// TextField is a widget into which text is typed.
type TextField interface {
	fyne.Focusable
	fyne.CanvasObject
	SetText(text string)
}

// Field returns the visible field with this hint.
func (w *Frame) Field(hint string) (found TextField) {
	w.T.Helper()
	Walk(w.Top(), func(o fyne.CanvasObject) bool {
		stands := ""
		switch o := o.(type) {
		case *kit.Field:
			stands = o.PlaceHolder
		case *kit.TextArea:
			stands = o.PlaceHolder
		case *kit.SearchField:
			stands = o.PlaceHolder
		case *kit.SecretField:
			stands = o.PlaceHolder
		case *widget.Entry:
			stands = o.PlaceHolder
		}
		if stands != "" && (stands == hint || stands == Translated(hint)) {
			found = o.(TextField)
		}
		return found == nil
	})
	if found == nil {
		w.T.Fatalf("there is no field %q", hint)
	}
	return found
}

// Choice is a choice of one among several options: tabs, segments, options, a menu.
type Choice interface {
	fyne.Focusable
	fyne.CanvasObject
	Options() []string
	Selected() int
	Select(i int)
}

// Choice returns the visible choice with this option, and the option's index.
func (w *Frame) Choice(option string) (Choice, int) {
	w.T.Helper()
	for _, c := range InSight[Choice](w.Top()) {
		for i, o := range c.Options() {
			if o == option || o == Translated(option) {
				return c, i
			}
		}
	}
	w.T.Fatalf("there is no option %q", option)
	return nil, 0
}

// SelectOption selects an option of a visible choice; it has no effect on a disabled one.
func (w *Frame) SelectOption(option string) {
	w.T.Helper()
	c, i := w.Choice(option)
	c.Select(i)
}

// OptionSelected reports whether an option of a visible choice is selected.
func (w *Frame) OptionSelected(option string) bool {
	w.T.Helper()
	c, i := w.Choice(option)
	return c.Selected() == i
}

// Press presses keys on what has the focus, or else on the window.
func (w *Frame) Press(keys ...fyne.KeyName) {
	for _, key := range keys {
		if focused := w.Canvas().Focused(); focused != nil {
			focused.TypedKey(&fyne.KeyEvent{Name: key})
		} else if typed := w.Canvas().OnTypedKey(); typed != nil {
			typed(&fyne.KeyEvent{Name: key})
		}
	}
}

// Type types characters into what has the focus, or else into the window.
func (w *Frame) Type(characters string) {
	for _, char := range characters {
		if focused := w.Canvas().Focused(); focused != nil {
			focused.TypedRune(char)
		} else if typed := w.Canvas().OnTypedRune(); typed != nil {
			typed(char)
		}
	}
}

// Click clicks where a text is drawn.
func (w *Frame) Click(text string) {
	w.T.Helper()
	for _, drawn := range InSight[*canvas.Text](w.Top()) {
		if drawn.Text == text || drawn.Text == Translated(text) {
			at := fyne.CurrentApp().Driver().AbsolutePositionForObject(drawn)
			test.TapCanvas(w.Canvas(), at.AddXY(drawn.Size().Width/2, drawn.Size().Height/2))
			return
		}
	}
	w.T.Fatalf("there is no text %q", text)
}

// Tab presses Tab until the focus is where it was, or at most this often, and returns what had the focus.
func (w *Frame) Tab(most int) (reached []fyne.Focusable) {
	for range most {
		w.Canvas().(interface{ FocusNext() }).FocusNext()
		at := w.Canvas().Focused()
		if slices.Contains(reached, at) {
			return reached
		}
		reached = append(reached, at)
	}
	return reached
}

// Picture draws the window at a size, and saves the picture for people to look at if ASSAY_GALLERY names a folder.
func (w *Frame) Picture(name string, size fyne.Size) {
	w.T.Helper()
	w.Resize(size.AddWidthHeight(1, 1)) // what wraps has the height for its last width
	w.Resize(size)
	picture := w.Canvas().Capture()
	if want := int(size.Width * w.Canvas().Scale()); picture.Bounds().Dx() != want {
		w.T.Errorf("the window is %v, want a width of %d", picture.Bounds(), want)
	}
	Keep(w.T, w, name)
}

// Gallery draws scenes at both sizes and in these modes. Without ASSAY_GALLERY it draws only the first ones, as many as always says: the others have
// tests of their own.
func Gallery[S any](t *testing.T, prefix string, always int, modes []look.Mode, scales []float32, scenes []Scene[S], show func(t *testing.T, set func(S), mode look.Mode, size fyne.Size, scale float32) *Frame) {
	t.Helper()
	if testing.Short() {
		t.Skip("painting takes long, and starts no goroutine")
	}
	if GalleryFolder() == "" {
		scenes, scales = scenes[:always], scales[:1]
	}
	for _, scene := range scenes {
		for _, mode := range modes {
			for _, size := range []fyne.Size{Smallest, fyne.NewSize(1280, 800)} {
				for _, scale := range scales {
					name := fmt.Sprintf("%s-%s-%s-%gx%g@%g", prefix, scene.Name, mode, size.Width, size.Height, scale)
					t.Run(name, func(t *testing.T) { show(t, scene.Set, mode, size, scale).Picture(name, size) })
				}
			}
		}
	}
}

// Scene is a state of a screen.
type Scene[S any] struct {
	Name string
	Set  func(S)
}

// WithRail puts a screen beside the app's rail, as in the window, with one of the screens chosen.
func WithRail(o fyne.CanvasObject, chosen screens.ID) (content fyne.CanvasObject, rail *kit.Rail) {
	rail = screens.NewRail(func(screens.ID) {})
	rail.Select(chosen)
	return container.NewStack(kit.NewFill(look.ColorBackground), container.NewBorder(nil, nil, rail, nil, o)), rail
}

// Translated translates an English text into the language of the test.
func Translated(text string) string { return i18n.T(i18n.Key(text)) }

// InSight returns the visible objects of a type within an object, in the order of drawing.
func InSight[T any](root fyne.CanvasObject) (found []T) {
	Walk(root, func(o fyne.CanvasObject) bool {
		if match, ok := o.(T); ok {
			found = append(found, match)
		}
		return true
	})
	return found
}
