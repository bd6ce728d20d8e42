package chart

import (
	"strconv"

	"assay/client/i18n"
	"assay/gui/kit"
	"assay/gui/look"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
)

// End is a model's score in one of two answers.
type End struct {
	Mark  look.Mark
	Value *float64 // 0..100; nil: it has none
	Text  string   // the number as it is shown
}

// Dumbbell is a model's scores in an earlier and a later answer.
type Dumbbell struct {
	Name     string
	Ensemble bool
	Earlier  End
	Later    End
	Change   string // "+32", or a word: "new", "failed"
	Word     bool   // Change is a word
}

// Dumbbells shows models and their scores in two answers, one row each, on a common scale of 0..100: a hollow dot for the earlier score, a filled one
// for the later, and a line between them. A model that has neither is hatched. Only the rows in sight have objects. When it has the focus, the
// arrows, Page Up and Down, Home and End move its cursor.
type Dumbbells struct {
	// OnChosen is called with a row's index when the person chooses it, to show where its numbers came from; it may be nil.
	OnChosen func(i int)

	rows   []Dumbbell
	table  *kit.Table[*dumbbellRow]
	head   *kit.Text
	legend *dumbbellLegend
	axis   *dumbbellAxis
	root   *fyne.Container
	shared dumbbellColumns
}

const (
	dumbbellHeight float32 = 36
	dumbbellAxisIn float32 = 24
)

// NewDumbbells makes an empty chart; lay out its Object.
func NewDumbbells() *Dumbbells {
	d := &Dumbbells{legend: newDumbbellLegend()}
	d.head = kit.NewText(i18n.T("Models"), kit.TextStyle{Size: look.SizeHeading, Weight: look.WeightBold})
	d.axis = newDumbbellAxis(d)
	d.table = kit.NewTable(kit.TableRows[*dumbbellRow]{
		Name:   i18n.T("Models"),
		Height: dumbbellHeight,
		Len:    func() int { return len(d.rows) },
		ID:     strconv.Itoa,
		Index: func(id string) int {
			if i, err := strconv.Atoi(id); err == nil && i < len(d.rows) {
				return i
			}
			return -1
		},
		New:  func() *dumbbellRow { return newDumbbellRow(d) },
		Fill: func(o *dumbbellRow, i int, cursor bool) { o.set(i, cursor) },
		Key:  d.key,
		Rune: func(rune) bool { return false },
	})
	d.table.HideSeparators = true
	d.table.OnSelected = func(i int) {
		d.table.UnselectAll() // the row at the cursor is marked
		d.table.MoveTo(i)
		d.chosen(i)
	}
	d.root = container.New(dumbbellsLayout{d}, d.head, d.legend, d.table.Object(), d.axis)
	return d
}

// dumbbellsLayout puts the axis right below the last row, or below those that there is room for.
type dumbbellsLayout struct{ of *Dumbbells }

// Layout implements fyne.Layout.
func (l dumbbellsLayout) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	head, legend, table, axis := objects[0], objects[1], objects[2], objects[3]
	high, wide := l.head(), legend.MinSize().Width
	kit.PlaceAt(head, rowInset, 0, max(size.Width-2*rowInset-wide, 0), high)
	kit.PlaceAt(legend, size.Width-rowInset-wide, 0, wide, high)
	rows := max(min(l.of.rowsHeight(), size.Height-high-2*look.Space-dumbbellAxisIn), 0)
	kit.PlaceAt(table, 0, high+look.Space, size.Width, rows)
	kit.PlaceAt(axis, 0, high+2*look.Space+rows, size.Width, dumbbellAxisIn)
}

func (l dumbbellsLayout) head() float32 {
	return max(l.of.head.MinSize().Height, l.of.legend.MinSize().Height)
}

// MinSize implements fyne.Layout: room for three rows.
func (l dumbbellsLayout) MinSize([]fyne.CanvasObject) fyne.Size {
	return fyne.NewSize(minWidth, l.head()+2*look.Space+dumbbellAxisIn+min(l.of.rowsHeight(), 3*dumbbellHeight))
}

// rowsHeight is the height of all rows.
func (d *Dumbbells) rowsHeight() float32 { return float32(len(d.rows)) * d.table.Pitch() }

// Object is what to lay out.
func (d *Dumbbells) Object() fyne.CanvasObject { return d.root }

// Height is the height at which every row is in sight.
func (d *Dumbbells) Height() float32 {
	return dumbbellsLayout{d}.head() + d.rowsHeight() + dumbbellAxisIn + 2*look.Space
}

// Set replaces the rows. The names are those of the two answers, such as their releases, for the legend.
func (d *Dumbbells) Set(rows []Dumbbell, earlier, later string) {
	d.rows = rows
	d.shared = dumbbellColumnsOf(rows)
	d.legend.set(earlier, later)
	d.table.Reset()
	kit.RelayoutDeep(d.root)
	d.axis.Refresh()
}

// Rows are the rows as a screen reader reads them.
func (d *Dumbbells) Rows() []string {
	lines := make([]string, len(d.rows))
	for i, row := range d.rows {
		lines[i] = row.words()
	}
	return lines
}

func (d *Dumbbells) key(e *fyne.KeyEvent) bool {
	if !d.table.MoveBy(e.Name) {
		return false
	}
	d.chosen(d.table.CursorAt())
	return true
}

func (d *Dumbbells) chosen(i int) {
	if d.OnChosen != nil {
		d.OnChosen(i)
	}
}

// words are a row in one line: "oak: 61 → 93, +32".
func (b Dumbbell) words() string {
	return b.Name + ": " + endText(b.Earlier) + " → " + endText(b.Later) + ", " + b.Change
}

func endText(e End) string {
	if e.Value == nil {
		return "–"
	}
	return e.Text
}
