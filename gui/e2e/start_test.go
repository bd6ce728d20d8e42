//go:build e2e && linux

package e2e

import (
	"errors"
	"image"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"assay/client/assert"
)

func TestWithoutDisplayItSaysSoAndExitsWith2(t *testing.T) {
	binary, err := Binary()
	assert.NoError(t, err)
	command := exec.CommandContext(t.Context(), binary, "--sandbox", "--home", t.TempDir())
	command.Env = []string{"HOME=" + t.TempDir(), "PATH=" + os.Getenv("PATH"), "LANG=C.UTF-8"}
	var said strings.Builder
	command.Stderr = &said
	err = command.Run()
	var exit *exec.ExitError
	if !errors.As(err, &exit) || exit.ExitCode() != 2 {
		t.Errorf("ended with %v, want exit code 2", err)
	}
	if !strings.Contains(said.String(), "display") || strings.Contains(said.String(), "goroutine") {
		t.Errorf("want a sentence about the display, got:\n%s", said.String())
	}
}

func TestFilesGivenAsArgumentsAreAnsweredInASmallWindow(t *testing.T) {
	small := image.Pt(900, 600)
	for _, theme := range []string{"light", "dark"} {
		t.Run(theme, func(t *testing.T) {
			desktop := setup(t)
			app := open(t, desktop, Options{Theme: theme, Files: []string{manipulated(t)}}, small)
			lines, err := app.Answers(t.Context(), 1, answerLimit)
			assert.NoError(t, err)
			namesAnswered(t, lines)
			inbox := keep(t, desktop, app.Window, "1-inbox")
			fits(t, app.Window, "inbox", small)
			viewer := press(t, desktop, app.Window, inbox, "2-viewer", "ctrl+2")
			fits(t, app.Window, "viewer", small)
			press(t, desktop, app.Window, viewer, "3-heatmap", "o")
			fits(t, app.Window, "heatmap", small)
		})
		t.Run(theme+", made smaller with the viewer open", func(t *testing.T) {
			desktop := setup(t)
			app := open(t, desktop, Options{Theme: theme, Files: []string{manipulated(t)}}, image.Pt(1280, 800))
			if _, err := app.Answers(t.Context(), 1, answerLimit); err != nil {
				t.Fatal(err)
			}
			inbox := keep(t, desktop, app.Window, "1-inbox")
			press(t, desktop, app.Window, inbox, "2-viewer", "ctrl+2")
			if err := app.Window.Place(t.Context(), 430, 30, small.X, small.Y); err != nil {
				t.Error(err)
			}
			keep(t, desktop, app.Window, "3-viewer-smaller")
		})
	}
}

// fits fails where a screen has pushed the window beyond the size that a person gave it.
func fits(t *testing.T, window *Window, screen string, want image.Point) {
	t.Helper()
	size, err := window.Size(t.Context())
	assert.NoError(t, err)
	if size != want {
		t.Errorf("%s: the window of %d × %d has grown to %d × %d", screen, want.X, want.Y, size.X, size.Y)
	}
}

// Each file that cannot be sent gets a line of its own, and the good one among them is answered all the same.
func TestBadFilesDoNotHoldUpGoodOnes(t *testing.T) {
	good := manipulated(t)
	folder := t.TempDir()
	content, err := os.ReadFile(good)
	assert.NoError(t, err)
	bad := map[string][]byte{
		"empty.jpg":     {},
		"truncated.jpg": content[:len(content)/3],
		"text.png":      []byte("no picture, in spite of its name\n"),
		"program.exe":   []byte("MZ"),
	}
	files := []string{good}
	for name, content := range bad {
		path := filepath.Join(folder, name)
		assert.NoError(t, os.WriteFile(path, content, 0o600))
		files = append(files, path)
	}
	desktop := setup(t)
	app := open(t, desktop, Options{Theme: "light", Files: files}, image.Pt(1280, 800))
	lines, err := app.Answers(t.Context(), len(files), answerLimit)
	assert.NoError(t, err)
	keep(t, desktop, app.Window, "1-inbox")
	said := map[string]string{}
	for _, line := range lines {
		name, rest, _ := strings.Cut(line, ": ")
		said[name] = rest
	}
	for _, file := range files {
		if said[filepath.Base(file)] == "" {
			t.Errorf("nothing was said about %s; lines: %q", filepath.Base(file), lines)
		}
	}
	if !answered.MatchString(filepath.Base(good) + ": " + said[filepath.Base(good)]) {
		t.Errorf("the good picture got no verdict: %q", said[filepath.Base(good)])
	}
}
