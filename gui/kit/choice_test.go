package kit_test

import (
	"slices"
	"testing"

	"assay/client/assert"
	"assay/gui/guitest"
	"assay/gui/kit"
	"assay/gui/look"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/driver/desktop"
	"github.com/google/go-cmp/cmp"
)

func TestRail(t *testing.T) {
	items := []kit.RailItem{
		{Label: "Inbox", Icon: look.IconInbox}, {Label: "Results", Icon: look.IconResults},
		{Label: "Folders", Icon: look.IconFolders}, {Label: "Settings", Icon: look.IconSettings, Bottom: true},
	}
	newRail := func(t *testing.T) (*kit.Rail, *[]int) {
		t.Helper()
		var reported []int
		rail := kit.NewRail(items, func(i int) { reported = append(reported, i) })
		setup(t, rail, 72, 800)
		return rail, &reported
	}
	t.Run("selects what is clicked, at the top and at the foot", func(t *testing.T) {
		rail, reported := newRail(t)
		tapAt(rail, 36, 90)
		tapAt(rail, 36, 760)
		tapAt(rail, 36, 400) // between the two
		if diff := cmp.Diff([]int{1, 3}, *reported); diff != "" || rail.Selected() != 3 {
			t.Errorf("selected %d, reported %s", rail.Selected(), diff)
		}
	})
	t.Run("tells nothing when the selected is selected again", func(t *testing.T) {
		rail, reported := newRail(t)
		rail.Select(0)
		rail.Select(9)
		if len(*reported) != 0 {
			t.Errorf("reported %v", *reported)
		}
	})
	t.Run("moves with the arrows and selects with Enter or Space", func(t *testing.T) {
		rail, reported := newRail(t)
		rail.FocusGained()
		typeKeys(rail, fyne.KeyDown, fyne.KeyDown)
		if len(*reported) != 0 {
			t.Fatalf("moving alone reported %v", *reported)
		}
		typeKeys(rail, fyne.KeyReturn, fyne.KeyEnd, fyne.KeyDown, fyne.KeySpace, fyne.KeyHome, fyne.KeyUp, fyne.KeyEnter)
		assert.Equal(t, []int{2, 3, 0}, *reported)
	})
	t.Run("says in a tooltip what has no word in a narrow window", func(t *testing.T) {
		rail, _ := newRail(t)
		over := func(y float32) string {
			rail.MouseMoved(&desktop.MouseEvent{PointEvent: fyne.PointEvent{Position: fyne.NewPos(20, y)}})
			return rail.ToolTip()
		}
		assert.Equal(t, "", over(30))
		rail.SetNarrow(true)
		for i, y := range []float32{74, 30, 400, 780} {
			if got, want := over(y), []string{"Results", "Inbox", "", "Settings"}[i]; got != want {
				t.Errorf("at %g it says %q, not %q", y, got, want)
			}
		}
	})
	t.Run("shows a count, and none for zero", func(t *testing.T) {
		rail, _ := newRail(t)
		rail.SetBadge(0, 9)
		if !hasText(rail, "9") {
			t.Error("no 9")
		}
		rail.SetBadge(0, 100)
		if !hasText(rail, "99+") {
			t.Error("no 99+")
		}
		rail.SetBadge(0, 0)
		if len(guitest.InSight[*canvas.Text](rail)) != len(items) {
			t.Error("a count is left")
		}
	})
}

func TestSegmented(t *testing.T) {
	newSegmented := func(t *testing.T) (*kit.Segmented, *[]int) {
		t.Helper()
		var reported []int
		s := kit.NewSegmented([]string{"Original", "Overlay", "Swipe"}, func(i int) { reported = append(reported, i) })
		setup(t, s, 300, 34)
		return s, &reported
	}
	t.Run("starts at the first and chooses what is clicked", func(t *testing.T) {
		s, reported := newSegmented(t)
		if s.Selected() != 0 {
			t.Fatalf("starts at %d", s.Selected())
		}
		tapAt(s, s.MinSize().Width-5, 10)
		tapAt(s, s.MinSize().Width+50, 10) // beyond the last
		assert.Equal(t, []int{2}, *reported)
	})
	t.Run("moves with left and right, past what is disabled", func(t *testing.T) {
		s, reported := newSegmented(t)
		s.SetDisabled(1, true)
		typeKeys(s, fyne.KeyRight, fyne.KeyRight, fyne.KeyLeft)
		assert.Equal(t, []int{2, 0}, *reported)
	})
	t.Run("does not choose what is disabled", func(t *testing.T) {
		s, reported := newSegmented(t)
		s.SetDisabled(2, true)
		tapAt(s, s.MinSize().Width-5, 10)
		if len(*reported) != 0 {
			t.Errorf("reported %v", *reported)
		}
	})
	t.Run("does not change its width with the choice", func(t *testing.T) {
		s, _ := newSegmented(t)
		before := s.MinSize()
		s.Select(1)
		if s.MinSize() != before {
			t.Errorf("from %v to %v", before, s.MinSize())
		}
	})
	t.Run("begins again with other options", func(t *testing.T) {
		s, _ := newSegmented(t)
		s.Select(2)
		s.SetOptions([]string{"A", "B"})
		if s.Selected() != 0 || !hasText(s, "B") || hasText(s, "Swipe") {
			t.Errorf("at %d of %v", s.Selected(), s.Options())
		}
	})
}

func TestSlider(t *testing.T) {
	newSlider := func(t *testing.T, at float64) (*kit.Slider, *[]float64) {
		t.Helper()
		var reported []float64
		s := kit.NewSlider(at, func(v float64) { reported = append(reported, v) })
		setup(t, s, 214, 22) // 200 between the ends of the thumb's way
		return s, &reported
	}
	t.Run("moves with the keys, held within 0 and 100", func(t *testing.T) {
		s, reported := newSlider(t, 50)
		typeKeys(s, fyne.KeyRight, fyne.KeyUp, fyne.KeyLeft, fyne.KeyPageUp, fyne.KeyPageDown, fyne.KeyEnd, fyne.KeyRight, fyne.KeyHome, fyne.KeyLeft)
		assert.Equal(t, []float64{51, 52, 51, 61, 51, 100, 0}, *reported)
	})
	t.Run("follows click and drag to true ends", func(t *testing.T) {
		s, reported := newSlider(t, 50)
		tapAt(s, 7+64*2, 11)
		s.Dragged(&fyne.DragEvent{PointEvent: fyne.PointEvent{Position: fyne.NewPos(400, 11)}})
		s.Dragged(&fyne.DragEvent{PointEvent: fyne.PointEvent{Position: fyne.NewPos(-5, 11)}})
		assert.Equal(t, []float64{64, 100, 0}, *reported)
	})
	t.Run("stays while disabled", func(t *testing.T) {
		s, reported := newSlider(t, 50)
		s.Disable()
		tapAt(s, 200, 11)
		typeKeys(s, fyne.KeyRight)
		if len(*reported) != 0 {
			t.Errorf("reported %v", *reported)
		}
	})
}

func TestSelect(t *testing.T) {
	options := []string{"svc-oak-img", "svc-cedar-img"}
	t.Run("opens a menu of the options, from the keyboard too", func(t *testing.T) {
		var reported []int
		s := kit.NewSelect(kit.Plain, options, func(i int) { reported = append(reported, i) })
		w := setup(t, s, 200, 34)
		typeKeys(s, fyne.KeyDown)
		if w.Canvas().Overlays().Top() == nil {
			t.Fatal("no menu opened")
		}
		typeKeys(w.Canvas().Focused(), fyne.KeyDown, fyne.KeyDown, fyne.KeyReturn)
		if diff := cmp.Diff([]int{1}, reported); diff != "" || !hasText(s, "svc-cedar-img") {
			t.Errorf("reported %s", diff)
		}
	})
	t.Run("stays shut while disabled or empty", func(t *testing.T) {
		s := kit.NewSelect(kit.Bare, options, nil)
		w := setup(t, s, 200, 34)
		s.Disable()
		s.Tapped(nil)
		s.Enable()
		s.SetOptions(nil)
		s.Tapped(nil)
		if w.Canvas().Overlays().Top() != nil {
			t.Error("a menu opened")
		}
	})
	t.Run("shortens a long option on the button", func(t *testing.T) {
		s := kit.NewSelect(kit.Plain, []string{"svc-a-model-of-a-very-long-name-that-would-not-fit-here"}, nil)
		setup(t, s, 300, 34)
		if s.MinSize().Width > s.MaxWidth+60 {
			t.Errorf("%g wide", s.MinSize().Width)
		}
	})
}

func TestOptions(t *testing.T) {
	options := []kit.Option{{Words: "Ask first", Means: "It waits."}, {Words: "Send", Means: "It is sent."}, {Words: "Never", Means: "It stays."}}
	newOptions := func(t *testing.T) (*kit.Options, *[]int) {
		t.Helper()
		var reported []int
		o := kit.NewOptions(options, func(i int) { reported = append(reported, i) })
		setup(t, o, 400, 200)
		return o, &reported
	}
	t.Run("starts at the first and chooses what is clicked, with its line", func(t *testing.T) {
		o, reported := newOptions(t)
		each := o.MinSize().Height / 3
		tapAt(o, 300, 2.5*each)
		tapAt(o, 3, 1.9*each)
		tapAt(o, 3, 4*each) // below the last
		assert.Equal(t, []int{2, 1}, *reported)
	})
	t.Run("moves with up and down, past what is disabled", func(t *testing.T) {
		o, reported := newOptions(t)
		o.SetDisabled(1, true)
		typeKeys(o, fyne.KeyDown, fyne.KeyDown, fyne.KeyUp, fyne.KeyUp)
		tapAt(o, 3, o.MinSize().Height/2)
		assert.Equal(t, []int{2, 0}, *reported)
	})
	t.Run("is as high as its lines are long", func(t *testing.T) {
		o, _ := newOptions(t)
		before := o.MinSize().Height
		o.SetOption(1, kit.Option{Words: "Send", Means: "It is sent to the service as soon as it is complete, whatever it is, and nobody is asked before."})
		o.Resize(fyne.NewSize(200, 100))
		if after := o.MinSize().Height; after <= before || !hasText(o, "Send") {
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

func TestSideList(t *testing.T) {
	open := func(t *testing.T) (*kit.SideList, *[]int) {
		var reported []int
		l := kit.NewSideList([]string{"Service", "Network", "About"}, func(i int) { reported = append(reported, i) })
		setup(t, l, 200, 300)
		return l, &reported
	}
	t.Run("a click chooses", func(t *testing.T) {
		l, reported := open(t)
		tapAt(l, 20, 80)
		tapAt(l, 20, 80)
		tapAt(l, 20, 250) // below the last
		if l.Selected() != 2 || !slices.Equal(*reported, []int{2}) {
			t.Errorf("at %d, reported %v", l.Selected(), *reported)
		}
	})
	t.Run("so do the keys, and stop at the ends", func(t *testing.T) {
		l, reported := open(t)
		typeKeys(l, fyne.KeyUp, fyne.KeyDown, fyne.KeyEnd, fyne.KeyDown, fyne.KeyHome)
		if !slices.Equal(*reported, []int{1, 2, 0}) {
			t.Errorf("reported %v", *reported)
		}
	})
	t.Run("its name is that of the page chosen", func(t *testing.T) {
		l, _ := open(t)
		l.Select(1)
		if l.AccessibilityLabel() != "Network" {
			t.Errorf("%q", l.AccessibilityLabel())
		}
	})
}

func TestRailIsAsWideAsItsWords(t *testing.T) {
	short := kit.NewRail([]kit.RailItem{{Label: "Inbox"}}, nil)
	long := kit.NewRail([]kit.RailItem{{Label: "Inbox"}, {Label: "Configurações"}}, nil)
	setup(t, short, 200, 300)
	if short.MinSize().Width != 72 || long.MinSize().Width <= 72 {
		t.Errorf("%v and %v wide", short.MinSize().Width, long.MinSize().Width)
	}
}

func TestCountedTabs(t *testing.T) {
	var got []int
	tabs := kit.NewCountedTabs([]string{"All", "Held", "Failed"}, func(i int) { got = append(got, i) })
	w := setup(t, container.NewWithoutLayout(tabs), 400, 40)
	if !tabs.SetCounts([]int{1200, 3, 0}) || tabs.SetCounts([]int{1200, 3, 0}) {
		t.Error("it does not say whether the numbers are others")
	}
	t.Run("all numbers are shown where all have room, and none of 0", func(t *testing.T) {
		tabs.Resize(fyne.NewSize(tabs.WidthWithCounts(), 28))
		if !hasText(tabs, "1,200") || !hasText(tabs, "3") || hasText(tabs, "0") {
			t.Error(guitest.Seen(tabs))
		}
		tabs.Resize(fyne.NewSize(tabs.WidthWithCounts()-1, 28))
		if hasText(tabs, "1,200") || hasText(tabs, "3") || !hasText(tabs, "Failed") {
			t.Error(guitest.Seen(tabs))
		}
	})
	t.Run("left, right and a click choose; other keys stay here", func(t *testing.T) {
		w.Canvas().SetOnTypedKey(func(e *fyne.KeyEvent) { t.Errorf("%s went on", e.Name) })
		typeKeys(tabs, fyne.KeyRight, fyne.KeyDown, fyne.KeyRight, fyne.KeyRight, fyne.KeyLeft, fyne.KeyDelete)
		tapAt(tabs, 5, 5)
		if diff := cmp.Diff([]int{1, 2, 1, 0}, got); diff != "" || tabs.AccessibilityLabel() != "Show: All, 1,200" {
			t.Error(diff, tabs.AccessibilityLabel())
		}
	})
}

func TestThePointerOverAChoice(t *testing.T) {
	at := func(x float32) *desktop.MouseEvent {
		return &desktop.MouseEvent{PointEvent: fyne.PointEvent{Position: fyne.NewPos(x, 10)}}
	}
	tabs := kit.NewTabs([]string{"Picture", "Models"}, nil)
	w := setup(t, tabs, 300, 34)
	before := w.Canvas().Capture()
	tabs.MouseIn(at(290))
	if tabs.Cursor() != desktop.DefaultCursor {
		t.Error("it says that there is something to click beside the tabs")
	}
	tabs.MouseMoved(at(70))
	if tabs.Cursor() != desktop.PointerCursor || guitest.PixelsApart(before, w.Canvas().Capture()) == 0 {
		t.Error("the tab under the pointer is not to be seen")
	}
	tabs.MouseOut()
	if tabs.Cursor() != desktop.DefaultCursor || guitest.PixelsApart(before, w.Canvas().Capture()) != 0 {
		t.Error("it is still to be seen when the pointer has gone")
	}
}
