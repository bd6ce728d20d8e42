package kit

import (
	"slices"
	"unicode/utf8"

	"assay/client/i18n"
	"assay/gui/look"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"
)

// longestText is how many characters an entry takes unless it says otherwise. The toolkit lays the whole text out again at each key: with 100,000
// characters that takes a second.
const longestText = 10_000

// boundedEntry is the base of Field and TextArea: an entry that takes only so many characters. What a person types or pastes beyond is refused whole,
// so that nothing is cut off unseen, and the entry says so until the next key.
type boundedEntry struct {
	widget.Entry
	// Longest is how many characters it takes; 0: 10,000.
	Longest int

	widget  fyne.Widget // that it is the base of
	refused bool        // the last that was typed or pasted
}

// extend makes it the base of a widget.
func (e *boundedEntry) extend(w fyne.Widget) {
	e.widget = w
	e.ExtendBaseWidget(w)
}

func (e *boundedEntry) longest() int {
	if e.Longest > 0 {
		return e.Longest
	}
	return longestText
}

// refusal is what it says after something was refused; else "".
func (e *boundedEntry) refusal() string {
	if !e.refused {
		return ""
	}
	return i18n.F("At most %s characters fit here.", i18n.Count(e.longest()))
}

// takes reports whether there is room for more characters in place of those that are selected.
func (e *boundedEntry) takes(more string) bool {
	room := e.longest() + utf8.RuneCountInString(e.SelectedText()) - utf8.RuneCountInString(e.Text)
	takes := len(more) <= room || utf8.RuneCountInString(more) <= room
	e.refuse(!takes)
	return takes
}

func (e *boundedEntry) refuse(refused bool) {
	if e.refused != refused {
		e.refused = refused
		e.Refresh()
	}
}

// TypedRune implements fyne.Focusable.
func (e *boundedEntry) TypedRune(char rune) {
	if e.takes(string(char)) {
		e.Entry.TypedRune(char)
	}
}

// TypedKey implements fyne.Focusable.
func (e *boundedEntry) TypedKey(key *fyne.KeyEvent) {
	e.refuse(false)
	if e.MultiLine && (key.Name == fyne.KeyReturn || key.Name == fyne.KeyEnter) && !e.takes("\n") {
		return
	}
	e.Entry.TypedKey(key)
}

// TypedShortcut implements fyne.Shortcutable. What does not edit text is for the window, such as the key that covers it.
func (e *boundedEntry) TypedShortcut(s fyne.Shortcut) {
	switch s := s.(type) {
	case *fyne.ShortcutPaste:
		if !e.takes(s.Clipboard.Content()) {
			return
		}
	case *desktop.CustomShortcut:
		if !slices.Contains([]fyne.KeyName{fyne.KeyLeft, fyne.KeyRight, fyne.KeyBackspace, fyne.KeyDelete, fyne.KeyReturn, fyne.KeyEnter}, s.KeyName) {
			PassOnShortcut(fyne.CurrentApp().Driver().CanvasForObject(e.widget), s)
			return
		}
		e.refuse(false)
	default:
		e.refuse(false)
	}
	e.Entry.TypedShortcut(s)
}

// FocusLost implements fyne.Focusable.
func (e *boundedEntry) FocusLost() {
	e.refuse(false)
	e.Entry.FocusLost()
}

// SetText changes the text, without a bound: it is Assay's own.
func (e *boundedEntry) SetText(text string) {
	e.refuse(false)
	e.Entry.SetText(text)
}

// boundedRenderer draws over an entry's last line why something was refused.
type boundedRenderer struct {
	fyne.WidgetRenderer // the entry's
	entry               *boundedEntry
	size                fyne.Size

	box  *canvas.Rectangle
	line *canvas.Text
}

func newBoundedRenderer(e *boundedEntry, drawn fyne.WidgetRenderer) *boundedRenderer {
	return &boundedRenderer{WidgetRenderer: drawn, entry: e, box: canvas.NewRectangle(nil), line: canvas.NewText("", nil)}
}

// Objects implements fyne.WidgetRenderer.
func (r *boundedRenderer) Objects() []fyne.CanvasObject {
	objects := r.WidgetRenderer.Objects()
	if !r.entry.refused {
		return objects
	}
	return append(objects[:len(objects):len(objects)], r.box, r.line)
}

// Layout implements fyne.WidgetRenderer.
func (r *boundedRenderer) Layout(size fyne.Size) {
	r.size = size
	r.WidgetRenderer.Layout(size)
	r.layRefusal()
}

// Refresh implements fyne.WidgetRenderer.
func (r *boundedRenderer) Refresh() {
	r.WidgetRenderer.Refresh()
	r.layRefusal()
}

func (r *boundedRenderer) layRefusal() {
	if !r.entry.refused {
		return
	}
	edge, pad := 2*look.Size(theme.SizeNameInputBorder), look.Size(theme.SizeNameInnerPadding)
	style, text := look.WeightMedium.Style(), look.Size(theme.SizeNameText)
	look.SetText(r.line, look.Fit(r.entry.refusal(), r.size.Width-2*pad, text, style, look.EllipsisEnd), style)
	r.line.TextSize, r.line.Color = text, look.Color(look.ColorText)
	height := min(r.size.Height, look.ControlHeight) - 2*edge
	r.box.FillColor, r.box.CornerRadius = look.Color(theme.ColorNameInputBackground), look.Size(theme.SizeNameInputRadius)-edge
	r.box.Move(fyne.NewPos(edge, r.size.Height-edge-height))
	r.box.Resize(fyne.NewSize(r.size.Width-2*edge, height))
	r.line.Resize(r.line.MinSize())
	r.line.Move(fyne.NewPos(pad, r.box.Position().Y+(height-r.line.MinSize().Height)/2))
	r.box.Refresh()
	r.line.Refresh()
}
