package cases

import (
	"context"
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"assay/client/i18n"
	"assay/gui/kit"
	"assay/gui/look"
	"assay/gui/present"
	"assay/gui/thumbs"
)

// chooseItems asks for results that are put into the case.
type chooseItems struct {
	screen *Screen
	of     Case
	items  []Item
	ticked []string // IDs in the order in which they were ticked
	search *kit.SearchField
	table  *kit.Table[*itemRow]
	words  *kit.Paragraph
	add    *kit.Button
	stop   context.CancelFunc // of the read under way
}

// resultsOffered is how many results are offered at a time: the newest that a search finds.
const resultsOffered = 200

// AddItems asks for results, or files, and puts them into the case that is shown.
func (s *Screen) AddItems() {
	if s.pane.of.ID == "" {
		return
	}
	c := &chooseItems{screen: s, of: s.pane.of, words: kit.NewHint(""), stop: func() {}}
	c.search = kit.NewSearchField(i18n.T("Find a result"), func(string) { c.read() })
	c.search.OnDone, c.search.OnEscape = func() { s.focus(c.table) }, s.Sheet.Close
	c.table = kit.NewTable(kit.TableRows[*itemRow]{
		Name: i18n.T("Results"), Height: itemHeight,
		Len:   func() int { return len(c.items) },
		ID:    func(i int) string { return c.items[i].ID },
		Index: c.placeOf,
		New:   func() *itemRow { return newItemRow(c) },
		Fill:  func(o *itemRow, i int, cursor bool) { o.set(c.items[i], cursor) },
		Key: func(e *fyne.KeyEvent) bool {
			switch e.Name {
			case fyne.KeySpace, fyne.KeyReturn, fyne.KeyEnter:
				c.tick(c.table.Cursor())
				return true
			}
			return c.table.MoveBy(e.Name)
		},
		Rune: func(rune) bool { return false },
	})
	c.add = kit.NewButton(kit.Primary, "", nil, c.done)
	files := kit.NewButton(kit.Plain, i18n.T("Choose files…"), nil, func() {
		s.Sheet.Close()
		s.AddFiles(c.of.ID)
	})
	body := container.New(kit.Column{Gap: 3 * look.Space, Grow: -1}, c.search, container.New(kit.AtLeast(listHeight), c.table.Object()), c.words)
	s.choosing = c
	s.Sheet.Show(kit.SheetContent{Title: i18n.F("Add to “%s”", c.of.Title), Body: body, First: c.search, Width: sheetWidth, Left: container.NewHBox(files),
		Buttons: []*kit.Button{kit.NewButton(kit.Plain, i18n.T("Cancel"), nil, s.Sheet.Close), c.add},
		Closed: func() {
			c.stop()
			s.choosing = nil
		}})
	c.count()
	c.read()
}

// read reads the results that the typed text finds.
func (c *chooseItems) read() {
	c.stop()
	text, s := c.search.Text, c.screen
	c.stop = s.Workers.Do(func(ctx context.Context) func() {
		items, err := s.Records.Results(ctx, text, resultsOffered)
		return func() {
			sentence := ""
			switch {
			case err != nil:
				sentence = i18n.T("The results can't be read.") + " " + present.Problem(err)
			case len(items) == 0 && text != "":
				sentence = i18n.T("Nothing found.")
			case len(items) == 0:
				sentence = i18n.T("No results yet. Choose files: they are checked and added to the case.")
			case len(items) == resultsOffered:
				sentence = i18n.N(resultsOffered, "This is the newest %s. Search to find others.", "These are the newest %s. Search to find others.")
			}
			c.items = items
			c.words.SetText(sentence)
			kit.SetVisible(c.words, sentence != "")
			c.table.RowsMoved()
			s.Sheet.Refit()
		}
	})
}

func (c *chooseItems) placeOf(id string) int {
	return slices.IndexFunc(c.items, func(i Item) bool { return i.ID == id })
}

// inside reports whether a result is in the case already.
func (c *chooseItems) inside(id string) bool { return slices.Contains(c.of.Items, id) }

// tick chooses a result, or no longer.
func (c *chooseItems) tick(id string) {
	if id == "" || c.inside(id) {
		return
	}
	if i := slices.Index(c.ticked, id); i >= 0 {
		c.ticked = slices.Delete(c.ticked, i, i+1)
	} else {
		c.ticked = append(c.ticked, id)
	}
	c.table.RefreshRow(id)
	c.count()
}

func (c *chooseItems) count() {
	c.add.SetLabel(i18n.T("Add"))
	if n := len(c.ticked); n > 0 {
		c.add.SetLabel(i18n.F("Add %s", i18n.Count(n)))
	}
	kit.SetEnabled(c.add, len(c.ticked) > 0)
	c.screen.Sheet.Refit()
}

// done puts what was chosen into the case.
func (c *chooseItems) done() {
	s, ids, of := c.screen, slices.Clone(c.ticked), c.of.ID
	s.Sheet.Close()
	s.do(i18n.T("The items could not be added."), func(ctx context.Context) error {
		_, err := s.Records.Add(ctx, of, ids, s.by)
		return err
	}, nil)
}

const itemHeight float32 = 56

// itemRow shows a result that can be chosen.
type itemRow struct {
	kit.Row
	of    *chooseItems
	check *kit.CheckMark
	thumb *kit.Thumb
	name  *kit.Text
	mark  *kit.MarkIcon
	words *kit.Text
	item  Item
}

var _ fyne.Tappable = (*itemRow)(nil)

func newItemRow(of *chooseItems) *itemRow {
	r := &itemRow{of: of, check: kit.NewCheckMark(), thumb: kit.NewThumb(kit.RowThumb, nil), mark: kit.NewMarkIcon(look.MarkNone, 14),
		name:  kit.NewText("", kit.TextStyle{Weight: look.WeightMedium, Ellipsis: look.EllipsisMiddle}),
		words: kit.NewText("", kit.TextStyle{Size: look.SizeSmall, Ellipsis: look.EllipsisEnd})}
	r.StartRow(r)
	return r
}

func (r *itemRow) set(item Item, cursor bool) {
	r.item = item
	inside := r.of.inside(item.ID)
	r.Mark(cursor, false)
	state := kit.Unchecked
	if inside || slices.Contains(r.of.ticked, item.ID) {
		state = kit.Checked
	}
	r.check.SetState(state)
	r.thumb.SetIcon(thumbs.Icon(item.Medium))
	r.thumb.SetImage(r.of.screen.Rows.Get(item.ID, item.Medium, item.Care))
	r.name.SetText(item.Name)
	r.mark.SetMark(look.Mark(item.Mark))
	words := present.Joined(item.Words, item.Voice)
	if inside {
		words = present.Joined(words, i18n.T("already in the case"))
	}
	r.words.SetText(words)
	r.arrange(r.Size())
}

// Tapped implements fyne.Tappable.
func (r *itemRow) Tapped(*fyne.PointEvent) {
	r.of.table.MoveTo(r.of.placeOf(r.item.ID))
	r.of.tick(r.item.ID)
}

// AccessibilityLabel implements fyne.Accessible.
func (r *itemRow) AccessibilityLabel() string { return present.Joined(r.item.Name, r.words.Text()) }

// CreateRenderer implements fyne.Widget.
func (r *itemRow) CreateRenderer() fyne.WidgetRenderer {
	return r.DrawRow(fyne.NewSize(200, itemHeight), r.arrange, r.check, r.thumb, r.name, r.mark, r.words)
}

func (r *itemRow) arrange(size fyne.Size) {
	const edge, mark = 2 * look.Space, float32(14)
	r.PlaceRow(size)
	kit.PlaceInRow(r.check, edge, size.Height, kit.RowCheck, kit.RowCheck)
	x := edge + kit.RowCheck + kit.RowGap
	kit.PlaceInRow(r.thumb, x, size.Height, kit.RowThumb, kit.RowThumb)
	x += kit.RowThumb + kit.RowGap
	width := max(0, size.Width-x-edge)
	kit.StackLines(x, width, size.Height, r.name, r.words)
	if r.item.Mark != "" {
		words := r.words.MinSize().Height
		kit.PlaceAt(r.mark, x, r.words.Position().Y+(words-mark)/2, mark, mark)
		left := mark + 1.5*look.Space
		kit.PlaceAt(r.words, x+left, r.words.Position().Y, max(0, width-left), words)
	}
	kit.SetVisible(r.mark, r.item.Mark != "")
}
