package report

import (
	"slices"
	"strings"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"assay/client/i18n"
	"assay/gui/kit"
	"assay/gui/look"
)

// state is at the sheet's foot: what became of the report, and what can be done now.
type state struct {
	root     *fyne.Container
	sheet    *Sheet
	words    *kit.Paragraph
	line     *kit.Progress
	problem  string
	progress Progress
	notes    []string // on what was written

	buttons                                 []*kit.Button
	browse, reveal, open, stop, close, save *kit.Button
}

func newState(s *Sheet) *state {
	t := &state{sheet: s, words: kit.NewParagraph("", kit.TextStyle{Size: look.SizeSmall}), line: kit.NewProgress()}
	t.root = container.New(kit.Column{Gap: 1.5 * look.Space, Grow: -1}, t.words, t.line)
	t.browse = kit.NewButton(kit.Plain, i18n.T("Open in the browser"), look.IconExternal, s.browse)
	t.reveal = kit.NewButton(kit.Plain, i18n.T("Show in folder"), nil, func() { s.Reveal(s.path) })
	t.open = kit.NewButton(kit.Plain, i18n.T("Open"), nil, func() { s.Open(s.path) })
	t.stop = kit.NewButton(kit.Plain, i18n.T("Stop"), nil, s.stopWriting)
	t.close = kit.NewButton(kit.Plain, i18n.T("Close"), nil, s.Sheet.Close)
	t.save = kit.NewButton(kit.Primary, i18n.T("Save…"), nil, s.save)
	t.buttons = []*kit.Button{t.browse, t.reveal, t.open, t.stop, t.close, t.save}
	return t
}

// show shows the phase of the report.
func (t *state) show() {
	s := t.sheet
	busy := s.phase == writing
	for button, visible := range map[*kit.Button]bool{
		t.browse: s.phase == choosing && s.choice.Format == ".html", t.reveal: s.phase == written, t.open: s.phase == written, t.stop: busy,
		t.close: !busy, t.save: s.phase == choosing || s.phase == reading,
	} {
		kit.SetVisible(button, visible)
	}
	kit.SetEnabled(t.save, s.phase == choosing && s.subject.Results > 0)
	kit.SetEnabled(t.browse, s.phase == choosing && s.subject.Results > 0)
	text := t.problem
	switch {
	case s.phase == written:
		text = strings.Join(append([]string{i18n.F("Saved as %s.", shownPath(s.path))}, t.notes...), " ")
	case busy && t.progress.Bytes:
		text = i18n.F("%s of %s saved", i18n.Size(t.progress.Done), i18n.Size(t.progress.Total))
	case busy && t.progress.Total > 1:
		text = i18n.F("%s of %s results saved", i18n.Count(int(t.progress.Done)), i18n.Count(int(t.progress.Total)))
	case busy:
		text = i18n.T("Saving…")
	}
	t.words.SetText(text)
	kit.SetVisible(t.line, busy)
	if busy && t.progress.Total > 1 {
		t.line.SetValue(float64(t.progress.Done) / float64(t.progress.Total))
	} else if busy {
		t.line.SetUnknown()
	}
	t.root.Refresh()
	t.keepFocus()
}

// keepFocus gives the keyboard's focus to the last button that can be pressed, if the one that had it is gone.
func (t *state) keepFocus() {
	c := t.sheet.Sheet.Canvas()
	focused, button := c.Focused().(*kit.Button)
	if !t.sheet.Sheet.Foremost() || c.Focused() != nil && !button || button && focused.Visible() && !focused.Disabled() {
		return
	}
	for _, b := range slices.Backward(t.buttons) {
		if b.Visible() && !b.Disabled() {
			c.Focus(b)
			return
		}
	}
}

// followEvery is how often it is shown anew how far the writing is.
const followEvery = 100 * time.Millisecond

// follow returns what is called, on a worker, as the writing goes on.
func (t *state) follow() func(Progress) {
	var last time.Time
	return func(p Progress) {
		now := t.sheet.Now()
		if now.Sub(last) < followEvery {
			return
		}
		last = now
		t.sheet.OnUI(func() {
			if t.sheet.state == t && t.sheet.phase == writing {
				t.progress = p
				t.show()
			}
		})
	}
}
