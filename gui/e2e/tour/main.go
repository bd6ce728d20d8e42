//go:build e2e && linux

// Command tour shows Assay where there is no display: it opens the built program on a virtual one, hands it the pictures of testdata, prints each
// verdict and leaves a screenshot of every screen, light and dark, small and large, in build/tour. It imports gui/e2e alone.
package main

import (
	"context"
	"errors"
	"fmt"
	"image"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"
	"time"

	"assay/gui/e2e"
)

// answerLimit is how long the sandbox may take over all pictures.
const answerLimit = 3 * time.Minute

func main() {
	if err := tour(); err != nil {
		fmt.Fprintln(os.Stderr, "tour:", err)
		os.Exit(1)
	}
}

func tour() error {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	root, err := e2e.Root()
	if err != nil {
		return err
	}
	pictures, err := e2e.Pictures(root)
	if err != nil {
		return err
	}
	shots := filepath.Join(root, "build", "tour")
	if err := os.RemoveAll(shots); err != nil {
		return fmt.Errorf("clear old screenshots: %w", err)
	}
	var wrong []error
	for _, scale := range []float64{1, 2} {
		for _, theme := range []string{"light", "dark"} {
			v := visit{theme: theme, scale: scale, pictures: pictures, shots: shots, announce: theme == "light" && scale == 1}
			if err := v.run(ctx); err != nil {
				wrong = append(wrong, fmt.Errorf("%s at scale %g: %w", theme, scale, err))
			}
			if ctx.Err() != nil {
				return errors.Join(wrong...)
			}
		}
	}
	kept, err := filepath.Glob(filepath.Join(shots, "*.png"))
	if err != nil {
		return fmt.Errorf("count screenshots: %w", err)
	}
	fmt.Printf("%d screenshots lie in build/tour\n", len(kept))
	return errors.Join(wrong...)
}

// visit is one look at every screen, in one theme at one scale.
type visit struct {
	theme    string
	scale    float64
	pictures []string
	shots    string
	announce bool // print the verdicts
}

// sizes of the window, in the toolkit's units: the smallest usable, and the one it was designed for.
var sizes = []image.Point{{X: 900, Y: 600}, {X: 1280, Y: 800}}

func (v visit) run(ctx context.Context) (err error) {
	dir, err := os.MkdirTemp("", "assay-tour-")
	if err != nil {
		return fmt.Errorf("private folder: %w", err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	desktop, err := e2e.StartDesktop(ctx, dir, v.shots, v.pixels(1320), v.pixels(860))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, desktop.Close()) }()

	empty, err := desktop.StartAssay(ctx, e2e.Options{Theme: v.theme, Scale: v.scale, Home: filepath.Join(dir, "empty")})
	if err != nil {
		return err
	}
	if err := v.keepAtEachSize(ctx, desktop, empty.Window, "inbox-empty"); err != nil {
		return err
	}
	if err := empty.Stop(); err != nil {
		return err
	}

	app, err := desktop.StartAssay(ctx, e2e.Options{Theme: v.theme, Scale: v.scale, Files: v.pictures})
	if err != nil {
		return err
	}
	lines, err := app.Answers(ctx, len(v.pictures), answerLimit)
	if err != nil {
		return err
	}
	if v.announce {
		for _, line := range lines {
			fmt.Println(line)
		}
	}
	return v.walk(ctx, desktop, app.Window)
}

// walk goes from the inbox to the results and through them, one picture after the other, the first without the heatmap and with it. What goes wrong
// with one screen does not keep it from the next.
func (v visit) walk(ctx context.Context, desktop *e2e.Desktop, window *e2e.Window) error {
	type stop struct{ screen, key string }
	stops := []stop{{"inbox", "ctrl+1"}, {"viewer-1", "ctrl+2"}}
	if v.scale == 1 {
		for i := 2; i <= len(v.pictures); i++ {
			stops = append(stops, stop{fmt.Sprintf("viewer-%d", i), "j"})
		}
	}
	var wrong []error
	for _, stop := range stops {
		if err := window.Keys(ctx, stop.key); err != nil {
			return errors.Join(append(wrong, err)...)
		}
		wrong = append(wrong, v.keepAtEachSize(ctx, desktop, window, stop.screen))
		if stop.screen == "inbox" {
			continue
		}
		// The heatmap is where there is one: the key does nothing for the others, and the picture is not kept twice.
		wrong = append(wrong, v.keepHeatmap(ctx, desktop, window, stop.screen))
	}
	return errors.Join(wrong...)
}

// keepHeatmap lays the heatmap over the picture, keeps that if it changed anything, and takes it off again.
func (v visit) keepHeatmap(ctx context.Context, desktop *e2e.Desktop, window *e2e.Window, screen string) error {
	without, err := window.Settled(ctx)
	if err != nil {
		return err
	}
	if err := window.Keys(ctx, "o"); err != nil {
		return err
	}
	with, err := window.Settled(ctx)
	if err != nil || with.Changed(without) == 0 {
		return err
	}
	return errors.Join(v.keepAtEachSize(ctx, desktop, window, screen+"-heatmap"), window.Keys(ctx, "o"))
}

// keepAtEachSize keeps the screen at each of the sizes; where the window refuses one, it says so and keeps what there is.
func (v visit) keepAtEachSize(ctx context.Context, desktop *e2e.Desktop, window *e2e.Window, screen string) error {
	var wrong []error
	for _, size := range sizes {
		name := fmt.Sprintf("%s-%s-%dx%d", screen, v.theme, size.X, size.Y)
		if v.scale != 1 {
			name += fmt.Sprintf("@%gx", v.scale)
		}
		if err := window.Place(ctx, 20, 30, v.pixels(size.X), v.pixels(size.Y)); err != nil {
			wrong = append(wrong, fmt.Errorf("%s: %w", name, err))
		}
		shot, err := window.Settled(ctx)
		if err != nil {
			return errors.Join(append(wrong, err)...)
		}
		wrong = append(wrong, desktop.Keep(shot, name))
	}
	return errors.Join(wrong...)
}

func (v visit) pixels(units int) int { return int(float64(units) * v.scale) }
