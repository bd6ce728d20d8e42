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

	"assay/gui/e2e"
	"assay/gui/e2e/tour/exhibit"
)

// museum is a home in which exhibits have been answered.
type museum struct {
	exhibits []*exhibit.Exhibit // in the order of the list of results, the newest first
	service  *exhibit.Service
	home     string
	incoming string // holds the files
}

// exhibitsLimit is how long all may take to be answered.
const exhibitsLimit = 3 * time.Minute

// visitViewer shows the viewer with every exhibit: those that have most to show in each of the looks, the others in the one or the other.
func visitViewer(ctx context.Context, shots, pictures string) (err error) {
	dir, err := os.MkdirTemp("", "assay-tour-viewer-")
	if err != nil {
		return fmt.Errorf("folder for exhibits: %w", err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	all, err := exhibit.All(ctx, pictures)
	if err != nil {
		return err
	}
	service := exhibit.Serve(all)
	defer service.Close()
	ended := &museum{service: service, home: filepath.Join(dir, "home"), incoming: filepath.Join(dir, "Incoming")}
	running := &museum{service: service, home: filepath.Join(dir, "running"), incoming: ended.incoming}
	for _, e := range all {
		if e.Final() {
			ended.exhibits = append(ended.exhibits, e)
		} else {
			running.exhibits = append(running.exhibits, e)
		}
	}

	light := look{theme: "light", scale: 1, sizes: sizes, shots: filepath.Join(shots, "viewer")}
	dark, twice, twiceDark := light, light, light
	dark.theme, twiceDark.theme = "dark", "dark"
	twice.scale, twiceDark.scale = 2, 2
	twiceDark.sizes = sizes[1:]
	if err := ended.hang(ctx, light); err != nil {
		return err
	}
	wrong := []error{running.watch(ctx, dark)}
	for _, room := range []struct {
		look  look
		views func(*exhibit.Exhibit) []view
	}{{light, viewsInLight}, {dark, viewsInDark}, {twice, viewsTwice}, {twiceDark, viewsTwice}} {
		if ctx.Err() == nil {
			wrong = append(wrong, ended.walk(ctx, room.look, room.views))
		}
	}
	return errors.Join(wrong...)
}

// hang has everything answered. Of what is handed over together, the last stands first in the list of results.
func (m *museum) hang(ctx context.Context, l look) error {
	return l.onDesktop(ctx, func(desktop *e2e.Desktop, _ string) error {
		paths, err := m.write()
		if err != nil {
			return err
		}
		slices.Reverse(paths)
		app, err := m.start(ctx, l, desktop, paths)
		if err != nil {
			return err
		}
		if _, err := app.Answers(ctx, len(m.exhibits), exhibitsLimit); err != nil {
			return err
		}
		var wrong []error
		for _, e := range m.exhibits {
			if e.Removed {
				wrong = append(wrong, os.Remove(filepath.Join(m.incoming, e.Name)))
			}
		}
		return errors.Join(append(wrong, app.Stop())...)
	})
}

// write writes the files.
func (m *museum) write() (paths []string, err error) {
	for _, e := range m.exhibits {
		path, err := e.Write(m.incoming)
		if err != nil {
			return nil, err
		}
		paths = append(paths, path)
	}
	return paths, nil
}

// start opens the window, with files.
func (m *museum) start(ctx context.Context, l look, desktop *e2e.Desktop, files []string) (*e2e.Assay, error) {
	return desktop.StartAssay(ctx, e2e.Options{Theme: l.theme, Scale: l.scale, Home: m.home, Server: m.service.URL(), Key: "tour", Files: files})
}

// watch hands over what has models that never come to their end, and opens it from the inbox while it is analysed. A status that nobody has heard
// of is no end either, and nothing that could be opened: it is seen in the inbox alone.
func (m *museum) watch(ctx context.Context, l look) error {
	return l.onDesktop(ctx, func(desktop *e2e.Desktop, _ string) error {
		paths, err := m.write()
		if err != nil {
			return err
		}
		before := m.service.Told()
		app, err := m.start(ctx, l, desktop, paths) // the first stands first in the inbox
		if err != nil {
			return err
		}
		if err := e2e.Until(ctx, exhibitsLimit, "something is known of everything", func() (bool, error) {
			return m.service.Told() >= before+len(m.exhibits), nil
		}); err != nil {
			return err
		}
		wrong := []error{l.keepAtEachSize(ctx, desktop, app.Window, "0-inbox-while-models-run")}
		w := &viewing{look: l, desktop: desktop, window: app.Window}
		for i, e := range m.exhibits {
			if e.Answer.OverallStatus == exhibit.Unheard {
				continue
			}
			keys := slices.Concat([]string{"ctrl+1", "Home"}, slices.Repeat([]string{"j"}, i), []string{"Return"})
			wrong = append(wrong, w.keep(ctx, e.Key+"-1-first", view{name: "1-first", keys: keys}))
		}
		return errors.Join(append(wrong, app.Stop())...)
	})
}

// walk opens the window and goes through the results.
func (m *museum) walk(ctx context.Context, l look, shown func(*exhibit.Exhibit) []view) error {
	return l.onDesktop(ctx, func(desktop *e2e.Desktop, _ string) error {
		app, err := m.start(ctx, l, desktop, nil)
		if err != nil {
			return err
		}
		return errors.Join(m.through(ctx, l, desktop, app, shown), app.Stop())
	})
}

// through goes through the results from the newest, and keeps the views of each.
func (m *museum) through(ctx context.Context, l look, desktop *e2e.Desktop, app *e2e.Assay, shown func(*exhibit.Exhibit) []view) error {
	w := &viewing{look: l, desktop: desktop, window: app.Window}
	var wrong []error
	keys := []string{"ctrl+2", "Home"}
	for _, e := range m.exhibits {
		views := shown(e)
		if len(views) > 0 {
			if err := w.window.Keys(ctx, keys...); err != nil {
				return errors.Join(append(wrong, err)...)
			}
			keys = nil
		}
		for _, v := range views {
			if err := w.keep(ctx, e.Key+"-"+v.name, v); err != nil && ctx.Err() == nil {
				wrong = append(wrong, fmt.Errorf("%s-%s: %w", e.Key, v.name, err))
			}
		}
		keys = append(keys, "j")
		if ctx.Err() != nil {
			return errors.Join(append(wrong, ctx.Err())...)
		}
	}
	return errors.Join(wrong...)
}
