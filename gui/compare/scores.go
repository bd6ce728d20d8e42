package compare

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/layout"

	"assay/client/i18n"
	"assay/gui/chart"
	"assay/gui/kit"
	"assay/gui/look"
)

// modelsCard shows the scores of each model in both answers, and what there is to know of them.
type modelsCard struct {
	root    *kit.Card
	inner   *fyne.Container
	words   *fyne.Container
	chart   *chart.Dumbbells
	source  *kit.Paragraph
	apart   *kit.Paragraph
	notes   *kit.Paragraph
	rows    []Row
	laidOut func()
}

func newModelsCard(laidOut func()) *modelsCard {
	small := kit.TextStyle{Size: look.SizeSmall, Color: look.ColorMuted}
	m := &modelsCard{chart: chart.NewDumbbells(), source: kit.NewParagraph("", kit.TextStyle{Size: look.SizeCaption, Color: look.ColorMuted}),
		apart: kit.NewParagraph("", small), notes: kit.NewParagraph("", small), laidOut: laidOut}
	m.chart.OnChosen = func(i int) {
		m.source.SetText(m.rows[i].Source)
		m.source.Show()
		laidOut()
	}
	m.words = container.New(kit.Column{Gap: look.Space, Grow: -1}, m.source, m.apart, m.notes)
	m.inner = container.New(modelsLayout{m}, m.chart.Object(),
		container.New(layout.NewCustomPaddedLayout(0, look.Space, 2*look.Space, 2*look.Space), m.words)) // in line with the names
	m.root = kit.NewCard(m.inner)
	m.root.SetPadding(2 * look.Space)
	return m
}

// modelsLayout puts the words right below the chart, which has all its rows in sight where there is room for them.
type modelsLayout struct{ of *modelsCard }

// Layout implements fyne.Layout.
func (l modelsLayout) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	rows, words := objects[0], objects[1]
	words.Resize(fyne.NewSize(size.Width, words.Size().Height)) // the width first: the height follows from it
	low := words.MinSize().Height
	high := max(min(l.of.chart.Height(), size.Height-low-2*look.Space), rows.MinSize().Height)
	kit.PlaceAt(rows, 0, 0, size.Width, high)
	kit.PlaceAt(words, 0, high+2*look.Space, size.Width, low)
}

// MinSize implements fyne.Layout.
func (modelsLayout) MinSize(objects []fyne.CanvasObject) fyne.Size {
	rows, words := objects[0].MinSize(), objects[1].MinSize()
	return fyne.NewSize(max(rows.Width, words.Width), rows.Height+2*look.Space+words.Height)
}

func (m *modelsCard) set(shown Model) {
	m.rows = shown.Rows
	rows := make([]chart.Dumbbell, len(m.rows))
	for i, row := range m.rows {
		rows[i] = chart.Dumbbell{Name: row.Name, Ensemble: row.Ensemble, Earlier: chartEnd(row.Ends[0], shown.Sides[0]), Later: chartEnd(row.Ends[1], shown.Sides[1]),
			Change: row.Change, Word: row.Word}
	}
	m.chart.Set(rows, shown.Sides[0].Short, shown.Sides[1].Short)
	m.source.SetText(i18n.T("Choose a row to see its number in the answer."))
	kit.SetVisible(m.source, len(rows) > 0)
	m.apart.SetText(shown.Apart)
	kit.SetVisible(m.apart, shown.Apart != "")
	m.notes.SetText(shown.Notes)
}

// chartEnd is a model's score for the chart; a provisional answer has no verdict's colour.
func chartEnd(e End, s Side) chart.End {
	end := chart.End{Mark: look.Mark(e.Mark)}
	if s.Verdict.Provisional && end.Mark != look.MarkAnalysing {
		end.Mark = look.MarkNone
	}
	if e.Score != nil {
		end.Value, end.Text = &e.Score.Value, e.Score.Text()
	}
	return end
}
