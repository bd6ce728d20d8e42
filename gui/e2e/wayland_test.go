//go:build e2e && linux

package e2e

import (
	"context"
	"fmt"
	"image"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"assay/client/assert"
)

// assayID is the desktop's name for Assay: that of its entry, without the ending.
const assayID = "news.assay.Assay"

func isAssay(w WaylandWindow) bool { return w.AppID == assayID }

// wayland is Assay on a desktop of Wayland.
type wayland struct {
	*fixture
	desktop *WaylandDesktop
}

// setupWayland starts a desktop of Wayland wide enough for the file manager beside a window of 1280 × 800.
func setupWayland(t *testing.T) *wayland {
	t.Helper()
	root, err := Root()
	assert.NoError(t, err)
	shots := filepath.Join(root, "build", "e2e", t.Name())
	assert.NoError(t, os.RemoveAll(shots))
	desktop, err := StartWaylandDesktop(t.Context(), t.TempDir(), shots, 1900, 860)
	assert.NoError(t, err)
	t.Cleanup(func() {
		if err := desktop.Close(); err != nil {
			t.Error(err)
		}
	})
	return &wayland{fixture: &fixture{t: t, desktop: desktop.Desktop, options: Options{Theme: "light", Home: t.TempDir()}}, desktop: desktop}
}

// open starts Assay and waits until it has painted its window.
func (w *wayland) open(variables ...string) {
	w.t.Helper()
	options := w.options
	options.Variables = variables
	process, err := w.desktop.Launch(options, "--print")
	assert.NoError(w.t, err)
	w.app = &Assay{Process: process}
	w.t.Cleanup(func() {
		if w.t.Failed() {
			if shot, err := w.desktop.ShotOf(context.WithoutCancel(w.t.Context()), image.Rect(0, 0, 1900, 860)); err == nil {
				_ = w.desktop.Keep(shot, "failed")
			}
			w.t.Logf("printed:\n%s\nlogged:\n%s", process.Output, process.Errors)
		}
	})
	_, err = w.desktop.Find(w.t.Context(), "Assay has a window of Wayland", isAssay)
	assert.NoError(w.t, err)
	assert.NoError(w.t, w.desktop.Tell(w.t.Context(), fmt.Sprintf("[app_id=%s] move absolute position 600 30", assayID)))
	waitFor(w.t, patience, "Assay paints its window", func() bool { return !w.look().Blank() })
}

// window is Assay's, as it is now.
func (w *wayland) window() WaylandWindow {
	w.t.Helper()
	window, err := w.desktop.Find(w.t.Context(), "Assay has a window of Wayland", isAssay)
	assert.NoError(w.t, err)
	return window
}

// look is a picture of Assay's window as it is now.
func (w *wayland) look() *Shot {
	w.t.Helper()
	shot, err := w.desktop.ShotOf(w.t.Context(), w.window().Inside)
	assert.NoError(w.t, err)
	return shot
}

// settled is a picture of Assay's window once it has come to rest.
func (w *wayland) settled() *Shot {
	w.t.Helper()
	last := w.look()
	waitFor(w.t, patience, "the window stops changing", func() bool {
		shot := last
		last = w.look()
		return last.Changed(shot) == 0
	})
	return last
}

// changes waits until a share, 0 to 1, of the window differs from how it was, and the window has come to rest, and keeps a picture of it.
func (w *wayland) changes(from *Shot, share float64, name string) {
	w.t.Helper()
	waitFor(w.t, patience, name+": the window changes", func() bool { return w.look().Changed(from) > share })
	assert.NoError(w.t, w.desktop.Keep(w.settled(), name))
}

// answers waits for that many answers in all, and returns their names.
func (w *wayland) answers(n int) []string {
	w.t.Helper()
	lines, err := w.app.Answers(w.t.Context(), n, answerLimit)
	assert.NoError(w.t, err)
	return namesAnswered(w.t, lines)
}

// Where there is no X server for it, Assay does on Wayland what it does on X11.
func TestWayland(t *testing.T) {
	w := setupWayland(t)
	w.open()
	empty := w.settled()
	assert.NoError(t, w.desktop.Keep(empty, "1-empty"))

	const name = "press photo (Größe 100%).jpg"
	icon, err := w.desktop.OpenFolder(t.Context(), folderWith(t, map[string]string{name: manipulated(t)}))
	assert.NoError(t, err)
	t.Run("a file is dropped on it", func(t *testing.T) {
		assert.NoError(t, w.desktop.hands.Drag(t.Context(), icon, w.window().Inside.Min.Add(image.Pt(640, 400))))
		if diff := cmp.Diff([]string{name}, w.answers(1)); diff != "" {
			t.Errorf("names answered (-want +got):\n%s", diff)
		}
		w.changes(empty, 0.02, "2-dropped")
	})
	t.Run("a second start hands its files over, and the window wants to be looked at", func(t *testing.T) {
		assert.NoError(t, w.desktop.Tell(t.Context(), "[app_id="+fileManager+"] focus"))
		_, err := w.desktop.Find(t.Context(), "another window is in front", func(w WaylandWindow) bool { return w.AppID == fileManager && w.Focused })
		assert.NoError(t, err)
		before := w.settled()
		second := w.options
		second.Files = pictures(t)[:1]
		handOver(t, w.desktop.Desktop, second)
		_, err = w.desktop.Find(t.Context(), "Assay wants to be looked at", func(w WaylandWindow) bool { return isAssay(w) && w.Urgent })
		assert.NoError(t, err)
		w.answers(2)
		w.changes(before, 0.005, "3-handed-over")
	})
	t.Run("where the desktop lets it, it comes to the front", func(t *testing.T) {
		assert.NoError(t, w.desktop.Tell(t.Context(), "focus_on_window_activation focus"))
		handOver(t, w.desktop.Desktop, w.options)
		_, err := w.desktop.Find(t.Context(), "Assay is in front", func(w WaylandWindow) bool { return isAssay(w) && w.Focused })
		assert.NoError(t, err)
	})
	t.Run("a picture is pasted", func(t *testing.T) {
		screenshot := filepath.Join(t.TempDir(), "screenshot.png")
		content, err := HeavyPNG(7, 3<<20) // more than a pipe holds
		assert.NoError(t, err)
		write(t, screenshot, content)
		before := w.settled()
		w.copies(t, "image/png", screenshot)
		assert.NoError(t, w.desktop.hands.Press(t.Context(), "v", true))
		w.answers(3)
		w.changes(before, 0.005, "4-pasted")
	})
	t.Run("files are pasted", func(t *testing.T) {
		list := filepath.Join(t.TempDir(), "list")
		write(t, list, []byte("file://"+pictures(t)[2]+"\r\n"))
		w.copies(t, "text/uri-list", list)
		assert.NoError(t, w.desktop.hands.Press(t.Context(), "v", true))
		w.answers(4)
	})
	t.Run("the viewer opens by a key", func(t *testing.T) {
		before := w.settled()
		assert.NoError(t, w.desktop.hands.Press(t.Context(), "2", true))
		w.changes(before, 0.2, "5-viewer") // the picture, which is large
	})
	t.Run("closing its window ends it", func(t *testing.T) {
		assert.NoError(t, w.desktop.Tell(t.Context(), fmt.Sprintf("[app_id=%s] kill", assayID)))
		code, err := w.app.Wait(stopLimit)
		if err != nil || code != 0 {
			t.Errorf("it ended with exit code %d, %v: %s", code, err, w.app.Errors)
		}
	})
	t.Run("the end of the session ends it", func(t *testing.T) {
		w.open("DISPLAY=" + w.desktop.display) // of two displays, it is on the one of Wayland
		begun := time.Now()
		if err := w.app.Terminate(stopLimit); err != nil {
			t.Error(err)
		}
		t.Logf("it took %s", time.Since(begun))
	})
}

// copies puts the content of a file into the clipboard, as a program does that goes on running.
func (w *wayland) copies(t *testing.T, form, file string) {
	t.Helper()
	_, err := w.desktop.Start("sh", "-c", `exec wl-copy --foreground --type "$0" < "$1"`, form, file)
	assert.NoError(t, err)
	waitFor(t, patience, form+" is in the clipboard", func() bool {
		offered, err := w.desktop.Run(t.Context(), "wl-paste", "--list-types")
		return err == nil && slices.Contains(strings.Split(string(offered), "\n"), form)
	})
}

// A start by the desktop brings the desktop's leave to come to the front, whose use only the protocol shows: the compositor here lets every window.
func TestWaylandFront(t *testing.T) {
	w := setupWayland(t)
	const variable, first, second = "XDG_ACTIVATION_TOKEN=", "of-the-first-start", "of-the-second-start"
	w.open(variable+first, "WAYLAND_DEBUG=client")
	used := func(token string) bool {
		return strings.Contains(w.app.Errors.String(), fmt.Sprintf(".activate(%q, wl_surface", token))
	}
	waitFor(t, patience, "the window uses the leave of its own start", func() bool { return used(first) })
	later := w.options
	later.Variables = []string{variable + second}
	handOver(t, w.desktop.Desktop, later)
	waitFor(t, patience, "the window uses the leave of a later start", func() bool { return used(second) })
}

// Without the program that reads the clipboard, links can be pasted all the same, and nothing hangs where the session ends all at once.
func TestWaylandWithLess(t *testing.T) {
	w := setupWayland(t)
	folder := t.TempDir() // of programs: only those that it may find
	for _, name := range []string{"sh"} {
		path, err := exec.LookPath(name)
		assert.NoError(t, err)
		assert.NoError(t, os.Symlink(path, filepath.Join(folder, name)))
	}
	w.open("PATH=" + folder)
	list := writeFile(t, "text", []byte(pictures(t)[0]))
	w.copies(t, "text/plain;charset=utf-8", list)
	assert.NoError(t, w.desktop.hands.Press(t.Context(), "v", true))
	w.answers(1)
	before := w.settled()
	screenshot := writeFile(t, "screenshot.png", []byte("no picture, but nobody reads it"))
	w.copies(t, "image/png", screenshot)
	assert.NoError(t, w.desktop.hands.Press(t.Context(), "v", true))
	w.changes(before, 0.0005, "1-what-is-missing")
	assert.NoError(t, w.desktop.running[1].Kill())
	if _, err := w.app.Wait(stopLimit); err != nil {
		t.Error("the session is gone:", err)
	}
}
