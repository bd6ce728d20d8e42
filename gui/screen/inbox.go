package screen

import (
	"fmt"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/layout"
	"fyne.io/fyne/v2/widget"

	"assay/gui/look"
	"assay/gui/part"
	"assay/gui/present"
)

// InboxParams are what the inbox needs.
type InboxParams struct {
	Thumbs  *Thumbs
	Sandbox bool                              // say that results come from the sandbox
	Choose  func()                            // opens the file dialog
	Paste   func(text string) (taken bool)    // takes a pasted or typed link; false for what is none
	Act     func(id string, a present.Action) // does what a row offers
	Retry   func(ids []string)                // retries all that failed
}

// Inbox shows what was handed over and how far it is; empty, it is one large drop target.
type Inbox struct {
	InboxParams
	root   *fyne.Container
	empty  fyne.CanvasObject
	filled fyne.CanvasObject

	list         *list
	done, detail *part.Text
	progress     *part.Progress
	notice       *fyne.Container // said of what was typed for a link
	retryFailed  *part.Button

	order []string
	index map[string]int
	rows  map[string]present.Row
}

// NewInbox builds the screen.
func NewInbox(p InboxParams) *Inbox {
	b := &Inbox{InboxParams: p, index: map[string]int{}, rows: map[string]present.Row{}}
	b.notice = container.New(layout.NewCustomPaddedLayout(3*look.Space, 0, 4*look.Space, 4*look.Space),
		part.NewNotice(look.IconInfo, "This is no web link: one begins with https:// or http://.", "", nil))
	b.notice.Hide()
	b.empty = b.newEmpty()
	b.filled = b.newFilled()
	b.filled.Hide()
	b.root = container.New(column{gap: 0, grow: 1},
		b.notice, container.NewStack(b.empty, b.filled))
	p.Thumbs.OnMade(b.refreshRow)
	return b
}

// Object is the screen's root.
func (b *Inbox) Object() fyne.CanvasObject { return b.root }

// Filled reports whether there is anything in the inbox.
func (b *Inbox) Filled() bool { return len(b.order) > 0 }

// Rows are the rows shown, from top to bottom.
func (b *Inbox) Rows() []present.Row {
	rows := make([]present.Row, len(b.order))
	for i, id := range b.order {
		rows[i] = b.rows[id]
	}
	return rows
}

// Update takes the rows that changed, the order of all, and the line for the whole.
func (b *Inbox) Update(order []string, changed []present.Row, whole present.Overall) {
	for _, row := range changed {
		b.rows[row.ID] = row
	}
	if reordered := b.reorder(order); reordered {
		b.list.Refresh()
	} else {
		for _, row := range changed {
			b.refreshRow(row.ID)
		}
	}
	b.done.SetText(whole.Done)
	b.detail.SetText(whole.Detail)
	b.progress.SetValue(whole.Progress)
	setVisible(b.progress, whole.Active > 0)
	b.retryFailed.SetLabel(fmt.Sprintf("Retry failed (%d)", whole.Failed))
	setVisible(b.retryFailed, whole.Failed > 0)
	setVisible(b.empty, len(order) == 0)
	setVisible(b.filled, len(order) > 0)
}

// reorder takes the order of the rows and reports whether it differs from the one shown.
func (b *Inbox) reorder(order []string) bool {
	same := len(order) == len(b.order)
	for i := 0; same && i < len(order); i++ {
		same = order[i] == b.order[i]
	}
	if same {
		return false
	}
	b.order = order
	clear(b.index)
	for i, id := range order {
		b.index[id] = i
	}
	for id := range b.rows {
		if _, kept := b.index[id]; !kept {
			delete(b.rows, id)
		}
	}
	return true
}

func (b *Inbox) refreshRow(id string) {
	if i, ok := b.index[id]; ok {
		b.list.RefreshItem(i)
	}
}

// emptyWidth is that of the large drop target.
const emptyWidth float32 = 640

func (b *Inbox) newEmpty() fyne.CanvasObject {
	centred := func(text string, style part.TextStyle) fyne.CanvasObject {
		style.Align = fyne.TextAlignCenter
		return part.NewText(text, style)
	}
	muted := part.TextStyle{Size: look.SizeSmall, Color: look.ColorMuted}
	content := container.New(layout.NewCustomPaddedVBoxLayout(3*look.Space),
		container.NewCenter(part.NewDisc(look.IconArrowUp, 72)),
		centred("Drop something to check", part.TextStyle{Size: look.SizeVerdict, Weight: look.WeightBold}),
		container.New(layout.NewCustomPaddedVBoxLayout(0),
			centred("A picture, a clip, a recording or a text. Assay sends it to the", part.TextStyle{Color: look.ColorMuted}),
			centred("service and shows what its models say.", part.TextStyle{Color: look.ColorMuted})),
		container.NewCenter(container.New(layout.NewCustomPaddedHBoxLayout(3*look.Space),
			part.NewButton(part.Primary, "Choose a file…", nil, b.Choose), b.newLinkField())),
		centred("Pictures to 50 MB · clips to 250 MB · recordings to 20 MB · texts to 5 MB", muted),
	)
	target := part.NewDropTarget(content)
	target.SetPadding(14 * look.Space)
	column := []fyne.CanvasObject{container.New(fixedWidth(emptyWidth), target)}
	if b.Sandbox {
		column = append(column, centred(present.SandboxNote, muted))
	}
	return container.NewCenter(container.New(layout.NewCustomPaddedVBoxLayout(4*look.Space), column...))
}

func (b *Inbox) newFilled() fyne.CanvasObject {
	strip := part.NewDropStrip(b.newStrip())
	b.done = part.NewText("", part.TextStyle{Weight: look.WeightBold})
	b.detail = part.NewText("", part.TextStyle{Color: look.ColorMuted})
	b.progress = part.NewProgress()
	b.retryFailed = part.NewButton(part.Plain, "", look.IconRetry, func() { b.Retry(b.order) })
	whole := container.NewBorder(nil, nil,
		container.New(layout.NewCustomPaddedHBoxLayout(3*look.Space), container.NewCenter(b.done), container.NewCenter(b.detail),
			container.NewCenter(container.NewGridWrap(fyne.NewSize(200, 4), b.progress))),
		b.retryFailed)

	b.list = newList(
		func() int { return len(b.order) },
		func() fyne.CanvasObject { return newInboxRow(b.Act) },
		func(i widget.ListItemID, o fyne.CanvasObject) {
			row := b.rows[b.order[i]]
			o.(*inboxRow).set(row, b.Thumbs.Get(row.ID, row.Medium))
		})
	b.list.OnSelected = func(i widget.ListItemID) {
		b.list.Unselect(i)
		if row := b.rows[b.order[i]]; len(row.Actions) > 0 && row.Actions[0] == present.Open {
			b.Act(row.ID, present.Open)
		}
	}
	card := part.NewCard(b.list)
	card.SetPadding(1)
	objects := []fyne.CanvasObject{strip, container.New(atLeast(look.ControlHeight), whole), card}
	if b.Sandbox {
		objects = append(objects, part.NewText(present.SandboxNote,
			part.TextStyle{Size: look.SizeSmall, Color: look.ColorMuted, Ellipsis: look.EllipsisEnd}))
	}
	const edge = 4 * look.Space
	return container.New(layout.NewCustomPaddedLayout(edge, edge, edge, edge),
		container.New(column{gap: 3 * look.Space, grow: 2}, objects...))
}

func (b *Inbox) newStrip() fyne.CanvasObject {
	words := container.New(layout.NewCustomPaddedVBoxLayout(0),
		part.NewText("Drop pictures, clips, recordings or texts here",
			part.TextStyle{Size: look.SizeHeading, Weight: look.WeightBold, Ellipsis: look.EllipsisEnd}),
		part.NewText("jpg png gif webp · mp4 mov · mp3 wav m4a aac ogg flac alac · txt",
			part.TextStyle{Color: look.ColorMuted, Ellipsis: look.EllipsisEnd}))
	choose := container.NewCenter(container.New(layout.NewCustomPaddedHBoxLayout(3*look.Space),
		b.newLinkField(), part.NewButton(part.Primary, "Choose a file…", nil, b.Choose)))
	disc := container.NewCenter(part.NewDisc(look.IconArrowUp, 44))
	return container.NewBorder(nil, nil, disc, choose,
		container.New(layout.NewCustomPaddedLayout(0, 0, 4*look.Space, 4*look.Space), container.NewVBox(layout.NewSpacer(), words, layout.NewSpacer())))
}

// linkFieldWidth is that of the field for a link.
const linkFieldWidth float32 = 210

// newLinkField makes the field that takes a link on Enter. What is no link stays in it, and the notice says why.
func (b *Inbox) newLinkField() fyne.CanvasObject {
	field := widget.NewEntry()
	field.SetPlaceHolder("Paste a link")
	field.OnChanged = func(string) { b.notice.Hide() }
	field.OnSubmitted = func(text string) {
		switch {
		case strings.TrimSpace(text) == "":
		case b.Paste(text):
			field.SetText("")
		default:
			b.notice.Show()
			b.root.Refresh()
		}
	}
	return container.NewGridWrap(fyne.NewSize(linkFieldWidth, look.ControlHeight), field)
}
