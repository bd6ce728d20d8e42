package feedback

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/widget"

	"assay/client/i18n"
	"assay/gui/look"
)

// longestComment is how many characters a comment may have: it is a remark for the service's people.
const longestComment = 1000

// commentEntry is a field of one line that Enter ends with what is written in it, and Esc without.
type commentEntry struct {
	widget.Entry
	leave func()
}

func newCommentEntry(written func(string), leave func()) *commentEntry {
	e := &commentEntry{leave: leave}
	e.Wrapping = fyne.TextWrap(fyne.TextTruncateClip)
	e.ExtendBaseWidget(e)
	e.SetPlaceHolder(i18n.T("A comment for the service: Enter keeps it, Esc leaves it"))
	e.OnChanged = func(text string) {
		if long := []rune(text); len(long) > longestComment {
			e.SetText(string(long[:longestComment]))
		}
	}
	e.OnSubmitted = written
	return e
}

// TypedKey implements fyne.Focusable.
func (e *commentEntry) TypedKey(k *fyne.KeyEvent) {
	if k.Name == fyne.KeyEscape {
		e.leave()
		return
	}
	e.Entry.TypedKey(k)
}

// MinSize implements fyne.CanvasObject: it is as high as the other controls, and may be narrow.
func (e *commentEntry) MinSize() fyne.Size {
	e.ExtendBaseWidget(e)
	return fyne.NewSize(110, look.ControlHeight)
}
