package gui

import (
	"context"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/layout"

	"assay/client/i18n"
	"assay/gui/kit"
	"assay/gui/look"
)

// refusedWidth is how wide the words are.
const refusedWidth float32 = 600

// showRefused shows why the records are not opened, in place of everything else: nothing is sent, written or changed.
func (s *shell) showRefused() {
	end := kit.NewButton(kit.Primary, i18n.T("Close"), nil, s.quit)
	card := kit.NewCard(container.New(kit.Column{Gap: 4 * look.Space, Grow: -1},
		kit.NewParagraph(i18n.T("Made by a newer Assay"), kit.TextStyle{Size: look.SizeVerdict, Weight: look.WeightBold}),
		kit.NewParagraph(s.Refused, kit.TextStyle{}),
		kit.NewHint(i18n.T("Until then nothing is sent or changed. In a terminal, assay export, assay case and assay verify --log still read what this Assay understands.")),
		container.NewHBox(layout.NewSpacer(), end)))
	card.SetPadding(5 * look.Space)
	setContent(s.window, container.NewStack(kit.NewFill(look.ColorBackground), kit.NewScroll(container.New(kit.MiddleColumn{Width: refusedWidth, Middle: true}, card))))
	s.window.SetOnDropped(nil)
	c := s.window.Canvas()
	c.SetOnTypedRune(nil)
	c.SetOnTypedKey(func(e *fyne.KeyEvent) {
		if e.Name == fyne.KeyEscape {
			s.quit()
		}
	})
	s.onceDrawn(s.systemWorkers, c, end, func() { c.Focus(end) })
}

// unsaved says what the person would lose if the window closed now: what they are writing, or have open and not finished; "" for nothing. It may be
// called on any goroutine but the UI thread's, and waits for that.
func (s *shell) unsaved(ctx context.Context) string {
	said := make(chan string, 1)
	s.OnUI(func() {
		if s.writes() {
			said <- i18n.T("Something in Assay's window is not saved yet. Save it or discard it, close the window, and start Assay again.")
			return
		}
		said <- ""
	})
	select {
	case sentence := <-said:
		return sentence
	case <-ctx.Done():
		return ""
	}
}

// writes reports whether the person is writing something that is not kept yet.
func (s *shell) writes() bool {
	switch {
	case s.first != nil:
		return s.first.Draft() != s.given()
	case s.app == nil:
		return false
	}
	a := s.app
	return a.sheet.Open() || a.cases.Writes() || a.feedbackBar.Writes() || kit.Writes(s.window.Canvas().Focused())
}
