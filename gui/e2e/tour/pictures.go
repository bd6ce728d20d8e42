//go:build e2e && linux

package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"time"

	"assay/gui/e2e"
)

// answerLimit is how long the sandbox may take over all pictures.
const answerLimit = 3 * time.Minute

// visit is one look at every screen with the pictures of testdata.
type visit struct {
	look
	pictures []string
	announce bool // print the verdicts
}

// visitPictures visits every screen in each of the looks, and prints the verdicts at the first.
func visitPictures(ctx context.Context, looks []look, pictures []string) error {
	var wrong []error
	for i, l := range looks {
		if err := (visit{look: l, pictures: pictures, announce: i == 0}).run(ctx); err != nil {
			wrong = append(wrong, fmt.Errorf("%s at scale %g: %w", l.theme, l.scale, err))
		}
		if ctx.Err() != nil {
			break
		}
	}
	return errors.Join(wrong...)
}

func (v visit) run(ctx context.Context) error {
	return v.onDesktop(ctx, func(desktop *e2e.Desktop, dir string) error {
		empty, err := desktop.StartAssay(ctx, e2e.Options{Theme: v.theme, Scale: v.scale, Home: filepath.Join(dir, "empty")})
		if err != nil {
			return err
		}
		nothing := []stop{{screen: "inbox-empty"}, {"results-empty", []string{"ctrl+2"}}}
		if err := errors.Join(v.walk(ctx, desktop, empty.Window, nothing), empty.Stop()); err != nil {
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
		return v.throughResults(ctx, desktop, app.Window)
	})
}

// throughResults goes from the inbox to the results and through them, one picture after the other, without the heatmap and with it.
func (v visit) throughResults(ctx context.Context, desktop *e2e.Desktop, window *e2e.Window) error {
	wrong := []error{v.walk(ctx, desktop, window, []stop{{"inbox", []string{"ctrl+1"}}})}
	stops := []stop{{"viewer-1", []string{"ctrl+2"}}}
	if v.scale == 1 {
		for i := 2; i <= len(v.pictures); i++ {
			stops = append(stops, stop{fmt.Sprintf("viewer-%d", i), []string{"j"}})
		}
	}
	for _, at := range stops {
		// The heatmap is where there is one: the key does nothing for the others, and the picture is not kept twice.
		wrong = append(wrong, v.walk(ctx, desktop, window, []stop{at}), v.keepHeatmap(ctx, desktop, window, at.screen))
		if ctx.Err() != nil {
			break
		}
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
