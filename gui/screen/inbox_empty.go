package screen

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/layout"

	"assay/gui/look"
	"assay/gui/part"
	"assay/gui/present"
)

// emptyWidth is that of the large drop target.
const emptyWidth float32 = 680

// newEmpty is the inbox before the first file: one large drop target with the other ways in.
func (b *Inbox) newEmpty() fyne.CanvasObject {
	muted := part.TextStyle{Size: look.SizeSmall, Color: look.ColorMuted}
	content := container.New(layout.NewCustomPaddedVBoxLayout(3*look.Space),
		container.NewCenter(part.NewDisc(look.IconArrowUp, 72)),
		centred("Drop something to check", part.TextStyle{Size: look.SizeVerdict, Weight: look.WeightBold}),
		container.New(layout.NewCustomPaddedVBoxLayout(0),
			centred("A picture, a clip, a recording or a text. Assay sends it to the", part.TextStyle{Color: look.ColorMuted}),
			centred("service and shows what its models say.", part.TextStyle{Color: look.ColorMuted})),
		container.New(layout.NewCustomPaddedLayout(2*look.Space, 2*look.Space, 0, 0),
			container.NewCenter(container.New(layout.NewCustomPaddedHBoxLayout(3*look.Space),
				part.NewButton(part.Primary, "Choose files…", nil, b.Choose),
				part.NewButton(part.Plain, "Choose a folder…", look.IconFolders, b.ChooseFolder),
				b.newLinkField()))),
		centred("Pictures to 50 MB · clips to 250 MB · recordings to 20 MB · texts to 5 MB", muted),
	)
	target := part.NewDropTarget(content)
	target.SetPadding(14 * look.Space)
	column := []fyne.CanvasObject{container.New(part.FixedWidth(emptyWidth), target)}
	if b.Sandbox {
		column = append(column, centred(present.SandboxNote, muted))
	}
	return container.NewCenter(container.New(layout.NewCustomPaddedVBoxLayout(4*look.Space), column...))
}

// inboxNothing stands in the table's place where no row matches what was asked for, with the way back to all.
type inboxNothing struct {
	object         fyne.CanvasObject
	heading, words *part.Text
}

func newInboxNothing(back func()) *inboxNothing {
	n := &inboxNothing{
		heading: part.NewText("", part.TextStyle{Size: look.SizeHeading, Weight: look.WeightBold, Align: fyne.TextAlignCenter, Ellipsis: look.EllipsisEnd}),
		words:   part.NewText("", part.TextStyle{Color: look.ColorMuted, Align: fyne.TextAlignCenter, Ellipsis: look.EllipsisEnd}),
	}
	words := container.New(part.Column{Gap: look.Space, Grow: -1}, n.heading, n.words)
	n.object = container.New(layout.NewCustomPaddedLayout(10*look.Space, 0, 4*look.Space, 4*look.Space),
		container.New(part.Column{Gap: 4 * look.Space, Grow: -1}, words,
			container.NewCenter(part.NewButton(part.Plain, "Show everything", nil, back))))
	return n
}

// say words what was asked for and not found.
func (n *inboxNothing) say(f present.Filter, search string) {
	n.heading.SetText("Nothing matches")
	n.words.SetText("No name, no link and no folder has these words: “" + search + "”.")
	if search != "" {
		if f != present.FilterAll {
			n.words.SetText("Under “" + f.Words() + "”, no name, no link and no folder has these words: “" + search + "”.")
		}
		return
	}
	switch f {
	case present.FilterUnderWay:
		n.heading.SetText("Nothing is under way")
		n.words.SetText("Everything that was handed over has ended, is paused, or waits for your decision.")
	case present.FilterNeedsYou:
		n.heading.SetText("Nothing needs you")
		n.words.SetText("Nothing waits for your decision, was refused or has failed.")
	case present.FilterAnswered:
		n.heading.SetText("Nothing has been answered yet")
		n.words.SetText("What the service has answered will stand here.")
	case present.FilterPaused:
		n.heading.SetText("Nothing is paused")
		n.words.SetText("What is paused one by one will stand here.")
	}
}

func centred(text string, style part.TextStyle) fyne.CanvasObject {
	style.Align = fyne.TextAlignCenter
	return part.NewText(text, style)
}
