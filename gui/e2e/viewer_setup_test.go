//go:build e2e && linux

package e2e

import (
	"image"
	"os"
	"path/filepath"
	"testing"
)

// viewing is Assay with one answered file open in the viewer.
type viewing struct {
	t       *testing.T
	desktop *Desktop
	app     *Assay
	shot    *Shot // the window as it was last seen at rest
}

// view hands a file over to Assay with the sandbox in it, waits for the answer and opens the viewer.
func view(t *testing.T, desktop *Desktop, file string) *viewing {
	t.Helper()
	return viewWith(t, desktop, Options{}, file)
}

// viewWith is view with the service, say, that the options name.
func viewWith(t *testing.T, desktop *Desktop, options Options, file string) *viewing {
	t.Helper()
	options.Theme, options.Files = "light", []string{file} // by whose colours things are found
	v := &viewing{t: t, desktop: desktop, app: open(t, desktop, options, image.Pt(1280, 800))}
	if _, err := v.app.Answers(t.Context(), 1, answerLimit); err != nil {
		t.Fatal(err)
	}
	inbox, err := v.app.Window.Settled(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	v.shot = press(t, desktop, v.app.Window, inbox, "1-viewer", "ctrl+2")
	return v
}

// in makes what is done next part of a subtest.
func (v *viewing) in(t *testing.T) *viewing {
	return &viewing{t: t, desktop: v.desktop, app: v.app, shot: v.shot}
}

// press presses keys, waits until the window has changed by it and keeps the screenshot.
func (v *viewing) press(name string, keys ...string) *Shot {
	v.t.Helper()
	v.shot = press(v.t, v.desktop, v.app.Window, v.shot, name, keys...)
	return v.shot
}

// keys presses keys, whatever comes of it.
func (v *viewing) keys(keys ...string) {
	v.t.Helper()
	if err := v.app.Window.Keys(v.t.Context(), keys...); err != nil {
		v.t.Fatal(err)
	}
}

// drag drags something inside the window, waits until the window has changed by it and keeps the screenshot.
func (v *viewing) drag(name string, from, to image.Point) *Shot {
	v.t.Helper()
	if err := v.app.Window.Drag(v.t.Context(), from, to); err != nil {
		v.t.Fatal(err)
	}
	return v.changed(name)
}

// wheel turns the wheel over a place in the window, waits until the window has changed by it and keeps the screenshot.
func (v *viewing) wheel(name string, at image.Point, direction string, notches int) *Shot {
	v.t.Helper()
	if err := v.app.Window.Wheel(v.t.Context(), at, direction, notches); err != nil {
		v.t.Fatal(err)
	}
	return v.changed(name)
}

// click clicks a place in the window, waits until the window has changed by it and keeps the screenshot.
func (v *viewing) click(name string, at image.Point) *Shot {
	v.t.Helper()
	if err := v.app.Window.Click(v.t.Context(), at.X, at.Y); err != nil {
		v.t.Fatal(err)
	}
	return v.changed(name)
}

func (v *viewing) changed(name string) *Shot {
	v.t.Helper()
	shot, err := v.app.Window.ChangedFrom(v.t.Context(), v.shot)
	if err != nil {
		v.t.Fatalf("%s: %v", name, err)
	}
	v.shot = shot
	if err := v.desktop.Keep(shot, name); err != nil {
		v.t.Error(err)
	}
	return shot
}

// writeFile writes a file that a test hands over, and returns where it is.
func writeFile(t *testing.T, name string, content []byte) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, content, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}
