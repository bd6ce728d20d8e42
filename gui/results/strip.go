package results

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/layout"

	"assay/client/i18n"
	"assay/gui/kit"
	"assay/gui/look"
)

// Shape is how the list is shown beside the viewer.
type Shape string

// The shapes.
const (
	ByWidth Shape = ""      // thumbnails only, unless the screen is wide
	Strip   Shape = "strip" // thumbnails only
	Wide    Shape = "wide"
)

// strip is what stands above and below the list while it shows thumbnails only.
type strip struct {
	on       bool // thumbnails only are shown
	open     bool // the wide list is open for now, whatever the shape
	shape    Shape
	head     *fyne.Container
	place    *kit.Text // of the shown result in the list
	search   *kit.Button
	foot     *fyne.Container
	count    *kit.Button // how many are selected; it opens the menu of actions for them
	footLine fyne.CanvasObject
}

func newStrip(toggle, search, actions func()) *strip {
	s := &strip{place: kit.NewText("", kit.TextStyle{Size: look.SizeSmall, Color: look.ColorMuted, Align: fyne.TextAlignCenter, Ellipsis: look.EllipsisEnd})}
	list := kit.NewButton(kit.Bare, "", look.IconResults, toggle)
	list.SetToolTip(i18n.T("Show the list (T)"))
	s.search = kit.NewButton(kit.Bare, "", look.IconSearch, search)
	s.search.SetToolTip(i18n.T("Search and filter (/)"))
	s.head = container.New(layout.NewCustomPaddedLayout(look.Space, look.Space, look.Space, look.Space),
		container.NewBorder(nil, nil, list, s.search, s.place))
	s.count = kit.NewButton(kit.Plain, "", nil, actions)
	s.count.SetToolTip(i18n.T("Actions for the selection"))
	s.foot = container.New(layout.NewCustomPaddedLayout(look.Space, look.Space, 0, 0), container.NewCenter(s.count))
	s.footLine = kit.NewLine()
	s.head.Hide()
	s.foot.Hide()
	return s
}

// selected shows how many results are selected.
func (s *strip) selected(n int) {
	s.count.SetLabel(i18n.N(n, "%s selected", "%s selected"))
	kit.SetVisible(s.foot, s.on && n > 0)
	kit.SetVisible(s.footLine, !s.on || n > 0)
}

// shows reports whether the list shows thumbnails only, on a screen of a width. An empty list needs words.
func (s *strip) shows(width float32, empty bool) bool { return !s.open && !empty && s.usual(width) }

// usual reports whether thumbnails only are what the person chose, or what the width has room for.
func (s *strip) usual(width float32) bool {
	return !fits(width) || s.shape == Strip || s.shape == ByWidth && width < stripBelow
}

const (
	stripWidth   float32 = 136
	listNarrow   float32 = 256
	listWide     float32 = 332
	stripBelow   float32 = 1300 // width of the screen: below it the room is the medium's
	viewerNarrow float32 = 480
)

// fits reports whether the wide list has room beside the viewer.
func fits(width float32) bool { return width >= listNarrow+look.Hairline+viewerNarrow }

// SetShape shows the list as it was chosen before.
func (r *Screen) SetShape(s Shape) {
	r.strip.shape = s
	r.reshape()
}

// toggleStrip shows the list in the other way. That is kept, unless the list was only open for a while, or lies over the viewer, beside which it has no
// room.
func (r *Screen) toggleStrip() {
	switch was := r.strip.on; {
	case r.closeList():
		return
	case !fits(r.root.Size().Width):
		r.strip.open = was
	case was:
		r.choseShape(Wide)
	default:
		r.choseShape(Strip)
	}
	r.reshape()
}

func (r *Screen) choseShape(s Shape) {
	r.strip.open, r.strip.shape = false, s
	r.Shaped(s)
}

// openList shows the wide list until the person goes back to the thumbnails.
func (r *Screen) openList() {
	if r.strip.on {
		r.strip.open = true
		r.reshape()
	}
}

// closeList goes back to the thumbnails, and reports whether the wide list was open for a while.
func (r *Screen) closeList() bool {
	if !r.strip.open || !r.strip.usual(r.root.Size().Width) {
		return false
	}
	r.strip.open = false
	r.reshape()
	return true
}

// reshape lays the screen out again, if the list is to be shown in another way.
func (r *Screen) reshape() {
	if size := r.root.Size(); size.Width > 0 && r.strip.shows(size.Width, r.noRows()) != r.strip.on {
		kit.Relayout(r.root)
	}
	r.showPlace()
}

// noRows reports that the list is empty, which needs words and not thumbnails.
func (r *Screen) noRows() bool { return r.window.known && r.window.counts.Shown == 0 }

// showPlace says above the thumbnails which of the results is shown.
func (r *Screen) showPlace() {
	n := r.window.counts.Shown
	words := i18n.F("%s of %s", i18n.Count(r.cursor+1), CountText(n))
	if r.cursor < 0 {
		words = CountText(n)
	}
	r.strip.place.SetText(words)
	r.strip.search.SetMuted(!r.window.query.Filtered())
}

// setStrip shows thumbnails only, or the wide list.
func (r *Screen) setStrip(on bool) {
	r.strip.on = on
	kit.SetVisible(r.strip.head, on)
	kit.SetVisible(r.filters.root, !on)
	r.showSelection()
	if on {
		r.list.become(tileRowHeight)
	} else {
		r.list.become(rowHeight)
	}
}

func (r *Screen) newRow() fyne.CanvasObject {
	return newRowWidget(r.strip.on, r.clickedBox)
}

// screenLayout gives the list a quarter of the width, within limits, or the strip's width; then a hairline, and the viewer the rest. A wide list for which
// there is no room lies over the viewer.
type screenLayout struct{ screen *Screen }

// Layout implements fyne.Layout.
func (l screenLayout) Layout(_ []fyne.CanvasObject, size fyne.Size) {
	r := l.screen
	viewer := r.Viewer.Object()
	strip := r.strip.shows(size.Width, r.noRows())
	width, left := stripWidth, stripWidth
	if !strip {
		width = min(max(0.275*size.Width, listNarrow), listWide)
		if fits(size.Width) {
			left = width
		}
	}
	if strip != r.strip.on {
		r.setStrip(strip)
	}
	r.root.Objects = []fyne.CanvasObject{r.left, r.line, viewer} // Tab goes that way
	if left < width {
		r.root.Objects = []fyne.CanvasObject{viewer, r.left, r.line} // the last is uppermost
	}
	kit.PlaceAt(r.left, 0, 0, width, size.Height)
	kit.PlaceAt(r.line, width, 0, look.Hairline, size.Height)
	kit.PlaceAt(viewer, left+look.Hairline, 0, max(0, size.Width-left-look.Hairline), size.Height)
}

// MinSize implements fyne.Layout.
func (l screenLayout) MinSize([]fyne.CanvasObject) fyne.Size {
	viewer := l.screen.Viewer.Object().MinSize()
	return fyne.NewSize(stripWidth+look.Hairline+viewer.Width, max(l.screen.left.MinSize().Height, viewer.Height))
}
