package cases

import (
	"context"
	"strings"

	"fyne.io/fyne/v2"

	"assay/client/i18n"
	"assay/gui/kit"
	"assay/gui/look"
)

// newRemove is the button that removes an entry of what happened for everyone.
func (s *Screen) newRemove(e Event) *kit.Button {
	b := kit.NewButton(kit.Bare, "", look.IconClose, func() { s.askToRedact(e) })
	b.SetToolTip(i18n.T("Remove for everyone…"))
	b.SetMuted(true)
	return b
}

// quotedMost is how many characters of an entry the question repeats.
const quotedMost = 200

// askToRedact says what goes and what stays, and then has the desk remove what an entry says.
func (s *Screen) askToRedact(e Event) {
	of, entries := s.pane.of.ID, strings.Fields(e.Entries)
	if of == "" || len(entries) == 0 {
		return
	}
	said := []rune(e.Text)
	if len(said) > quotedMost {
		said = append(said[:quotedMost:quotedMost], '…')
	}
	text := joinLines(
		"“"+string(said)+"”",
		i18n.T("The desk removes this. Your colleagues' computers remove it when they next connect."),
		i18n.T("That something was here stays, with your name and the time. Reports and bundles that were exported keep it. Your own files and results stay on your computer."))
	s.Sheet.Ask(i18n.T("Remove for everyone?"), text, i18n.T("Remove"), func() {
		s.do(i18n.T("The entry could not be removed."), func(ctx context.Context) error { return s.Records.Redact(ctx, of, entries) }, nil)
	})
}

// feedFoot lays out when something happened, with a small button at the right that takes no height of its own.
type feedFoot struct{}

// Layout implements fyne.Layout.
func (feedFoot) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	button := objects[1].MinSize()
	kit.PlaceInRow(objects[1], size.Width-button.Width+2*look.Space, size.Height, button.Width, button.Height)
	kit.PlaceInRow(objects[0], 0, size.Height, max(0, size.Width-button.Width), objects[0].MinSize().Height)
}

// MinSize implements fyne.Layout.
func (feedFoot) MinSize(objects []fyne.CanvasObject) fyne.Size { return objects[0].MinSize() }
