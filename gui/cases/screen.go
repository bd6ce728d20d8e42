// Package cases is the screen of the cases, and its view model (model*.go, which do not use the toolkit). It is composed of gui/kit; its exported
// methods must be called on the UI thread, and none of them blocks.
package cases

import (
	"context"
	"slices"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"assay/client/i18n"
	"assay/gui/kit"
	"assay/gui/look"
	"assay/gui/present"
	"assay/gui/thumbs"
	"assay/gui/work"
)

// Params are what the screen needs. Functions without a ctx are called on the UI thread.
type Params struct {
	Records Records
	Desk    Desk          // nil: cases can't be shared
	Workers *work.Workers // use Records and Desk
	Network *work.Workers // likewise, where the desk's server is asked
	Sheet   *kit.Sheet
	Thumbs  *thumbs.Loader  // for pictures of thumbs.Tile
	Rows    *thumbs.Loader  // for pictures of thumbs.Row
	Person  string          // who uses this computer, "" where it does not say
	Sandbox bool            // results come from the sandbox, which the screen must say
	Open    func(id string) // shows a submission: its result, or its row in the inbox
	// ChooseFile opens the dialog for a file, and calls chosen with its path.
	ChooseFile func(chosen func(path string))
	// AddFiles opens the dialog for files, has them accepted, and puts them into a case.
	AddFiles func(of string)
	// OpenPage opens a page in the person's browser; then is called with why it could not be opened, or "".
	OpenPage func(p Page, then func(problem string))
	Report   func(of string) // makes the report of a case
	// ScanAgain opens the sheet that asks whether submissions are scanned again.
	ScanAgain func(ids []string)

	Now   func() time.Time                                 // nil: time.Now
	After func(d time.Duration, do func()) (cancel func()) // runs do on the UI thread later; nil: by a timer
}

// Screen shows the cases: the list at the left, the chosen one beside it; in a narrow window one of the two, with a way back to the list.
type Screen struct {
	Params
	root   *fyne.Container
	list   *listPane
	pane   *casePane
	filled *fyne.Container
	empty  fyne.CanvasObject
	failed *kit.Notice // why the cases can't be read

	all       []Entry
	known     bool         // the list was read
	chosen    string       // ID of the case shown, "" for none
	inside    bool         // a narrow window shows the case, not the list
	revealing string       // ID of the case that is to come into sight once it is read, "" for none
	busy      bool         // a read is under way
	again     bool         // another one is needed after it
	by        string       // who does what is done here
	choosing  *chooseItems // the sheet that asks for results; nil: it is not open
	undoing   func()       // undoes the last removal; nil: none is offered
	unoffer   func()       // cancels the timer that ends the offer
	doing     int          // how many changes are under way

	colleagues []Colleague // the others at the desk
	joined     bool        // this computer has joined one
	since      int64       // where the visit of the chosen case began: see Records.Case
	own        bool        // the person has changed something that is not shown yet

	looked string // the case that the desk was told is open; "" for none
	away   bool   // the window can't be seen
}

// undoOffered is for how long removing an item can be undone.
const undoOffered = 10 * time.Second

// New builds the screen, without reading anything: Changed does.
func New(p Params) *Screen {
	if p.Now == nil {
		p.Now = time.Now
	}
	if p.After == nil {
		p.After = kit.After
	}
	s := &Screen{Params: p, by: p.Person, unoffer: func() {}, since: beginsVisit}
	s.list = newListPane(s)
	s.pane = newCasePane(s)
	s.empty = s.newEmpty()
	s.empty.Hide()
	s.filled = container.New(screenLayout{s}, container.NewStack(kit.NewFill(look.ColorSurface), s.list.root), kit.NewFill(look.ColorBorder), s.pane.root)
	s.failed = kit.NewNotice(look.IconWarning, "", i18n.T("Try again"), s.Changed)
	s.failed.Hide()
	s.filled.Hide()
	s.root = container.New(kit.Column{Gap: 0, Grow: 1}, s.failed, container.NewStack(s.filled, s.empty))
	p.Rows.OnMade(func(id string) {
		if s.choosing != nil {
			s.choosing.table.RefreshRow(id)
		}
	})
	p.Thumbs.OnMade(func(id string) { s.pane.items.pictureMade(id) })
	return s
}

// Object is the screen's root.
func (s *Screen) Object() fyne.CanvasObject { return s.root }

// Came is called when the screen has come to the front: what colleagues do from now on is new.
func (s *Screen) Came() {
	s.since = beginsVisit
	s.Changed()
}

// Changed reads the cases again; it may be called often. What is shown stays until the new is there.
func (s *Screen) Changed() {
	if s.busy {
		s.again = true
		return
	}
	s.busy = true
	chosen, wanted, since, own := s.chosen, s.pane.wanted, s.since, s.own
	s.own = false
	s.Workers.Do(func(ctx context.Context) func() {
		all, err := s.Records.Cases(ctx)
		if err != nil {
			return func() { s.read(nil, Case{}, own, err) }
		}
		if chosen == "" && len(all) > 0 {
			chosen = all[0].ID
		}
		var c Case
		if chosen != "" {
			ok := false
			if c, ok, err = s.Records.Case(ctx, chosen, wanted, since); err == nil && !ok {
				c = Case{}
			}
		}
		var colleagues []Colleague
		joined := false
		if s.Desk != nil && err == nil {
			colleagues, joined, err = s.Desk.Colleagues(ctx)
		}
		return func() {
			s.colleagues, s.joined = colleagues, joined
			s.read(all, c, own, err)
		}
	})
}

// read shows what was read; own says that the person has changed something.
func (s *Screen) read(all []Entry, c Case, own bool, err error) {
	s.busy = false
	if err != nil {
		s.failed.SetText(i18n.T("The cases can't be read.") + " " + present.Problem(err))
		s.front(!s.known, true)
	} else {
		s.known, s.all = true, all
		switch {
		case s.chosen == "" && c.ID != "":
			s.chosen = c.ID
		case s.chosen != "" && s.chosen != c.ID:
			s.again = true // another was chosen meanwhile, or it is gone
			if !slices.ContainsFunc(all, func(e Entry) bool { return e.ID == s.chosen }) {
				s.chosen = ""
				s.again = len(all) > 0
			}
		}
		s.visit(c)
		s.list.update()
		if s.revealing != "" && s.revealing == c.ID {
			s.revealing = ""
			s.list.filter(c.Concluded)
			s.list.table.MoveTo(s.list.placeOf(c.ID))
		}
		if c.ID == s.chosen {
			s.pane.follow(c, own)
		}
		s.front(len(all) == 0, false)
	}
	if s.again {
		s.again = false
		s.Changed()
	}
}

// visit begins a visit of the case that was chosen, and keeps what was seen on it. What was new when it began, and what comes meanwhile, stays marked
// until another case is chosen or the screen is left.
func (s *Screen) visit(c Case) {
	if c.ID != s.chosen || !c.Shared.On {
		return
	}
	if s.since == beginsVisit {
		s.since = c.Shared.Since
	}
	for i := range s.all {
		if s.all[i].ID == c.ID {
			s.all[i].New = c.Shared.New
		}
	}
	if c.Shared.Last <= c.Shared.Kept || !s.root.Visible() {
		return
	}
	s.doing++
	s.Workers.Do(func(ctx context.Context) func() {
		_ = s.Desk.LookedAt(context.WithoutCancel(ctx), c.ID, c.Shared.Last) // else it is new once more at the next visit
		return func() { s.doing-- }
	})
}

// front shows the screen without cases or the one with cases, and whether they could not be read.
func (s *Screen) front(empty, failed bool) {
	if empty == s.empty.Visible() && empty != s.filled.Visible() && failed == s.failed.Visible() {
		return
	}
	kit.SetVisible(s.empty, empty && !failed)
	kit.SetVisible(s.filled, !empty)
	kit.SetVisible(s.failed, failed)
	kit.Relayout(s.root)
	s.root.Refresh()
}

// SubmissionsChanged is called with the IDs of submissions whose state or answer has changed.
func (s *Screen) SubmissionsChanged(ids []string) { s.pane.items.changed(ids) }

// Show opens a case.
func (s *Screen) Show(id string) {
	if id == s.chosen {
		return
	}
	s.chosen, s.since = id, beginsVisit
	s.pane.wanted = happenedShown
	s.list.update()
	s.Changed()
}

// Reveal opens a case and brings it into sight in the list, whatever was searched for there.
func (s *Screen) Reveal(id string) {
	s.list.search.SetText("")
	s.revealing = id
	s.enter(true)
	s.Show(id)
	s.Changed()
}

// Shown is the ID of the case that is shown, "" for none.
func (s *Screen) Shown() string { return s.pane.of.ID }

// Say shows a sentence above the case, in place of the last one; "" shows none.
func (s *Screen) Say(sentence string) {
	s.unoffer()
	s.undoing = nil
	s.pane.say(sentence, i18n.T("Dismiss"), func() { s.Say("") })
}

// do does something on a worker, then what follows if it succeeded, and reads the cases again. If it fails, a sentence says what could not be done.
func (s *Screen) do(failed string, action func(ctx context.Context) error, then func()) {
	s.doOn(s.Workers, failed, action, then)
}

func (s *Screen) doOn(workers *work.Workers, failed string, action func(ctx context.Context) error, then func()) {
	s.doing++
	workers.Do(func(ctx context.Context) func() {
		err := action(context.WithoutCancel(ctx)) // it is not lost when the window closes
		return func() {
			s.doing--
			if err != nil {
				s.Say(failed + " " + present.Problem(err))
				s.Changed() // a choice that was refused is shown as it is
				return
			}
			s.own = true
			if then != nil {
				then()
			}
			s.Changed()
		}
	})
}

// newEmpty is the screen before the first case.
func (s *Screen) newEmpty() fyne.CanvasObject {
	muted := kit.TextStyle{Color: look.ColorMuted, Align: fyne.TextAlignCenter}
	content := container.New(kit.Column{Gap: 3 * look.Space, Grow: -1},
		container.NewCenter(kit.NewRoundIcon(look.IconCases, 72)),
		kit.NewParagraph(i18n.T("Gather a story in a case"), kit.TextStyle{Size: look.SizeVerdict, Weight: look.WeightBold, Align: fyne.TextAlignCenter}),
		kit.NewParagraph(i18n.T("A case gathers a story's pictures, clips, recordings and texts, your other checks, and the desk's conclusion."), muted),
		kit.NewParagraph(i18n.T("Nothing of it leaves this computer."), muted),
		container.NewCenter(kit.NewButton(kit.Primary, i18n.T("New case…"), nil, s.NewCase)),
	)
	return kit.NewEmptyScreen(480, content)
}

// enter shows the chosen case where the window is too narrow for the list beside it, or the list again.
func (s *Screen) enter(inside bool) {
	s.inside = inside
	kit.Relayout(s.filled)
	s.filled.Refresh()
}

// screenLayout gives the list a part of the width, within limits, a hairline, and the case the rest. Where that is too little for both, one of them has
// all.
type screenLayout struct{ screen *Screen }

const (
	listLeast  float32 = 180
	listNarrow float32 = 216 // where there is room for the case beside it
	listWide   float32 = 280
	caseRoom   float32 = 400
)

// Layout implements fyne.Layout.
func (l screenLayout) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	one, inside := size.Width < listLeast+look.Hairline+paneLeast, l.screen.inside
	kit.SetVisible(objects[0], !one || !inside)
	kit.SetVisible(objects[1], !one)
	kit.SetVisible(objects[2], !one || inside)
	kit.SetVisible(l.screen.pane.back, one)
	if one {
		for _, o := range objects {
			kit.PlaceAt(o, 0, 0, size.Width, size.Height)
		}
		return
	}
	list := min(max(0.19*size.Width, listNarrow), listWide)
	list = max(listLeast, min(list, size.Width-look.Hairline-caseRoom))
	kit.PlaceAt(objects[0], 0, 0, list, size.Height)
	kit.PlaceAt(objects[1], list, 0, look.Hairline, size.Height)
	kit.PlaceAt(objects[2], list+look.Hairline, 0, size.Width-list-look.Hairline, size.Height)
}

// MinSize implements fyne.Layout.
func (screenLayout) MinSize([]fyne.CanvasObject) fyne.Size {
	return fyne.NewSize(paneLeast, paneLow)
}
