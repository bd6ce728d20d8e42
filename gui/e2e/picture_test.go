//go:build e2e && linux

package e2e

import (
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
			if share := shot.ChangedShifted(left.Inset(captions), shot, right.Min.Sub(left.Min)); share > 0 {
				t.Errorf("%.2f %% of the pixels differ from one side to the other", 100*share)
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
// movement only begins a drag. What is moved may be drawn from the file anew, so it need not be the same to the pixel.
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
