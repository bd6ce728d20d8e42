package kit

import (
	"assay/gui/look"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/layout"
	"fyne.io/fyne/v2/widget"
)

// Notice is a sentence with an icon, and a button if an action helps. Errors are shown by it, where they happened. It never has a verdict's colour.
type Notice struct {
	widget.BaseWidget
	icon   *Icon
	title  *Paragraph // hidden if empty
	text   *Paragraph
	action *Button // hidden without a label
}

// NewNotice makes a notice. It has no button if action is empty or onAction nil.
func NewNotice(icon fyne.Resource, text, action string, onAction func()) *Notice {
	n := &Notice{
		icon:   NewIcon(icon, look.ColorMuted, 18),
		title:  NewParagraph("", TextStyle{Weight: look.WeightBold}),
		text:   NewParagraph(text, TextStyle{}),
		action: NewButton(Plain, action, nil, onAction),
	}
	n.title.Hide()
	n.action.Hidden = action == "" || onAction == nil
	n.ExtendBaseWidget(n)
	return n
}

// Text returns the sentence.
func (n *Notice) Text() string { return n.text.Text() }

// SetText changes the sentence.
func (n *Notice) SetText(text string) {
	n.text.SetText(text)
	n.Refresh()
}

// Title returns the words above the sentence, or "".
func (n *Notice) Title() string { return n.title.Text() }

// SetTitle sets the words above the sentence; "" for none.
func (n *Notice) SetTitle(title string) {
	n.title.SetText(title)
	n.title.Hidden = title == ""
	n.Refresh()
}

// SetIcon changes the icon.
func (n *Notice) SetIcon(icon fyne.Resource) { n.icon.Set(icon, look.ColorMuted) }

// SetAction changes the button; with an empty label or a nil onAction it is hidden.
func (n *Notice) SetAction(label string, onAction func()) {
	n.action.OnTapped = onAction
	n.action.SetLabel(label)
	if label == "" || onAction == nil {
		n.action.Hide()
	} else {
		n.action.Show()
	}
	n.Refresh()
}

// Action returns the button, for focusing it.
func (n *Notice) Action() *Button { return n.action }

// CreateRenderer implements fyne.Widget.
func (n *Notice) CreateRenderer() fyne.WidgetRenderer {
	background := newFrame(look.RadiusControl)
	const pad, gap = 3 * look.Space, 2.5 * look.Space
	textLeft := pad + float32(18) + gap
	buttonWidth := func() float32 {
		if n.action.Hidden {
			return 0
		}
		return n.action.MinSize().Width + gap
	}
	layout := func(size fyne.Size) {
		background.place(0, 0, size.Width, size.Height)
		width := max(size.Width-textLeft-buttonWidth()-pad, 0)
		n.text.Resize(fyne.NewSize(width, n.text.Size().Height)) // the width first: the height follows from it
		n.title.Resize(fyne.NewSize(width, n.title.Size().Height))
		height, top := n.wordsHeight(), (size.Height-n.wordsHeight())/2
		PlaceAt(n.icon, pad, top-1, 18, 18)
		if n.title.Visible() {
			line := n.title.MinSize().Height
			PlaceAt(n.title, textLeft, top, width, line)
			top, height = top+line, height-line
		}
		PlaceAt(n.text, textLeft, top, width, height)
		bw := n.action.MinSize()
		PlaceAt(n.action, size.Width-pad-bw.Width, (size.Height-bw.Height)/2, bw.Width, bw.Height)
	}
	refresh := func() {
		background.paint(look.ColorNeutralSoft, look.ColorBorder, look.Hairline)
		layout(n.Size())
		canvas.Refresh(n)
	}
	refresh()
	return &renderer{
		objects: append(background.objects(), n.icon, n.title, n.text, n.action),
		layout:  layout,
		minSize: func() fyne.Size {
			height := n.wordsHeight()
			if !n.action.Hidden {
				height = max(height, look.ControlHeight-2*look.Space)
			}
			return fyne.NewSize(textLeft+140+buttonWidth()+pad, height+2*2.5*look.Space)
		},
		refresh: refresh,
	}
}

// wordsHeight is the height of title and sentence together, at their widths of the last layout.
func (n *Notice) wordsHeight() float32 {
	height := float32(0)
	if n.text.Text() != "" || !n.title.Visible() {
		height = n.text.MinSize().Height
	}
	if n.title.Visible() {
		height += n.title.MinSize().Height
	}
	return height
}

// NoticeBar is a sentence above a screen's rows, with a button for what helps. Lay out its Box, which takes no room while there is no sentence.
type NoticeBar struct {
	Box    *fyne.Container
	notice *Notice
	action string
}

// NewNoticeBar makes an empty one.
func NewNoticeBar(icon fyne.Resource) *NoticeBar {
	n := &NoticeBar{notice: NewNotice(icon, "", "", nil)}
	const edge = 4 * look.Space
	n.Box = container.New(layout.NewCustomPaddedLayout(3*look.Space, 0, edge, edge), n.notice)
	n.Box.Hide()
	return n
}

// Say shows a sentence, "" for none, with a button if action is not empty. It reports whether sentence or button changed.
func (n *NoticeBar) Say(sentence, action string, do func()) (changed bool) {
	if sentence == n.Text() && action == n.action {
		return false
	}
	n.action = action
	n.notice.SetText(sentence)
	n.notice.SetAction(action, do)
	SetVisible(n.Box, sentence != "")
	return true
}

// Text returns the sentence, or "".
func (n *NoticeBar) Text() string {
	if !n.Box.Visible() {
		return ""
	}
	return n.notice.Text()
}
