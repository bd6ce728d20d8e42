package feedback

import (
	"fyne.io/fyne/v2"

	"assay/client/i18n"
	"assay/gui/kit"
	"assay/gui/present"
)

// TypedRune handles a character, and reports whether it used it: V focuses the bar. Its buttons have no keys of their own: a stray one would
// give feedback.
func (b *Bar) TypedRune(r rune) bool {
	if b.view.ID == "" || r != 'v' && r != 'V' {
		return false
	}
	b.focusFirst()
	return true
}

// TypedKey handles a key, and reports whether it used it: Esc closes what is open.
func (b *Bar) TypedKey(e *fyne.KeyEvent) bool {
	if e.Name != fyne.KeyEscape {
		return false
	}
	switch {
	case b.writing != "":
		b.leaveComment()
	case b.form.root.Visible():
		b.closeForm()
	case b.focused():
		b.canvas().Unfocus()
	case b.awaited():
		b.focusLost = false
	default:
		return false
	}
	return true
}

// Shortcuts are the keys of the bar.
func (b *Bar) Shortcuts() []present.Shortcut {
	return []present.Shortcut{
		{Keys: "V", Does: i18n.T("Go to the feedback bar")},
	}
}

// controls are the bar's controls in the order of focus.
func (b *Bar) controls() []fyne.Focusable {
	all := []fyne.Focusable{b.agree, b.disagree, b.other, b.undoIt, b.takeBack, b.again, b.leave, b.addComment}
	for _, chip := range b.labels {
		all = append(all, chip)
	}
	for _, chip := range append(append([]*kit.Chip{}, b.form.labels...), b.form.categories...) {
		all = append(all, chip)
	}
	return append(all, b.form.send)
}

func (b *Bar) canvas() fyne.Canvas { return fyne.CurrentApp().Driver().CanvasForObject(b.root) }

// focused reports whether the focus is in the bar, but not in a text field.
func (b *Bar) focused() bool {
	c := b.canvas()
	if c == nil || c.Focused() == nil {
		return false
	}
	for _, control := range b.controls() {
		if control == c.Focused() {
			return true
		}
	}
	return false
}

// focusFirst focuses the first button that can be used.
func (b *Bar) focusFirst() {
	b.focusAny(b.agree, b.disagree, b.other, b.undoIt, b.takeBack, b.again, b.leave)
}

// focusAny focuses the first of these buttons that can be used; it reports whether there is one.
func (b *Bar) focusAny(buttons ...*kit.Button) bool {
	c := b.canvas()
	if c == nil {
		return false
	}
	for _, button := range buttons {
		if b.usable(button) {
			c.Focus(button)
			return true
		}
	}
	return false
}

// keepFocus focuses another control if the one with the focus is gone. While feedback is being sent there is none; the next that appears gets the
// focus then.
func (b *Bar) keepFocus() {
	if has := b.canvas().Focused(); has != nil && b.usable(has) {
		b.focusLost = false
		return
	}
	b.canvas().Unfocus()
	// The answers come last: a person who presses Undo twice would otherwise give feedback again.
	b.focusLost = !b.focusAny(b.undoIt, b.takeBack, b.again, b.leave, b.other, b.agree, b.disagree)
}

// awaited reports whether the bar should get the focus back: nothing else has it.
func (b *Bar) awaited() bool {
	c := b.canvas()
	return b.focusLost && c != nil && c.Focused() == nil
}

// typing reports whether the focus is in one of the bar's text fields.
func (b *Bar) typing() bool {
	c := b.canvas()
	return c != nil && (c.Focused() == b.comment || c.Focused() == b.form.comment)
}

// usable reports whether the focused control can still be used.
func (b *Bar) usable(o fyne.Focusable) bool {
	if button, ok := o.(*kit.Button); ok && button != b.form.send {
		return button.Visible() && !button.Disabled() && b.visible(button)
	}
	for i, chip := range b.labels {
		if o == chip {
			return b.line.Visible() && b.labelPlaces[i].Visible()
		}
	}
	if o == b.comment {
		return b.commentLine.Visible()
	}
	return b.form.root.Visible()
}

// visible reports whether the line of a button is shown.
func (b *Bar) visible(button *kit.Button) bool {
	if button == b.again || button == b.leave || button == b.takeBack {
		return b.sentence.Visible()
	}
	return b.line.Visible()
}

func (b *Bar) focusOn(o fyne.Focusable) {
	if c := b.canvas(); c != nil {
		c.Focus(o)
	}
}
