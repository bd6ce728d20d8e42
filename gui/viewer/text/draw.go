package text

import (
	"image/color"
	"slices"
	"strings"
	"unicode"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"

	"assay/gui/look"
)

// draw makes the objects for the lines in sight, and some above and below.
func (l *leaf) draw() {
	s, p := l.sheet, l.paint
	p.nFills, p.nTexts = 0, 0
	l.spots, l.paintedFor, l.from, l.to = l.spots[:0], s.lines, 0, 0
	sight := s.scroll.Size()
	if s.lines != nil && len(s.lines.all) > 0 {
		top, spare := s.scroll.Offset.Y, sight.Height/2
		l.from, l.to = s.lines.at(top-spare), s.lines.at(top+sight.Height+spare)+1
		for i := l.from; i < l.to; i++ {
			l.drawLine(i)
		}
	}
	p.frame(s.scroll.Offset.Y, sight, l.Focused())
	p.shown = p.shown[:0]
	for _, r := range p.fills[:p.nFills] {
		p.shown = append(p.shown, r)
	}
	for _, t := range p.texts[:p.nTexts] {
		p.shown = append(p.shown, t)
	}
	p.shown = append(p.shown, p.focus)
	canvas.Refresh(l)
}

func (l *leaf) drawLine(i int) {
	s, p := l.sheet, l.paint
	line := s.lines.all[i]
	b := &s.prose.Blocks[line.block]
	size := s.lines.face.of(b)
	high := size * leading
	rightToLeft := isRightToLeft(b.Text)
	left := edge + indentOf(b)
	right := s.lines.width - edge
	pieces := piecesOf(b, line)
	wide := make([]float32, len(pieces))
	x := left
	for n := range pieces {
		wide[n] = look.Measure(pieces[n].text, size, pieces[n].style()).Width
		x += wide[n]
	}
	if rightToLeft {
		right -= indentOf(b)
		x = right - (x - left)
	} else {
		x = left
	}
	if b.Kind == ProseItem && i == s.lines.first[line.block] {
		at := left - 3*look.Space
		if rightToLeft {
			at = right + 2*look.Space
		}
		p.text("•", at, line.y, itemIndent, high, size, fyne.TextStyle{}, look.Color(look.ColorMuted))
	}
	for n, piece := range pieces {
		w := wide[n]
		l.spots = append(l.spots, spot{x: x, y: line.y, w: w, h: high, line: i, size: size, piece: piece})
		if piece.mark >= 0 && s.marks {
			l.drawMark(piece.mark, x, line.y, w, high)
		}
		if from, to, some := l.selected.in(&l.spots[len(l.spots)-1], line.block); some {
			p.fill(from, line.y, to-from, high, 0, translucent(look.Color(look.ColorText), 0.18))
		}
		if piece.link != "" {
			p.fill(x, line.y+high*0.83, w, 1, 0, look.Color(look.ColorMuted))
		}
		if strings.TrimSpace(piece.text) != "" {
			p.text(piece.text, x, line.y, w, high, size, piece.style(), look.Color(look.ColorText))
		}
		x += w
	}
}

// drawMark colours and underlines a stretch of a line, more for a stronger mark, so that it is visible in grey too.
func (l *leaf) drawMark(mark int, x, y, w, h float32) {
	accent := look.Color(look.ColorAccent)
	shade := float32(l.sheet.prose.Marks[mark].Shade)
	top, bottom := y+0.09*h, y+0.95*h
	if mark == l.sheet.current {
		l.paint.fill(x-2, top-2, w+4, bottom-top+4, 3, currentFill(accent))
		l.paint.fill(x-2, bottom-1.5, w+4, 3, 0, accent)
		return
	}
	l.paint.fill(x, top, w, bottom-top, 2, markFill(accent, shade))
	thick := 1 + 1.5*shade
	l.paint.fill(x, bottom-thick, w, thick, 0, accent)
}

func markFill(accent color.Color, shade float32) color.Color {
	return translucent(accent, 0.10+0.24*shade)
}

func currentFill(accent color.Color) color.Color { return translucent(accent, 0.45) }

func translucent(c color.Color, alpha float32) color.Color {
	n := color.NRGBAModel.Convert(c).(color.NRGBA)
	n.A = uint8(alpha * 255)
	return n
}

func (p piece) style() fyne.TextStyle {
	switch {
	case p.bold:
		return look.WeightBold.Style()
	case p.medium:
		return look.WeightMedium.Style()
	}
	return look.WeightRegular.Style()
}

// piece is a stretch of a line that is drawn as one text.
type piece struct {
	text   string
	start  int // byte offset of its start in the block
	bold   bool
	medium bool // for italics in the page, which the typeface does not have
	mark   int
	link   string
	rtl    bool
}

// piecesOf splits a line where its style or direction changes, into pieces from left to right on screen.
func piecesOf(b *ProseBlock, l line) []piece {
	var pieces []piece
	heading := b.Kind == ProseHeading
	at := l.start
	add := func(end int, r ProseRun) {
		if end > at {
			pieces = append(pieces, piece{text: b.Text[at:end], start: at, bold: r.Bold || heading, medium: r.Italic, mark: r.Mark, link: r.Link})
			at = end
		}
	}
	plain := ProseRun{Mark: -1}
	for _, r := range b.Runs[firstRun(b, l.start):] {
		if r.Start >= l.end {
			break
		}
		add(min(max(r.Start, l.start), l.end), plain)
		add(min(r.End, l.end), r)
	}
	add(l.end, plain)
	rightToLeft := isRightToLeft(b.Text)
	if !rightToLeft && !strings.ContainsFunc(b.Text[l.start:l.end], readsLeft) {
		return pieces
	}
	return ordered(pieces, rightToLeft)
}

// isRightToLeft determines a paragraph's direction by its first letter, if there is one near the start.
func isRightToLeft(text string) bool {
	for _, r := range text[:min(len(text), 4<<10)] {
		switch {
		case readsLeft(r):
			return true
		case unicode.IsLetter(r):
			return false
		}
	}
	return false
}

// readsLeft reports whether a letter belongs to a script written from right to left.
func readsLeft(r rune) bool {
	return r >= 0x590 && r <= 0x8ff && !unicode.IsDigit(r) || r >= 0xfb1d && r <= 0xfdff || r >= 0xfe70 && r <= 0xfefc ||
		r >= 0x10800 && r <= 0x10fff || r >= 0x1e800 && r <= 0x1efff
}

// readsRight reports whether it is a letter of another script, or a digit.
func readsRight(r rune) bool { return (unicode.IsLetter(r) || unicode.IsDigit(r)) && !readsLeft(r) }

// ordered splits pieces by direction and returns them from left to right on screen: words of the other direction keep their own order within the
// line. Characters without a direction take that of their neighbours if these agree, else the paragraph's. Points and brackets among words that are
// set from right to left become pieces of their own, since the toolkit reverses the letters of such words, but draws characters of another typeface
// from left to right.
func ordered(pieces []piece, rightToLeft bool) []piece {
	var runes []rune
	var of, starts []int // the piece of each character, and its byte offset
	for i, p := range pieces {
		for at, r := range p.text {
			runes, of, starts = append(runes, r), append(of, i), append(starts, p.start+at)
		}
	}
	left := directions(runes, rightToLeft)
	points := make([]bool, len(runes)) // set from right to left, and no letter
	for i := range runes {
		points[i] = left[i] && !readsLeft(runes[i]) && !joinsWords(runes, of, i)
	}
	var cut []piece
	for i := 0; i < len(runes); {
		end := i
		for end < len(runes) && left[end] == left[i] && points[end] == points[i] && of[end] == of[i] {
			end++
		}
		p := pieces[of[i]]
		p.rtl, p.start = left[i], starts[i]
		p.text = string(runes[i:end])
		if points[i] {
			p.text = mirrored(runes[i:end])
		}
		cut = append(cut, p)
		i = end
	}
	// Words of the other direction keep together, in reverse order.
	if rightToLeft {
		slices.Reverse(cut)
	}
	for i := 0; i < len(cut); {
		end := i
		for end < len(cut) && cut[end].rtl != rightToLeft {
			end++
		}
		slices.Reverse(cut[i:end])
		i = max(end, i+1)
	}
	return cut
}

// directions reports for each character whether it is set from right to left.
func directions(runes []rune, rightToLeft bool) []bool {
	left := make([]bool, len(runes))
	for i := 0; i < len(runes); {
		switch r := runes[i]; {
		case readsLeft(r):
			left[i] = true
			i++
			continue
		case readsRight(r):
			i++
			continue
		}
		end := i
		for end < len(runes) && !readsLeft(runes[end]) && !readsRight(runes[end]) {
			end++
		}
		direction := rightToLeft
		before, after := rightToLeft, rightToLeft
		if i > 0 {
			before = left[i-1]
		}
		if end < len(runes) {
			after = readsLeft(runes[end])
		}
		if before == after {
			direction = before
		}
		for ; i < end; i++ {
			left[i] = direction
		}
	}
	return left
}

// joinsWords reports whether a character is a space between two right-to-left letters of its own piece.
func joinsWords(runes []rune, of []int, i int) bool {
	return (runes[i] == ' ' || runes[i] == 0xa0) && i > 0 && i+1 < len(runes) && readsLeft(runes[i-1]) && readsLeft(runes[i+1]) && of[i-1] == of[i] && of[i+1] == of[i]
}

// mirror has the brackets to exchange in text that is set from right to left.
var mirror = map[rune]rune{
	'(': ')', ')': '(', '[': ']', ']': '[', '{': '}', '}': '{', '<': '>', '>': '<', '«': '»', '»': '«', '‹': '›', '›': '‹',
}

// mirrored reverses the order of characters and exchanges brackets.
func mirrored(runes []rune) string {
	out := slices.Clone(runes)
	slices.Reverse(out)
	for i, r := range out {
		if m, has := mirror[r]; has {
			out[i] = m
		}
	}
	return string(out)
}

// paint is the objects of the lines in sight, which are reused.
type paint struct {
	fills  []*canvas.Rectangle
	texts  []*canvas.Text
	nFills int
	nTexts int
	focus  *canvas.Rectangle
	shown  []fyne.CanvasObject
}

func newPaint() *paint {
	return &paint{focus: &canvas.Rectangle{FillColor: color.Transparent, CornerRadius: look.RadiusControl}}
}

func (p *paint) objects() []fyne.CanvasObject { return p.shown }

func (p *paint) words() string {
	var words []string
	for _, t := range p.texts[:min(p.nTexts, 10)] {
		words = append(words, t.Text)
	}
	return strings.Join(words, " ")
}

func (p *paint) fill(x, y, w, h, radius float32, c color.Color) {
	if p.nFills == len(p.fills) {
		p.fills = append(p.fills, &canvas.Rectangle{})
	}
	r := p.fills[p.nFills]
	p.nFills++
	r.FillColor, r.CornerRadius = c, radius
	r.Move(fyne.NewPos(x, y))
	r.Resize(fyne.NewSize(w, h))
	r.Refresh()
}

func (p *paint) text(text string, x, y, w, h, size float32, style fyne.TextStyle, c color.Color) {
	if p.nTexts == len(p.texts) {
		p.texts = append(p.texts, &canvas.Text{})
	}
	t := p.texts[p.nTexts]
	p.nTexts++
	look.SetText(t, text, style)
	t.TextSize, t.Color = size, c
	t.Move(fyne.NewPos(x, y))
	t.Resize(fyne.NewSize(w, h))
	t.Refresh()
}

// frame shows that the text has the focus, by an outline round the visible part.
func (p *paint) frame(top float32, sight fyne.Size, focused bool) {
	p.focus.Hidden = !focused
	p.focus.StrokeColor, p.focus.StrokeWidth = look.Color(look.ColorAccent), 2
	p.focus.Move(fyne.NewPos(1, top+1))
	p.focus.Resize(fyne.NewSize(sight.Width-2, sight.Height-2))
	p.focus.Refresh()
}
