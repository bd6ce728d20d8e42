package review

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"assay/gui/kit"
	"assay/gui/look"
)

// lineList lists values with their names, which both wrap. It reuses the objects of its lines.
type lineList struct {
	object *fyne.Container
	lines  []*lineView
}

type lineView struct {
	object       *fyne.Container
	label, value *kit.Paragraph
}

func newLineList() *lineList {
	return &lineList{object: container.New(kit.Column{Gap: look.Space, Grow: -1})}
}

// set shows lines.
func (l *lineList) set(lines []Line) {
	for len(l.lines) < len(lines) {
		line := &lineView{label: kit.NewParagraph("", kit.TextStyle{Color: look.ColorMuted}), value: kit.NewParagraph("", kit.TextStyle{})}
		line.object = container.New(lineLayout{}, line.label, line.value)
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

func styleOf(line Line) kit.TextStyle {
	if line.Mono {
		return kit.TextStyle{Mono: true, Size: look.SizeSmall}
	}
	return kit.TextStyle{}
}

// setPlain shows values without names, and a sentence on those that are not listed.
func (l *lineList) setPlain(values []string, more string) {
	lines := make([]Line, 0, len(values)+1)
	for _, v := range values {
		lines = append(lines, Line{Value: v})
	}
	if more != "" {
		lines = append(lines, Line{Value: more})
	}
	l.set(lines)
}

// labelWidth fits the longest label on one line in most languages.
const labelWidth float32 = 148

// lineLayout lays out a value beside its label, which may be hidden.
type lineLayout struct{}

// Layout implements fyne.Layout.
func (lineLayout) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	label, value := objects[0], objects[1]
	x := float32(0)
	if label.Visible() {
		kit.PlaceAt(label, 0, 0, labelWidth, size.Height)
		x = labelWidth + 3*look.Space
	}
	kit.PlaceAt(value, x, 0, max(0, size.Width-x), size.Height)
}

// MinSize implements fyne.Layout.
func (lineLayout) MinSize(objects []fyne.CanvasObject) fyne.Size {
	height := objects[1].MinSize().Height
	if objects[0].Visible() {
		height = max(height, objects[0].MinSize().Height)
	}
	return fyne.NewSize(0, height)
}
