package kit_test

import (
	"strings"
	"testing"

	"assay/gui/guitest"
	"assay/gui/kit"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/test"
	"github.com/google/go-cmp/cmp"
)

func TestCheck(t *testing.T) {
	t.Run("is ticked and cleared by click, Enter and Space", func(t *testing.T) {
		var reported []bool
		c := kit.NewBareCheck("Select all", func(checked bool) { reported = append(reported, checked) })
		setup(t, c, 40, 40)
		test.Tap(c)
		typeKeys(c, fyne.KeyReturn, fyne.KeySpace, fyne.KeyA)
		if len(reported) != 3 || !reported[0] || reported[1] || !reported[2] || c.State() != kit.Checked {
			t.Errorf("reported %v, state %v", reported, c.State())
		}
	})
	t.Run("what is partly chosen becomes wholly so", func(t *testing.T) {
		c := kit.NewBareCheck("Select all", nil)
		setup(t, c, 40, 40)
		c.SetState(kit.Partly)
		test.Tap(c)
		if c.State() != kit.Checked {
			t.Errorf("state %v", c.State())
		}
	})
	t.Run("tells nobody when it is set", func(t *testing.T) {
		c := kit.NewBareCheck("Select all", func(bool) { t.Error("reported") })
		c.SetState(kit.Checked)
	})
	t.Run("its states, and the focus, are to be seen", func(t *testing.T) {
		c := kit.NewBareCheck("Select all", nil)
		w := setup(t, container.NewPadded(c), 40, 40)
		before := w.Canvas().Capture()
		for _, state := range []kit.CheckState{kit.Partly, kit.Checked} {
			c.SetState(state)
			after := w.Canvas().Capture()
			if guitest.PixelsApart(before, after) < 20 {
				t.Errorf("state %v looks as the one before", state)
			}
			before = after
		}
		w.Canvas().Focus(c)
		if guitest.PixelsApart(before, w.Canvas().Capture()) < 50 {
			t.Error("focus is not to be seen")
		}
	})
	t.Run("its name says what is chosen, and whether", func(t *testing.T) {
		c := kit.NewBareCheck("Select all", nil)
		names := map[string]bool{}
		for _, state := range []kit.CheckState{kit.Unchecked, kit.Partly, kit.Checked} {
			c.SetState(state)
			name := c.AccessibilityLabel()
			if !strings.HasPrefix(name, "Select all") {
				t.Errorf("named %q", name)
			}
			names[name] = true
		}
		if len(names) != 3 {
			t.Errorf("names %v", names)
		}
	})
}

func TestTick(t *testing.T) {
	var reported []bool
	tick := kit.NewCheck("Pictures", func(ticked bool) { reported = append(reported, ticked) })
	w := setup(t, tick, 200, 34)
	t.Run("changes with a click, Enter and Space", func(t *testing.T) {
		tapAt(tick, 100, 10)
		typeKeys(tick, fyne.KeyReturn, fyne.KeySpace)
		if diff := cmp.Diff([]bool{true, false, true}, reported); diff != "" || !tick.Checked() {
			t.Error(diff)
		}
	})
	t.Run("says what it stands for", func(t *testing.T) {
		if !hasText(tick, "Pictures") || tick.AccessibilityLabel() != "Pictures, chosen" {
			t.Error(tick.AccessibilityLabel())
		}
		tick.SetState(kit.Partly)
		tick.SetLabel("3 chosen")
		if tick.Checked() || !hasText(tick, "3 chosen") || tick.AccessibilityLabel() != "3 chosen, partly chosen" {
			t.Error(tick.AccessibilityLabel())
		}
	})
	t.Run("what is partly chosen becomes wholly so", func(t *testing.T) {
		tapAt(tick, 5, 5)
		if !tick.Checked() {
			t.Error("it does not")
		}
	})
	t.Run("passes other keys on", func(t *testing.T) { wantPassedOn(t, w, tick) })
}

func TestDisabledTick(t *testing.T) {
	reported := 0
	tick := kit.NewCheck("In the tray", func(bool) { reported++ })
	w := setup(t, tick, 200, 28)
	tick.Disable()
	tapAt(tick, 5, 5)
	typeKeys(tick, fyne.KeySpace)
	if tick.Checked() || reported != 0 {
		t.Error("it can be ticked")
	}
	w.Canvas().(interface{ FocusNext() }).FocusNext()
	if w.Canvas().Focused() != nil {
		t.Error("the keyboard reaches it")
	}
	tick.Enable()
	if tapAt(tick, 5, 5); !tick.Checked() || reported != 1 {
		t.Error("it can't be ticked any more")
	}
}
