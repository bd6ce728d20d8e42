package folders

import (
	"fyne.io/fyne/v2"

	"assay/gui/kit"
)

// reachedButton is a button in a card's scrolled part, which comes into sight when the keyboard reaches it.
type reachedButton struct {
	kit.Button
	card *card
}

var _ fyne.Focusable = (*reachedButton)(nil)

func newReachedButton(kind kit.Kind, label string, c *card, onTapped func()) *reachedButton {
	b := &reachedButton{card: c}
	b.OnTapped = onTapped
	b.ExtendBaseWidget(b)
	b.SetKind(kind)
	b.SetLabel(label)
	return b
}

// FocusGained implements fyne.Focusable.
func (b *reachedButton) FocusGained() {
	b.Button.FocusGained()
	b.card.reveal(b)
}

// TypedKey implements fyne.Focusable.
func (b *reachedButton) TypedKey(e *fyne.KeyEvent) {
	switch e.Name {
	case fyne.KeySpace, fyne.KeyReturn, fyne.KeyEnter:
		b.Tapped(nil)
	default:
		kit.PassOnKey(b, e) // the button itself is not what the window knows
	}
}

// TypedRune implements fyne.Focusable.
func (b *reachedButton) TypedRune(r rune) { kit.PassOn(b, r) }

// reachedSegmented is a choice in a card's scrolled part that does the same.
type reachedSegmented struct {
	kit.Segmented
	card *card
}

var _ fyne.Focusable = (*reachedSegmented)(nil)

func newReachedSegmented(options []string, c *card, onChanged func(i int)) *reachedSegmented {
	s := &reachedSegmented{card: c}
	s.ExtendBaseWidget(s)
	s.SetOptions(options)
	s.OnChanged = onChanged
	return s
}

// FocusGained implements fyne.Focusable.
func (s *reachedSegmented) FocusGained() {
	s.Segmented.FocusGained()
	s.card.reveal(s)
}

// TypedKey implements fyne.Focusable.
func (s *reachedSegmented) TypedKey(e *fyne.KeyEvent) {
	switch e.Name {
	case fyne.KeyLeft, fyne.KeyRight, fyne.KeyUp, fyne.KeyDown:
		s.Segmented.TypedKey(e)
	default:
		kit.PassOnKey(s, e)
	}
}

// TypedRune implements fyne.Focusable.
func (s *reachedSegmented) TypedRune(r rune) { kit.PassOn(s, r) }
