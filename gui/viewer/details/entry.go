package details

import (
	"fyne.io/fyne/v2"

	"assay/client/i18n"
	"assay/gui/look"
)

// entry is one of the things below each other on the sheet: a heading with its paragraph, a row, or the note at the end.
type entry struct {
	group *DetailGroup // of a heading
	row   *DetailRow
	note  string

	// Its place at the width of the last arrangement.
	top, height float32
	lines       []string // of the row's value, the heading's paragraph or the note
	labels      []string // of the row's label, if it is beside the value
	below       bool     // whether the heading's state is below the heading
}

// The measures of the sheet, in device-independent pixels.
const (
	wide       float32 = 480 // the least width at which labels are beside the values
	labelWidth float32 = 176
	side       float32 = 2 * look.Space
	rightSide  float32 = 3.5 * look.Space // for the scroll bar
	rowPad     float32 = 1.25 * look.Space
	headingTop float32 = 5 * look.Space
	gap        float32 = 3 * look.Space
	badgePad   float32 = 1.5 * look.Space
)

const identifies = "identifies"

var (
	regular = look.WeightRegular.Style()
	medium  = look.WeightMedium.Style()
	bold    = look.WeightBold.Style()
	mono    = fyne.TextStyle{Monospace: true}
)

func entriesOf(d Details) []entry {
	var all []entry
	for i := range d.Groups {
		g := &d.Groups[i]
		all = append(all, entry{group: g})
		for j := range g.Rows {
			all = append(all, entry{row: &g.Rows[j]})
		}
	}
	if len(all) > 0 {
		all = append(all, entry{note: i18n.T(MetadataNote)})
	}
	return all
}

// copyWidth is the room for the word at the end of a row.
func copyWidth() float32 {
	return max(52, textWidth(i18n.C("verb", "Copy"), look.SizeSmall, medium), textWidth(i18n.T("Copied"), look.SizeSmall, medium))
}

// lineHeight is the height of a line in a font size.
func lineHeight(size fyne.ThemeSizeName) float32 {
	return look.Measure("Mg", look.Size(size), regular).Height
}

func textWidth(text string, size fyne.ThemeSizeName, style fyne.TextStyle) float32 {
	return look.Measure(text, look.Size(size), style).Width
}

func badgeWidth() float32 {
	return textWidth(i18n.T(identifies), look.SizeCaption, regular) + 2*badgePad
}

// arrange breaks the entry's text into lines and sets its height; first is whether it is the sheet's first.
func (e *entry) arrange(r *rulers, width float32, first bool) {
	inner := width - side - rightSide
	switch {
	case e.group != nil:
		e.height = lineHeight(look.SizeHeading) + 2*look.Space
		if !first {
			e.height += headingTop
		}
		e.below = e.group.State != "" && e.headingWidth() > inner
		if e.below {
			e.height += lineHeight(look.SizeHeading) + look.Space
		}
		e.lines = nil
		if e.group.Text != "" {
			e.lines = r.text.wrap(e.group.Text, inner)
			e.height += float32(len(e.lines))*lineHeight(look.SizeText) + 2*look.Space
		}
	case e.row != nil:
		if e.row.Hash {
			e.lines = r.mono.wrap(grouped(e.row.Value), valueWidth(e.row, width))
		} else {
			e.lines = r.text.wrap(e.row.Value, valueWidth(e.row, width))
		}
		e.labels = nil
		if width >= wide {
			e.labels = r.text.wrap(e.row.Label, labelWidth)
		}
		e.height = float32(max(len(e.lines), len(e.labels)))*lineHeight(look.SizeText) + 2*rowPad
		if width < wide {
			e.height += lineHeight(look.SizeSmall) + 2
		}
	default:
		e.lines = r.small.wrap(e.note, inner)
		e.height = headingTop + float32(len(e.lines))*lineHeight(look.SizeSmall) + 2*look.Space
	}
}

// headingWidth is the width of a heading with its state beside it, followed by whose words these are.
func (e *entry) headingWidth() float32 {
	return textWidth(e.group.Heading, look.SizeHeading, bold) + gap + stateWidth(e.group.State) + gap + textWidth(e.group.From, look.SizeSmall, regular)
}

// The state's icon, and the room at both ends of the state.
const (
	stateIcon float32 = 14
	statePad  float32 = 2 * look.Space
)

func stateWidth(state CredentialState) float32 {
	return 2*statePad + stateIcon + look.Space + textWidth(state.Words(), look.SizeSmall, medium)
}

// valueWidth is the room for a row's value: left of the word for copying, and beside the label if there is room for both.
func valueWidth(row *DetailRow, width float32) float32 {
	room := width - side - rightSide - copyWidth()
	if width >= wide {
		room -= labelWidth + gap
		if row.Identifying {
			room -= badgeWidth() + gap
		}
	}
	return max(room, 60)
}
