//go:build e2e && linux

package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"assay/client/store/storetest"
	"assay/gui/e2e"
)

// historyLength is how many results the long history has.
const historyLength = 100_000

// history is a home with more results than anybody can look at, which takes a minute to make.
type history struct {
	home string
	stop context.CancelFunc
	made chan error // receives once
}

// startHistory begins to make the history beside what else is done.
func startHistory(ctx context.Context) (*history, error) {
	home, err := os.MkdirTemp("", "assay-tour-history-")
	if err != nil {
		return nil, fmt.Errorf("folder for a history: %w", err)
	}
	ctx, stop := context.WithCancel(ctx)
	h := &history{home: home, stop: stop, made: make(chan error, 1)}
	go func() {
		// Where the sandbox within keeps its records, so that --sandbox opens it.
		h.made <- storetest.FillFolder(ctx, filepath.Join(home, "sandbox"), historyLength)
		close(h.made)
	}()
	return h, nil
}

// close waits for what is under way, and removes the folder.
func (h *history) close() error {
	h.stop()
	<-h.made //nolint:errcheck // a visit says what went wrong
	return os.RemoveAll(h.home)
}

// visit looks through the history, once it is made.
func (h *history) visit(ctx context.Context, looks []look) error {
	if err := <-h.made; err != nil {
		return err
	}
	stops := []stop{
		{"history", []string{"ctrl+2"}},
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
			app, err := desktop.StartAssay(ctx, e2e.Options{Theme: l.theme, Scale: l.scale, Home: h.home})
			if err != nil {
				return err
			}
			return l.walk(ctx, desktop, app.Window, stops)
		}))
	}
	return errors.Join(wrong...)
}
