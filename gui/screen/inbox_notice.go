package screen

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/layout"

	"assay/gui/kit"
	"assay/gui/look"
)

// inboxNotice is a sentence above the inbox, with what helps; it takes no room where there is nothing to say.
type inboxNotice struct {
	box    *fyne.Container
	notice *kit.Notice
	action string
}

func newInboxNotice(icon fyne.Resource) *inboxNotice {
	n := &inboxNotice{notice: kit.NewNotice(icon, "", "", nil)}
	const edge = 4 * look.Space
	n.box = container.New(layout.NewCustomPaddedLayout(3*look.Space, 0, edge, edge), n.notice)
	n.box.Hide()
	return n
}

// say shows a sentence, "" for none, with a button where there is something to do. It reports whether that takes other room.
func (n *inboxNotice) say(sentence, action string, do func()) (changed bool) {
	if sentence == n.text() && action == n.action {
		return false
	}
	n.action = action
	n.notice.SetText(sentence)
	n.notice.SetAction(action, do)
	show(n.box, sentence != "")
	return true
}

// text is what is said, "" for nothing.
func (n *inboxNotice) text() string {
	if !n.box.Visible() {
		return ""
	}
	return n.notice.Text()
}
