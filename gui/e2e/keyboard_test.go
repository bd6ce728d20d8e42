//go:build e2e && linux

package e2e

import (
	"fmt"
	"image"
	"testing"
)

// Everything is reached without a mouse, and one always sees where the keyboard is.
func TestTheViewerByKeyboard(t *testing.T) {
	desktop := setup(t)
	v := view(t, desktop, manipulated(t))

	t.Run("the sheet of keys opens on ? and closes on Esc", func(t *testing.T) {
		v := v.in(t)
		before := v.shot
		sheet := v.press("2-sheet", "question")
		if share := sheet.Changed(before); share < 0.2 {
			t.Errorf("the sheet changes %.0f %% of the window", 100*share)
		}
		closed := v.press("3-closed", "Escape")
		if share := closed.Changed(before); share > 0.01 {
			t.Errorf("after Esc, %.1f %% of the window are not as before", 100*share)
		}
	})
	t.Run("Tab goes round, and each stop is seen", func(t *testing.T) {
		v := v.in(t)
		const fewestStops, mostStops = 15, 60
		atRest := v.shot
		var first *Shot
		var last image.Rectangle
		for stop := 1; ; stop++ {
			if stop > mostStops {
				t.Fatalf("Tab has not come round after %d stops", mostStops)
			}
			shot := v.tab()
			if err := desktop.Keep(shot, fmt.Sprintf("stop-%02d", stop)); err != nil {
				t.Error(err)
			}
			if first == nil {
				first = shot
			} else if shot.Changed(first) == 0 {
				if stop <= fewestStops {
					t.Errorf("Tab comes round after %d stops", stop-1)
				}
				break
			}
			seen := shot.Accented(atRest)
			if seen.Empty() || seen == last {
				t.Errorf("stop %d: nothing shows where the keyboard is", stop)
			}
			last = seen
		}
	})
}

// tab presses the Tab key in the window that has the keyboard already, and waits until something has changed by it.
func (v *viewing) tab() *Shot {
	v.t.Helper()
	if _, err := v.desktop.Run(v.t.Context(), "xdotool", "key", "Tab"); err != nil {
		v.t.Fatal(err)
	}
	const line = 0.00005 // of the window
	shot, err := v.app.Window.Differs(v.t.Context(), v.shot, line)
	if err != nil {
		v.t.Fatal("nothing changes on Tab:", err)
	}
	v.shot = shot
	return shot
}
