package kit_test

import (
	"slices"
	"testing"

	"assay/gui/kit"
	"assay/gui/look"

	"fyne.io/fyne/v2"
)

func TestSideList(t *testing.T) {
	open := func(t *testing.T) (*kit.SideList, *[]int) {
		var told []int
		l := kit.NewSideList([]string{"Service", "Network", "About"}, func(i int) { told = append(told, i) })
		setup(t, l, 200, 300)
		return l, &told
	}
	t.Run("a click chooses", func(t *testing.T) {
		l, told := open(t)
		tapAt(l, 20, 80)
		tapAt(l, 20, 80)
		tapAt(l, 20, 250) // below the last
		if l.Selected() != 2 || !slices.Equal(*told, []int{2}) {
			t.Errorf("at %d, told %v", l.Selected(), *told)
		}
	})
	t.Run("so do the keys, and stop at the ends", func(t *testing.T) {
		l, told := open(t)
		typeKeys(l, fyne.KeyUp, fyne.KeyDown, fyne.KeyEnd, fyne.KeyDown, fyne.KeyHome)
		if !slices.Equal(*told, []int{1, 2, 0}) {
			t.Errorf("told %v", *told)
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

func TestDisabledTick(t *testing.T) {
	told := 0
	tick := kit.NewTick("In the tray", func(bool) { told++ })
	w := setup(t, tick, 200, 28)
	tick.Disable()
	tapAt(tick, 5, 5)
	typeKeys(tick, fyne.KeySpace)
	if tick.Ticked() || told != 0 {
		t.Error("it can be ticked")
	}
	w.Canvas().(interface{ FocusNext() }).FocusNext()
	if w.Canvas().Focused() != nil {
		t.Error("the keyboard reaches it")
	}
	tick.Enable()
	if tapAt(tick, 5, 5); !tick.Ticked() || told != 1 {
		t.Error("it can't be ticked any more")
	}
}

func TestNoticeWithATitle(t *testing.T) {
	n := kit.NewNotice(look.IconInfo, "The key was not accepted.", "", nil)
	setup(t, n, 300, 100)
	plain := n.MinSize().Height
	n.SetTitle("Key refused")
	if n.Title() != "Key refused" || n.MinSize().Height < plain+10 {
		t.Errorf("%q, %v high, without it %v", n.Title(), n.MinSize().Height, plain)
	}
	if n.SetTitle(""); n.MinSize().Height != plain {
		t.Errorf("%v high, want %v", n.MinSize().Height, plain)
	}
}

func TestRailIsAsWideAsItsWords(t *testing.T) {
	short := kit.NewRail([]kit.RailItem{{Label: "Inbox"}}, nil)
	long := kit.NewRail([]kit.RailItem{{Label: "Inbox"}, {Label: "Configurações"}}, nil)
	setup(t, short, 200, 300)
	if short.MinSize().Width != 72 || long.MinSize().Width <= 72 {
		t.Errorf("%v and %v wide", short.MinSize().Width, long.MinSize().Width)
	}
}
