package viewer

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/layout"

	"assay/gui/chart"
	"assay/gui/look"
	"assay/gui/part"
	"assay/gui/present"
)

// modelsPanel shows what each model said: bars of the normalised scores, and beside a clip's those of its sound. A click on a row
// shows where its numbers stand in the answer.
type modelsPanel struct {
	root   *part.Card
	rows   *fyne.Container
	main   *modelBars
	sound  *modelBars
	reveal func(field string)
}

// modelBars are the bars of one result, with what was said of the row chosen last.
type modelBars struct {
	column *fyne.Container
	bars   *chart.Bars
	source *part.Paragraph
	inData *part.Button
	rows   []present.Bar
	chosen int // -1: none
}

const panelPadding = 3 * look.Space

func newModelsPanel(reveal func(field string)) *modelsPanel {
	m := &modelsPanel{reveal: reveal}
	m.main, m.sound = newModelBars(reveal), newModelBars(nil)
	m.sound.column.Hide()
	m.rows = container.New(&pair{gap: 6 * look.Space}, m.main.column, m.sound.column)
	m.root = part.NewCard(part.NewScroll(container.New(layout.NewCustomPaddedLayout(0, 0, 0, 2*look.Space), m.rows))) // beside the scroll bar
	m.root.SetPadding(panelPadding)
	return m
}

func newModelBars(reveal func(field string)) *modelBars {
	b := &modelBars{chosen: -1}
	b.bars = chart.NewBars(nil, nil)
	b.bars.OnTapped = b.choose
	b.bars.OnTypedRune = func(char rune) { part.PassOn(b.bars, char) }
	b.source = part.NewParagraph("", part.TextStyle{Size: look.SizeCaption, Color: look.ColorMuted})
	b.inData = part.NewButton(part.Bare, "Show in the data", nil, func() {
		if b.chosen >= 0 && b.chosen < len(b.rows) {
			reveal(b.rows[b.chosen].Field())
		}
	})
	b.inData.SetMuted(true)
	b.inData.Hide()
	b.column = container.New(part.Column{Gap: 2 * look.Space, Grow: -1}, b.bars, b.source, container.NewHBox(b.inData))
	if reveal == nil {
		b.inData = nil
	}
	return b
}

// set shows a result's models; the row chosen before stays chosen where it is still the same one.
func (b *modelBars) set(v present.Viewer) {
	if b.chosen >= 0 && (b.chosen >= len(v.Bars) || b.chosen >= len(b.rows) || b.rows[b.chosen].Name != v.Bars[b.chosen].Name) {
		b.chosen = -1
	}
	b.rows = v.Bars
	b.bars.SetBars(charted(v.Bars), v.NotBars)
	b.say()
}

func (b *modelBars) choose(i int) {
	b.chosen = i
	b.say()
}

// say tells where the chosen row's numbers come from.
func (b *modelBars) say() {
	text := present.ScoreMeaning + "."
	field := ""
	switch {
	case len(b.rows) == 0:
		text = "No model has reported."
	case b.chosen < 0:
		text = "Choose a row to see where its number stands in the answer. " + text
	default:
		text, field = b.rows[b.chosen].Source(), b.rows[b.chosen].Field()
	}
	b.source.SetText(text)
	if b.inData != nil {
		part.SetVisible(b.inData, field != "")
	}
	b.column.Refresh()
}

func charted(rows []present.Bar) []chart.Bar {
	out := make([]chart.Bar, len(rows))
	for i, r := range rows {
		out[i] = chart.Bar{Name: r.Name, Mark: look.Mark(r.Mark), Word: r.Gap, Ensemble: r.Ensemble, Source: r.Source()}
		if r.Score != nil {
			out[i].Value, out[i].ValueText = &r.Score.Value, r.Score.Text()
		}
	}
	return out
}

// Object is the panel's root.
func (m *modelsPanel) Object() fyne.CanvasObject { return m.root }

// Show shows a result's models.
func (m *modelsPanel) Show(v present.Viewer) {
	m.main.set(v)
	m.refresh()
}

// setSound shows the models of a clip's sound beside the clip's, nil for none.
func (m *modelsPanel) setSound(sound *present.Viewer) {
	m.main.bars.Title, m.sound.bars.Title = "Models", "Voice"
	if sound != nil {
		m.main.bars.Title = "Picture"
		m.sound.set(*sound)
	}
	part.SetVisible(m.sound.column, sound != nil)
	m.main.bars.Refresh()
	m.refresh()
}

func (m *modelsPanel) refresh() {
	m.rows.Refresh()
	m.root.Refresh()
}

// height is what the panel would take to show all of it.
func (m *modelsPanel) height() float32 { return m.rows.MinSize().Height + 2*panelPadding }

// Clear shows nothing.
func (m *modelsPanel) Clear() { m.Show(present.Viewer{}) }

// TypedRune knows no key.
func (m *modelsPanel) TypedRune(rune) bool { return false }

// TypedKey knows no key.
func (m *modelsPanel) TypedKey(*fyne.KeyEvent) bool { return false }

// Shortcuts are none.
func (m *modelsPanel) Shortcuts() []present.Shortcut { return nil }
