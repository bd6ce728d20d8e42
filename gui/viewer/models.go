package viewer

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/layout"

	"assay/client/i18n"
	"assay/gui/chart"
	"assay/gui/kit"
	"assay/gui/look"
	"assay/gui/present"
)

// modelsPanel shows the score of each model as bars of normalised scores, for a clip beside those of its sound. A click on a row shows which field of
// the answer its number came from.
type modelsPanel struct {
	root   *kit.Card
	rows   *fyne.Container
	main   *modelBars
	sound  *modelBars
	voice  *voiceParts
	reveal func(field string)
}

// modelBars are the bars of one result, and a line on the chosen row.
type modelBars struct {
	column *fyne.Container
	bars   *chart.Bars
	below  *kit.Paragraph // a remark on the bars
	source *kit.Paragraph
	inData *kit.Button
	models []present.Bar
	of     []int // index of the model of each row
	chosen int   // index of the chosen model, -1: none
}

const panelPadding = 3 * look.Space

// newModelsPanel makes an empty panel. reveal shows a field of the answer, goToVoice a part of a clip's voice.
func newModelsPanel(reveal func(field string), goToVoice func(lane, i int)) *modelsPanel {
	m := &modelsPanel{reveal: reveal, voice: newVoiceParts(goToVoice)}
	m.main, m.sound = newModelBars(reveal), newModelBars(nil)
	m.main.bars.Title = ""
	m.sound.column.Hide()
	m.rows = container.New(kit.Column{Gap: 4 * look.Space, Grow: -1}, m.main.column, m.sound.column, m.voice.root)
	m.root = kit.NewCard(kit.NewScroll(container.New(layout.NewCustomPaddedLayout(0, 0, 0, 2*look.Space), m.rows))) // room for the scroll bar
	m.root.SetPadding(panelPadding)
	return m
}

func newModelBars(reveal func(field string)) *modelBars {
	b := &modelBars{chosen: -1}
	b.bars = chart.NewBars(nil, nil)
	b.bars.OnTapped = b.choose
	b.below = kit.NewParagraph("", kit.TextStyle{Size: look.SizeSmall, Color: look.ColorMuted})
	b.below.Hide()
	b.source = kit.NewParagraph("", kit.TextStyle{Size: look.SizeCaption, Color: look.ColorMuted})
	b.inData = kit.NewButton(kit.Bare, i18n.T("Show in the data"), nil, func() {
		if b.chosen >= 0 && b.chosen < len(b.models) {
			reveal(b.models[b.chosen].Field())
		}
	})
	b.inData.SetMuted(true)
	b.inData.Hide()
	b.column = container.New(kit.Column{Gap: 2 * look.Space, Grow: -1}, b.bars, b.below, b.source, container.NewHBox(b.inData))
	if reveal == nil {
		b.inData = nil
	}
	return b
}

// set shows a result's models; the chosen model stays chosen if it is still there.
func (b *modelBars) set(v present.Viewer) {
	if b.chosen >= 0 && (b.chosen >= len(v.Bars) || b.chosen >= len(b.models) || b.models[b.chosen].Name != v.Bars[b.chosen].Name) {
		b.chosen = -1
	}
	b.models = v.Bars
	rows, of := charted(v.Bars)
	if v.Verdict.Provisional {
		for i := range rows {
			if rows[i].Mark != look.MarkAnalysing {
				rows[i].Mark = look.MarkNone // a provisional result has no verdict's colour
			}
		}
	}
	b.of = of
	b.bars.SetBars(rows, v.NotBars)
	b.below.SetText(v.BelowBars)
	kit.SetVisible(b.below, v.BelowBars != "")
	b.say()
}

func (b *modelBars) choose(row int) {
	b.chosen = b.of[row]
	b.say()
}

// say shows which field the chosen model's numbers came from.
func (b *modelBars) say() {
	text := i18n.T(present.ScoreMeaning) + "."
	field := ""
	switch {
	case len(b.models) == 0:
		text = i18n.T("No model has reported.")
	case b.chosen < 0:
		text = i18n.T("Choose a row to see its number in the answer.") + " " + text
	default:
		text, field = b.models[b.chosen].Source(), b.models[b.chosen].Field()
	}
	b.source.SetText(text)
	if b.inData != nil {
		kit.SetVisible(b.inData, field != "")
	}
	b.column.Refresh()
}

// charted returns the rows of the chart, and the index of the model of each. A model's further numbers are below its own row, unless they are equal.
func charted(models []present.Bar) (rows []chart.Bar, of []int) {
	for i, m := range models {
		row := chart.Bar{Name: m.Name, Mark: look.Mark(m.Mark), Word: m.Gap, Ensemble: m.Ensemble, Source: m.Source()}
		if m.Score != nil {
			row.Value, row.ValueText = &m.Score.Value, m.Score.Text()
		}
		rows, of = append(rows, row), append(of, i)
		for _, further := range m.Others {
			if m.Score != nil && further.Sent == m.Score.Sent {
				continue
			}
			value := further.Value
			rows = append(rows, chart.Bar{Name: further.Words, Mark: look.Mark(m.Mark), Value: &value, ValueText: further.Text(), Further: true, Source: m.Source()})
			of = append(of, i)
		}
	}
	return rows, of
}

// Object is the panel's root.
func (m *modelsPanel) Object() fyne.CanvasObject { return m.root }

// Show shows a result's models.
func (m *modelsPanel) Show(v present.Viewer) {
	m.main.set(v)
	m.refresh()
}

// setSound shows the models of a clip's sound beside the clip's; nil for none.
func (m *modelsPanel) setSound(sound *present.Viewer) {
	m.main.bars.Title, m.sound.bars.Title = "", i18n.T("Voice") // alone, the tab says what they are
	if sound != nil {
		m.main.bars.Title = i18n.T("Picture")
		m.sound.set(*sound)
	}
	kit.SetVisible(m.sound.column, sound != nil)
	m.main.bars.Refresh()
	m.refresh()
}

// setVoice shows what was reported of the parts of a clip's voice.
func (m *modelsPanel) setVoice(t present.Timeline) {
	m.voice.set(t)
	m.refresh()
}

func (m *modelsPanel) refresh() {
	m.rows.Refresh()
	m.root.Refresh()
}

// Clear shows nothing.
func (m *modelsPanel) Clear() { m.Show(present.Viewer{}) }

// TypedRune implements Pane; it uses no key.
func (m *modelsPanel) TypedRune(rune) bool { return false }

// TypedKey implements Pane; it uses no key.
func (m *modelsPanel) TypedKey(*fyne.KeyEvent) bool { return false }

// Shortcuts implements Pane; there are none.
func (m *modelsPanel) Shortcuts() []present.Shortcut { return nil }
