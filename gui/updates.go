package gui

import (
	"context"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/layout"

	"assay/client/updates"
	"assay/gui/kit"
	"assay/gui/look"
	"assay/gui/settings"
)

// updateBar is the line at the window's foot that says that there is a newer version. It appears together with another screen, never below one that
// is being read: it takes room from it. That room stays empty where the line goes, until another screen comes.
type updateBar struct {
	words  *kit.Paragraph
	line   *fyne.Container
	root   *fyne.Container // the line's room
	column *fyne.Container // the screens, and the line
	latest updates.Latest  // as shown
}

func (a *app) newUpdateBar() *updateBar {
	b := &updateBar{words: kit.NewParagraph("", kit.TextStyle{})}
	more, notNow := settings.UpdateActions()
	buttons := container.New(layout.NewCustomPaddedHBoxLayout(2*look.Space),
		kit.NewButton(kit.Bare, more, look.IconExternal, func() { a.openUpdatePage(b.latest) }),
		kit.NewButton(kit.Bare, notNow, nil, func() {
			version := b.latest.Version
			b.line.Hide()
			a.lookers.Do(func(context.Context) func() {
				a.Updates.NotNow(version)
				return nil
			})
		}))
	const side = 4 * look.Space
	b.line = container.New(layout.NewCustomPaddedLayout(0, 0, side, side), container.New(kit.BesideButton{}, b.words, buttons))
	room := container.New(kit.AtLeast(0), b.line) // as high without it
	b.root = container.New(kit.Column{Grow: -1}, kit.NewLine(), container.NewStack(kit.NewFill(look.ColorSurface), room))
	b.root.Hide()
	return b
}

// below puts the line below the screens.
func (b *updateBar) below(screens fyne.CanvasObject) fyne.CanvasObject {
	b.column = container.New(kit.Column{Grow: 0}, screens, b.root)
	return b.column
}

// showUpdate shows whether there is a newer version, when another screen comes to the front.
func (a *app) showUpdate() {
	if a.update == nil {
		return
	}
	latest, newer := a.Updates.Newer()
	a.update.latest = latest
	if newer {
		a.update.words.SetText(settings.UpdateWords(latest.Version, a.Updates.Version))
		a.update.line.Show()
	}
	a.update.setVisible(newer)
}

// updateKnown is called when something else is known of newer versions, or it is not to be asked for them any more: a line in sight follows at once.
func (a *app) updateKnown() {
	if a.update == nil || !a.update.root.Visible() || !a.update.line.Visible() {
		return
	}
	if _, newer := a.Updates.Newer(); !newer {
		a.update.line.Hide()
		return
	}
	a.showUpdate()
}

func (b *updateBar) setVisible(visible bool) {
	if b.root.Visible() == visible {
		return
	}
	kit.SetVisible(b.root, visible)
	kit.RelayoutTwice(b.column)
}

// updateSettings are what Settings offers about newer versions; nil where the system updates Assay.
func (a *app) updateSettings() *settings.Updates {
	if a.Updates == nil {
		return nil
	}
	return &settings.Updates{
		Host:    a.Updates.Host(),
		Own:     a.Updates.Version,
		Offline: a.Updates.Offline,
		Ask: func(ctx context.Context) (settings.Newer, error) {
			latest, newer, err := a.Updates.Ask(ctx)
			if !newer {
				return settings.Newer{}, err
			}
			return settings.Newer(latest), err
		},
		Open: func(n settings.Newer) { a.openUpdatePage(updates.Latest(n)) },
	}
}
