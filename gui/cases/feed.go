package cases

import (
	"slices"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/layout"

	"assay/client/i18n"
	"assay/gui/kit"
	"assay/gui/look"
)

// feed shows what happened in a case, the newest first, and has the field in which a note is written.
type feed struct {
	screen *Screen
	root   *fyne.Container
	title  fyne.CanvasObject
	fresh  *kit.Text // how much is new
	scroll *container.Scroll
	column *fyne.Container
	more   *kit.Button
	field  *kit.Field
	shown  []Event
}

func newFeed(s *Screen) *feed {
	f := &feed{screen: s, column: container.New(kit.Column{Gap: 4 * look.Space, Grow: -1})}
	f.more = kit.NewButton(kit.Bare, i18n.T("Show earlier"), look.IconChevronDown, func() {
		s.pane.wanted += happenedShown
		s.Changed()
	})
	f.field = kit.NewField(i18n.T("Write a note"), nil)
	f.field.Longest = longestText
	f.field.OnSubmitted = f.written
	const edge = 4 * look.Space
	f.fresh = kit.NewText("", kit.TextStyle{Size: look.SizeSmall, Color: look.ColorMuted})
	f.title = container.New(layout.NewCustomPaddedLayout(edge, 2*look.Space, edge, edge), cardHead(i18n.T("What happened"), f.fresh))
	scrolled := kit.NewScroll(container.New(layout.NewCustomPaddedLayout(2*look.Space, edge, edge, edge),
		container.New(kit.Column{Gap: 3 * look.Space, Grow: -1}, f.column, container.NewHBox(f.more))))
	f.scroll = scrolled.Objects[0].(*container.Scroll)
	f.root = container.New(kit.Column{Gap: 0, Grow: 1}, f.title, scrolled, kit.NewLine(),
		container.New(layout.NewCustomPaddedLayout(3*look.Space, 3*look.Space, edge, edge), f.field))
	return f
}

// set shows what happened; another says that it is of another case.
func (f *feed) set(c Case, another bool) {
	kit.SetVisible(f.more, c.More)
	f.fresh.SetText(newText(c.Shared.New))
	kit.RelayoutDeep(f.title.(*fyne.Container))
	if another {
		f.field.SetText("")
		f.scroll.ScrollToTop()
	}
	if sameEvents(f.shown, c.Happened) {
		return
	}
	came := 0 // how many are before those that were shown
	if len(f.shown) > 0 && !another {
		came = max(0, slices.IndexFunc(c.Happened, f.shown[0].same))
	}
	f.shown = c.Happened
	f.column.RemoveAll()
	small := kit.TextStyle{Size: look.SizeSmall, Color: look.ColorMuted}
	for _, e := range f.shown {
		entry := container.New(kit.Column{Gap: 2, Grow: -1})
		switch who := kit.NewText(e.Who, kit.TextStyle{Size: look.SizeSmall, Weight: look.WeightBold, Ellipsis: look.EllipsisEnd}); {
		case e.New:
			entry.Add(container.NewBorder(nil, nil, nil, kit.NewIcon(look.IconDot, look.ColorAccent, 8), who))
		case e.Who != "":
			entry.Add(who)
		}
		entry.Add(kit.NewParagraph(e.Text, kit.TextStyle{Size: look.SizeSmall}))
		when := fyne.CanvasObject(kit.NewText(e.When, small))
		if e.Entries != "" {
			when = container.New(feedFoot{}, when, f.screen.newRemove(e))
		}
		entry.Add(when)
		f.column.Add(entry)
	}
	kit.RelayoutTwice(f.root)
	if came > 0 && f.scroll.Offset.Y > 0 { // what is read stays where it is
		f.scroll.Offset.Y += f.column.Objects[came].Position().Y
	}
	f.scroll.Refresh()
}

func sameEvents(a, b []Event) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}

// written keeps what was written as a note.
func (f *feed) written(text string) {
	text = strings.TrimSpace(text)
	if text == "" || f.screen.pane.of.ID == "" {
		return
	}
	f.screen.note(text, func() { f.field.SetText("") })
}

// Writes reports whether a note is being written that is not kept yet.
func (s *Screen) Writes() bool { return s.pane.feed.field.Text != "" }
