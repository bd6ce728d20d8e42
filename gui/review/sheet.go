// Package review is the sheet that shows what would be sent, and asks whether it may, with its view model (model*.go, which do not use the toolkit).
// Its exported methods must be called on the UI thread, and none of them blocks.
package review

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/layout"

	"assay/client/i18n"
	"assay/gui/kit"
	"assay/gui/look"
)

// Params are what the sheet needs. Its functions are called on the UI thread, after the sheet was closed.
type Params struct {
	Sheet  *kit.Sheet
	Send   func(ids []string, how Choice)
	Keep   func(ids []string)
	Never  func(ids []string)
	Closed func() // called when it was closed in any way; may be nil
}

// Sheet shows what would be sent, and asks whether it may. It opens at once, and is filled as the files are read.
type Sheet struct {
	Params
	review *Review // nil while it is closed
	how    Choice
	more   bool // whether what else the file says is shown

	body         *fyne.Container
	to           *kit.Paragraph
	problem      *kit.Notice
	rows         *lineList
	warning      *kit.Notice
	heading      *kit.Text
	finds        *lineList
	findsNote    *kit.Paragraph
	otherToggle  *kit.Button
	other        *lineList
	files        *lineList
	choose       *kit.Text
	copying      *kit.Options
	neutral      *kit.Check
	pending      *kit.Paragraph
	send         *kit.Button
	ruleOfChoice fyne.CanvasObject
	ruleOfFiles  fyne.CanvasObject
}

// New makes a closed sheet.
func New(p Params) *Sheet { return &Sheet{Params: p} }

// Open reports whether the sheet is shown.
func (s *Sheet) Open() bool { return s.review != nil }

// width fits a hash on one line.
const width float32 = 672

// Show opens the sheet for a review, in place of what it shows.
func (s *Sheet) Show(l *Review) {
	s.Sheet.Close()
	s.review, s.how, s.more = l, Choice{}, false
	s.build()
	s.fill()
	notYet := kit.NewButton(kit.Plain, i18n.T("Not yet"), nil, s.Sheet.Close)
	s.Sheet.Show(kit.SheetContent{
		Title: i18n.T("This would leave your computer"),
		Body:  s.body,
		Left:  s.pending,
		Buttons: []*kit.Button{
			kit.NewButton(kit.Plain, i18n.T("Never leaves"), nil, func() { s.decide(s.Never) }),
			notYet,
			kit.NewButton(kit.Plain, i18n.T("Keep here"), look.IconLock, func() { s.decide(s.Keep) }),
			s.send,
		},
		First: notYet, // not the one that sends: a key may still be down
		Width: width,
		Closed: func() {
			s.review = nil
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
		s.Sheet.Refit()
	}
}

func (s *Sheet) build() {
	muted := kit.TextStyle{Color: look.ColorMuted}
	s.to = kit.NewParagraph("", kit.TextStyle{})
	s.problem = kit.NewNotice(look.IconWarning, "", "", nil)
	s.warning = kit.NewNotice(look.IconWarning, "", "", nil)
	s.rows, s.finds, s.other, s.files = newLineList(), newLineList(), newLineList(), newLineList()
	s.heading = kit.NewText(i18n.T("What identifies"), kit.TextStyle{Weight: look.WeightBold})
	s.findsNote = kit.NewParagraph("", muted)
	s.otherToggle = kit.NewButton(kit.Bare, "", look.IconChevronRight, func() {
		s.more = !s.more
		s.Refresh()
	})
	s.choose = kit.NewText(i18n.T("How it is sent"), kit.TextStyle{Weight: look.WeightBold})
	s.copying = kit.NewOptions([]kit.Option{{Words: i18n.T("As it is"), Means: i18n.T("With everything that is in it.")}, {Words: i18n.T("A copy without metadata")}}, func(i int) {
		s.how.WithoutMetadata = i == 1
		s.Refresh()
	})
	s.neutral = kit.NewCheck(i18n.T("Under a name that says nothing"), func(ticked bool) {
		s.how.NeutralName = ticked
		s.Refresh()
	})
	s.pending = kit.NewParagraph("", kit.TextStyle{Size: look.SizeSmall, Color: look.ColorMuted})
	s.send = kit.NewButton(kit.Primary, "", look.IconArrowUp, func() {
		how := s.how
		s.decide(func(ids []string) { s.Send(ids, how) })
	})
	s.ruleOfChoice, s.ruleOfFiles = kit.NewLine(), kit.NewLine()
	const gap = 3 * look.Space
	s.body = container.New(kit.Column{Gap: gap, Grow: -1},
		container.New(kit.Column{Gap: gap, Grow: -1}, s.to, s.problem),
		s.rows.object,
		s.warning,
		container.New(kit.Column{Gap: 1.5 * look.Space, Grow: -1}, s.heading, s.finds.object, s.findsNote,
			container.New(layout.NewHBoxLayout(), s.otherToggle), s.other.object),
		s.ruleOfChoice, s.choose, s.copying, s.neutral,
		s.ruleOfFiles, s.files.object,
		kit.NewParagraph(i18n.T("“Never leaves” is for good: it can't be taken back, but by handing it over anew."),
			kit.TextStyle{Size: look.SizeSmall, Color: look.ColorMuted}))
}

// fill updates the existing widgets.
func (s *Sheet) fill() {
	v := s.review.Content(s.how)
	s.to.SetText(v.To)
	kit.SetVisible(s.problem, v.Problem != "")
	s.problem.SetText(v.Problem)
	s.rows.set(v.Rows)
	s.files.setPlain(v.Files, v.FilesMore)
	kit.SetVisible(s.ruleOfFiles, len(v.Files) > 0)
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
	for _, o := range []fyne.CanvasObject{s.ruleOfChoice, s.choose} {
		kit.SetVisible(o, v.Copy.Offered || v.Neutral.Offered)
	}
	kit.SetVisible(s.copying, v.Copy.Offered)
	s.copying.SetOption(1, kit.Option{Words: i18n.T("A copy without metadata"), Means: v.Copy.Means})
	s.copying.SetDisabled(1, !v.Copy.Possible)
	kit.SetVisible(s.neutral, v.Neutral.Offered)
	s.pending.SetText(v.Pending)
	kit.SetVisible(s.pending, v.Pending != "")
	s.send.SetLabel(v.Send)
}

// decide closes the sheet and runs an action with its submissions.
func (s *Sheet) decide(do func(ids []string)) {
	if s.review == nil {
		return
	}
	ids := s.review.IDs()
	s.Sheet.Close()
	do(ids)
}
