package report

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/layout"

	"assay/client/i18n"
	"assay/gui/kit"
	"assay/gui/look"
)

// The widths of a table's columns, in device-independent pixels: each as its content wants it, within limits.
const (
	narrowColumn float32 = 72
	widestColumn float32 = 200
)

// drawSheet is the head and the first rows of a table that has all of them.
func drawSheet(head []string, rows [][]string, all int) fyne.CanvasObject {
	widths := make([]float32, len(head))
	for i, name := range head {
		widths[i] = max(narrowColumn, look.Measure(name, look.Size(look.SizeSmall), look.WeightBold.Style()).Width+look.Space)
		for _, row := range rows {
			widths[i] = max(widths[i], look.Measure(row[i], look.Size(look.SizeSmall), fyne.TextStyle{}).Width+look.Space)
		}
		widths[i] = min(widths[i], widestColumn)
	}
	column := container.New(kit.Column{Gap: 2 * look.Space, Grow: -1})
	add := func(cells []string, style kit.TextStyle) {
		line := container.New(&fixedColumns{widths: widths})
		for _, text := range cells {
			line.Add(kit.NewText(firstLine(text), style))
		}
		column.Add(line)
		column.Add(kit.NewLine())
	}
	add(head, kit.TextStyle{Size: look.SizeSmall, Weight: look.WeightBold, Ellipsis: look.EllipsisEnd})
	for _, row := range rows {
		add(row, kit.TextStyle{Size: look.SizeSmall, Ellipsis: look.EllipsisEnd})
	}
	if more := all - len(rows); more > 0 {
		column.Add(kit.NewText(i18n.N(more, "and %s more row", "and %s more rows"), pageMuted))
	}
	return padded(column)
}

// firstLine is a text up to the end of its first line.
func firstLine(text string) string {
	for i, r := range text {
		if r == '\n' {
			return text[:i] + " …"
		}
	}
	return text
}

// drawText is the beginning of a text, or all of it.
func drawText(text string, whole bool) fyne.CanvasObject {
	column := group(kit.NewParagraph(text, kit.TextStyle{Size: look.SizeSmall, Mono: true}))
	if !whole {
		column.Add(kit.NewParagraph(i18n.T("This is only the beginning of the file."), pageMuted))
	}
	return padded(column)
}

func padded(o fyne.CanvasObject) fyne.CanvasObject {
	const pad = 5 * look.Space
	return container.New(layout.NewCustomPaddedLayout(pad, pad, pad, pad), o)
}

// fixedColumns lays out cells of these widths.
type fixedColumns struct{ widths []float32 }

// Layout implements fyne.Layout.
func (f *fixedColumns) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	x := float32(0)
	for i, o := range objects {
		kit.PlaceAt(o, x, 0, f.widths[i], size.Height)
		x += f.widths[i] + sharesGap
	}
}

// MinSize implements fyne.Layout.
func (f *fixedColumns) MinSize(objects []fyne.CanvasObject) fyne.Size {
	size := fyne.NewSize(0, 0)
	for i, o := range objects {
		size.Width += f.widths[i] + sharesGap
		size.Height = max(size.Height, o.MinSize().Height)
	}
	return size
}
