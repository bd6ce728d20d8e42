//go:build e2e && linux

package main

import (
	"context"
	"errors"
	"fmt"
	"image"
	"os"
	"path/filepath"
	"slices"
	"time"

	"assay/gui/e2e"
	"assay/gui/e2e/scenes"
	"assay/gui/screens"
)

// answeredHome is a home with answered scenes.
type answeredHome struct {
	scenes   []*scenes.Scene // in the order of the list of results, the newest first
	service  *scenes.Service
	home     string
	incoming string // contains the files
}

// answersLimit is how long it may take until all are answered.
const answersLimit = 3 * time.Minute

// visitViewer shows the viewer with every scene: those with most to show in each of the looks, the others in light or dark. Looks that were asked for
// show what is shown in light.
func visitViewer(ctx context.Context, asked []look, shots, pictures string) (err error) {
	dir, err := os.MkdirTemp("", "assay-tour-viewer-")
	if err != nil {
		return fmt.Errorf("folder for scenes: %w", err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	all, err := scenes.All(ctx, pictures)
	if err != nil {
		return err
	}
	service := scenes.Serve(all)
	defer service.Close()
	ended := &answeredHome{service: service, home: filepath.Join(dir, "home"), incoming: filepath.Join(dir, "Incoming")}
	running := &answeredHome{service: service, home: filepath.Join(dir, "running"), incoming: ended.incoming}
	for _, e := range all {
		if e.Final() {
			ended.scenes = append(ended.scenes, e)
		} else {
			running.scenes = append(running.scenes, e)
		}
	}

	shots = filepath.Join(shots, "viewer")
	light := look{theme: "light", scale: 1, sizes: sizes, shots: shots}
	dark, twice, twiceDark := light, light, light
	dark.theme, twiceDark.theme = "dark", "dark"
	twice.scale, twiceDark.scale = 2, 2
	twiceDark.sizes = sizes[1:]
	if err := ended.answer(ctx, light); err != nil {
		return err
	}
	type room struct {
		look  look
		views func(*scenes.Scene) []view
	}
	rooms := []room{{light, viewsInLight}, {dark, viewsInDark}, {twice, viewsTwice}, {twiceDark, viewsTwice}}
	if len(asked) > 0 {
		rooms, dark = nil, asked[0]
		dark.shots = shots
		for _, l := range asked {
			l.shots = shots
			rooms = append(rooms, room{l, viewsInLight})
		}
	}
	wrong := []error{running.watch(ctx, dark)}
	for _, room := range rooms {
		if ctx.Err() == nil {
			wrong = append(wrong, ended.walk(ctx, room.look, room.views))
		}
	}
	return errors.Join(wrong...)
}

// answer has everything answered. Of files that are submitted together, the last is first in the list of results.
func (m *answeredHome) answer(ctx context.Context, l look) error {
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
		if _, err := app.Answers(ctx, len(m.scenes), answersLimit); err != nil {
			return err
		}
		var wrong []error
		for _, e := range m.scenes {
			if e.Removed {
				wrong = append(wrong, os.Remove(filepath.Join(m.incoming, e.Name)))
			}
		}
		return errors.Join(append(wrong, app.Stop())...)
	})
}

// write writes the files.
func (m *answeredHome) write() (paths []string, err error) {
	for _, e := range m.scenes {
		path, err := e.Write(m.incoming)
		if err != nil {
			return nil, err
		}
		paths = append(paths, path)
	}
	return paths, nil
}

// start opens the window with files.
func (m *answeredHome) start(ctx context.Context, l look, desktop *e2e.Desktop, files []string) (*e2e.Assay, error) {
	if err := l.settle(m.home, nil); err != nil {
		return nil, err
	}
	return desktop.StartAssay(ctx, l.options(e2e.Options{Home: m.home, Server: m.service.URL(), Key: "tour", Files: files}))
}

// watch submits scenes with models that never finish, and opens them from the inbox during the analysis. One with an unknown status is not final
// either, but can't be opened, so it is shown only in the inbox.
func (m *answeredHome) watch(ctx context.Context, l look) error {
	return l.onDesktop(ctx, func(desktop *e2e.Desktop, _ string) error {
		paths, err := m.write()
		if err != nil {
			return err
		}
		before := m.service.Answered()
		app, err := m.start(ctx, l, desktop, paths) // the first is first in the inbox
		if err != nil {
			return err
		}
		if err := e2e.Until(ctx, answersLimit, "something is known of everything", func() (bool, error) {
			return m.service.Answered() >= before+len(m.scenes), nil
		}); err != nil {
			return err
		}
		wrong := []error{l.keepAtEachSize(ctx, desktop, app.Window, "0-inbox-while-models-run")}
		w := &viewing{look: l, desktop: desktop, window: app.Window}
		for i, e := range m.scenes {
			if e.Answer.OverallStatus == scenes.Unknown {
				continue
			}
			keys := slices.Concat([]string{keyTo(screens.Inbox), "Home"}, slices.Repeat([]string{"j"}, i), []string{"Return"})
			wrong = append(wrong, w.keep(ctx, e.Key+"-1-first", view{name: "1-first", keys: keys}))
		}
		return errors.Join(append(wrong, app.Stop())...)
	})
}

// walk opens the window and goes through the results.
func (m *answeredHome) walk(ctx context.Context, l look, shown func(*scenes.Scene) []view) error {
	return l.onDesktop(ctx, func(desktop *e2e.Desktop, _ string) error {
		app, err := m.start(ctx, l, desktop, nil)
		if err != nil {
			return err
		}
		return errors.Join(m.through(ctx, l, desktop, app, shown), app.Stop())
	})
}

// through goes through the results from the newest, and keeps the views of each.
func (m *answeredHome) through(ctx context.Context, l look, desktop *e2e.Desktop, app *e2e.Assay, shown func(*scenes.Scene) []view) error {
	w := &viewing{look: l, desktop: desktop, window: app.Window}
	var wrong []error
	keys := []string{keyTo(screens.Results), "Home"}
	for _, e := range m.scenes {
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

// view is what to show of a scene. Views are shown in order, each from the state of the one before.
type view struct {
	name string        // "" for a step on the way, of which no picture is kept
	keys []string      // to press, from the view before
	tab  tab           // to open after the keys; nil for none
	down bool          // whether the wheel is turned over the open page, to its end
	wait time.Duration // before the picture, if something must end first
	// sizes are the window sizes to keep; nil for all.
	sizes []image.Point
}

// The views of the scenes with most to show.
var viewsOf = map[string][]view{
	"image-fake": {
		{name: "01-original"},
		{name: "02-overlay", keys: []string{"2"}},
		{name: "03-overlay-full", keys: []string{"bracketright", "bracketright", "bracketright", "bracketright"}},
		{name: "04-swipe", keys: []string{"3"}},
		{name: "05-side-by-side", keys: []string{"5"}},
		{name: "06-side-by-side-zoomed", keys: []string{"plus", "plus", "plus"}},
		{name: "07-boxes", keys: []string{"0", "1", "b"}},
		{name: "08-covered", keys: []string{"b", "g"}},
		{name: "09-full-window", keys: []string{"g", "f"}},
		{name: "10-details", keys: []string{"Escape"}, tab: detailsTab},
		{name: "11-details-end", tab: detailsTab, down: true},
		{name: "12-data", tab: dataTab},
		{name: "13-history", tab: historyTab},
		{name: "14-shortcuts", keys: []string{"question"}},
		{keys: []string{"Return"}, tab: modelsTab},
		{name: "15-judgement-given", keys: []string{"v", "space"}, sizes: sizes[1:]},
		{name: "16-judgement-taken-back", keys: []string{"ctrl+z"}, sizes: sizes[1:]},
		{name: "17-other-judgement", keys: []string{"Escape", "v", "Tab", "Tab", "space"}},
		{keys: []string{"Escape", "Escape"}},
	},
	"image-suspicious": {
		{name: "1-original"},
		{name: "2-judgement-refused", keys: []string{"v", "Tab", "space"}, wait: 7 * time.Second},
	},
	"image-authentic-turned": {{name: "1-original"}, {name: "2-boxes", keys: []string{"b"}}},
	"image-many-models":      {{name: "1-original"}, {name: "2-overlay", keys: []string{"2"}}},
	"image-heatmap-other-shape": {
		{name: "1-original"},
		{name: "2-overlay-refused", keys: []string{"2"}},
	},
	"image-strip": {
		{name: "1-original"},
		{name: "2-overlay", keys: []string{"2"}},
		{name: "3-pixels", keys: []string{"plus", "plus", "plus", "plus", "plus", "plus", "plus", "plus", "plus"}},
	},
	"audio-fake": {
		{name: "1-first"},
		{name: "2-worst-part", keys: []string{"w"}},
		{name: "3-no-loudspeaker", keys: []string{"space"}, wait: 3 * time.Second},
		{name: "4-details", tab: detailsTab},
		{tab: modelsTab},
	},
	"video-voice-clone": {
		{name: "1-first"},
		{name: "2-worst-part", keys: []string{"w"}},
		{name: "3-full-window", keys: []string{"f"}},
		{name: "4-details", keys: []string{"Escape"}, tab: detailsTab},
		{name: "5-data", tab: dataTab},
		{tab: modelsTab},
	},
	"text-fake": {
		{name: "1-first"},
		{name: "2-second-passage", keys: []string{"n", "n"}},
		{name: "3-details", tab: detailsTab},
		{tab: modelsTab},
	},
}

// inBoth are the scenes shown in light and dark; others are shown in light.
var inBoth = map[string]bool{"image-fake": true, "audio-fake": true, "video-voice-clone": true, "text-fake": true, "image-heatmap-other-shape": true}

// firstView is a scene as it opens.
func firstView(*scenes.Scene) []view { return []view{{name: "1-first"}} }

// viewsInLight and viewsInDark divide the scenes that are shown in one look only.
func viewsInLight(e *scenes.Scene) []view {
	if views := viewsOf[e.Key]; views != nil {
		return views
	}
	if len(e.Key)%2 == 0 {
		return nil
	}
	return firstView(e)
}

func viewsInDark(e *scenes.Scene) []view {
	switch {
	case inBoth[e.Key]:
		return viewsOf[e.Key]
	case viewsOf[e.Key] != nil || len(e.Key)%2 != 0:
		return nil
	}
	return firstView(e)
}

// viewsTwice are the views at a scale of 2.
func viewsTwice(e *scenes.Scene) []view {
	if inBoth[e.Key] {
		return viewsOf[e.Key][:2]
	}
	return nil
}
