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
	"assay/gui/present"
)

// newEmpty is the inbox before the first file: one large drop target with the other ways in.
func (b *Screen) newEmpty() fyne.CanvasObject {
	muted := kit.TextStyle{Size: look.SizeSmall, Color: look.ColorMuted, Align: fyne.TextAlignCenter}
	ways := []fyne.CanvasObject{
		kit.NewButton(kit.Primary, i18n.T("Choose files…"), nil, b.Choose),
		kit.NewButton(kit.Plain, i18n.T("Choose a folder…"), look.IconFolders, b.ChooseFolder),
	}
	if b.PasteAll != nil {
		ways = append(ways, kit.NewButton(kit.Plain, i18n.T("Paste"), nil, b.PasteAll))
	}
	ways = append(ways, b.newLinkField())
	content := container.New(kit.Column{Gap: 3 * look.Space, Grow: -1},
		container.NewCenter(kit.NewRoundIcon(look.IconArrowUp, 72)),
		kit.Centred(i18n.T("Drop something to check"), kit.TextStyle{Size: look.SizeVerdict, Weight: look.WeightBold}),
		kit.NewParagraph(i18n.T("A picture, a clip, a recording or a text. Assay sends it to the service and shows what its models say."),
			kit.TextStyle{Color: look.ColorMuted, Align: fyne.TextAlignCenter}),
		container.New(layout.NewCustomPaddedLayout(2*look.Space, 2*look.Space, 0, 0),
			container.New(kit.MiddleFlow{}, ways...)),
		kit.NewParagraph(i18n.T("Pictures to 50 MB · clips to 250 MB · recordings to 20 MB · texts to 5 MB"), muted),
	)
	target := kit.NewDropTarget(content)
	target.SetPadding(kit.EmptyPad)
	column := []fyne.CanvasObject{container.New(kit.WrapWidth(kit.EmptyWidth), target)}
	if b.Sandbox {
		column = append(column, kit.Centred(i18n.T(present.SandboxNote), muted))
	}
	return container.NewCenter(container.New(layout.NewCustomPaddedVBoxLayout(4*look.Space), column...))
}

// nothingFound is shown in place of the table where no row matches the filter and the search, with a button back to all.
type nothingFound struct {
	object         fyne.CanvasObject
	heading, words *kit.Text
}

func newNothingFound(back func()) *nothingFound {
	n := &nothingFound{
		heading: kit.NewText("", kit.TextStyle{Size: look.SizeHeading, Weight: look.WeightBold, Align: fyne.TextAlignCenter, Ellipsis: look.EllipsisEnd}),
		words:   kit.NewText("", kit.TextStyle{Color: look.ColorMuted, Align: fyne.TextAlignCenter, Ellipsis: look.EllipsisEnd}),
	}
	words := container.New(kit.Column{Gap: look.Space, Grow: -1}, n.heading, n.words)
	n.object = container.New(layout.NewCustomPaddedLayout(10*look.Space, 0, 4*look.Space, 4*look.Space),
		container.New(kit.Column{Gap: 4 * look.Space, Grow: -1}, words,
			container.NewCenter(kit.NewButton(kit.Plain, i18n.T("Show everything"), nil, back))))
	return n
}

// say words the filter and the search that match nothing.
func (n *nothingFound) say(f Filter, search string) {
	n.heading.SetText(i18n.T("Nothing matches"))
	n.words.SetText(i18n.F("No name, no link and no folder has these words: “%s”.", search))
	if search != "" {
		if f != FilterAll {
			n.words.SetText(i18n.F("Under “%s”, no name, no link and no folder has these words: “%s”.", f.Words(), search))
		}
		return
	}
	switch f {
	case FilterUnderWay:
		n.heading.SetText(i18n.T("Nothing is under way"))
		n.words.SetText(i18n.T("Everything that was handed over has ended, is paused, or waits for your decision."))
	case FilterNeedsYou:
		n.heading.SetText(i18n.T("Nothing needs you"))
		n.words.SetText(i18n.T("Nothing waits for your decision, was refused or has failed."))
	case FilterAnswered:
		n.heading.SetText(i18n.T("Nothing has been answered yet"))
		n.words.SetText(i18n.T("What the service has answered will stand here."))
	case FilterPaused:
		n.heading.SetText(i18n.T("Nothing is paused"))
		n.words.SetText(i18n.T("What is paused one by one will stand here."))
	}
}

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

// newLinkField makes the field that accepts a link on Enter. Text that is no link stays in it, and a notice says why.
func (b *Screen) newLinkField() fyne.CanvasObject {
	field := widget.NewEntry()
	field.SetPlaceHolder(i18n.T("Paste a link"))
	field.SetIcon(look.Tinted(look.IconLink, look.ColorMuted))
	field.OnChanged = func(string) {
		if b.message.Text() == i18n.T(noLink) {
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
