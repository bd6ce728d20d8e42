package results

import (
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/layout"

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
	words   *kit.Text
	limit   *kit.Paragraph
	actions *fyne.Container
	buttons []*kit.Button // of selectionActions, in their order
}

// selectionAction is what can be done with what is selected.
type selectionAction struct {
	words     i18n.Key
	action    present.Action // "" copies the rows as text
	unlimited bool           // it takes any number of them
	keeps     bool           // they stay selected
}

// selectionReport may be made of them more than once.
var selectionReport = selectionAction{words: "Report…", action: present.Report, unlimited: true, keeps: true}

// selectionActions are the actions with what is selected, in the order of their buttons. None has a key of its own: a stray one would send.
var selectionActions = []selectionAction{
	{words: "Judge…", action: present.Judge, keeps: true},
	{words: "Note…", action: present.Annotate, keeps: true},
	{words: "Scan again…", action: present.Recheck},
	{words: "Copy as text"},
	selectionReport,
	{words: "Case…", action: present.AddToCase, keeps: true},
	{words: "Mark as graphic", action: present.MarkGraphic},
}

func newSelectionFooter(act func(selectionAction) bool, unselect func()) *selectionFooter {
	f := &selectionFooter{
		words: kit.NewText("", kit.TextStyle{Weight: look.WeightMedium, Ellipsis: look.EllipsisEnd}),
		limit: kit.NewParagraph("", kit.TextStyle{Size: look.SizeSmall, Color: look.ColorMuted}),
	}
	f.actions = container.New(&kit.Flow{Gap: look.Space, Line: look.Space})
	for _, a := range selectionActions {
		b := kit.NewButton(kit.Plain, i18n.T(a.words), nil, func() { act(a) })
		f.buttons = append(f.buttons, b)
		f.actions.Add(b)
	}
	esc := kit.NewButton(kit.Bare, i18n.T("Esc"), nil, unselect)
	esc.SetMuted(true)
	esc.SetToolTip(i18n.T("Clear selection"))
	f.root = container.New(layout.NewCustomPaddedLayout(look.Space, 3*look.Space, 3*look.Space, 2*look.Space),
		container.New(kit.Column{Gap: look.Space, Grow: -1},
			container.NewBorder(nil, nil, nil, esc, f.words), f.limit,
			f.actions))
	return f
}

// set shows how many are selected.
func (f *selectionFooter) set(n int) {
	f.words.SetText(i18n.N(n, "%s selected", "%s selected"))
	f.limit.SetText(i18n.F("You can only export more than %s at a time. Narrow the list for other actions.", i18n.Count(selectedMost)))
	kit.SetVisible(f.limit, n > selectedMost)
	for i, a := range selectionActions {
		kit.SetVisible(f.buttons[i], n <= selectedMost || a.unlimited)
	}
	f.root.Refresh()
}
