package cases

import (
	"context"
	"image"
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/driver/desktop"

	"assay/client/i18n"
	"assay/gui/kit"
	"assay/gui/look"
)

// The measures of the grid. A tile is as wide as the columns allow.
const (
	tileNarrow float32 = 128 // at least
	tileGap    float32 = 2.5 * look.Space
	tileWords  float32 = 40 // under the picture: name and verdict, where that has one line
	tileMark   float32 = 13
	rowsFolded         = 2 // of a case with many items, until all are asked for
)

// itemsRead is how many items are read at a time.
const itemsRead = 60

// itemGrid shows the items of a case in rows, with a cursor on the one that keys act on. Only the tiles in sight are made and read, so that a case of
// hundreds costs as little as one of a dozen.
type itemGrid struct {
	kit.Control
	screen   *Screen
	ids      []string
	unfolded bool
	cursor   int
	pointed  int // index of the item under the pointer, -1 for none

	read    map[string]Item
	reading map[string]bool
	from    float32 // the part in sight, from the grid's top
	to      float32
	tiles   map[int]*tile // those in sight, by their index
	spare   []*tile
	columns int
	lines   int // that the words of each verdict have room for
	// resized is called when the height has changed.
	resized func()
}

var (
	_ fyne.Tappable   = (*itemGrid)(nil)
	_ fyne.Accessible = (*itemGrid)(nil)
)

func newItemGrid(s *Screen, resized func()) *itemGrid {
	g := &itemGrid{screen: s, read: map[string]Item{}, reading: map[string]bool{}, tiles: map[int]*tile{}, columns: 1, lines: 1, pointed: -1, to: 2000, resized: resized}
	g.ExtendBaseWidget(g)
	return g
}

// set shows other items. What was read of those that stay is kept.
func (g *itemGrid) set(ids []string, another bool) {
	if another {
		g.unfolded, g.cursor, g.read = false, 0, map[string]Item{}
	}
	if slices.Equal(g.ids, ids) && !another {
		return
	}
	g.ids = ids
	g.cursor = min(g.cursor, max(0, len(ids)-1))
	g.fill()
	g.Refresh()
}

// changed reads again what has changed of the submissions that are shown.
func (g *itemGrid) changed(ids []string) {
	for _, id := range ids {
		if item, ok := g.read[id]; ok {
			g.want([]string{item.ID})
		}
	}
}

// shownCount is how many items have a place.
func (g *itemGrid) shownCount() int {
	if g.unfolded || len(g.ids) <= (rowsFolded+1)*g.columns { // a button in place of a single row would save nothing
		return len(g.ids)
	}
	return rowsFolded * g.columns
}

// folded is how many items are left out.
func (g *itemGrid) folded() int { return len(g.ids) - g.shownCount() }

// unfold shows all items.
func (g *itemGrid) unfold() {
	g.unfolded = true
	g.Refresh()
	g.resized()
}

// see says which part of the grid is in sight.
func (g *itemGrid) see(from, to float32) {
	if from == g.from && to == g.to {
		return
	}
	g.from, g.to = from, to
	g.fill()
}

func (g *itemGrid) tileSize() fyne.Size {
	width := (g.Size().Width - float32(g.columns-1)*tileGap) / float32(g.columns)
	return fyne.NewSize(width, 0.68*width+g.wordsHeight())
}

// wordsHeight is the height under the picture.
func (g *itemGrid) wordsHeight() float32 { return tileWords + float32(g.lines-1)*tileLine() }

func (g *itemGrid) pitch() float32 { return g.tileSize().Height + tileGap }

// fill puts a tile where an item is in sight, and takes it from where none is.
func (g *itemGrid) fill() {
	size, n := g.tileSize(), g.shownCount()
	if size.Width <= 0 {
		return
	}
	first := max(0, int(g.from/g.pitch())) * g.columns
	end := min(n, (int(max(0, g.to)/g.pitch())+1)*g.columns)
	for i, t := range g.tiles {
		if i < first || i >= end {
			g.spare = append(g.spare, t)
			delete(g.tiles, i)
		}
	}
	var missing []string
	for i := first; i < end; i++ {
		t := g.tiles[i]
		if t == nil {
			if last := len(g.spare) - 1; last >= 0 {
				t, g.spare = g.spare[last], g.spare[:last]
			} else {
				t = newTile()
			}
			g.tiles[i] = t
		}
		id := g.ids[i]
		item, ok := g.read[id]
		if !ok {
			missing = append(missing, id)
		}
		var picture image.Image
		if ok {
			picture = g.screen.Thumbs.Get(item.ID, item.Medium, item.Care)
		}
		t.set(g.lines, item, picture, i == g.cursor && g.Focused(), i == g.pointed && item.ID != "")
		kit.PlaceAt(t, float32(i%g.columns)*(size.Width+tileGap), float32(i/g.columns)*g.pitch(), size.Width, size.Height)
	}
	g.want(missing)
	canvas.Refresh(g)
}

// want reads items on a worker.
func (g *itemGrid) want(ids []string) {
	var ask []string
	for _, id := range ids {
		if !g.reading[id] && len(ask) < itemsRead {
			g.reading[id] = true
			ask = append(ask, id)
		}
	}
	if len(ask) == 0 {
		return
	}
	g.screen.Workers.Do(func(ctx context.Context) func() {
		items, err := g.screen.Records.Items(ctx, ask)
		return func() {
			for _, id := range ask {
				delete(g.reading, id)
				if err == nil {
					g.read[id] = Item{ID: id, Words: i18n.T("No longer on this computer"), Gone: true}
				}
			}
			if err != nil {
				return // asked again when they are next in sight
			}
			for _, item := range items {
				g.read[item.ID] = item
			}
			g.fill()
		}
	})
}

// pictureMade shows a picture that has been made, and asks for those that the loader has put off.
func (g *itemGrid) pictureMade(string) {
	for i, t := range g.tiles {
		if i >= len(g.ids) {
			continue
		}
		if item, ok := g.read[g.ids[i]]; ok {
			t.setPicture(g.screen.Thumbs.Get(item.ID, item.Medium, item.Care))
		}
	}
}

// current is the item that keys act on.
func (g *itemGrid) current() (item Item, ok bool) {
	if g.cursor >= len(g.ids) {
		return item, false
	}
	item, ok = g.read[g.ids[g.cursor]]
	return item, ok
}

// FocusGained implements fyne.Focusable.
func (g *itemGrid) FocusGained() { g.Control.FocusGained(); g.fill() }

// FocusLost implements fyne.Focusable.
func (g *itemGrid) FocusLost() { g.Control.FocusLost(); g.fill() }

// TypedKey implements fyne.Focusable.
func (g *itemGrid) TypedKey(e *fyne.KeyEvent) {
	to := g.cursor
	switch e.Name {
	case fyne.KeyLeft:
		to--
	case fyne.KeyRight:
		to++
	case fyne.KeyUp:
		to -= g.columns
	case fyne.KeyDown:
		to += g.columns
	case fyne.KeyHome:
		to = 0
	case fyne.KeyEnd:
		to = len(g.ids) - 1
	case fyne.KeyReturn, fyne.KeyEnter, fyne.KeySpace:
		g.open(g.cursor)
		return
	default:
		kit.PassOnKey(g, e)
		return
	}
	if to < 0 || to >= len(g.ids) {
		return
	}
	g.cursor = to
	if to >= g.shownCount() {
		g.unfold()
	}
	g.fill()
	g.screen.pane.reveal(float32(to/g.columns)*g.pitch(), g.tileSize().Height)
}

// open shows the submission at an index.
func (g *itemGrid) open(i int) {
	if i < len(g.ids) {
		if item, ok := g.read[g.ids[i]]; ok && !item.Gone {
			g.screen.Open(item.ID)
		}
	}
}

// at is the index of the tile at a position, -1 for none.
func (g *itemGrid) at(p fyne.Position) int {
	for i, t := range g.tiles {
		if at := p.Subtract(t.Position()); at.X >= 0 && at.Y >= 0 && at.X < t.Size().Width && at.Y < t.Size().Height {
			return i
		}
	}
	return -1
}

// Tapped implements fyne.Tappable.
func (g *itemGrid) Tapped(e *fyne.PointEvent) {
	if e == nil {
		return
	}
	i := g.at(e.Position)
	if i < 0 {
		return
	}
	g.cursor = i
	at, width := e.Position.Subtract(g.tiles[i].Position()), g.tiles[i].Size().Width
	if i == g.pointed && at.X >= width-removeSide-look.Space && at.Y <= removeSide+look.Space {
		g.remove(i)
		return
	}
	g.open(i)
}

// MouseIn implements desktop.Hoverable.
func (g *itemGrid) MouseIn(e *desktop.MouseEvent) { g.MouseMoved(e) }

// MouseMoved implements desktop.Hoverable.
func (g *itemGrid) MouseMoved(e *desktop.MouseEvent) { g.point(g.at(e.Position)) }

// MouseOut implements desktop.Hoverable.
func (g *itemGrid) MouseOut() { g.point(-1) }

func (g *itemGrid) point(i int) {
	if i != g.pointed {
		g.pointed = i
		g.fill()
	}
}

// remove takes the item at an index out of the case.
func (g *itemGrid) remove(i int) {
	if i < len(g.ids) {
		g.screen.removeItem(g.read[g.ids[i]])
	}
}

// AccessibilityLabel implements fyne.Accessible.
func (g *itemGrid) AccessibilityLabel() string {
	if item, ok := g.current(); ok {
		return item.label()
	}
	return i18n.T("Items")
}

// AccessibilityRole implements fyne.Accessible.
func (g *itemGrid) AccessibilityRole() fyne.AccessibleRole { return fyne.AccessibleRoleContainer }

// CreateRenderer implements fyne.Widget.
func (g *itemGrid) CreateRenderer() fyne.WidgetRenderer { return &gridRenderer{g} }

type gridRenderer struct{ grid *itemGrid }

func (r *gridRenderer) Destroy() {}

func (r *gridRenderer) Objects() []fyne.CanvasObject {
	var all []fyne.CanvasObject
	for i := range r.grid.shownCount() {
		if t := r.grid.tiles[i]; t != nil {
			all = append(all, t)
		}
	}
	return all
}

// MinSize implements fyne.WidgetRenderer: its height follows from the width of the last layout.
func (r *gridRenderer) MinSize() fyne.Size {
	g := r.grid
	rows := (g.shownCount() + g.columns - 1) / g.columns
	return fyne.NewSize(tileNarrow, max(0, float32(rows)*g.pitch()-tileGap))
}

func (r *gridRenderer) Layout(size fyne.Size) {
	g := r.grid
	g.columns = max(1, int((size.Width+tileGap)/(tileNarrow+tileGap)))
	g.lines = wordsLines(g.tileSize().Width)
	g.fill()
}

func (r *gridRenderer) Refresh() {
	r.Layout(r.grid.Size())
	for _, t := range r.grid.tiles {
		t.Refresh()
	}
	canvas.Refresh(r.grid)
}
