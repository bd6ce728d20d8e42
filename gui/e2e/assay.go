//go:build e2e && linux

package e2e

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"
)

// Assay is the program under test, started on a desktop.
type Assay struct {
	*Process
	Window *Window
}

// Options are how a start of Assay differs from the default.
type Options struct {
	// Theme is light or dark; Scale is the size of a unit in pixels, 0 for 1.
	Theme string
	Scale float64
	// Home is Assay's folder; "" for one of the desktop.
	Home string
	// Files are arguments.
	Files []string
	// Server and Key name a service in another process; "" for the embedded sandbox.
	Server, Key string
	// BySettings passes no service: Assay uses its settings, as when a person starts it.
	BySettings bool
	// LogLevel is the lowest level that is logged; "" for Assay's default.
	LogLevel string
	// Variables are added to the environment, each NAME=value.
	Variables []string
}

// arguments are the arguments of a start, after the subcommand.
func (o Options) arguments(home string) []string {
	arguments := []string{"--home", home}
	if o.Server == "" && !o.BySettings {
		arguments = append(arguments, "--sandbox")
	}
	if o.LogLevel != "" {
		arguments = append(arguments, "--log-level", o.LogLevel)
	}
	return append(arguments, o.Files...)
}

// variables are the environment variables of a start.
func (o Options) variables() []string {
	return append([]string{"FYNE_THEME=" + o.Theme, fmt.Sprintf("FYNE_SCALE=%g", o.Scale), "ASSAY_SERVER=" + o.Server, "ASSAY_API_KEY=" + o.Key}, o.Variables...)
}

// Binary is the path of the program under test: the one from `make build`, or ASSAY_BINARY, such as that of an installed package.
func Binary() (string, error) {
	path := os.Getenv("ASSAY_BINARY")
	if path == "" {
		root, err := Root()
		if err != nil {
			return "", err
		}
		path = filepath.Join(root, "build", "assay")
	}
	if _, err := os.Stat(path); err != nil {
		return "", fmt.Errorf("nothing to drive, `make build` makes it: %w", err)
	}
	return path, nil
}

// Root is the module's folder: the nearest parent with a go.mod.
func Root() (string, error) {
	folder, err := os.Getwd()
	if err != nil {
		return "", fmt.Errorf("module's root: %w", err)
	}
	for {
		if _, err := os.Stat(filepath.Join(folder, "go.mod")); err == nil {
			return folder, nil
		}
		if parent := filepath.Dir(folder); parent != folder {
			folder = parent
			continue
		}
		return "", errors.New("module's root: no go.mod above the current folder")
	}
}

// StartAssay opens Assay's window and waits until something is painted in it.
func (d *Desktop) StartAssay(ctx context.Context, options Options) (*Assay, error) {
	process, err := d.Launch(options, "--print")
	if err != nil {
		return nil, err
	}
	app := &Assay{Process: process}
	if app.Window, err = d.Window(ctx, "--name", "^Assay$"); err != nil {
		return nil, fmt.Errorf("%w; the program logged: %s", err, process.Errors)
	}
	err = Until(ctx, patience, "Assay paints its window", func() (bool, error) {
		shot, err := app.Window.Settled(ctx)
		if shot != nil && !shot.Blank() { // even if it never comes to rest, for the test that goes on
			return true, nil
		}
		return false, err
	})
	return app, err
}

// Launch starts the program with words before the options' arguments, without waiting for a window: a subcommand has none, and a second start passes
// its arguments to the first.
func (d *Desktop) Launch(options Options, words ...string) (*Process, error) {
	binary, err := Binary()
	if err != nil {
		return nil, err
	}
	home := options.Home
	if home == "" {
		home = filepath.Join(d.Dir, "assay")
	}
	if options.Scale == 0 {
		options.Scale = 1
	}
	return d.StartWith(options.variables(), binary, append(words, options.arguments(home)...)...)
}

// Answers waits until Assay has printed n lines, one for each answered or refused item, and returns them.
func (a *Assay) Answers(ctx context.Context, n int, limit time.Duration) ([]string, error) {
	err := Until(ctx, limit, fmt.Sprintf("%d answers are printed", n), func() (bool, error) {
		select {
		case <-a.Ended():
			return true, fmt.Errorf("program ended with exit code %d", a.ExitCode())
		default:
			return len(a.Output.Lines()) >= n, nil
		}
	})
	lines := a.Output.Lines()
	if err != nil {
		return lines, fmt.Errorf("%d of %d answers: %w; printed %q, logged %q", len(lines), n, err, lines, a.Errors.String())
	}
	return lines, nil
}

// Pictures returns the paths in testdata/pictures below the module's root, sorted by name; having none is an error.
func Pictures(root string) ([]string, error) {
	folder := filepath.Join(root, "testdata", "pictures")
	var files []string
	for _, pattern := range []string{"*.jpg", "*.jpeg", "*.png", "*.webp", "*.gif", "*.tif", "*.tiff", "*.bmp"} {
		found, err := filepath.Glob(filepath.Join(folder, pattern))
		if err != nil {
			return nil, fmt.Errorf("pictures: %w", err)
		}
		files = append(files, found...)
	}
	if len(files) == 0 {
		return nil, fmt.Errorf("no pictures in %s", folder)
	}
	slices.Sort(files)
	return files, nil
}
