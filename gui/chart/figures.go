package chart

import (
	"assay/gui/look"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
)

// Figures draws a number with all digits of one width, so that numbers stand in columns. Fyne cannot ask a font for its tabular
// figures, hence one text per character. It is a part of a renderer, not an object: hand Objects to it.
type Figures struct {
	cells []*canvas.Text
	width []float32
}

// Set dresses the figures; the objects change with it.
func (f *Figures) Set(text string, size fyne.ThemeSizeName, style fyne.TextStyle, colour fyne.ThemeColorName) {
	f.cells, f.width = f.cells[:0], f.width[:0]
	points := look.Size(size)
	for _, c := range text {
		cell := canvas.NewText("", look.Color(colour))
		look.SetText(cell, string(c), style)
		cell.TextSize, cell.Alignment = points, fyne.TextAlignCenter
		f.cells = append(f.cells, cell)
		f.width = append(f.width, cellWidth(c, points, style))
	}
}

// Objects returns what to draw.
func (f *Figures) Objects() []fyne.CanvasObject {
	objects := make([]fyne.CanvasObject, len(f.cells))
	for i, cell := range f.cells {
		objects[i] = cell
	}
	return objects
}

// Width is how wide they are.
func (f *Figures) Width() float32 {
	sum := float32(0)
	for _, w := range f.width {
		sum += w
	}
	return sum
}

// Place puts their left end at x, in the middle of a line from y downwards.
func (f *Figures) Place(x, y, height float32) {
	for i, cell := range f.cells {
		place(cell, x, y, f.width[i], height)
		x += f.width[i]
	}
}

// cellWidth is the width that a character takes: every digit that of the zero, which is among Inter's widest.
func cellWidth(c rune, size float32, style fyne.TextStyle) float32 {
	if c >= '0' && c <= '9' {
		c = '0'
	}
	return look.Measure(string(c), size, style).Width
}

func place(o fyne.CanvasObject, x, y, w, h float32) {
	o.Move(fyne.NewPos(x, y))
	o.Resize(fyne.NewSize(w, h))
}
