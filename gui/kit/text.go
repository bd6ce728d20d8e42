package kit

import (
	"strings"

	"assay/gui/look"
	"assay/gui/wrap"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/widget"
)

// TextStyle is how a Text or a Paragraph looks. Its zero value is regular text of the usual size and colour, aligned left.
type TextStyle struct {
	Color  fyne.ThemeColorName // look.ColorText if empty
	Size   fyne.ThemeSizeName  // look.SizeText if empty
	Weight look.Weight
	Align  fyne.TextAlign
	// Ellipsis lets a Text be narrower than its content, down to MinWidth. A Paragraph wraps instead.
	Ellipsis look.Ellipsis
	MinWidth float32
	// Mono is for hashes and data.
	Mono bool
	// Tabular gives all digits of a Text the same width, for numbers in columns. The Text is drawn digit by digit, so use it for numbers only.
	Tabular bool
	// Underline is for links.
	Underline bool
}

func (s TextStyle) color() fyne.ThemeColorName {
	if s.Color == "" {
		return look.ColorText
	}
	return s.Color
}

func (s TextStyle) size() fyne.ThemeSizeName {
	if s.Size == "" {
		return look.SizeText
	}
	return s.Size
}

func (s TextStyle) fyneStyle() fyne.TextStyle {
	style := s.Weight.Style()
	style.Monospace = s.Mono
	style.Underline = s.Underline
	return style
}

// Text is a line of text. If an ellipsis shortens it, a tooltip shows it in full; for that the window's content must be wrapped by
// fynetooltip.AddWindowToolTipLayer.
type Text struct {
	widget.BaseWidget
	text  string
	style TextStyle
}

var _ fyne.Accessible = (*Text)(nil)

// NewText makes a line of text.
func NewText(text string, style TextStyle) *Text {
	t := &Text{text: text, style: style}
	t.ExtendBaseWidget(t)
	return t
}

// Text returns the whole text, even if it is shortened on screen.
func (t *Text) Text() string { return t.text }

// FullWidth is how wide it is where nothing of it is left out.
func (t *Text) FullWidth() float32 {
	return look.Measure(t.text, look.Size(t.style.size()), t.style.fyneStyle()).Width
}

// SetText changes the text.
func (t *Text) SetText(text string) {
	if t.text == text {
		return
	}
	t.text = text
	t.Refresh()
}

// Style returns how it looks.
func (t *Text) Style() TextStyle { return t.style }

// SetStyle changes how it looks.
func (t *Text) SetStyle(style TextStyle) {
	if t.style == style {
		return
	}
	t.style = style
	t.Refresh()
}

// SetColor changes the colour only.
func (t *Text) SetColor(name fyne.ThemeColorName) {
	style := t.style
	style.Color = name
	t.SetStyle(style)
}

// AccessibilityLabel implements fyne.Accessible.
func (t *Text) AccessibilityLabel() string { return t.text }

// AccessibilityRole implements fyne.Accessible.
func (t *Text) AccessibilityRole() fyne.AccessibleRole { return fyne.AccessibleRoleText }

// CreateRenderer implements fyne.Widget.
func (t *Text) CreateRenderer() fyne.WidgetRenderer {
	r := &textRenderer{text: t, line: canvas.NewText("", nil), whole: newTipZone()}
	r.Refresh()
	return r
}

type textRenderer struct {
	text    *Text
	line    *canvas.Text
	figures look.Figures // in place of line, if tabular
	whole   *tipZone
}

func (r *textRenderer) Destroy() {}

func (r *textRenderer) Objects() []fyne.CanvasObject {
	if r.text.style.Tabular {
		return r.figures.Objects()
	}
	return []fyne.CanvasObject{r.line, r.whole}
}

func (r *textRenderer) MinSize() fyne.Size {
	style := r.text.style
	full := look.Measure(r.text.text, look.Size(style.size()), style.fyneStyle())
	if style.Tabular {
		full.Width = r.figures.Width()
	}
	if style.Ellipsis != look.EllipsisNone {
		full.Width = min(full.Width, style.MinWidth)
	}
	return full
}

func (r *textRenderer) Layout(area fyne.Size) {
	style := r.text.style
	if style.Tabular {
		x := float32(0)
		switch rest := area.Width - r.figures.Width(); style.Align {
		case fyne.TextAlignTrailing:
			x = rest
		case fyne.TextAlignCenter:
			x = rest / 2
		}
		r.figures.Place(x, 0, area.Height)
		return
	}
	shown := look.Fit(r.text.text, area.Width, look.Size(style.size()), style.fyneStyle(), style.Ellipsis)
	if shown != r.line.Text {
		look.SetText(r.line, shown, style.fyneStyle())
		r.line.Refresh()
	}
	PlaceAt(r.line, 0, -look.Lift(shown, look.Size(style.size()), style.fyneStyle()), area.Width, area.Height)
	r.whole.SetToolTip(r.text.text)
	r.whole.Hidden = shown == r.text.text
	r.whole.Resize(area)
}

func (r *textRenderer) Refresh() {
	style := r.text.style
	r.figures.Set("", style.size(), fyne.TextStyle{}, style.color())
	if style.Tabular {
		r.figures.Set(r.text.text, style.size(), style.fyneStyle(), style.color())
	}
	look.SetText(r.line, r.text.text, style.fyneStyle())
	r.line.TextSize, r.line.Alignment, r.line.Color = look.Size(style.size()), style.Align, look.Color(style.color())
	r.Layout(r.text.Size())
	r.line.Refresh()
	canvas.Refresh(r.text)
}

// tipZone is an invisible area with a tooltip. It covers a text only while that is shortened, since it takes the pointer's hover from the row below
// it.
type tipZone struct{ Tip }

func newTipZone() *tipZone {
	z := &tipZone{}
	z.ExtendBaseWidget(z)
	z.Hide()
	return z
}

func (z *tipZone) CreateRenderer() fyne.WidgetRenderer {
	return &renderer{
		layout:  func(fyne.Size) {},
		minSize: func() fyne.Size { return fyne.Size{} },
		refresh: func() {},
	}
}

// Paragraph is text that wraps at words. It does not read markup, so that texts of the service or a person are shown as they are. Its height follows
// from the width of the last layout, as with Fyne's labels.
type Paragraph struct {
	widget.BaseWidget
	text  string
	style TextStyle
}

var _ fyne.Accessible = (*Paragraph)(nil)

// NewParagraph makes a text that wraps. Of the style, Ellipsis, MinWidth and Tabular have no effect.
func NewParagraph(text string, style TextStyle) *Paragraph {
	p := &Paragraph{text: text, style: style}
	p.ExtendBaseWidget(p)
	return p
}

// Text returns the text.
func (p *Paragraph) Text() string { return p.text }

// SetText changes the text.
func (p *Paragraph) SetText(text string) {
	if p.text == text {
		return
	}
	p.text = text
	p.Refresh()
}

// SetStyle changes how it looks.
func (p *Paragraph) SetStyle(style TextStyle) {
	if p.style == style {
		return
	}
	p.style = style
	p.Refresh()
}

// AccessibilityLabel implements fyne.Accessible.
func (p *Paragraph) AccessibilityLabel() string { return p.text }

// AccessibilityRole implements fyne.Accessible.
func (p *Paragraph) AccessibilityRole() fyne.AccessibleRole { return fyne.AccessibleRoleText }

// CreateRenderer implements fyne.Widget.
func (p *Paragraph) CreateRenderer() fyne.WidgetRenderer {
	r := &paragraphRenderer{of: p}
	r.Refresh()
	return r
}

// paragraphRenderer draws a paragraph line by line.
type paragraphRenderer struct {
	of      *Paragraph
	width   float32 // at which the lines were broken; 0: only at line ends
	high    float32 // height of a line
	lines   []string
	texts   []*canvas.Text
	objects []fyne.CanvasObject
}

func (r *paragraphRenderer) Destroy()                     {}
func (r *paragraphRenderer) Objects() []fyne.CanvasObject { return r.objects }

func (r *paragraphRenderer) MinSize() fyne.Size {
	if r.of.text == "" {
		return fyne.NewSize(0, look.Size(r.of.style.size()))
	}
	return fyne.NewSize(0, float32(len(r.lines))*r.high)
}

func (r *paragraphRenderer) Layout(size fyne.Size) {
	if width := max(0, size.Width); width != r.width {
		r.width = width
		r.Refresh()
		return
	}
	for i, t := range r.texts[:len(r.lines)] {
		PlaceAt(t, 0, float32(i)*r.high, size.Width, r.high)
	}
}

func (r *paragraphRenderer) Refresh() {
	style := r.of.style
	size, ink := look.Size(style.size()), look.Color(style.color())
	r.high = look.Measure("M", size, style.fyneStyle()).Height
	r.lines = BreakLines(r.of.text, r.width, size, style.fyneStyle())
	r.objects = r.objects[:0:0]
	for i, line := range r.lines {
		if i == len(r.texts) {
			r.texts = append(r.texts, canvas.NewText("", nil))
		}
		t := r.texts[i]
		look.SetText(t, line, style.fyneStyle())
		t.TextSize, t.Color, t.Alignment = size, ink, style.Align
		r.objects = append(r.objects, t)
	}
	r.Layout(r.of.Size())
	for _, o := range r.objects {
		o.Refresh()
	}
	canvas.Refresh(r.of)
}

// BreakLines breaks a text at its line ends, at spaces if a line is wider than the width, and within words that are wider than it. If the width is 0,
// it breaks at line ends only. The result is the whole text without the spaces at which it was broken; no-break spaces break no line.
func BreakLines(text string, width, size float32, style fyne.TextStyle) []string {
	var all []string
	for rest := range strings.SplitSeq(text, "\n") {
		rest = strings.TrimSuffix(rest, "\r")
		first := len(all)
		for more := true; more; {
			var line string
			line, rest, more = FirstLine(rest, width, size, style)
			all = append(all, line)
		}
		fillLast(all[first:], width, size, style)
	}
	return all
}

// shortWord is up to how many bytes a word is too short to stand on a line of its own.
const shortWord = 8

// fillLast moves the word before a short one that is alone on the last line down to it, where the line above keeps some words.
func fillLast(lines []string, width, size float32, style fyne.TextStyle) {
	n := len(lines)
	if n < 2 || len(lines[n-1]) > shortWord || strings.ContainsRune(lines[n-1], ' ') {
		return
	}
	above := strings.Fields(lines[n-2])
	at := strings.LastIndexByte(lines[n-2], ' ')
	if len(above) < 4 || !fits(lines[n-2][at+1:]+" "+lines[n-1], width, size, style) {
		return
	}
	lines[n-2], lines[n-1] = strings.TrimRight(lines[n-2][:at], " "), lines[n-2][at+1:]+" "+lines[n-1]
}

// FirstLine is BreakLines for the first line of a text without line ends; more reports whether there is a rest.
func FirstLine(text string, width, size float32, style fyne.TextStyle) (line, rest string, more bool) {
	if width == 0 || fits(text, width, size, style) {
		return text, "", false
	}
	ruler := look.RulerOf(style)
	end, next := wrap.Line(text, 0, width/size, func(_ int, r rune) float32 { return ruler.Width(r) }, wrap.AtSpaces)
	return text[:end], text[next:], next < len(text)
}

// longestShaped is up to how many bytes of a text the toolkit measures exactly.
const longestShaped = 160

// fits reports whether a text fits in a line. It measures the text as a whole, since letters that join take less than the sum of their widths: a text
// must fit on one line in the width that was measured for it.
func fits(text string, width, size float32, style fyne.TextStyle) bool {
	return len(text) <= longestShaped && look.Measure(text, size, style).Width <= width+0.01
}
