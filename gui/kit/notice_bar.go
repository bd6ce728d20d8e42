package kit

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/layout"

	"assay/gui/look"
)

// NoticeBar is a sentence above a screen's rows, with what helps. Box is what is laid out; it takes no room where there is nothing to say.
type NoticeBar struct {
	Box    *fyne.Container
	notice *Notice
	action string
}

// NewNoticeBar makes one that says nothing yet.
func NewNoticeBar(icon fyne.Resource) *NoticeBar {
	n := &NoticeBar{notice: NewNotice(icon, "", "", nil)}
	const edge = 4 * look.Space
	n.Box = container.New(layout.NewCustomPaddedLayout(3*look.Space, 0, edge, edge), n.notice)
	n.Box.Hide()
	return n
}

// Say shows a sentence, "" for none, with a button where there is something to do. It reports whether that takes other room.
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

// Text is what is said, "" for nothing.
func (n *NoticeBar) Text() string {
	if !n.Box.Visible() {
		return ""
	}
	return n.notice.Text()
}
