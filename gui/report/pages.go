package report

import (
	"image"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/layout"

	"assay/client/i18n"
	"assay/client/report"
	"assay/gui/kit"
	"assay/gui/look"
)

// The looks of a page's texts.
var (
	pageMuted   = kit.TextStyle{Size: look.SizeSmall, Color: look.ColorMuted}
	pageSmall   = kit.TextStyle{Size: look.SizeSmall}
	pageHeading = kit.TextStyle{Weight: look.WeightBold}
	pageMono    = kit.TextStyle{Size: look.SizeCaption, Mono: true}
)

// drawPage lays out a section as a page of the report has it, in the same words and order.
func drawPage(p Page) fyne.CanvasObject {
	column := container.New(kit.Column{Gap: 4 * look.Space, Grow: -1})
	add := func(all ...fyne.CanvasObject) {
		for _, o := range all {
			column.Add(o)
		}
	}
	title := group(kit.NewParagraph(p.Head.Title, kit.TextStyle{Size: look.SizeSmall, Weight: look.WeightBold}), kit.NewParagraph(p.Head.Kind, pageMuted))
	made := kit.NewParagraph(p.Head.Made, kit.TextStyle{Size: look.SizeSmall, Color: look.ColorMuted, Align: fyne.TextAlignTrailing})
	add(container.New(&shares{weights: []float32{1, 1}}, title, made), kit.NewLine())
	s := p.Section
	add(kit.NewParagraph(s.Heading, kit.TextStyle{Size: look.SizeHeading, Weight: look.WeightBold}))
	if s.Result != nil {
		for _, remark := range []string{s.Remark, s.Provisional, s.LaterNote} {
			if remark != "" {
				add(kit.NewNotice(look.IconInfo, remark, "", nil))
			}
		}
		add(verdictOf(s), firstOf(p))
	}
	for _, t := range s.Tables {
		add(drawTable(t))
	}
	for i, h := range s.Heatmaps {
		if heat := p.Heatmaps[i]; heat != nil {
			drawn := covered(s, func() fyne.CanvasObject { return drawHeatmap(p.Picture, heat, h.Over) })
			add(group(kit.NewParagraph(h.Note, pageHeading), drawn, kit.NewParagraph(s.HeatmapNote, pageMuted)))
		}
	}
	for _, t := range s.After {
		add(drawTable(t))
	}
	if s.AnswerSHA256 != "" {
		add(container.New(&shares{weights: []float32{34, 66}}, kit.NewParagraph(s.AnswerLabel, pageMuted), kit.NewParagraph(s.AnswerSHA256, pageMono)))
	}
	if p.Head.Verify != "" {
		add(kit.NewLine(), kit.NewParagraph(p.Head.Verify, pageMuted))
	}
	return container.New(&margins{wide: 6 * look.Space}, column)
}

// margins has the same room on all sides, and less in a narrow preview. It asks for no width, so that what does not fit never moves the right margin out of
// sight.
type margins struct{ wide, width float32 }

// wideLeast is the least width of a preview that has wide margins.
const wideLeast float32 = 360

func (m *margins) room() float32 {
	if m.width < wideLeast {
		return m.wide / 2
	}
	return m.wide
}

// Layout implements fyne.Layout.
func (m *margins) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	m.width = size.Width
	room := m.room()
	kit.PlaceAt(objects[0], room, room, max(0, size.Width-2*room), max(0, size.Height-2*room))
}

// MinSize implements fyne.Layout.
func (m *margins) MinSize(objects []fyne.CanvasObject) fyne.Size {
	return fyne.NewSize(0, objects[0].MinSize().Height+2*m.room())
}

// group is what belongs together.
func group(all ...fyne.CanvasObject) *fyne.Container {
	return container.New(kit.Column{Gap: 1.5 * look.Space, Grow: -1}, all...)
}

// verdictOf is the card with the verdict.
func verdictOf(s *report.Section) fyne.CanvasObject {
	words := group(kit.NewParagraph(s.Verdict, kit.TextStyle{Size: look.SizeHeading, Weight: look.WeightBold}))
	for _, said := range []string{s.Status + " · " + s.Agreement, s.Sentence, s.Contradiction} {
		if said != "" {
			words.Add(kit.NewParagraph(said, pageMuted))
		}
	}
	score := group()
	switch {
	case s.ScoreText != "":
		score.Add(kit.NewParagraph(s.ScoreText+" "+s.ScoreOf, kit.TextStyle{Weight: look.WeightBold}))
		if s.OnTrack {
			score.Add(container.New(&trackLayout{share: s.Percent / 100, mark: true}, kit.NewFill(look.ColorTrack), kit.NewFill(look.ColorText)))
		}
		score.Add(kit.NewParagraph(s.Low+" · "+s.High, kit.TextStyle{Size: look.SizeCaption, Color: look.ColorMuted}))
	case s.Contradiction == "":
		score.Add(kit.NewParagraph(s.NoScore, pageMuted))
	}
	row := container.New(&shares{weights: []float32{68, 32}}, words, score)
	return kit.NewCard(container.NewBorder(nil, nil, container.New(layout.NewCustomPaddedLayout(0, 0, 0, 3*look.Space), container.NewCenter(kit.NewMarkIcon(look.Mark(s.MarkClass), 32))), nil, row))
}

// firstOf is the picture beside what was handed over, or that alone.
func firstOf(p Page) fyne.CanvasObject {
	s := p.Section
	facts := drawRows(nil, s.Facts, []float32{34, 66})
	note := kit.NewParagraph(s.PictureNote, pageMuted)
	if p.Picture == nil {
		if s.PictureNote == "" {
			return facts
		}
		return group(facts, note)
	}
	return container.New(&shares{weights: []float32{42, 58}}, group(covered(s, func() fyne.CanvasObject { return drawPicture(p.Picture) }), note), facts)
}

// covered is a picture, or what covers it where it was marked as graphic, until the person asks to see it.
func covered(s *report.Section, draw func() fyne.CanvasObject) fyne.CanvasObject {
	if s.Covered == "" {
		return draw()
	}
	place := group(kit.NewNotice(look.IconWarning, s.Covered, "", nil))
	place.Add(container.NewHBox(kit.NewButton(kit.Plain, i18n.T("Show it"), nil, func() {
		place.Objects = []fyne.CanvasObject{draw()}
		place.Refresh()
	})))
	return place
}

// drawPicture is a picture at the width that it is given.
func drawPicture(img image.Image) *fyne.Container {
	shown := canvas.NewImageFromImage(img)
	shown.FillMode, shown.ScaleMode = canvas.ImageFillStretch, canvas.ImageScaleFastest
	return container.New(&pictureLayout{of: img.Bounds().Size()}, shown)
}

// overOpacity is how opaque a heatmap is over its picture, as in the page.
const overOpacity = 0.6

func drawHeatmap(photo, heat image.Image, over bool) fyne.CanvasObject {
	drawn := drawPicture(heat)
	drawn.Objects[0].(*canvas.Image).ScaleMode = canvas.ImageScalePixels
	switch {
	case photo == nil:
		return drawn
	case !over:
		return container.New(&shares{weights: []float32{1, 1}}, drawPicture(photo), drawn)
	}
	below := drawPicture(photo)
	shown := drawn.Objects[0].(*canvas.Image)
	shown.Translucency = 1 - overOpacity
	below.Add(shown)
	return below
}

// drawTable is a heading with rows, or with paragraphs.
func drawTable(t report.Table) fyne.CanvasObject {
	all := group(kit.NewParagraph(t.Heading, pageHeading))
	if t.Lane != nil {
		all.Add(drawLane(t))
	}
	if len(t.Rows) > 0 {
		all.Add(drawRows(t.Head, t.Rows, weightsOf(t)))
	}
	style := pageSmall
	if len(t.Rows) > 0 {
		style = pageMuted
	}
	for _, text := range t.Text {
		all.Add(kit.NewParagraph(text, style))
	}
	return all
}

// drawLane is a timeline as a bar, hatched where nothing was reported.
func drawLane(t report.Table) fyne.CanvasObject {
	parts := []fyne.CanvasObject{look.NewHatch(0)}
	for _, s := range t.Lane.Spans {
		parts = append(parts, kit.NewFill(look.MarkColor(look.Mark(s.Class))))
	}
	bar := container.New(&laneLayout{t}, parts...)
	ends := container.NewBorder(nil, nil, kit.NewText(t.Lane.Begin, pageMuted), kit.NewText(t.Lane.End, pageMuted))
	return group(bar, ends)
}

// laneLayout places the parts of a timeline.
type laneLayout struct{ table report.Table }

const laneHeight = 4 * look.Space

// Layout implements fyne.Layout.
func (l *laneLayout) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	kit.PlaceAt(objects[0], 0, 0, size.Width, laneHeight)
	for i, s := range l.table.Lane.Spans {
		from := min(s.From, 100)
		width := size.Width * float32(min(s.Width, 100-from)/100)
		kit.PlaceAt(objects[i+1], size.Width*float32(from/100), 0, max(1, width-1), laneHeight) // a line apart, so that neighbours can be told apart
	}
}

// MinSize implements fyne.Layout.
func (l *laneLayout) MinSize([]fyne.CanvasObject) fyne.Size { return fyne.NewSize(24, laneHeight) }

// weightsOf are the shares of a table's columns in its width.
func weightsOf(t report.Table) []float32 {
	known := map[string][]float32{
		"models": {28, 16, 16, 12, 28}, "checks": {30, 38, 32}, "notes": {66, 34}, "custody": {20, 26, 9, 45}, "answers": {20, 18, 14, 48}, "two": {30, 70},
		"times": {28, 22, 26, 24}, "judgement": {36, 64}, "signoff": {36, 64}, "items": {32, 36, 32}, "questions": {30, 38, 32}, "file": {30, 70}, "timeline": {22, 24, 34, 20},
	}[t.Class]
	columns := len(t.Rows[0])
	if len(known) == columns {
		return known
	}
	equal := make([]float32, columns)
	for i := range equal {
		equal[i] = 1
	}
	return equal
}

// drawRows are rows with hairlines below them.
func drawRows(head []string, rows []report.Row, weights []float32) fyne.CanvasObject {
	table := container.New(kit.Column{Gap: look.Space, Grow: -1})
	if len(head) > 0 {
		cells := container.New(&shares{weights: weights})
		for _, h := range head {
			cells.Add(kit.NewParagraph(h, kit.TextStyle{Size: look.SizeCaption, Weight: look.WeightBold}))
		}
		table.Add(cells)
		table.Add(kit.NewLine())
	}
	for _, r := range rows {
		cells := container.New(&shares{weights: weights})
		for i, c := range r {
			cells.Add(drawCell(c, i == 0 && len(head) == 0))
		}
		table.Add(cells)
		table.Add(kit.NewLine())
	}
	return table
}

// drawCell is a cell; label means that it names the cell beside it.
func drawCell(c report.Cell, label bool) fyne.CanvasObject {
	style := pageSmall
	if c.Muted || label {
		style = pageMuted
	}
	if c.Mono {
		style = pageMono
	}
	text := kit.NewParagraph(c.Text, style)
	switch {
	case c.Bar != nil && c.Bar.Hatched:
		return container.New(&trackLayout{}, kit.NewFill(look.ColorSunk), look.NewHatch(0))
	case c.Bar != nil:
		return container.New(&trackLayout{share: c.Bar.Percent / 100}, kit.NewFill(look.ColorTrack), kit.NewFill(look.ColorNeutral))
	case c.Class != "":
		return container.NewBorder(nil, nil, container.New(layout.NewCustomPaddedLayout(0, 0, 0, look.Space), container.NewVBox(kit.NewMarkIcon(look.Mark(c.Class), 14))), nil, text)
	}
	return text
}

// shares lays out cells side by side, with shares of the width; its height is that of the highest.
type shares struct{ weights []float32 }

const sharesGap = 3 * look.Space

// Layout implements fyne.Layout.
func (s *shares) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	total := float32(0)
	for _, w := range s.weights {
		total += w
	}
	room := size.Width - sharesGap*float32(len(s.weights)-1)
	x := float32(0)
	for i, o := range objects {
		if i >= len(s.weights) {
			return
		}
		width := max(0, room*s.weights[i]/total)
		o.Move(fyne.NewPos(x, 0))
		o.Resize(fyne.NewSize(width, o.Size().Height)) // the width first: the height follows from it
		o.Resize(fyne.NewSize(width, o.MinSize().Height))
		x += width + sharesGap
	}
}

// MinSize implements fyne.Layout.
func (s *shares) MinSize(objects []fyne.CanvasObject) fyne.Size {
	height := float32(0)
	for _, o := range objects {
		height = max(height, o.MinSize().Height)
	}
	return fyne.NewSize(0, height)
}

// pictureLayout gives pictures the width that there is, and the height that follows from it.
type pictureLayout struct {
	of    image.Point // the picture's size
	width float32
}

// highestPicture bounds the height of a picture, so that the words below it stay in sight.
const highestPicture float32 = 360

// Layout implements fyne.Layout.
func (p *pictureLayout) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	p.width = size.Width
	fits := p.size()
	for _, o := range objects {
		kit.PlaceAt(o, 0, 0, fits.Width, fits.Height)
	}
}

// MinSize implements fyne.Layout.
func (p *pictureLayout) MinSize([]fyne.CanvasObject) fyne.Size {
	return fyne.NewSize(0, p.size().Height)
}

func (p *pictureLayout) size() fyne.Size {
	if p.of.X <= 0 || p.of.Y <= 0 {
		return fyne.Size{}
	}
	ratio := float32(p.of.Y) / float32(p.of.X)
	if p.width*ratio > highestPicture {
		return fyne.NewSize(highestPicture/ratio, highestPicture)
	}
	return fyne.NewSize(p.width, p.width*ratio)
}

// trackLayout places a mark or a length on a track.
type trackLayout struct {
	share float64 // 0..1
	mark  bool    // else a length
}

const (
	trackHeight float32 = 8
	markWidth   float32 = 4
)

// Layout implements fyne.Layout.
func (t *trackLayout) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	top := 1.5 * look.Space
	kit.PlaceAt(objects[0], 0, top, size.Width, trackHeight)
	width := size.Width
	if _, hatched := objects[1].(*canvas.Raster); !hatched {
		width *= float32(t.share)
	}
	if t.mark {
		kit.PlaceAt(objects[1], width*(1-markWidth/max(size.Width, markWidth)), top-look.Space, markWidth, trackHeight+2*look.Space)
		return
	}
	kit.PlaceAt(objects[1], 0, top, width, trackHeight)
}

// MinSize implements fyne.Layout.
func (t *trackLayout) MinSize([]fyne.CanvasObject) fyne.Size {
	return fyne.NewSize(24, trackHeight+3*look.Space)
}
