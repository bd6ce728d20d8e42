//go:build e2e && linux

package main

import (
	"context"
	"errors"
	"fmt"
	"image"
	"time"

	"assay/gui/e2e"
)

// tab is a page of the viewer's panel.
type tab int

const (
	noTab tab = iota // as it is
	modelsTab
	detailsTab
	dataTab
	historyTab
)

// tabNames are the names of the pages in screenshots.
var tabNames = []string{modelsTab: "models", detailsTab: "details", dataTab: "data", historyTab: "history"}

// viewing shows results in a window.
type viewing struct {
	look
	desktop *e2e.Desktop
	window  *e2e.Window
	page    tab // the one open; noTab is the first
}

// keep goes to a view and keeps a picture at each size.
func (w *viewing) keep(ctx context.Context, name string, v view) error {
	if len(v.keys) > 0 {
		if err := w.window.Keys(ctx, v.keys...); err != nil {
			return err
		}
	}
	select {
	case <-time.After(v.wait):
	case <-ctx.Done():
		return ctx.Err()
	}
	if _, err := w.settled(ctx); err != nil {
		return err
	}
	sizes := w.sizes
	switch {
	case v.name == "":
		sizes = w.sizes[len(w.sizes)-1:]
	case v.sizes != nil:
		sizes = v.sizes
	}
	var wrong []error
	for _, size := range sizes {
		unfolded := false
		err := w.place(ctx, w.window, size)
		shot, settled := w.settled(ctx)
		if err = errors.Join(err, settled); err == nil && v.tab != noTab {
			shot, unfolded, err = w.open(ctx, shot, v.tab)
		}
		if err == nil && v.down {
			shot, err = w.wheel(ctx, size.X*86/100, size.Y*6/10)
		}
		if err != nil {
			return errors.Join(append(wrong, err)...)
		}
		if v.name != "" {
			wrong = append(wrong, w.desktop.Keep(shot, w.named(name, size)))
		}
		if unfolded {
			wrong = append(wrong, w.window.Keys(ctx, "p"))
		}
	}
	return errors.Join(wrong...)
}

// open opens a page of the panel, which is unfolded first where it is folded, as it is in a small window.
func (w *viewing) open(ctx context.Context, shot *e2e.Shot, to tab) (after *e2e.Shot, unfolded bool, err error) {
	chosen, ok := w.chosenTab(shot)
	if !ok {
		unfolded = true
		if err = w.window.Keys(ctx, "p"); err == nil {
			shot, err = w.settled(ctx)
		}
		if err != nil {
			return nil, unfolded, err
		}
		if chosen, ok = w.chosenTab(shot); !ok {
			return nil, unfolded, errors.New("no tab is seen to be chosen")
		}
	}
	w.page = max(w.page, modelsTab)
	for w.page != to {
		// As far from the line as this, there is the next tab, however wide names and the gaps between them are.
		const next = 20
		x, by := chosen.Max.X+w.inside(next), 1
		if to < w.page {
			x, by = chosen.Min.X-w.inside(next), -1
		}
		if err = w.window.Click(ctx, x, chosen.Min.Y-w.inside(14)); err == nil {
			shot, err = w.settled(ctx)
		}
		if err != nil {
			return nil, unfolded, err
		}
		before := chosen
		if chosen, ok = w.chosenTab(shot); !ok || chosen.Min.X == before.Min.X {
			return shot, unfolded, fmt.Errorf("the tab %s did not open", tabNames[to])
		}
		w.page += tab(by)
	}
	return shot, unfolded, nil
}

// accents are the accent colours, by theme.
var accents = map[string][3]uint8{"light": {0x3d, 0x5a, 0xd6}, "dark": {0x8e, 0xa2, 0xff}}

// chosenTab finds the line below the chosen tab: the highest one in the accent colour in the viewer that is no edge of a button, and has a name above it,
// which a slider has not.
func (w *viewing) chosenTab(shot *e2e.Shot) (line image.Rectangle, ok bool) {
	at := func(x, y int) [3]uint8 {
		i := shot.Pixels.PixOffset(x, y)
		return [3]uint8(shot.Pixels.Pix[i : i+3])
	}
	accent := accents[w.theme]
	named := func(from, to, y int) bool {
		const ink = 60
		paper := at((from+to)/2, y-w.inside(5))
		for above := w.inside(12); above < w.inside(20); above++ {
			for x := from; x < to; x++ {
				if found := at(x, y-above); max(int(paper[1])-int(found[1]), int(found[1])-int(paper[1])) > ink {
					return true
				}
			}
		}
		return false
	}
	head, foot, least, beside := w.inside(60), w.inside(60), w.inside(16), w.inside(5)
	width, height := shot.Pixels.Rect.Dx(), shot.Pixels.Rect.Dy()
	for y := head; y < height-foot; y++ {
		for run, x := 0, width/4; x < width; x++ {
			if at(x, y) == accent {
				run++
				continue
			}
			if middle := x - run/2 - 1; run >= least && at(middle, y-beside) != accent && at(middle, y+beside) != accent && named(x-run, x, y) {
				return image.Rect(x-run, y, x, y+1), true
			}
			run = 0
		}
	}
	return image.Rectangle{}, false
}

// wheel scrolls to the end of what is at a position in the window, in units.
func (w *viewing) wheel(ctx context.Context, x, y int) (*e2e.Shot, error) {
	const turns = "40"
	_, err := w.desktop.Run(ctx, "xdotool", "mousemove", fmt.Sprint(20+w.pixels(x)), fmt.Sprint(30+w.pixels(y)),
		"sleep", "0.1", "click", "--repeat", turns, "--delay", "10", "5", "sleep", "0.2")
	if err != nil {
		return nil, err
	}
	return w.settled(ctx)
}

// settled waits until the viewer shows something and nothing changes, but for a countdown.
func (w *viewing) settled(ctx context.Context) (*e2e.Shot, error) {
	const mayChange = 0.0005
	return rest(ctx, w.window, mayChange, func(s *e2e.Shot) bool { return !w.empty(s) })
}

// empty reports whether the viewer shows nothing where the name and the verdict are.
func (w *viewing) empty(shot *e2e.Shot) bool {
	const fewest = 12
	all := shot.Pixels.Rect
	part, _ := shot.Pixels.SubImage(image.Rect(all.Dx()*45/100, 0, all.Dx()*95/100, all.Dy()/4)).(*image.RGBA)
	seen := map[[3]uint8]struct{}{}
	for y := part.Rect.Min.Y; y < part.Rect.Max.Y; y++ {
		for x := part.Rect.Min.X; x < part.Rect.Max.X && len(seen) < fewest; x++ {
			at := part.PixOffset(x, y)
			seen[[3]uint8(part.Pix[at:at+3])] = struct{}{}
		}
	}
	return len(seen) < fewest
}
