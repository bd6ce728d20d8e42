//go:build e2e && linux

package main

import (
	"context"
	"errors"
	"fmt"
	"image"
	"os"
	"strings"
	"time"

	"assay/gui/e2e"
	"assay/gui/screens"
)

// sizes are sizes of the window in the toolkit's units: the smallest usable, and the one that it was designed for.
var sizes = []image.Point{{X: 900, Y: 600}, {X: 1280, Y: 800}}

// look is how screens are shown: theme, scale, text size, sizes, and language if that matters.
type look struct {
	theme    string
	scale    float64
	text     float64 // the text size of the settings; 0 as it is without
	sizes    []image.Point
	shots    string
	language string // "" for the default
}

// onDesktop calls do with a desktop that is large enough for all sizes, and with a private folder.
func (l look) onDesktop(ctx context.Context, do func(desktop *e2e.Desktop, dir string) error) (err error) {
	dir, err := os.MkdirTemp("", "assay-tour-")
	if err != nil {
		return fmt.Errorf("private folder: %w", err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	room := image.Pt(1280, 800)
	for _, size := range l.sizes {
		room = image.Pt(max(room.X, size.X), max(room.Y, size.Y))
	}
	desktop, err := e2e.StartDesktop(ctx, dir, l.shots, l.pixels(room.X+40), l.pixels(room.Y+60))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, desktop.Close()) }()
	return do(desktop, dir)
}

// restless is the share of a window that may keep changing while its picture is taken: progress, speeds, times left.
const restless = 0.005

// keepAtEachSize keeps a picture at each of the sizes. If the window refuses a size, its error says so, and a picture is kept nevertheless.
func (l look) keepAtEachSize(ctx context.Context, desktop *e2e.Desktop, window *e2e.Window, screen string) error {
	var wrong []error
	for _, size := range l.sizes {
		name := l.named(screen, size)
		if err := window.Place(ctx, 20, 30, l.pixels(size.X), l.pixels(size.Y)); err != nil {
			wrong = append(wrong, fmt.Errorf("%s: %w", name, err))
		}
		shot, err := window.SettledBut(ctx, restless)
		if err != nil {
			return errors.Join(append(wrong, err)...)
		}
		if got, wanted := shot.Pixels.Rect.Size(), image.Pt(l.pixels(size.X), l.pixels(size.Y)); got != wanted {
			wrong = append(wrong, fmt.Errorf("%s: the window is %v, not %v", name, got, wanted))
		}
		wrong = append(wrong, desktop.Keep(shot, name))
	}
	return errors.Join(wrong...)
}

// named is the name of a screenshot.
func (l look) named(screen string, size image.Point) string {
	if l.language != "" {
		screen += "-" + l.language
	}
	name := fmt.Sprintf("%s-%s-%dx%d", screen, l.theme, size.X, size.Y)
	if l.scale != 1 {
		name += fmt.Sprintf("@%gx", l.scale)
	}
	if l.text != 0 {
		name += fmt.Sprintf("-text-%g", l.text)
	}
	return name
}

// stop is a screen, and the keys that lead to it from the one before.
type stop struct {
	screen string
	keys   []string
}

// keyTo is the key that shows a screen, by xdotool's name.
func keyTo(id screens.ID) string { return "ctrl+" + string(screens.All[id].Keys[0]) }

// everyScreen returns a stop at each screen of the window, by its name and a suffix.
func everyScreen(suffix string) (stops []stop) {
	for id, s := range screens.All {
		stops = append(stops, stop{strings.ToLower(string(s.Title)) + suffix, []string{keyTo(id)}})
	}
	return stops
}

// walk goes from stop to stop, even after an error.
func (l look) walk(ctx context.Context, desktop *e2e.Desktop, window *e2e.Window, stops []stop) error {
	var wrong []error
	for _, at := range stops {
		if len(at.keys) > 0 {
			if err := window.Keys(ctx, at.keys...); err != nil {
				return errors.Join(append(wrong, err)...)
			}
		}
		wrong = append(wrong, l.keepAtEachSize(ctx, desktop, window, at.screen))
	}
	return errors.Join(wrong...)
}

func (l look) pixels(units int) int { return int(float64(units) * l.scale) }

// tab is a page of the viewer, by its name.
type tab string

const (
	firstTab   tab = "the one that a result opens with"
	detailsTab tab = "Details"
	dataTab    tab = "Data"
	historyTab tab = "History"
)

// tabsFrom are the left edges of the tabs, in units from that of Models.
var tabsFrom = map[tab]int{detailsTab: 72, dataTab: 142, historyTab: 197}

// viewing shows results in a window.
type viewing struct {
	look
	desktop *e2e.Desktop
	window  *e2e.Window
	page    tab // the open one, "" for the first
}

// viewerLimit is how long the viewer may take to show something.
const viewerLimit = 15 * time.Second

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
		full := fmt.Sprintf("%s-%s-%dx%d", name, w.theme, size.X, size.Y)
		if w.scale != 1 {
			full += fmt.Sprintf("@%gx", w.scale)
		}
		shot, err := w.place(ctx, size)
		if err == nil && v.tab != "" {
			if err = w.open(ctx, shot, v.tab); err == nil {
				shot, err = w.settled(ctx)
			}
		}
		if err == nil && v.down {
			shot, err = w.wheel(ctx, size.X*86/100, size.Y*6/10)
		}
		if err != nil {
			return errors.Join(append(wrong, err)...)
		}
		if v.name != "" {
			wrong = append(wrong, w.desktop.Keep(shot, full))
		}
	}
	return errors.Join(wrong...)
}

// place resizes the window, and waits until it has come to rest.
func (w *viewing) place(ctx context.Context, size image.Point) (shot *e2e.Shot, err error) {
	wanted := image.Pt(w.pixels(size.X), w.pixels(size.Y))
	if err = w.window.Place(ctx, 20, 30, wanted.X, wanted.Y); err != nil {
		return nil, err
	}
	if shot, err = w.settled(ctx); err != nil || shot.Pixels.Rect.Size() == wanted {
		return shot, err
	}
	return nil, fmt.Errorf("the window does not stay at %d × %d", wanted.X, wanted.Y)
}

// open clicks the name of a tab, found by the line below the chosen one. Where the panel with the tabs is folded, as it is in a small window, it is
// unfolded first.
func (w *viewing) open(ctx context.Context, shot *e2e.Shot, to tab) (err error) {
	chosen, ok := w.chosenTab(shot)
	if !ok {
		if err = w.window.Keys(ctx, "p"); err != nil {
			return err
		}
		if shot, err = w.settled(ctx); err != nil {
			return err
		}
		if chosen, ok = w.chosenTab(shot); !ok {
			return errors.New("no tab is seen to be chosen")
		}
	}
	const inside = 8
	x := chosen.Min.X + w.pixels(inside+tabsFrom[to]-tabsFrom[w.page])
	if w.page = to; to == firstTab {
		w.page = ""
	}
	return w.window.Click(ctx, x, chosen.Min.Y-w.pixels(14))
}

// accents are the accent colours, by theme.
var accents = map[string][3]uint8{"light": {0x3d, 0x5a, 0xd6}, "dark": {0x8e, 0xa2, 0xff}}

// chosenTab finds the line below the chosen tab: the lowest one in the accent colour in the viewer, except in the bar at its bottom.
func (w *viewing) chosenTab(shot *e2e.Shot) (line image.Rectangle, ok bool) {
	head, foot, least := w.pixels(100), w.pixels(120), w.pixels(16)
	width, height := shot.Pixels.Rect.Dx(), shot.Pixels.Rect.Dy()
	for y := height - foot; y > head; y-- {
		for run, x := 0, width*33/100; x < width; x++ {
			if i := shot.Pixels.PixOffset(x, y); [3]uint8(shot.Pixels.Pix[i:i+3]) == accents[w.theme] {
				run++
				continue
			}
			if run >= least {
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

// settled waits until the viewer shows something and nothing has changed for a while, since reading and decoding take longer than the first painting.
func (w *viewing) settled(ctx context.Context) (*e2e.Shot, error) {
	const rests, apart, mayChange = 2, 150 * time.Millisecond, 0.0005 // such as a countdown
	var last *e2e.Shot
	rested := 0
	err := e2e.Until(ctx, viewerLimit, "the viewer shows something and comes to rest", func() (bool, error) {
		time.Sleep(apart)
		shot, err := w.window.Shot(ctx)
		if err != nil {
			return false, err
		}
		if last != nil && shot.Changed(last) <= mayChange && !w.empty(shot) {
			rested++
		} else {
			rested = 0
		}
		last = shot
		return rested >= rests, nil
	})
	return last, err
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
