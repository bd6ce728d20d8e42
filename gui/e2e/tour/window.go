//go:build e2e && linux

package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"image"
	"maps"
	"os"
	"path/filepath"
	"slices"
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

// restLimit is how long a window may take to show something, or to come to rest.
const restLimit = 20 * time.Second

// rest waits until the window has changed no more than allowed for a while, since what workers return, and the layout for another size, are painted
// later than the first frame. What is ready decides, too; nil for anything.
func rest(ctx context.Context, window *e2e.Window, allowed float64, ready func(*e2e.Shot) bool) (*e2e.Shot, error) {
	const rests, apart = 3, 200 * time.Millisecond
	var last *e2e.Shot
	rested := 0
	err := e2e.Until(ctx, restLimit, "the window comes to rest", func() (bool, error) {
		time.Sleep(apart)
		shot, err := window.Shot(ctx)
		if err != nil {
			return false, err
		}
		if last != nil && shot.Changed(last) <= allowed && (ready == nil || ready(shot)) {
			rested++
		} else {
			rested = 0
		}
		last = shot
		return rested >= rests, nil
	})
	return last, err
}

// place gives the window a size, and waits until its content has that size, too: under load, what was painted for the size of before stays for
// seconds, cut off or with empty room beside it. The window can then be waited for to come to rest.
func (l look) place(ctx context.Context, window *e2e.Window, size image.Point) error {
	wanted := image.Pt(l.pixels(size.X), l.pixels(size.Y))
	before, err := window.Shot(ctx)
	if err != nil {
		return err
	}
	if err := window.Place(ctx, 20, 30, wanted.X, wanted.Y); err != nil || before.Pixels.Rect.Size() == wanted {
		return err
	}
	const least = 0.0003 // of the pixels: the foot of the rail, at least, is elsewhere
	return e2e.Until(ctx, restLimit, fmt.Sprintf("the content is %d × %d", wanted.X, wanted.Y), func() (bool, error) {
		shot, err := window.Shot(ctx)
		if err != nil || shot.Pixels.Rect.Size() != wanted {
			return false, err
		}
		return shot.ChangedIn(before.Pixels.Rect, before) > least, nil
	})
}

// shoot takes pictures of the window at a size until it rests. If the window refuses the size, the error says so, and there is a picture nevertheless.
func (l look) shoot(ctx context.Context, window *e2e.Window, size image.Point) (*e2e.Shot, error) {
	placed := l.place(ctx, window, size)
	shot, err := rest(ctx, window, restless, nil)
	if shot == nil || ctx.Err() != nil {
		return nil, errors.Join(placed, err)
	}
	if got, wanted := shot.Pixels.Rect.Size(), image.Pt(l.pixels(size.X), l.pixels(size.Y)); got != wanted {
		err = errors.Join(err, fmt.Errorf("the window is %v, not %v", got, wanted))
	}
	return shot, errors.Join(placed, err)
}

// keepAtEachSize keeps a picture at each of the sizes.
func (l look) keepAtEachSize(ctx context.Context, desktop *e2e.Desktop, window *e2e.Window, screen string) error {
	var wrong []error
	for _, size := range l.sizes {
		name := l.named(screen, size)
		shot, err := l.shoot(ctx, window, size)
		if err != nil {
			wrong = append(wrong, fmt.Errorf("%s: %w", name, err))
		}
		if shot == nil {
			break
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

// pixels are those of a size of the window, inside those of a length in its content, which the text size of the settings changes as well.
func (l look) pixels(units int) int { return int(float64(units) * l.scale) }

func (l look) inside(units int) int { return int(float64(units) * l.scale * cmp.Or(l.text, 1)) }

// options adds the look to how Assay is started. The environment's scale would go before the text size of the settings.
func (l look) options(o e2e.Options) e2e.Options {
	o.Theme, o.Scale = l.theme, l.scale
	if l.text != 0 {
		o.Variables = append(slices.Clone(o.Variables), "FYNE_SCALE=")
	}
	return o
}

// sections are the content of a settings file, by section.
type sections map[string]any

// settle writes the settings of a home: the look's and more.
func (l look) settle(home string, more sections) error {
	all := sections{"version": 1, "appearance": sections{"language": l.language, "theme": l.theme, "scale": l.text}}
	maps.Copy(all, more)
	text, err := json.Marshal(all)
	if err == nil {
		err = os.MkdirAll(home, 0o700)
	}
	if err == nil {
		err = os.WriteFile(filepath.Join(home, "settings.json"), text, 0o600)
	}
	if err != nil {
		return fmt.Errorf("settings: %w", err)
	}
	return nil
}
