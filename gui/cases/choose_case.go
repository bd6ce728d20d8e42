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
)

// chooseCase asks for a case: one that is open, or a new one.
type chooseCase struct {
	screen  *Screen
	take    func(ctx context.Context, to Target) (done func(), err error) // does what the case was chosen for, on a worker
	all     []Entry
	targets []Target
	search  *kit.SearchField
	table   *kit.Table[*targetRow]
	words   *kit.Paragraph
	busy    bool
}

// listHeight is the height of the list in a sheet, from which it scrolls.
const listHeight float32 = 280

// ChooseCase asks for a case and puts submissions into it. done is called with its ID and with what was done, in a sentence.
func (s *Screen) ChooseCase(ids []string, done func(id, sentence string)) {
	if len(ids) == 0 {
		return
	}
	ids = slices.Clone(ids)
	s.chooseCase(i18n.T("Add to a case"), func(ctx context.Context, to Target) (func(), error) {
		added, err := s.Records.Add(ctx, to.ID, ids, s.by)
		return func() { done(to.ID, AddedText(added, len(ids), oneLine(to.Title))) }, err
	})
}

// PickCase asks for a case, and makes it where it is a new one. done is called with its ID and title.
func (s *Screen) PickCase(done func(id, title string)) {
	s.chooseCase(i18n.T("Choose a case"), func(_ context.Context, to Target) (func(), error) {
		return func() { done(to.ID, oneLine(to.Title)) }, nil
	})
}

func (s *Screen) chooseCase(title string, take func(ctx context.Context, to Target) (done func(), err error)) {
	c := &chooseCase{screen: s, take: take, words: kit.NewHint("")}
	c.search = kit.NewSearchField(i18n.T("Find a case, or type the title of a new one"), func(string) { c.update() })
	c.search.OnDone, c.search.OnEscape = func() { s.focus(c.table) }, s.Sheet.Close
	c.search.OnSubmitted = func(text string) {
		if text == "" {
			s.focus(c.table)
			return
		}
		c.choose(0)
	}
	c.table = kit.NewTable(kit.TableRows[*targetRow]{
		Name: i18n.T("Cases"), Height: targetHeight,
		Len:   func() int { return len(c.targets) },
		ID:    func(i int) string { return c.targets[i].ID },
		Index: func(id string) int { return slices.IndexFunc(c.targets, func(t Target) bool { return t.ID == id }) },
		New:   func() *targetRow { return newTargetRow(c) },
		Fill:  func(o *targetRow, i int, cursor bool) { o.set(c.targets[i], i, cursor) },
		Key: func(e *fyne.KeyEvent) bool {
			if e.Name == fyne.KeyReturn || e.Name == fyne.KeyEnter || e.Name == fyne.KeySpace {
				c.choose(c.table.CursorAt())
				return true
			}
			return c.table.MoveBy(e.Name)
		},
		Rune: func(rune) bool { return false },
	})
	body := container.New(kit.Column{Gap: 3 * look.Space, Grow: -1}, c.search, container.New(kit.AtLeast(listHeight), c.table.Object()), c.words)
	s.Sheet.Show(kit.SheetContent{Title: title, Body: body, First: c.search, Width: sheetWidth,
		Buttons: []*kit.Button{kit.NewButton(kit.Plain, i18n.T("Cancel"), nil, s.Sheet.Close)}})
	c.update()
	s.Workers.Do(func(ctx context.Context) func() {
		all, err := s.Records.Cases(ctx)
		return func() {
			c.all = all
			c.update()
			if err != nil {
				c.say(i18n.T("The cases can't be read.") + " " + present.Problem(err))
			}
		}
	})
}

// update shows what the typed text finds.
func (c *chooseCase) update() {
	c.targets = Targets(c.all, c.search.Text)
	c.table.RowsMoved()
	hint := ""
	if len(c.targets) == 0 {
		hint = i18n.T("No case is open. Type the title of a new one.")
	}
	c.say(hint)
}

func (c *chooseCase) say(sentence string) {
	c.words.SetText(sentence)
	kit.SetVisible(c.words, sentence != "")
	c.screen.Sheet.Refit()
}

// choose takes the case at an index.
func (c *chooseCase) choose(i int) {
	if i < 0 || i >= len(c.targets) || c.busy {
		return
	}
	c.busy = true
	to, s := c.targets[i], c.screen
	s.Workers.Do(func(ctx context.Context) func() {
		ctx = context.WithoutCancel(ctx) // it is not lost when the window closes
		var err error
		if to.ID == "" {
			to.ID, err = s.Records.New(ctx, to.Title, s.by)
		}
		var done func()
		if err == nil {
			done, err = c.take(ctx, to)
		}
		return func() {
			c.busy = false
			if err != nil {
				c.say(i18n.T("The items could not be added.") + " " + present.Problem(err))
				return
			}
			s.Sheet.Close()
			done()
		}
	})
}

const targetHeight float32 = 48

// targetRow shows a case that can be chosen.
type targetRow struct {
	kit.Row
	of            *chooseCase
	icon          *kit.Icon
	words, detail *kit.Text
	index         int
	target        Target
}

var _ fyne.Tappable = (*targetRow)(nil)

func newTargetRow(of *chooseCase) *targetRow {
	r := &targetRow{of: of, icon: kit.NewIcon(look.IconCases, look.ColorMuted, kit.RowSign),
		words:  kit.NewText("", kit.TextStyle{Weight: look.WeightMedium, Ellipsis: look.EllipsisEnd}),
		detail: kit.NewText("", kit.TextStyle{Size: look.SizeSmall, Color: look.ColorMuted, Ellipsis: look.EllipsisEnd})}
	r.StartRow(r)
	return r
}

func (r *targetRow) set(t Target, i int, cursor bool) {
	r.index, r.target = i, t
	r.Mark(cursor, false)
	icon := look.IconCases
	if t.ID == "" {
		icon = look.IconPlus
	}
	r.icon.Set(icon, look.ColorMuted)
	r.words.SetText(t.Words)
	r.detail.SetText(t.Detail)
	r.arrange(r.Size())
}

// Tapped implements fyne.Tappable.
func (r *targetRow) Tapped(*fyne.PointEvent) { r.of.choose(r.index) }

// AccessibilityLabel implements fyne.Accessible.
func (r *targetRow) AccessibilityLabel() string {
	return present.Joined(r.target.Words, r.target.Detail)
}

// CreateRenderer implements fyne.Widget.
func (r *targetRow) CreateRenderer() fyne.WidgetRenderer {
	return r.DrawRow(fyne.NewSize(200, targetHeight), r.arrange, r.icon, r.words, r.detail)
}

func (r *targetRow) arrange(size fyne.Size) {
	const edge = 2 * look.Space
	r.PlaceRow(size)
	kit.PlaceInRow(r.icon, edge, size.Height, kit.RowSign, kit.RowSign)
	x := edge + kit.RowSign + kit.RowGap
	kit.StackLines(x, max(0, size.Width-x-edge), size.Height, r.words, r.detail)
}
