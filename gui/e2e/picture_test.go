//go:build e2e && linux

package e2e

import (
	"fmt"
	"image"
	"testing"
)

// captions is how far from a picture's edges words and handles may lie over it.
const captions = 44

// A manipulated picture is looked at by mouse: the heatmap is made weaker and stronger, swiped over the picture, and both are looked at closely.
func TestAPictureIsLookedAtClosely(t *testing.T) {
	v := view(t, setup(t), manipulated(t))
	original := v.shot
	inside := original.Photo().Inset(captions)
	if inside.Dx() < 200 || inside.Dy() < 150 {
		t.Fatalf("the viewer shows no picture of a useful size: %v", original.Photo())
	}
	var reacted image.Rectangle // where the heatmap shows
	var full *Shot              // with the heatmap as strong as it gets

	t.Run("the opacity is dragged", func(t *testing.T) {
		v := v.in(t)
		start := v.press("2-overlay", "2")
		if start.ChangedIn(inside, original) == 0 {
			t.Fatal("the overlay changes nothing in the picture")
		}
		knob, ok := start.Slider()
		if !ok {
			t.Fatal("no slider is seen")
		}
		none := v.drag("3-opacity-none", knob, knob.Sub(image.Pt(240, 0)))
		if share := none.ChangedIn(inside, original); share > 0 {
			t.Errorf("without opacity, %.2f %% of the picture's pixels are not the original's", 100*share)
		}
		if knob, ok = none.Slider(); !ok {
			t.Fatal("the slider is gone at its left end")
		}
		full = v.drag("4-opacity-full", knob, knob.Add(image.Pt(240, 0)))
		reacted = full.Repainted(inside, original)
		if reacted.Empty() {
			t.Fatal("with full opacity, no heatmap is seen")
		}
		core := reacted.Inset(min(reacted.Dx(), reacted.Dy()) / 4)
		if faint, strong := start.Contrast(core, original, image.Point{}), full.Contrast(core, original, image.Point{}); strong <= faint {
			t.Errorf("with full opacity the picture changes by %.1f levels, with less by %.1f", strong, faint)
		}
		if through, photo := colours(full, core), colours(original, core); through*4 > photo {
			t.Errorf("the photo shows through a heatmap of full opacity: %d colours where it has %d", through, photo)
		}
	})
	if full == nil || reacted.Empty() {
		t.FailNow()
	}
	t.Run("the divider is dragged", func(t *testing.T) {
		v := v.in(t)
		const handle = 24 // around the divider
		photo := original.Photo()
		middle := photo.Min.Add(photo.Max).Div(2)
		v.press("5-swipe-middle", "3")
		through := image.Pt(reacted.Min.Add(reacted.Max).Div(2).X, middle.Y)
		across := v.drag("6-swipe-across", middle, through)
		left, right := inside, inside
		left.Max.X, right.Min.X = through.X-handle, through.X+handle
		if share := across.ChangedIn(left, original); share > 0 {
			t.Errorf("left of the divider, %.2f %% of the pixels are not the photo's", 100*share)
		}
		if share := across.ChangedIn(right, full); share > 0 {
			t.Errorf("right of the divider, %.2f %% of the pixels are not the heatmap's", 100*share)
		}
		if across.ChangedIn(right, original) == 0 {
			t.Error("right of the divider, no heatmap is seen")
		}
		atRight := v.drag("7-swipe-right", through, image.Pt(photo.Max.X+40, middle.Y))
		if share := atRight.ChangedIn(inside, original); share > 0 {
			t.Errorf("with the divider at the right, %.2f %% of the pixels are not the photo's", 100*share)
		}
		const inset = 17 // the handle stays in the picture
		atLeft := v.drag("8-swipe-left", image.Pt(photo.Max.X-inset, middle.Y), image.Pt(photo.Min.X-40, middle.Y))
		if share := atLeft.ChangedIn(inside, full); share > 0 {
			t.Errorf("with the divider at the left, %.2f %% of the pixels are not the heatmap's", 100*share)
		}
	})
	t.Run("it is zoomed and panned", func(t *testing.T) {
		v := v.in(t)
		v.press("9-original", "1")
		middle := original.Photo().Min.Add(original.Photo().Max).Div(2)
		near := v.wheel("10-zoomed", middle, wheelUp, 5)
		if share := near.ChangedIn(inside, original); share < 0.5 {
			t.Errorf("zooming changed %.0f %% of the picture", 100*share)
		}
		by := image.Pt(-90, -50)
		moved := v.drag("11-panned", middle, middle.Add(by))
		if !movedBy(near, moved, inside.Inset(100), by) {
			t.Errorf("the picture has not moved by %v with the pointer", by)
		}
	})
	t.Run("side by side goes in step", func(t *testing.T) {
		v := v.in(t)
		both := v.press("12-side-by-side", "0", "5")
		knob, ok := both.Slider()
		if !ok {
			t.Fatal("no slider is seen")
		}
		// Without opacity, both sides show the same.
		fit := v.drag("13-side-by-side-no-opacity", knob, knob.Sub(image.Pt(240, 0)))
		photos := fit.Photos(2)
		if len(photos) < 2 || photos[0].Overlaps(photos[1]) || photos[0].Size() != photos[1].Size() {
			t.Fatalf("want two pictures of one size, got %v", photos)
		}
		left, right := photos[0], photos[1]
		inStep := func(shot *Shot) {
			t.Helper()
			const rounded = 0.001 // level: what is drawn elsewhere on the screen is rounded the other way in some pixels
			if levels := shot.Contrast(left.Inset(captions), shot, right.Min.Sub(left.Min)); levels > rounded {
				t.Errorf("the sides differ by %.4f levels", levels)
			}
		}
		inStep(fit)
		near := v.wheel("14-side-by-side-zoomed", left.Min.Add(left.Max).Div(2), wheelUp, 6)
		inStep(near)
		if near.ChangedIn(right, fit) < 0.5 {
			t.Error("zooming at the left did not zoom at the right")
		}
		middle, by := right.Min.Add(right.Max).Div(2), image.Pt(60, 30)
		moved := v.drag("15-side-by-side-panned", middle, middle.Add(by))
		inStep(moved)
		if !movedBy(near, moved, left.Inset(70), by) {
			t.Errorf("a drag at the right by %v has not moved the left", by)
		}
	})
}

// movedBy says whether what is seen in an area has moved by this much from one picture to the next, but for two pixels: a hand's first
// movement only begins a drag. What is moved may be drawn from the file again, so it need not be the same to the pixel.
func movedBy(before, after *Shot, area image.Rectangle, by image.Point) bool {
	closest := 255.0
	for dy := -2; dy <= 2; dy++ {
		for dx := -2; dx <= 2; dx++ {
			closest = min(closest, before.Contrast(area, after, by.Add(image.Pt(dx, dy))))
		}
	}
	return closest < before.Contrast(area, after, image.Point{})/4
}

// colours counts the different colours of an area.
func colours(shot *Shot, area image.Rectangle) int {
	seen := map[[3]uint8]struct{}{}
	for y := area.Min.Y; y < area.Max.Y; y++ {
		for x := area.Min.X; x < area.Max.X; x++ {
			c := shot.Pixels.RGBAAt(x, y)
			seen[[3]uint8{c.R, c.G, c.B}] = struct{}{}
		}
	}
	return len(seen)
}

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
func (v *fixture) tab() *Shot {
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
