package settings

import (
	"context"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"assay/client/config"
	"assay/client/i18n"
	"assay/gui/kit"
	"assay/gui/look"
	"assay/gui/present"
)

// storagePage shows how much Assay's files take and where they are, and limits them.
type storagePage struct {
	*page
	found  Storage
	sizes  *kit.Paragraph
	purge  *kit.Button
	said   *kit.Notice
	places *fyne.Container
}

func newStoragePage(p *page) {
	s := &storagePage{page: p, sizes: kit.NewParagraph(i18n.T("Counting…"), kit.TextStyle{})}
	s.purge = kit.NewButton(kit.Plain, i18n.T("Empty the vault…"), nil, s.ask)
	s.purge.Disable()
	s.said = kit.NewNotice(look.IconInfo, "", "", nil)
	s.said.Hide()
	p.card(kit.NewSection(i18n.T("On this computer"), s.sizes),
		choiceRow(p, SettingVault, i18n.T("Vault limit"),
			i18n.T("The vault keeps copies of originals, heatmaps and pages: the service's links to them end after 15 minutes. When it is full, Assay removes first what you have not opened for longest."),
			VaultChoices(), MegabytesWords, func(s *config.Settings) *int { return &s.Storage.VaultMegabytes }).root,
		kit.NewGroup(container.New(&kit.Flow{}, s.purge), s.said))
	s.places = container.New(kit.Column{Gap: 3 * look.Space, Grow: -1})
	p.card(kit.NewSection(i18n.T("Where files are kept"), s.places))
	p.opened = s.measure
}

// measure measures the files.
func (s *storagePage) measure() {
	s.run(func(ctx context.Context) func() {
		found, err := s.settings.Storage(ctx)
		return func() {
			if err != nil {
				s.sizes.SetText(present.Problem(err))
				return
			}
			s.take(found)
		}
	})
}

func (s *storagePage) take(found Storage) {
	places := found.Places
	known := len(places) == len(s.found.Places)
	for i := 0; known && i < len(places); i++ {
		known = places[i] == s.found.Places[i]
	}
	s.found = found
	s.sizes.SetText(strings.Join(found.Words(), "\n"))
	kit.SetEnabled(s.purge, found.Vault > 0)
	if known {
		return
	}
	s.places.RemoveAll()
	for _, place := range places {
		path := place.Path
		s.places.Add(container.New(kit.BesideButton{},
			container.New(kit.Column{Gap: 0, Grow: -1}, kit.NewParagraph(place.Words, kit.TextStyle{}), kit.NewHint(present.PlainPath(path))),
			kit.NewButton(kit.Plain, i18n.T("Show in files"), look.IconExternal, func() { s.settings.ShowInFiles(path) })))
	}
	kit.RevealWhenReached(s.places, func(o fyne.CanvasObject) { kit.RevealIn(s.scroll, o) })
}

// ask asks whether to empty the vault, and does so.
func (s *storagePage) ask() {
	title, text, yes := PurgeWords(s.found.Vault)
	s.settings.Sheet.Ask(title, text, yes, func() {
		s.purge.Disable()
		s.say(look.IconHourglass, i18n.T("Emptying the vault…"))
		s.run(func(ctx context.Context) func() {
			freed, err := s.settings.Purge(ctx)
			return func() {
				if err != nil {
					s.purge.Enable()
					s.say(look.IconWarning, present.Problem(err))
					return
				}
				s.say(look.IconCheck, PurgedWords(freed))
				s.measure()
			}
		})
	})
}

func (s *storagePage) say(icon fyne.Resource, sentence string) {
	s.said.SetIcon(icon)
	s.said.SetText(sentence)
	kit.SetVisible(s.said, true)
	s.layOut()
}
