package inbox

import (
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/layout"
	"fyne.io/fyne/v2/widget"

	"assay/client/i18n"
	"assay/gui/kit"
	"assay/gui/look"
)

const (
	// linkFieldWidth is that of the field for a link.
	linkFieldWidth float32 = 210
	supportedMedia         = "jpg png gif webp · mp4 mov · mp3 wav m4a aac ogg flac alac · txt"
	noLink                 = "This is no web link: one begins with https:// or http://."
)

// newStrip makes the thin drop target above the table, with the other ways in.
func (b *Screen) newStrip() fyne.CanvasObject {
	words := container.New(layout.NewCustomPaddedVBoxLayout(0),
		kit.NewWording(kit.TextStyle{Size: look.SizeHeading, Weight: look.WeightBold, Ellipsis: look.EllipsisEnd},
			i18n.T("Drop pictures, clips, recordings or texts anywhere in this window"), i18n.T("Drop files anywhere in this window"), i18n.T("Drop files here")),
		kit.NewWording(kit.TextStyle{Color: look.ColorMuted, Ellipsis: look.EllipsisEnd},
			supportedMedia, i18n.T("Pictures, clips, recordings and texts"), i18n.T("Pictures, clips, sound, texts")))
	folder := kit.NewButton(kit.Plain, "", look.IconFolders, b.ChooseFolder)
	folder.SetToolTip(i18n.T("Choose a folder…"))
	ways := container.NewCenter(container.New(layout.NewCustomPaddedHBoxLayout(2*look.Space),
		b.newLinkField(), folder, kit.NewButton(kit.Primary, i18n.T("Choose files…"), nil, b.Choose)))
	disc := container.NewCenter(kit.NewRoundIcon(look.IconArrowUp, 40))
	strip := kit.NewDropStrip(container.NewBorder(nil, nil, disc, ways,
		container.New(layout.NewCustomPaddedLayout(0, 0, 3*look.Space, 4*look.Space),
			container.NewVBox(layout.NewSpacer(), words, layout.NewSpacer()))))
	strip.SetPadding(3 * look.Space)
	return strip
}

// newLinkField makes the field that takes a link on Enter. What is no link stays in it, and a notice says why.
func (b *Screen) newLinkField() fyne.CanvasObject {
	field := widget.NewEntry()
	field.SetPlaceHolder(i18n.T("Paste a link"))
	field.SetIcon(look.Tinted(look.IconLink, look.ColorMuted))
	field.OnChanged = func(string) {
		if b.said.Text() == i18n.T(noLink) {
			b.Say("")
		}
	}
	field.OnSubmitted = func(text string) {
		switch {
		case strings.TrimSpace(text) == "":
		case b.Paste(text):
			field.SetText("")
		default:
			b.Say(i18n.T(noLink))
		}
	}
	return container.NewGridWrap(fyne.NewSize(linkFieldWidth, look.ControlHeight), field)
}
