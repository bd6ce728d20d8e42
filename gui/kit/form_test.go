package kit_test

import (
	"testing"

	"assay/gui/kit"
	"assay/gui/look"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"
	"github.com/google/go-cmp/cmp"
)

func TestOptions(t *testing.T) {
	options := []kit.Option{{"Ask first", "It waits."}, {"Send", "It is sent."}, {"Never", "It stays."}}
	newOptions := func(t *testing.T) (*kit.Options, *[]int) {
		t.Helper()
		var told []int
		o := kit.NewOptions(options, func(i int) { told = append(told, i) })
		setup(t, o, 400, 200)
		return o, &told
	}
	t.Run("starts at the first and chooses what is clicked, with its line", func(t *testing.T) {
		o, told := newOptions(t)
		each := o.MinSize().Height / 3
		tapAt(o, 300, 2.5*each)
		tapAt(o, 3, 1.9*each)
		tapAt(o, 3, 4*each) // below the last
		if diff := cmp.Diff([]int{2, 1}, *told); diff != "" {
			t.Error(diff)
		}
	})
	t.Run("moves with up and down, past what is disabled", func(t *testing.T) {
		o, told := newOptions(t)
		o.SetDisabled(1, true)
		typeKeys(o, fyne.KeyDown, fyne.KeyDown, fyne.KeyUp, fyne.KeyUp)
		tapAt(o, 3, o.MinSize().Height/2)
		if diff := cmp.Diff([]int{2, 0}, *told); diff != "" || !o.OptionDisabled(1) {
			t.Error(diff)
		}
	})
	t.Run("is as high as its lines are long", func(t *testing.T) {
		o, _ := newOptions(t)
		before := o.MinSize().Height
		o.SetOption(1, kit.Option{Words: "Send", Means: "It is sent to the service as soon as it is complete, whatever it is, and nobody is asked before."})
		o.Resize(fyne.NewSize(200, 100))
		if after := o.MinSize().Height; after <= before || o.Option(1).Words != "Send" {
			t.Errorf("%g high before, %g after", before, after)
		}
	})
	t.Run("tells when the keyboard reaches it, and what is chosen", func(t *testing.T) {
		o, _ := newOptions(t)
		reached := 0
		o.OnFocus = func() { reached++ }
		o.FocusGained()
		if reached != 1 || o.AccessibilityLabel() != "Ask first: It waits." {
			t.Errorf("%d, %q", reached, o.AccessibilityLabel())
		}
	})
	t.Run("passes other keys on", func(t *testing.T) {
		o := kit.NewOptions(options, nil)
		w := setup(t, o, 400, 200)
		wantPassedOn(t, w, o)
	})
}

func TestTick(t *testing.T) {
	var told []bool
	tick := kit.NewTick("Pictures", func(ticked bool) { told = append(told, ticked) })
	w := setup(t, tick, 200, 34)
	t.Run("changes with a click, Enter and Space", func(t *testing.T) {
		tapAt(tick, 100, 10)
		typeKeys(tick, fyne.KeyReturn, fyne.KeySpace)
		if diff := cmp.Diff([]bool{true, false, true}, told); diff != "" || !tick.Ticked() {
			t.Error(diff)
		}
	})
	t.Run("says what it stands for", func(t *testing.T) {
		if !hasText(tick, "Pictures") || tick.AccessibilityLabel() != "Pictures, chosen" {
			t.Error(tick.AccessibilityLabel())
		}
		tick.SetState(kit.Partly)
		tick.SetWords("3 chosen")
		if tick.Ticked() || !hasText(tick, "3 chosen") || tick.AccessibilityLabel() != "3 chosen, partly chosen" {
			t.Error(tick.AccessibilityLabel())
		}
	})
	t.Run("what is partly chosen becomes wholly so", func(t *testing.T) {
		tapAt(tick, 5, 5)
		if !tick.Ticked() {
			t.Error("it does not")
		}
	})
	t.Run("passes other keys on", func(t *testing.T) { wantPassedOn(t, w, tick) })
}

func TestField(t *testing.T) {
	var typed string
	f := kit.NewField("Such as *.jpg", func(text string) { typed = text })
	w := setup(t, f, 200, 34)
	t.Run("is typed into", func(t *testing.T) {
		test.Type(f, "*.png")
		if typed != "*.png" || f.MinSize().Height != look.ControlHeight {
			t.Errorf("%q, %v", typed, f.MinSize())
		}
	})
	t.Run("passes Escape on and keeps its text", func(t *testing.T) {
		var passed fyne.KeyName
		w.Canvas().SetOnTypedKey(func(e *fyne.KeyEvent) { passed = e.Name })
		typeKeys(f, fyne.KeyEscape)
		if passed != fyne.KeyEscape || f.Text != "*.png" {
			t.Errorf("%q, %q", passed, f.Text)
		}
	})
}

func TestTag(t *testing.T) {
	tag := kit.NewTag(nil, "Send")
	setup(t, tag, 200, 34)
	narrow := tag.MinSize().Width
	tag.Set(look.IconLock, "Never leaves")
	if !hasText(tag, "Never leaves") || tag.MinSize().Width <= narrow || tag.Words() != "Never leaves" {
		t.Errorf("%q, %v", tag.Words(), tag.MinSize())
	}
}

// wantPassedOn types a key and a character that a control has no use for, and wants both at the window.
func wantPassedOn(t *testing.T, w fyne.Window, control fyne.Focusable) {
	t.Helper()
	var key fyne.KeyName
	var char rune
	w.Canvas().SetOnTypedKey(func(e *fyne.KeyEvent) { key = e.Name })
	w.Canvas().SetOnTypedRune(func(r rune) { char = r })
	typeKeys(control, fyne.KeyEscape)
	control.TypedRune('x')
	if key != fyne.KeyEscape || char != 'x' {
		t.Errorf("%q and %q arrived", key, char)
	}
}
