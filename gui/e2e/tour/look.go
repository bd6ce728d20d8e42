//go:build e2e && linux

package main

import (
	"context"
	"errors"
	"fmt"
	"image"
	"os"

	"assay/gui/e2e"
)

// sizes of the window, in the toolkit's units: the smallest usable, and the one it was designed for.
var sizes = []image.Point{{X: 900, Y: 600}, {X: 1280, Y: 800}}

// look is how screens are looked at: in one theme, at one scale, in some sizes, in one language where that matters.
type look struct {
	theme    string
	scale    float64
	sizes    []image.Point
	shots    string
	language string // "" for one that is as it is
}

// onDesktop calls do with a desktop on which the largest size has room, and with a private folder.
func (l look) onDesktop(ctx context.Context, do func(desktop *e2e.Desktop, dir string) error) (err error) {
	dir, err := os.MkdirTemp("", "assay-tour-")
	if err != nil {
		return fmt.Errorf("private folder: %w", err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	desktop, err := e2e.StartDesktop(ctx, dir, l.shots, l.pixels(1320), l.pixels(860))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, desktop.Close()) }()
	return do(desktop, dir)
}

// restless is the share of a window that may go on changing when its picture is taken: progress, speeds, times left.
const restless = 0.005

// keepAtEachSize keeps the screen at each of the sizes; where the window refuses one, it says so and keeps what there is.
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
	return name
}

// stop is a screen, and the keys that lead there from the one before.
type stop struct {
	screen string
	keys   []string
}

// walk goes from stop to stop. What goes wrong with one screen does not keep it from the next.
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
