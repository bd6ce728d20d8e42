//go:build e2e && linux

package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"assay/client/store/storetest"
	"assay/gui/e2e"
	"assay/gui/e2e/scenes"
	"assay/gui/screens"
)

// historyLength is how many results the long history has.
const historyLength = 100_000

// history is a home with more results than anybody can look through, which takes a minute to make.
type history struct {
	home string
	stop context.CancelFunc
	made chan error // receives the error once it is made
}

// startHistory starts to make the history in the background.
func startHistory(ctx context.Context) (*history, error) {
	home, err := os.MkdirTemp("", "assay-tour-history-")
	if err != nil {
		return nil, fmt.Errorf("folder for a history: %w", err)
	}
	ctx, stop := context.WithCancel(ctx)
	h := &history{home: home, stop: stop, made: make(chan error, 1)}
	go func() {
		// The folder of the embedded sandbox's records, so that --sandbox opens it.
		h.made <- storetest.FillFolder(ctx, filepath.Join(home, "sandbox"), historyLength)
		close(h.made)
	}()
	return h, nil
}

// close waits until it is made or cancelled, and removes the folder.
func (h *history) close() error {
	h.stop()
	<-h.made //nolint:errcheck // visit has returned the error
	return os.RemoveAll(h.home)
}

// visit shows the history, once it is made.
func (h *history) visit(ctx context.Context, looks []look) error {
	if err := <-h.made; err != nil {
		return err
	}
	stops := []stop{
		{"history", []string{keyTo(screens.Results)}},
		{"history-middle", []string{"j", "Next", "Next", "Next"}},
		{"history-selected", []string{"x", "j", "x", "j", "x"}},
		{"history-end", []string{"Escape", "End"}},
		{"history-human-first", []string{"Home", "h"}},
		{"history-found", []string{"h", "slash", "f", "l", "o", "o", "d"}},
		{"history-nothing-found", []string{"x", "x", "x"}},
	}
	var wrong []error
	for _, l := range looks {
		wrong = append(wrong, l.onDesktop(ctx, func(desktop *e2e.Desktop, _ string) error {
			if err := l.settle(h.home, nil); err != nil {
				return err
			}
			app, err := desktop.StartAssay(ctx, l.options(e2e.Options{Home: h.home}))
			if err != nil {
				return err
			}
			return l.walk(ctx, desktop, app.Window, stops)
		}))
	}
	return errors.Join(wrong...)
}

// answerLimit is how long the sandbox may take for all answers.
const answerLimit = 3 * time.Minute

// mediaVisit shows every screen in one look, with the pictures of testdata, and a text, a recording and a clip if they can be made.
type mediaVisit struct {
	look
	media []string
	home  string
	first bool // whether to submit the media and print their verdicts; others open the same home
}

// visitPictures shows every screen in each of the looks.
func visitPictures(ctx context.Context, looks []look, pictures []string) (err error) {
	dir, err := os.MkdirTemp("", "assay-tour-media-")
	if err != nil {
		return fmt.Errorf("folder for media: %w", err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	samples, err := scenes.Samples(ctx, filepath.Dir(pictures[0]), filepath.Join(dir, "Incoming"))
	if err != nil {
		return err
	}
	var wrong []error
	for i, l := range looks {
		if err := (mediaVisit{look: l, media: slices.Concat(pictures, samples), home: filepath.Join(dir, "home"), first: i == 0}).run(ctx); err != nil {
			wrong = append(wrong, fmt.Errorf("%s at scale %g: %w", l.theme, l.scale, err))
		}
		if ctx.Err() != nil {
			break
		}
	}
	return errors.Join(wrong...)
}

func (v mediaVisit) run(ctx context.Context) error {
	return v.onDesktop(ctx, func(desktop *e2e.Desktop, dir string) error {
		unused := filepath.Join(dir, "empty")
		if err := errors.Join(v.settle(unused, nil), v.settle(v.home, nil)); err != nil {
			return err
		}
		empty, err := desktop.StartAssay(ctx, v.options(e2e.Options{Home: unused}))
		if err != nil {
			return err
		}
		if err := errors.Join(v.walk(ctx, desktop, empty.Window, everyScreen("-empty")), empty.Stop()); err != nil {
			return err
		}
		options := v.options(e2e.Options{Home: v.home})
		if v.first {
			options.Files = v.media
		}
		app, err := desktop.StartAssay(ctx, options)
		if err != nil {
			return err
		}
		if v.first {
			lines, err := app.Answers(ctx, len(v.media), answerLimit)
			if err != nil {
				return err
			}
			for _, line := range lines {
				fmt.Println(line)
			}
		}
		return errors.Join(v.throughResults(ctx, desktop, app.Window), app.Stop())
	})
}

// throughResults shows every screen and then, in the first look, each result without and with its heatmap.
func (v mediaVisit) throughResults(ctx context.Context, desktop *e2e.Desktop, window *e2e.Window) error {
	wrong := []error{v.walk(ctx, desktop, window, everyScreen(""))}
	stops := []stop{{"viewer-01", []string{keyTo(screens.Results)}}}
	if v.first {
		for i := 2; i <= len(v.media); i++ {
			stops = append(stops, stop{fmt.Sprintf("viewer-%02d", i), []string{"j"}})
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

// keepHeatmap shows the heatmap over the picture, keeps a picture of that if it changed anything, and hides it again.
func (v mediaVisit) keepHeatmap(ctx context.Context, desktop *e2e.Desktop, window *e2e.Window, screen string) error {
	without, err := window.SettledBut(ctx, restless)
	if err != nil {
		return err
	}
	if err := window.Keys(ctx, "o"); err != nil {
		return err
	}
	with, err := window.SettledBut(ctx, restless)
	if err != nil || with.Changed(without) <= restless {
		return err
	}
	return errors.Join(v.keepAtEachSize(ctx, desktop, window, screen+"-heatmap"), window.Keys(ctx, "o"))
}
