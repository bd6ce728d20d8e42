// Package review is the sheet that shows what would be sent, and asks whether it may, with its view model (model*.go, which do not use the toolkit).
// Its exported methods must be called on the UI thread, and none of them blocks.
package review

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

// Params are what the sheet needs. Its functions are called on the UI thread; Send and Never after the sheet was closed or shows the next one.
type Params struct {
	Sheet *kit.Sheet
	Send  func(ids []string, how Choice)
	Never func(ids []string)
	// Use takes over the answers of colleagues, and OpenCase shows a case; nil where there is no desk.
	Use      func(ids []string)
	OpenCase func(id string)
	// Look reads what is shown of a submission, and calls Review.Sampled and Refresh then. asked says that the person wants to see what is covered so far
	// as now says.
	Look   func(id string, now present.Preview, asked bool)
	Player Player            // of recordings; may be nil
	Copy   func(text string) // puts a text on the clipboard
	Now    func() time.Time
	Closed func() // called when it was closed in any way; may be nil
}

// Player plays a recording that would be sent.
type Player interface {
	Object() fyne.CanvasObject
	Show(id string) // of a submission; nothing plays by itself
	Clear()
}

// Sheet shows what would be sent, and asks whether it may. It opens at once, and is filled as the files are read.
type Sheet struct {
	Params
	review  *Review // nil while it is closed
	how     Choice
	more    bool      // whether what else the file says is shown
	looking string    // the submission that Look was called for
	latest  time.Time // when the person decided last

	body        *body
	title       *kit.Paragraph
	steps       *kit.Text
	before      *kit.Button
	after       *kit.Button
	stepping    *fyne.Container
	together    *kit.Check
	to          *kit.Paragraph
	copied      *kit.Paragraph
	noted       *kit.Paragraph
	problem     *kit.Notice
	checked     *checkedView
	use         *kit.Button
	sample      *sampleView
	kind        *kit.Paragraph
	table       *table
	warning     *kit.Notice
	heading     *kit.Text
	finds       *lineList
	findsNote   *kit.Paragraph
	otherToggle *kit.Button
	other       *lineList
	files       *lineList
	neutral     *kit.Check
	pending     *kit.Paragraph
	copying     *kit.Button
	send        *kit.Button
	notNow      *kit.Button
	never       *kit.Button
}

// New makes a closed sheet.
func New(p Params) *Sheet { return &Sheet{Params: p} }

// Open reports whether the sheet is shown.
func (s *Sheet) Open() bool { return s.review != nil }

// The sheet has room for what would be sent beside the question. Its size does not depend on what is in it, so that nothing moves under the pointer.
const (
	width  float32 = 1008
	height float32 = 672
)

// Show opens the sheet for a review, in place of what it shows.
func (s *Sheet) Show(l *Review) {
	s.Sheet.Close()
	s.review, s.how, s.more, s.looking, s.latest = l, Choice{}, false, "", time.Time{}
	s.build()
	s.fill()
	s.Sheet.Show(kit.SheetContent{
		Body:   s.body.object,
		First:  s.notNow, // not one that sends: a key may still be down
		Width:  width,
		Height: height,
		Closed: func() {
			s.review = nil
			s.play("")
			if s.Closed != nil {
				s.Closed()
			}
		},
	})
}

// Refresh shows what is known by now; call it after each change of the review that Show was given. If it has no submissions left, the sheet closes.
func (s *Sheet) Refresh() {
	switch {
	case s.review == nil:
	case len(s.review.IDs()) == 0:
		s.Sheet.Close()
	default:
		s.fill()
		s.body.layOut()
	}
}

// Leave covers again what the person asked to see.
func (s *Sheet) Leave() {
	if s.review == nil {
		return
	}
	s.review.Sampled("", Sample{})
	s.play("")
	s.looking = ""
	s.Refresh()
}

// SendCopy sends a copy without metadata, if one can be made: the key for it was pressed.
func (s *Sheet) SendCopy() {
	if s.review != nil && s.copying.Visible() && !s.copying.Disabled() {
		s.copying.OnTapped()
	}
}

func (s *Sheet) build() {
	muted := kit.TextStyle{Color: look.ColorMuted}
	small := kit.TextStyle{Size: look.SizeSmall, Color: look.ColorMuted}
	s.title = kit.NewParagraph("", kit.TextStyle{Size: look.SizeHeading, Weight: look.WeightBold})
	s.steps = kit.NewText("", small)
	s.before = kit.NewButton(kit.Bare, "", look.IconChevronLeft, func() { s.step(-1) })
	s.before.SetToolTip(i18n.T("Previous"))
	s.after = kit.NewButton(kit.Bare, "", look.IconChevronRight, func() { s.step(1) })
	s.after.SetToolTip(i18n.T("Next"))
	s.together = kit.NewCheck(i18n.F("Decide on all %s at once", i18n.Count(len(s.review.IDs()))), func(ticked bool) {
		s.review.SetTogether(ticked)
		s.Refresh()
	})
	s.stepping = container.NewHBox(s.together, layout.NewSpacer(), s.before, container.NewCenter(s.steps), s.after)
	s.to = kit.NewParagraph("", muted)
	s.problem = kit.NewNotice(look.IconWarning, "", "", nil)
	s.checked = newCheckedView(func(caseID string) {
		s.Sheet.Close()
		s.OpenCase(caseID)
	})
	s.use = kit.NewChoiceButton(kit.Primary, kit.Option{}, look.IconCheck, "", func() {
		if s.review == nil || s.again() {
			return
		}
		ids, all := s.review.Usable(), s.review
		all.Drop(ids...)
		s.more = false
		s.Refresh()
		s.Use(ids)
	})
	s.warning = kit.NewNotice(look.IconWarning, "", "", nil)
	s.finds, s.other, s.files = newLineList(), newLineList(), newLineList()
	s.sample = newSampleView(s.Player, func() {
		if shown, _ := s.review.Sample(); shown.Picture != nil {
			s.Look(s.review.Current(), shown.Preview, true)
		}
	})
	s.kind = kit.NewParagraph("", small)
	s.table = newTable(s.Copy)
	s.heading = kit.NewText(i18n.T("What identifies someone"), kit.TextStyle{Weight: look.WeightBold})
	s.findsNote = kit.NewParagraph("", small)
	s.otherToggle = kit.NewButton(kit.Bare, "", look.IconChevronRight, func() {
		s.more = !s.more
		s.Refresh()
	})
	s.neutral = kit.NewCheck(i18n.T("Send under a neutral name"), func(ticked bool) {
		s.how.NeutralName = ticked
		s.Refresh()
	})
	s.pending = kit.NewParagraph("", small)
	send := func(without bool) func() {
		return func() {
			how := s.how
			how.WithoutMetadata = without
			s.decide(func(ids []string) { s.Send(ids, how) })
		}
	}
	s.copying = kit.NewChoiceButton(kit.Primary, kit.Option{Words: i18n.T("Send a copy without metadata")}, look.IconReport, kit.Shortcut(i18n.T("Enter")), send(true))
	s.send = kit.NewChoiceButton(kit.Plain, kit.Option{}, look.IconArrowUp, "", send(false))
	s.notNow = kit.NewChoiceButton(kit.Plain, kit.Option{Words: i18n.T("Not now")}, look.IconHourglass, i18n.T("Esc"), s.Sheet.Close)
	s.never = kit.NewChoiceButton(kit.Plain, kit.Option{Words: i18n.T("Never send")}, look.IconLock, "", func() {
		if s.review == nil || s.again() {
			return
		}
		ids := s.review.Decided()
		s.Sheet.Close() // the line with Undo is below it
		s.Never(ids)
	})
	s.copied, s.noted = kit.NewParagraph("", kit.TextStyle{}), kit.NewParagraph("", small)
	column := func(gap float32, objects ...fyne.CanvasObject) *fyne.Container {
		return container.New(kit.Column{Gap: gap, Grow: -1}, objects...)
	}
	s.body = newBody(parts{
		asked: column(3*look.Space, s.stepping, column(look.Space, s.title, s.to), s.checked.object, s.problem, s.warning, s.copied),
		shown: column(2*look.Space, s.sample.object, s.kind, s.heading, s.finds.object, s.findsNote,
			container.New(layout.NewHBoxLayout(), s.otherToggle), s.other.object, s.files.object, s.pending),
		sent:    column(3*look.Space, s.table.object, s.neutral, s.noted),
		choices: []*kit.Button{s.use, s.copying, s.send, s.notNow, s.never},
		sample:  s.sample,
	}, s.explain)
}

// explain sets the lines that say what the choices do. In a low window only those are shown that say why something can't be chosen.
func (s *Sheet) explain() {
	if s.review == nil {
		return
	}
	v := s.review.Content(s.how)
	notNow, never := i18n.T("It stays in the inbox and waits for your decision."), i18n.T("It stays on this computer. You can undo this for 5 seconds.")
	if steps, _, _ := s.review.Steps(); steps == "" && len(s.review.IDs()) > 1 { // the choice is one for all of them
		notNow, never = i18n.T("They stay in the inbox and wait for your decision."), i18n.T("They stay on this computer. You can undo this for 5 seconds.")
	}
	if s.body.low {
		notNow, never = "", ""
		if v.Use.Means = ""; v.Copy.Possible {
			v.Copy.Means = ""
		}
		if v.Plain.Possible {
			v.Plain.Means = ""
		}
	}
	s.use.SetMeans(v.Use.Means)
	s.copying.SetMeans(v.Copy.Means)
	s.send.SetMeans(v.Plain.Means)
	s.notNow.SetMeans(notNow)
	s.never.SetMeans(never)
}

// step shows the next submission, or the one before.
func (s *Sheet) step(by int) {
	s.review.Step(by)
	s.more = false
	s.Refresh()
}

// fill updates the existing widgets.
func (s *Sheet) fill() {
	v := s.review.Content(s.how)
	steps, before, after := s.review.Steps()
	kit.SetVisible(s.stepping, len(s.review.IDs()) > 1)
	s.steps.SetText(steps)
	kit.SetVisible(s.before, steps != "")
	kit.SetVisible(s.after, steps != "")
	kit.SetEnabled(s.before, before)
	kit.SetEnabled(s.after, after)
	s.title.SetText(v.Title)
	s.to.SetText(v.To)
	kit.SetVisible(s.problem, v.Problem != "")
	s.problem.SetText(v.Problem)
	s.checked.set(v.Checked)
	kit.SetVisible(s.use, v.Use.Offered)
	s.use.SetLabel(v.UseWords)
	s.kind.SetText(v.Kind)
	kit.SetVisible(s.kind, v.Kind != "")
	s.copied.SetText(v.Copied)
	kit.SetVisible(s.copied, v.Copied != "")
	s.noted.SetText(v.Noted)
	kit.SetVisible(s.noted, v.Noted != "")
	s.table.set(v.Heads, v.Rows, v.Copy.Offered && s.review.Current() != "")
	s.files.setPlain(v.Files, v.FilesMore)
	kit.SetVisible(s.warning, v.Warning != "")
	s.warning.SetText(v.Warning)
	kit.SetVisible(s.heading, len(v.Finds) > 0)
	s.finds.set(v.Finds)
	s.findsNote.SetText(v.FindsNote)
	kit.SetVisible(s.findsNote, v.FindsNote != "")
	kit.SetVisible(s.otherToggle, v.OtherMany != "")
	s.otherToggle.SetLabel(v.OtherMany)
	s.otherToggle.SetIcon(look.IconChevronRight)
	if s.more {
		s.otherToggle.SetIcon(look.IconChevronDown)
		s.other.set(v.Other)
	} else {
		s.other.set(nil)
	}
	kit.SetVisible(s.copying, v.Copy.Offered)
	kit.SetEnabled(s.copying, v.Copy.Possible)
	kit.SetEnabled(s.send, v.Plain.Possible)
	s.copying.SetKind(kit.Primary)
	s.send.SetKind(kit.Plain)
	switch {
	case v.Use.Offered: // the primary one
		s.copying.SetKind(kit.Plain)
	case !v.Copy.Offered || !v.Copy.Possible && v.Pending == "":
		s.send.SetKind(kit.Primary)
	}
	s.explain()
	kit.SetVisible(s.neutral, v.Neutral.Offered)
	s.pending.SetText(v.Pending)
	kit.SetVisible(s.pending, v.Pending != "")
	s.send.SetLabel(v.Send)
	_, medium := s.review.Sample()
	if id := s.review.Current(); id != s.looking {
		s.looking = id
		if id != "" {
			s.Look(id, present.PreviewPlain, false)
		}
		if medium != present.Recording {
			id = ""
		}
		s.play(id)
	}
	sample, _ := s.review.Sample()
	s.sample.set(sample, medium)
	kit.SetVisible(s.sample.object, s.review.Current() != "")
}

// play has the player show a recording; "" for none.
func (s *Sheet) play(id string) {
	if s.Player == nil {
		return
	}
	s.Player.Clear()
	if kit.SetVisible(s.sample.player, id != ""); id != "" {
		s.Player.Show(id)
	}
}

// again reports whether the person decided so shortly before that this is a key held down, or a double click: it is not meant for what is shown since.
func (s *Sheet) again() bool {
	const apart = 700 * time.Millisecond // longer than keyboards wait before they repeat
	now := s.Now()
	was := s.latest
	s.latest = now
	return now.Sub(was) < apart
}

// decide runs an action with the submissions that were asked about, and asks about the next one, or closes the sheet.
func (s *Sheet) decide(do func(ids []string)) {
	if s.review == nil || s.again() {
		return
	}
	ids, all := s.review.Decided(), s.review
	all.Drop(ids...)
	s.more = false
	s.Refresh()
	do(ids)
}
