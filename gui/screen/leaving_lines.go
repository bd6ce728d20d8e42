package screen

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"assay/gui/kit"
	"assay/gui/look"
	"assay/gui/present"
)

// leavingLines are things with their names under each other, both of which wrap. Lines that are there are used again.
type leavingLines struct {
	object *fyne.Container
	lines  []*leavingLine
}

type leavingLine struct {
	object       *fyne.Container
	label, value *kit.Paragraph
}

func newLeavingLines() *leavingLines {
	return &leavingLines{object: container.New(kit.Column{Gap: look.Space, Grow: -1})}
}

// set shows these.
func (l *leavingLines) set(lines []present.LeavingLine) {
	for len(l.lines) < len(lines) {
		line := &leavingLine{label: kit.NewParagraph("", kit.TextStyle{Color: look.ColorMuted}), value: kit.NewParagraph("", kit.TextStyle{})}
		line.object = container.New(leavingLineLayout{}, line.label, line.value)
		l.lines = append(l.lines, line)
		l.object.Add(line.object)
	}
	for i, line := range l.lines {
		kit.SetVisible(line.object, i < len(lines))
		if i < len(lines) {
			line.label.SetText(lines[i].Label)
			kit.SetVisible(line.label, lines[i].Label != "")
			line.value.SetStyle(styleOf(lines[i]))
			line.value.SetText(lines[i].Value)
		}
	}
	kit.SetVisible(l.object, len(lines) > 0)
}

func styleOf(line present.LeavingLine) kit.TextStyle {
	if line.Mono {
		return kit.TextStyle{Mono: true, Size: look.SizeSmall}
	}
	return kit.TextStyle{}
}

// setPlain shows values alone, and what is said of those that are not named.
func (l *leavingLines) setPlain(values []string, more string) {
	lines := make([]present.LeavingLine, 0, len(values)+1)
	for _, v := range values {
		lines = append(lines, present.LeavingLine{Value: v})
	}
	if more != "" {
		lines = append(lines, present.LeavingLine{Value: more})
	}
	l.set(lines)
}

// leavingLabelWidth has the longest label in one line, in most languages.
const leavingLabelWidth float32 = 148

// leavingLineLayout lays out a label, which may be hidden, and its value beside it.
type leavingLineLayout struct{}

// Layout implements fyne.Layout.
func (leavingLineLayout) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	label, value := objects[0], objects[1]
	x := float32(0)
	if label.Visible() {
		kit.PlaceAt(label, 0, 0, leavingLabelWidth, size.Height)
		x = leavingLabelWidth + 3*look.Space
	}
	kit.PlaceAt(value, x, 0, max(0, size.Width-x), size.Height)
}

// MinSize implements fyne.Layout.
func (leavingLineLayout) MinSize(objects []fyne.CanvasObject) fyne.Size {
	height := objects[1].MinSize().Height
	if objects[0].Visible() {
		height = max(height, objects[0].MinSize().Height)
	}
	return fyne.NewSize(0, height)
}
