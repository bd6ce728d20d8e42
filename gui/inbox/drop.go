package inbox

import (
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/layout"

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
	link, _ := b.newLinkField()
	ways = append(ways, link)
	content := container.New(kit.Column{Gap: 3 * look.Space, Grow: -1},
		container.NewCenter(kit.NewRoundIcon(look.IconArrowUp, 72)),
		kit.NewParagraph(i18n.T("Drop something to check"), kit.TextStyle{Size: look.SizeVerdict, Weight: look.WeightBold, Align: fyne.TextAlignCenter}),
		kit.NewParagraph(b.purpose(),
			kit.TextStyle{Color: look.ColorMuted, Align: fyne.TextAlignCenter}),
		container.New(layout.NewCustomPaddedLayout(2*look.Space, 2*look.Space, 0, 0),
			container.New(&kit.MiddleFlow{}, ways...)),
		kit.NewParagraph(i18n.T("Pictures to 50 MB · clips to 250 MB · recordings to 20 MB · texts to 5 MB"), muted),
	)
	if b.Sandbox {
		trial := []fyne.CanvasObject{kit.NewButton(kit.Bare, i18n.T("Try a sample picture"), look.IconPicture, b.TrySample)}
		if b.OpenSettings != nil {
			trial = append(trial, kit.NewButton(kit.Bare, i18n.T("Connect to a service…"), look.IconSettings, b.OpenSettings))
		}
		content.Add(container.New(&kit.MiddleFlow{}, trial...))
	}
	target := kit.NewDropTarget(content)
	target.SetPadding(kit.EmptyPad)
	column := []fyne.CanvasObject{target}
	if b.Sandbox {
		column = append(column, kit.NewParagraph(i18n.T(present.SandboxNote), muted))
	}
	return kit.NewEmptyScreen(kit.EmptyWidth, container.New(kit.Column{Gap: 4 * look.Space, Grow: -1}, column...))
}

// purpose says what happens to what is dropped.
func (b *Screen) purpose() string {
	if b.Sandbox {
		return i18n.T("A picture, a clip, a recording or a text. The sandbox checks it on this computer, and nothing is sent.")
	}
	return i18n.T("A picture, a clip, a recording or a text. Assay sends it to the service and shows what its models say.")
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
	n.words.SetText(i18n.F("No name, link or folder has the words “%s”.", search))
	if search != "" {
		if f != FilterAll {
			n.words.SetText(i18n.F("Under “%s”, no name, link or folder has the words “%s”.", f.Words(), search))
		}
		return
	}
	switch f {
	case FilterUnderWay:
		n.heading.SetText(i18n.T("Nothing is under way"))
		n.words.SetText(i18n.T("Everything is finished, paused, or waits for your decision."))
	case FilterNeedsYou:
		n.heading.SetText(i18n.T("Nothing for you to do"))
		n.words.SetText(i18n.T("Nothing waits for your decision, and nothing was refused or failed."))
	case FilterAnswered:
		n.heading.SetText(i18n.T("Nothing has been answered yet"))
		n.words.SetText(i18n.T("Files appear here once the service has answered."))
	case FilterPaused:
		n.heading.SetText(i18n.T("Nothing is paused"))
		n.words.SetText(i18n.T("Files that you pause one by one appear here."))
	}
}

const (
	// linkFieldWidth is that of the field for a link.
	linkFieldWidth float32 = 210
	noLink                 = "This is not a web link. Links begin with https:// or http://."
)

// newLinkField makes the field that accepts a link on Enter. Text that is no link stays in it, and a notice says why.
func (b *Screen) newLinkField() (object fyne.CanvasObject, entry fyne.Focusable) {
	field := kit.NewField(i18n.T("Paste a link"), func(string) {
		if b.said == i18n.T(noLink) {
			b.Say("")
		}
	})
	field.SetIcon(look.Tinted(look.IconLink, look.ColorMuted))
	field.OnSubmitted = func(text string) {
		switch {
		case strings.TrimSpace(text) == "":
		case b.Paste(text):
			field.SetText("")
		default:
			b.Say(i18n.T(noLink))
		}
	}
	return container.NewGridWrap(fyne.NewSize(linkFieldWidth, look.ControlHeight), field), field
}
