package settings

import (
	"context"
	"errors"
	"slices"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"assay/client/config"
	"assay/client/i18n"
	"assay/client/plain"
	"assay/client/report/bundle"
	"assay/gui/kit"
	"assay/gui/look"
	"assay/gui/present"
)

// ErrNoSigningKey is why there is no fingerprint yet: the key is made with the first bundle.
var ErrNoSigningKey = errors.New("there is no signing key yet")

// evidencePage has the key that seals bundles, the known signers, and the time stamp authorities.
type evidencePage struct {
	*page
	fingerprint *kit.Paragraph
	copy        *kit.Button
	rotate      *kit.Button
	said        *kit.Notice
	signers     *fyne.Container
	none        *kit.Paragraph
	signerRow   *row
	shown       []config.Signer // in signers
	enabled     bool            // whether they can be removed
}

func newEvidencePage(p *page) {
	e := &evidencePage{page: p, fingerprint: kit.NewParagraph(i18n.T("Looking for the key…"), kit.TextStyle{}), said: kit.NewNotice(look.IconInfo, "", "", nil)}
	e.said.Hide()
	e.copy = kit.NewButton(kit.Plain, i18n.T("Copy"), nil, func() { p.settings.Copy(e.fingerprint.Text()) })
	e.rotate = kit.NewButton(kit.Plain, i18n.T("Replace the key…"), nil, e.ask)
	e.copy.Disable()
	e.rotate.Disable()
	p.card(kit.NewSection(i18n.T("The key that seals your bundles"), kit.NewGroup(
		kit.NewHint(i18n.T("Tell others this fingerprint by phone or in person. Once they have compared it, Assay shows them that your bundles are yours.")),
		container.New(kit.BesideButton{}, e.fingerprint, e.copy))),
		kit.NewGroup(container.New(&kit.Flow{}, e.rotate), e.said))
	e.signers, e.none = container.New(kit.Column{Gap: 3 * look.Space, Grow: -1}), kit.NewHint(i18n.T("None yet. Drop a bundle on the window, then add its signer."))
	e.signerRow = p.newRow(SettingSigners, i18n.T("Known signers"), "", container.New(kit.Column{Gap: 0, Grow: -1}, e.none, e.signers), e.enableSigners, e.fillSigners)
	p.card(e.signerRow.root)
	newStampCard(p)
	p.opened = e.read
}

// read reads the fingerprint.
func (e *evidencePage) read() {
	e.run(func(ctx context.Context) func() {
		fingerprint, err := e.settings.Fingerprint(ctx)
		return func() { e.show(fingerprint, err) }
	})
}

// show shows the fingerprint, or why there is none.
func (e *evidencePage) show(fingerprint string, err error) {
	switch {
	case errors.Is(err, ErrNoSigningKey):
		fingerprint = i18n.T("Assay creates the key with your first bundle.")
	case err != nil:
		fingerprint = present.Problem(err)
	}
	e.fingerprint.SetStyle(kit.TextStyle{})
	if err == nil {
		e.fingerprint.SetStyle(kit.TextStyle{Mono: true, Size: look.SizeSmall})
	}
	e.fingerprint.SetText(fingerprint)
	kit.SetEnabled(e.copy, err == nil)
	kit.SetEnabled(e.rotate, err == nil)
}

// ask asks whether to replace the key, and does so.
func (e *evidencePage) ask() {
	e.settings.Sheet.Ask(i18n.T("Replace the key that seals your bundles?"),
		i18n.T("New bundles get another fingerprint, which nobody knows until you tell them. Older bundles stay intact and are known as yours here. Do this if somebody else may have the key."),
		i18n.T("Replace the key"), func() {
			e.rotate.Disable()
			e.run(func(ctx context.Context) func() {
				fingerprint, err := e.settings.RotateKey(ctx)
				return func() {
					if err != nil {
						e.say(look.IconWarning, present.Problem(err))
						e.rotate.Enable()
						return
					}
					e.show(fingerprint, nil)
					e.say(look.IconCheck, i18n.T("Assay now seals your bundles with another key. Tell its fingerprint to everyone who knows the old one."))
				}
			})
		})
}

func (e *evidencePage) say(icon fyne.Resource, sentence string) {
	e.said.SetIcon(icon)
	e.said.SetText(sentence)
	kit.SetVisible(e.said, true)
	e.layOut()
}

// fillSigners lists the known signers.
func (e *evidencePage) fillSigners(now config.Settings) {
	kit.SetVisible(e.none, len(now.Signers) == 0)
	if slices.Equal(now.Signers, e.shown) {
		return
	}
	e.shown = slices.Clone(now.Signers)
	e.signers.RemoveAll()
	for _, s := range e.shown {
		_, fingerprint, _ := bundle.ParseKey([]byte(s.Key)) // the settings keep no other
		e.signers.Add(container.New(kit.BesideButton{},
			container.New(kit.Column{Gap: 0, Grow: -1}, kit.NewParagraph(plain.From(s.Name).String(), kit.TextStyle{}),
				kit.NewParagraph(fingerprint, kit.TextStyle{Mono: true, Size: look.SizeSmall, Color: look.ColorMuted})),
			kit.NewButton(kit.Plain, i18n.T("Remove…"), nil, func() { e.remove(s) })))
	}
	e.enableSigners(e.enabled)
	kit.RevealWhenReached(e.signers, func(o fyne.CanvasObject) { kit.RevealIn(e.scroll, o) })
}

// enableSigners makes the buttons available or not.
func (e *evidencePage) enableSigners(on bool) {
	e.enabled = on
	for _, o := range e.signers.Objects {
		kit.SetEnabled(o.(*fyne.Container).Objects[1].(*kit.Button), on)
	}
}

// remove asks whether a signer is to be forgotten.
func (e *evidencePage) remove(s config.Signer) {
	e.settings.Sheet.Ask(i18n.F("Forget “%s”?", plain.From(s.Name).String()), i18n.T("Assay then shows bundles with this seal as signed by somebody unknown."), i18n.T("Forget the signer"), func() {
		e.signerRow.change(func(now *config.Settings) {
			now.Signers = slices.DeleteFunc(now.Signers, func(one config.Signer) bool { return one == s })
		})
	})
}

// newStampCard has the time stamp authorities, a field for each.
func newStampCard(p *page) {
	var r *row
	var fields []*kit.Field
	stored := func(now config.Settings, i int) string {
		if i < len(now.Stamps) {
			return now.Stamps[i]
		}
		return ""
	}
	save := func() {
		var urls []string
		for _, f := range fields {
			if url := strings.TrimSpace(f.Text); url != "" {
				urls = append(urls, url)
			}
		}
		if !slices.Equal(urls, p.settings.Settings().Stamps) {
			r.change(func(s *config.Settings) { s.Stamps = urls })
		}
	}
	column := container.New(kit.Column{Gap: 2 * look.Space, Grow: -1})
	for range config.MostStamps {
		f := kit.NewField("https://timestamp.example.org", nil)
		f.OnSubmitted = func(string) { save() }
		fields = append(fields, f)
		column.Add(f)
	}
	enable := func(on bool) {
		for _, f := range fields {
			kit.SetEnabled(f, on)
		}
	}
	last := make([]string, len(fields)) // what was filled in last: what the person types meanwhile stays
	r = p.newRow(SettingStamps, i18n.T("Time stamp authorities"),
		i18n.T("For a time stamp, only the bundle's hash goes to these addresses. Without one, only this computer says when a bundle was sealed.")+" "+i18n.T("Press Enter to save."),
		column, enable, func(now config.Settings) {
			for i, f := range fields {
				if url := stored(now, i); f.Text == last[i] && url != last[i] {
					f.SetText(url)
				}
				last[i] = stored(now, i)
			}
		})
	p.card(r.root)
	for _, f := range fields {
		f.OnFocusLost = save // after the card was made, which sets OnFocus
	}
}
