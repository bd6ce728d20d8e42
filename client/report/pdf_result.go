package report

import (
	"html/template"
	"image"

	"assay/client/i18n"
)

// remark writes the note that must accompany a result, on a field of its own.
func (d *document) remark(text string) {
	height := d.height(text, styleText, bodyWidth-8) + 3
	d.area(sunk)
	d.Rect(margin, d.y, bodyWidth, height, "F")
	d.area(ink)
	d.Rect(margin, d.y, 1.2, height, "F")
	d.block(text, styleText, margin+4, d.y+1.5, bodyWidth-8)
	d.y += height + 3
}

// markColors are the colours of marks, by their class in the page.
var markColors = map[string]rgb{
	"fake": {0xC2, 0x41, 0x0C}, "suspicious": {0x9A, 0x67, 0x00}, "authentic": {0x1D, 0x6F, 0xB8},
}

func (d *document) mark(svg template.HTML, class string, x, y, side float64) error {
	color, own := markColors[class]
	if !own {
		color = rgb{0x6B, 0x72, 0x80}
	}
	d.stroke(color, 0.3)
	d.area(color)
	return drawMark(d.Fpdf, string(svg), x, y, side)
}

// card is the verdict, with the score beside it.
func (d *document) card(s *section) error {
	const pad, scoreWidth = 5.0, 52.0
	x, width := margin+pad, bodyWidth-2*pad
	if s.Mark != "" {
		x, width = x+16, width-16
	}
	if s.Contradiction == "" {
		width -= scoreWidth + pad
	}
	said := s.Status
	if s.Agreement != "" {
		said += " · " + s.Agreement
	}
	height := d.height(s.Verdict, styleHeadline, width) + d.height(said, styleMuted, width)
	if s.Contradiction != "" {
		height += d.height(s.Contradiction, styleText, width) + 1
	}
	wide := pageWidth - margin - pad - x
	height = max(height, 13)
	below := height + 0.5
	height += d.height(s.Sentence, styleMuted, wide) + 0.5
	d.room(height + 2*pad)
	d.stroke(ink, 0.5)
	d.RoundedRect(margin, d.y, bodyWidth, height+2*pad, 2, "1234", "D")
	if s.Mark != "" {
		if err := d.mark(s.Mark, s.MarkClass, margin+pad, d.y+pad+height/2-5.5, 11); err != nil {
			return err
		}
	}
	y := d.block(s.Verdict, styleHeadline, x, d.y+pad, width)
	y = d.block(said, styleMuted, x, y, width)
	d.block(s.Sentence, styleMuted, x, d.y+pad+below, wide)
	if s.Contradiction != "" {
		d.block(s.Contradiction, styleText, x, y+1, width)
	}
	right := pageWidth - margin - pad - scoreWidth
	switch {
	case s.ScoreText != "":
		d.score(s, right, d.y+pad, scoreWidth)
	case s.Contradiction == "":
		d.block(s.NoScore, styleMuted, right, d.y+pad, scoreWidth)
	}
	d.y += height + 2*pad + gap
	return nil
}

// score is the ensemble's, as a number and on a track.
func (d *document) score(s *section, x, y, width float64) {
	number := style{faceBold, 17, ink}
	d.at(s.ScoreText, number, x, y-1)
	of := x + d.letters.measure(s.ScoreText, number) + 2
	if rest := x + width - of; d.letters.measure(s.ScoreOf, styleNote) <= rest {
		d.at(s.ScoreOf, styleNote, of, y+2.4)
	} else {
		d.block(s.ScoreOf, styleNote, of, y, rest)
	}
	y += 8.5
	if s.OnTrack {
		d.stroke(ink, 0.25)
		d.Rect(x, y, width, 1.6, "D")
		d.area(ink)
		d.Rect(x+width*s.Percent/100-0.4, y-1, 0.8, 3.6, "F")
	}
	half := width/2 - 1
	d.block(s.Low, styleEnds, x, y+2.8, half)
	high := y + 2.8
	for _, part := range d.letters.lines(s.High, styleEnds, half) {
		d.letters.draw(d.Fpdf, part, styleEnds, x+width-d.letters.measure(part, styleEnds), high)
		high += styleEnds.lineHeight()
	}
}

// first draws the picture, and the facts beside it, or below it if they need more space than a page has.
func (d *document) first(s *section) error {
	facts := table{Class: "facts", Rows: s.Facts}
	if s.Covered != "" {
		d.paragraph(s.Covered+" "+i18n.T("It is at the end of this result."), styleMuted)
		d.y += 1.5
		return d.table(facts)
	}
	if s.Picture == nil {
		if err := d.table(facts); err != nil {
			return err
		}
		if s.PictureNote != "" {
			d.y += 1.5
			d.paragraph(s.PictureNote, styleNote)
		}
		return nil
	}
	const width = 58.0
	size := inside(s.Picture.Size, width, 90)
	beside := layout{x: margin + width + gap, widths: []float64{38, bodyWidth - width - gap - 38}}
	noteHeight := d.height(s.PictureNote, styleNote, width)
	var factsHeight float64
	for _, r := range s.Facts {
		factsHeight += d.rowHeight(r, beside, "facts")
	}
	d.room(max(size.h+1.5+noteHeight, min(factsHeight, 60)))
	top, page := d.y, d.PageNo()
	d.picture(s.Picture.jpeg, "JPG", box{margin, top, size.w, size.h})
	below := d.block(s.PictureNote, styleNote, margin, top+size.h+1.5, width)
	if factsHeight > bodyBottom-top {
		d.y, beside = below+3, layout{x: margin, widths: columnWidths["facts"]}
	}
	for _, r := range s.Facts {
		if err := d.row(r, beside, "facts", nil); err != nil {
			return err
		}
	}
	if d.PageNo() == page {
		d.y = max(d.y, below)
	}
	return nil
}

// coveredPictures draws a picture that was marked as graphic, and its heatmaps, from a page of its own on, so that nobody sees them unprepared.
func (d *document) coveredPictures(s *section) error {
	d.newPage()
	d.paragraph(s.Covered, styleHeading)
	d.y += 1.5
	size := inside(s.Picture.Size, bodyWidth, 120)
	d.picture(s.Picture.jpeg, "JPG", box{margin, d.y, size.w, size.h})
	d.y += size.h + 1.5
	d.paragraph(s.PictureNote, styleNote)
	return d.heatmaps(s)
}

// extent is a width and a height on the page; box is where it stands.
type (
	extent struct{ w, h float64 }
	box    struct{ x, y, w, h float64 }
)

// inside is the largest size of this shape within bounds.
func inside(size image.Point, width, height float64) extent {
	w, h := float64(max(size.X, 1)), float64(max(size.Y, 1))
	scale := min(width/w, height/h)
	return extent{max(w*scale, 0.2), max(h*scale, 0.2)}
}

// heatmaps draws each heatmap over the picture, or beside it, with its explanation.
func (d *document) heatmaps(s *section) error {
	for _, heat := range s.Heatmaps {
		width, beside := 106.0, 106.0+gap
		if !heat.Over && s.Picture != nil {
			width, beside = bodyWidth/2-gap/2, 0
		}
		size := inside(heat.size, width, 90)
		if heat.Over {
			size = inside(s.Picture.Size, width, 90)
		}
		d.y += gap
		headingHeight := d.height(heat.Note, styleHeading, bodyWidth) + 1.5
		d.room(headingHeight + size.h + 20)
		d.paragraph(heat.Note, styleHeading)
		d.y += 1.5
		x, top := margin, d.y
		switch {
		case heat.Over:
			d.picture(s.Picture.jpeg, "JPG", box{x, top, size.w, size.h})
			d.SetAlpha(0.6, "Normal")
			d.picture(heat.png, "PNG", box{x, top, size.w, size.h})
			d.SetAlpha(1, "Normal")
		case s.Picture != nil:
			photo := inside(s.Picture.Size, width, 90)
			d.picture(s.Picture.jpeg, "JPG", box{x, top, photo.w, photo.h})
			d.picture(heat.png, "PNG", box{x + width + gap, top, size.w, size.h})
			size.h = max(size.h, photo.h)
		default:
			d.picture(heat.png, "PNG", box{x, top, size.w, size.h})
		}
		noteX, noteY, noteWidth := margin+beside, top, bodyWidth-beside
		if beside == 0 {
			noteX, noteY = margin, top+size.h+1.5
		}
		y := d.block(s.HeatmapNote, styleMuted, noteX, noteY, noteWidth) + 2
		y = d.block("SHA-256", styleNote, noteX, y, noteWidth)
		y = d.block(heat.SHA256, styleMono, noteX, y, noteWidth)
		d.y = max(y, top+size.h)
	}
	return d.Error()
}
