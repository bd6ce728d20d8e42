package results

import (
	"slices"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/layout"
	"fyne.io/fyne/v2/widget"

	"assay/client/i18n"
	"assay/gui/kit"
	"assay/gui/look"
	"assay/gui/present"
)

// pullFooter is below the list: the button that fetches the service's list, and the state of that.
type pullFooter struct {
	root   *fyne.Container
	title  *fyne.Container // with start in it
	start  *kit.Button
	line   *kit.Paragraph
	scope  *kit.Text
	other  *kit.Button // Stop, or Go on
	export *kit.Button // of all that the list shows
}

func newPullFooter(pull, stop, export func()) *pullFooter {
	small := kit.TextStyle{Size: look.SizeCaption, Color: look.ColorMuted, Ellipsis: look.EllipsisEnd}
	p := &pullFooter{line: kit.NewParagraph("", small), scope: kit.NewText(i18n.T(PullScope), small)}
	p.start = kit.NewButton(kit.Bare, i18n.T(PullTitle), look.IconRetry, pull)
	p.start.SetMuted(true)
	p.start.SetToolTip(i18n.T("Gets the list from the service.") + " " + i18n.T(PullScope) + ".")
	p.other = kit.NewButton(kit.Bare, "", nil, nil)
	p.export = kit.NewButton(kit.Bare, "", look.IconReport, export)
	p.export.SetMuted(true)
	p.export.SetToolTip(i18n.T("Export this list…"))
	p.title = container.New(layout.NewCustomPaddedLayout(0, 0, -2.5*look.Space, 0), container.New(low(28), container.NewHBox(p.start)))
	p.root = container.New(layout.NewCustomPaddedLayout(look.Space, 2*look.Space, 3*look.Space, 2*look.Space),
		container.NewBorder(nil, nil, nil, container.NewHBox(p.other, p.export),
			container.New(kit.Column{Gap: 0, Grow: -1}, p.title, p.line, p.scope)))
	p.set(Pull{}, time.Time{}, pull, stop)
	return p
}

// set shows the state of the fetching; now is needed for dates.
func (p *pullFooter) set(state Pull, now time.Time, pull, stop func()) {
	p.line.SetText(state.Line(now))
	kit.SetVisible(p.title, !state.Running && state.Problem == "")
	p.other.SetLabel(i18n.T("Stop"))
	p.other.OnTapped = stop
	if !state.Running {
		p.other.SetLabel(i18n.T("Go on"))
		p.other.OnTapped = pull
	}
	kit.SetVisible(p.other, state.Running || state.Problem != "")
	p.root.Refresh()
}

// selectionFooter is shown in its place while results are selected: how many, and the actions for them.
type selectionFooter struct {
	root    *fyne.Container
	line    *fyne.Container // of all but limit
	none    *kit.Button
	words   *kit.Text
	limit   *kit.Paragraph
	buttons []*kit.Button     // of selectionActions, in their order
	more    *kit.Button       // the menu of the others
	n       int               // are selected
	left    []selectionAction // that have no room
}

// selectionAction is what can be done with what is selected.
type selectionAction struct {
	words     i18n.Key
	action    present.Action // "" copies the rows as text
	unlimited bool           // it takes any number of them
	keeps     bool           // they stay selected
}

// Those that have keys: more than one report may be made of the same selection, and it may be put into more than one case.
var (
	selectionReport = selectionAction{words: "Report…", action: present.Report, unlimited: true, keeps: true}
	selectionCase   = selectionAction{words: "Case…", action: present.AddToCase, keeps: true}
)

// selectionActions are the actions with what is selected; the first ones are buttons, as far as there is room. None that sends has a key of its own.
var selectionActions = []selectionAction{
	{words: "Judge…", action: present.Judge, keeps: true},
	selectionReport,
	selectionCase,
	{words: "Note…", action: present.Annotate, keeps: true},
	{words: "Tags…", action: present.TagResults, keeps: true},
	{words: "Scan again…", action: present.Recheck},
	{words: "Copy as text"},
	{words: "Mark as graphic", action: present.MarkGraphic},
}

func newSelectionFooter(act func(selectionAction) bool, unselect func()) *selectionFooter {
	f := &selectionFooter{
		words: kit.NewText("", kit.TextStyle{Weight: look.WeightMedium, Ellipsis: look.EllipsisEnd}),
		limit: kit.NewParagraph("", kit.TextStyle{Size: look.SizeSmall, Color: look.ColorMuted}),
		none:  kit.NewButton(kit.Bare, "", look.IconClose, unselect),
	}
	f.none.SetMuted(true)
	f.none.SetToolTip(i18n.T("Clear the selection (Esc)"))
	f.more = kit.NewButton(kit.Plain, "", look.IconMore, func() {
		showActions(f.more, f.left, act)
	})
	f.more.SetToolTip(i18n.T("More"))
	line := []fyne.CanvasObject{f.none, f.words}
	for _, a := range selectionActions {
		b := kit.NewButton(kit.Plain, i18n.T(a.words), nil, func() { act(a) })
		f.buttons = append(f.buttons, b)
		line = append(line, b)
	}
	f.line = container.New(selectionLine{f}, append(line, f.more)...)
	f.root = container.New(layout.NewCustomPaddedLayout(2*look.Space, 2*look.Space, look.Space, 3*look.Space),
		container.New(kit.Column{Gap: look.Space, Grow: -1}, container.New(layout.NewCustomPaddedLayout(0, 0, 2*look.Space, 0), f.limit), f.line))
	return f
}

// set shows how many are selected.
func (f *selectionFooter) set(n int) {
	f.n = n
	f.words.SetText(i18n.N(n, "%s selected", "%s selected"))
	f.limit.SetText(i18n.F("You can only export more than %s at a time. Narrow the list for other actions.", i18n.Count(selectedMost)))
	kit.SetVisible(f.limit, n > selectedMost)
	kit.Relayout(f.line)
	f.root.Refresh()
}

// selectionLine is how many are selected at the left, and at the right the actions as far as there is room; the others are in a menu.
type selectionLine struct{ foot *selectionFooter }

// Layout implements fyne.Layout.
func (l selectionLine) Layout(_ []fyne.CanvasObject, size fyne.Size) {
	const gap = 1.5 * look.Space
	f := l.foot
	none, more := f.none.MinSize().Width, f.more.MinSize().Width
	words := min(f.words.FullWidth(), max(0, size.Width-none-gap-more))
	kit.PlaceInRow(f.none, 0, size.Height, none, f.none.MinSize().Height)
	kit.PlaceInRow(f.words, none, size.Height, words, f.words.MinSize().Height)
	var shown []*kit.Button
	shown, f.left = f.fitting(size.Width-none-words-gap, gap)
	for _, b := range f.buttons {
		kit.SetVisible(b, slices.Contains(shown, b))
	}
	kit.SetVisible(f.more, len(f.left) > 0)
	if len(f.left) > 0 {
		shown = append(shown, f.more)
	}
	right := size.Width
	for _, b := range slices.Backward(shown) {
		least := b.MinSize()
		kit.PlaceInRow(b, right-least.Width, size.Height, least.Width, least.Height)
		right -= least.Width + gap
	}
}

// fitting are the first buttons that have room in a width beside the menu, and the actions that are left for that.
func (f *selectionFooter) fitting(room, gap float32) (shown []*kit.Button, left []selectionAction) {
	room -= f.more.MinSize().Width
	for i, a := range selectionActions {
		if f.n > selectedMost && !a.unlimited {
			continue
		}
		if room -= f.buttons[i].MinSize().Width + gap; room < 0 {
			left = append(left, a)
			continue
		}
		shown = append(shown, f.buttons[i])
	}
	return shown, left
}

// MinSize implements fyne.Layout.
func (l selectionLine) MinSize([]fyne.CanvasObject) fyne.Size {
	return fyne.NewSize(l.foot.none.MinSize().Width+l.foot.more.MinSize().Width, look.ControlHeight)
}

// showActions opens a menu of actions above an object, which is at the foot of the window.
func showActions(from fyne.CanvasObject, actions []selectionAction, act func(selectionAction) bool) {
	over := fyne.CurrentApp().Driver().CanvasForObject(from)
	if over == nil {
		return
	}
	items := make([]*fyne.MenuItem, len(actions))
	for i, a := range actions {
		items[i] = fyne.NewMenuItem(i18n.T(a.words), func() { act(a) })
	}
	menu := widget.NewPopUpMenu(fyne.NewMenu("", items...), over)
	menu.ShowAtRelativePosition(fyne.NewPos(0, -menu.MinSize().Height-look.Space), from)
}
