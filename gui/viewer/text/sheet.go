package text

import (
	"context"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"assay/gui/look"
	"assay/gui/work"
)

// sheet is the scrolling text. Only the lines in sight are drawn; a long text is broken into lines on a worker.
type sheet struct {
	workers *work.Workers
	// onTapped is called with the index of the mark (or -1) and the link (or "") that was clicked.
	onTapped func(mark int, link string)
	// onRune handles characters while the text has the focus.
	onRune func(r rune) bool
	// onCopy is called with the selected text, to copy it.
	onCopy func(text string)

	prose   *Prose
	widths  *widths
	lines   *lines // of prose; for another width while it is being broken again
	marks   bool   // whether marks are shown
	current int    // the mark that was jumped to, or -1
	breaks  context.CancelFunc
	wanted  float32 // the width for which lines exist or are being made
	toShow  *place  // to scroll to once there are lines

	scroll *container.Scroll
	leaf   *leaf
	object *fyne.Container
}

// place is a byte of a block.
type place struct{ block, at int }

// shortText is up to how many bytes a text is broken into lines on the UI thread, within a frame.
const shortText = 128 << 10

func newSheet(w *work.Workers) *sheet {
	s := &sheet{workers: w, marks: true, current: -1, breaks: func() {}, prose: &Prose{}}
	s.leaf = newLeaf(s)
	s.scroll = container.NewVScroll(s.leaf)
	s.scroll.OnScrolled = func(fyne.Position) { s.leaf.update() }
	s.object = container.New(sheetLayout{s}, s.scroll)
	return s
}

// set shows a text from its beginning.
func (s *sheet) set(p *Prose, w *widths) {
	s.breaks()
	s.prose, s.widths, s.lines, s.wanted, s.current, s.toShow = p, w, nil, 0, -1, nil
	s.leaf.selected, s.leaf.dragging = selection{}, false
	s.scroll.Offset = fyne.Position{}
	s.object.Refresh()
	s.arrange(s.object.Size())
	s.leaf.Refresh()
}

func (s *sheet) face() face {
	return face{text: look.Size(look.SizeText) + 1, heading: look.Size(look.SizeHeading) + 1}
}

// arrange breaks the text for the current width.
func (s *sheet) arrange(size fyne.Size) {
	s.scroll.Resize(size)
	if size.Width <= 0 || s.widths == nil {
		return
	}
	f := s.face()
	if s.wanted == size.Width && (s.lines == nil || s.lines.face == f) {
		s.fit()
		return
	}
	s.wanted = size.Width
	if s.toShow == nil {
		s.toShow = s.top()
	}
	s.breaks()
	s.breaks = func() {}
	blocks, w := s.prose.Blocks, s.widths
	if isShort(blocks) {
		s.take(breakLines(context.Background(), blocks, w, f, size.Width))
		return
	}
	s.breaks = s.workers.Do(func(ctx context.Context) func() {
		broken := breakLines(ctx, blocks, w, f, size.Width)
		if broken == nil {
			return nil
		}
		return func() { s.take(broken) }
	})
}

func isShort(blocks []ProseBlock) bool {
	size := 0
	for i := range blocks {
		if size += len(blocks[i].Text); size > shortText {
			return false
		}
	}
	return true
}

// take shows the text in new lines, scrolled to the same place.
func (s *sheet) take(l *lines) {
	s.lines = l
	s.fit()
	if s.toShow != nil {
		if at := l.of(s.toShow.block, s.toShow.at); at >= 0 {
			s.scroll.Offset.Y = max(0, min(l.all[at].y-edge, l.height-s.scroll.Size().Height))
		}
		s.toShow = nil
	}
	s.scroll.Refresh()
	s.leaf.Refresh()
}

// fit sets the height of the scroll's content.
func (s *sheet) fit() {
	if s.leaf.MinSize().Height > s.scroll.Size().Height && s.leaf.Size().Height != s.leaf.MinSize().Height || s.leaf.Size().Width != s.scroll.Size().Width {
		s.scroll.Refresh()
	}
	s.leaf.update()
}

// top is the place at the upper edge, nil at the beginning.
func (s *sheet) top() *place {
	if s.lines == nil || len(s.lines.all) == 0 || s.scroll.Offset.Y < 1 {
		return nil
	}
	l := s.lines.all[s.lines.at(s.scroll.Offset.Y+edge)]
	return &place{block: l.block, at: l.start}
}

// jump scrolls to a mark and highlights it.
func (s *sheet) jump(mark int) {
	s.current = mark
	m := s.prose.Marks[mark]
	if s.lines == nil {
		s.toShow = &place{block: m.Block, at: m.Start}
		return
	}
	if at := s.lines.of(m.Block, m.Start); at >= 0 {
		y, high := s.lines.all[at].y, s.scroll.Size().Height
		if offset := s.scroll.Offset.Y; y < offset+edge || y+2*s.lines.face.heading*leading > offset+high {
			s.scrollTo(y - high/3)
		}
	}
	s.leaf.Refresh()
}

// scrollTo scrolls a height to the upper edge.
func (s *sheet) scrollTo(y float32) {
	if s.lines == nil {
		return
	}
	s.scroll.ScrollToOffset(fyne.NewPos(0, max(0, min(y, s.lines.height-s.scroll.Size().Height))))
	s.leaf.update()
}

// typedKey scrolls; it reports whether it used the key.
func (s *sheet) typedKey(name fyne.KeyName) bool {
	if s.lines == nil {
		return false
	}
	y, page, step := s.scroll.Offset.Y, s.scroll.Size().Height-2*s.lines.face.text*leading, s.lines.face.text*leading
	switch name {
	case fyne.KeyDown:
		y += step
	case fyne.KeyUp:
		y -= step
	case fyne.KeyPageDown:
		y += max(page, step)
	case fyne.KeyPageUp:
		y -= max(page, step)
	case fyne.KeyHome:
		y = 0
	case fyne.KeyEnd:
		y = s.lines.height
	default:
		return false
	}
	s.scrollTo(y)
	return true
}

// sheetLayout resizes the text and breaks it again.
type sheetLayout struct{ sheet *sheet }

// Layout implements fyne.Layout.
func (l sheetLayout) Layout(_ []fyne.CanvasObject, size fyne.Size) { l.sheet.arrange(size) }

// MinSize implements fyne.Layout.
func (sheetLayout) MinSize([]fyne.CanvasObject) fyne.Size { return fyne.NewSize(160, 96) }
