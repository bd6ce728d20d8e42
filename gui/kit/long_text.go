package kit

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/widget"

	"assay/gui/look"
)

// LongText is a text of any length that wraps at words and scrolls vertically. Only the lines in sight are drawn, so that a licence of hundreds of
// lines costs as little as ten lines. It does not read markup.
type LongText struct {
	widget.BaseWidget
	text  string
	style TextStyle
	page  *container.Scroll
	lines *longTextLines
}

var _ fyne.Accessible = (*LongText)(nil)

// longTextBar is the width that is kept free for the scroll bar, in device-independent pixels.
const longTextBar float32 = 3 * look.Space

// NewLongText makes a long text that is scrolled to its beginning. Of the style, Align, Ellipsis, MinWidth, Tabular and Underline have no effect.
func NewLongText(text string, style TextStyle) *LongText {
	t := &LongText{text: text, style: style}
	t.lines = newLongTextLines(t)
	t.page = container.NewVScroll(t.lines)
	t.page.OnScrolled = func(fyne.Position) { t.lines.fill() }
	t.ExtendBaseWidget(t)
	return t
}

// Text returns the whole text.
func (t *LongText) Text() string { return t.text }

// SetText shows another text, scrolled to its beginning.
func (t *LongText) SetText(text string) {
	if t.text == text {
		return
	}
	t.text = text
	t.page.Offset = fyne.Position{}
	t.Refresh()
}

// TurnPage scrolls by a page; some lines of the last page stay in sight.
func (t *LongText) TurnPage(forward bool) {
	page := max(t.lines.high, t.page.Size().Height-3*t.lines.high)
	if !forward {
		page = -page
	}
	most := max(0, t.lines.MinSize().Height-t.page.Size().Height)
	t.page.ScrollToOffset(fyne.NewPos(0, max(0, min(t.page.Offset.Y+page, most))))
	t.lines.fill()
}

// AccessibilityLabel implements fyne.Accessible.
func (t *LongText) AccessibilityLabel() string { return t.text }

// AccessibilityRole implements fyne.Accessible.
func (t *LongText) AccessibilityRole() fyne.AccessibleRole { return fyne.AccessibleRoleText }

// CreateRenderer implements fyne.Widget.
func (t *LongText) CreateRenderer() fyne.WidgetRenderer {
	arrange := func(size fyne.Size) {
		t.lines.arrange(size.Width - longTextBar)
		t.page.Resize(size)
		t.page.Refresh()
	}
	return &renderer{
		objects: []fyne.CanvasObject{t.page},
		layout:  arrange,
		minSize: func() fyne.Size { return fyne.NewSize(160, 96) },
		refresh: func() {
			t.lines.width = 0
			arrange(t.Size())
			canvas.Refresh(t)
		},
	}
}

// longTextLines is the content of the scroll: as high as all lines, with objects for the lines in sight and some above and below them.
type longTextLines struct {
	widget.BaseWidget
	of       *LongText
	width    float32 // at which the lines were broken; 0: they must be broken again
	high     float32 // height of a line
	all      []string
	from, to int // the lines that have objects
	texts    []*canvas.Text
	objects  []fyne.CanvasObject
}

func newLongTextLines(of *LongText) *longTextLines {
	l := &longTextLines{of: of}
	l.ExtendBaseWidget(l)
	return l
}

// arrange breaks the text into lines of the given width.
func (l *longTextLines) arrange(width float32) {
	if width == l.width || width <= 0 {
		return
	}
	size := look.Size(l.of.style.size())
	l.width, l.high = width, look.Measure("M", size, l.of.style.fyneStyle()).Height
	l.all = BreakLines(l.of.text, width, size, l.of.style.fyneStyle())
	l.from, l.to = 0, 0
}

// inSight returns the lines in sight, and those that are up to spare above and below them.
func (l *longTextLines) inSight(spare float32) (from, to int) {
	if l.high <= 0 {
		return 0, 0
	}
	top, seen := l.of.page.Offset.Y, l.of.page.Size().Height
	return max(0, int((top-spare)/l.high)), min(len(l.all), int((top+seen+spare)/l.high)+1)
}

// fill makes objects for the lines in sight, if they have changed.
func (l *longTextLines) fill() {
	if from, to := l.inSight(0); from < l.from || to > l.to {
		l.Refresh()
	}
}

func (l *longTextLines) draw() {
	style := l.of.style
	size, ink := look.Size(style.size()), look.Color(style.color())
	l.from, l.to = l.inSight(l.of.page.Size().Height / 2)
	l.objects = l.objects[:0:0]
	for i := l.from; i < l.to; i++ {
		if i-l.from == len(l.texts) {
			l.texts = append(l.texts, canvas.NewText("", nil))
		}
		t := l.texts[i-l.from]
		look.SetText(t, l.all[i], style.fyneStyle())
		t.TextSize, t.Color = size, ink
		PlaceAt(t, 0, float32(i)*l.high, l.width, l.high)
		t.Refresh()
		l.objects = append(l.objects, t)
	}
	canvas.Refresh(l)
}

// CreateRenderer implements fyne.Widget.
func (l *longTextLines) CreateRenderer() fyne.WidgetRenderer { return &longTextRenderer{l} }

type longTextRenderer struct{ lines *longTextLines }

func (r *longTextRenderer) Destroy()                     {}
func (r *longTextRenderer) Layout(fyne.Size)             {}
func (r *longTextRenderer) Objects() []fyne.CanvasObject { return r.lines.objects }
func (r *longTextRenderer) Refresh()                     { r.lines.draw() }

func (r *longTextRenderer) MinSize() fyne.Size {
	return fyne.NewSize(0, float32(len(r.lines.all))*r.lines.high)
}
