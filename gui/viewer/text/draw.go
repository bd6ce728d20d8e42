package text

import (
	"image/color"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"

	"assay/gui/look"
	"assay/gui/present"
)

// draw gives the lines in sight, and some above and below, their objects.
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
	p.frame(s.scroll.Offset.Y, sight, l.focused)
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
	if b.Kind == present.ProseItem && i == s.lines.first[line.block] {
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

// drawMark colours a stretch of a line and underlines it, the more the stronger the mark: seen in grey, too.
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
