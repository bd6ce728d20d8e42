//go:build e2e && linux

package main

import (
	"errors"
	"fmt"
	"image"
	"path/filepath"
	"slices"
	"strings"

	"assay/gui/e2e"
	"assay/gui/e2e/tour/exhibit"
)

// folders shows how a folder is added, and the card that asks what becomes of its files.
func (v *setupVisit) folders() error {
	if err := v.settle(filepath.Join(v.dir, "assay"), nil); err != nil {
		return err
	}
	l := v.look
	l.sizes = l.sizes[:1] // by the keyboard, which moves what is seen
	w := &watchedVisit{look: l, ctx: v.ctx, desktop: v.desktop, dir: v.dir, pictures: v.pictures}
	if _, err := v.desktop.StartNotifications(v.ctx); err != nil {
		return err
	}
	if _, err := v.desktop.Run(v.ctx, "dunstctl", "set-paused", "true"); err != nil {
		return err
	}
	return w.add()
}

// resultsShown are the exhibits that are looked at in each language.
var resultsShown = []string{"image-fake", "audio-fake", "video-voice-clone", "text-fake"}

// results shows the inbox, the results and the viewer.
func (v *setupVisit) results() error {
	home := v.answered.home
	if err := v.settle(home, atService(v.answered.service.URL())); err != nil {
		return err
	}
	if err := v.open(e2e.Options{Home: home, Server: v.answered.service.URL(), Key: exampleKey}); err != nil {
		return err
	}
	v.try(v.keep("inbox-1"))
	v.try(v.then("inbox-2-selected", "ctrl+a"))
	v.try(v.then("inbox-3-nothing-found", "Escape", "slash", "x", "q", "z"))
	if err := v.keys("Escape", "Escape", "ctrl+2", "Home"); err != nil {
		return err
	}
	v.still = true
	v.try(v.keep("results-1"))
	v.try(v.then("results-2-selected", "x", "j", "x"))
	if err := v.keys("Escape", "Escape", "Home"); err != nil {
		return err
	}
	at := 0
	for _, key := range resultsShown {
		i := slices.IndexFunc(v.answered.exhibits, func(e *exhibit.Exhibit) bool { return e.Key == key })
		if i < 0 {
			return fmt.Errorf("no exhibit %s", key)
		}
		for ; at < i; at++ {
			if err := v.keys("j"); err != nil {
				return err
			}
		}
		if _, err := (&viewing{look: v.look, desktop: v.desktop, window: v.app.Window}).settled(v.ctx); err != nil { // it shows something by now
			return err
		}
		v.still = strings.HasPrefix(key, "image")
		v.try(v.keep("viewer-" + key))
		if i == 0 {
			v.try(v.then("viewer-"+key+"-overlay", "2"))
			v.try(v.then("viewer-"+key+"-keys", "question"))
			if err := v.keys("Escape"); err != nil {
				return err
			}
			v.try(v.pages(key))
			v.try(v.then("viewer-"+key+"-judgement", "f", "o"))
			if err := v.keys("Escape", "Escape"); err != nil {
				return err
			}
		}
	}
	return nil
}

// pages keeps the pages about a result, at each size, and goes back to the first. They are found by colours that are known of some themes.
func (v *setupVisit) pages(key string) error {
	if _, known := accents[v.theme]; !known {
		return nil
	}
	w := &viewing{look: v.look, desktop: v.desktop, window: v.app.Window}
	for _, size := range v.sizes {
		small := size.X < sizes[1].X
		shot, err := w.place(v.ctx, size)
		if err != nil {
			return err
		}
		pages := []string{"details", "data", "history"}
		if small {
			pages = append([]string{"models"}, pages...)
		}
		for _, page := range pages {
			if shot, err = v.turn(w, size, shot, 1); err != nil {
				return err
			}
			v.try(v.desktop.Keep(shot, v.named("viewer-"+key+"-page-"+page, size)))
		}
		for range pages {
			if shot, err = v.turn(w, size, shot, -1); err != nil {
				return err
			}
		}
	}
	return nil
}

// turn clicks the name of the page after the open one, or of that before it. The names are as wide as a language has them.
func (v *setupVisit) turn(w *viewing, size image.Point, shot *e2e.Shot, by int) (*e2e.Shot, error) {
	if size.X < sizes[1].X {
		var err error
		if shot, err = w.wheel(v.ctx, size.X*2/3, 70); err != nil {
			return nil, err
		}
	}
	line, ok := w.chosenTab(shot)
	if !ok {
		return nil, errors.New("no page is seen to be open")
	}
	const gap = 40
	x := line.Max.X + v.pixels(gap)
	if by < 0 {
		x = line.Min.X - v.pixels(gap)
	}
	if err := v.app.Window.Click(v.ctx, x, line.Min.Y-v.pixels(14)); err != nil {
		return nil, err
	}
	if _, err := v.desktop.Run(v.ctx, "xdotool", v.away()...); err != nil {
		return nil, err
	}
	return v.rest()
}
