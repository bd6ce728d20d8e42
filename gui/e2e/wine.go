//go:build e2e && linux

package e2e

import (
	"context"
	"fmt"
	"os/exec"
	"path/filepath"
	"time"
)

// wineLimit is how long one start of a program may take under wine, whose first also starts wine itself.
const wineLimit = 2 * time.Minute

// Wine is a Windows of a test's own.
type Wine struct {
	Prefix string // the folder that holds its drive C, as drive_c, and its registry

	desktop   *Desktop
	variables []string
}

// StartWine makes a Windows on the desktop; extra variables are NAME=value. root is the repository's folder.
func (d *Desktop) StartWine(ctx context.Context, root string, variables ...string) (*Wine, error) {
	w := &Wine{Prefix: filepath.Join(d.Dir, "wine"), desktop: d}
	// Neither a browser nor .NET is needed, and wine would ask to download both; nor are menus of the desktop outside.
	w.variables = append([]string{"WINEPREFIX=" + w.Prefix, "WINEDEBUG=-all", "WINEDLLOVERRIDES=bcryptprimitives=n;mscoree=;mshtml=;winemenubuilder.exe=d"}, variables...)
	if _, err := w.Succeeds(`wine wineboot --init`); err != nil {
		return nil, err
	}
	library := filepath.Join(w.Prefix, "drive_c", "windows", "system32", "bcryptprimitives.dll")
	build := exec.CommandContext(ctx, "x86_64-w64-mingw32-gcc", "-shared", "-o", library, filepath.Join(root, ".ci", "bcryptprimitives.c"), "-ladvapi32")
	if said, err := build.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("%w: %s", err, said)
	}
	return w, nil
}

// Stop ends all programs of this Windows, and waits until they have.
func (w *Wine) Stop() error {
	_, err := w.Succeeds(`wine wineboot --kill && wineserver -w`)
	return err
}

// Settle waits until all programs have ended by themselves and the registry is written to its files.
func (w *Wine) Settle() error {
	_, err := w.Succeeds(`wineserver -w`)
	return err
}

// Start starts a line of the shell in which wine's programs can be called.
func (w *Wine) Start(line string, variables ...string) (*Process, error) {
	return w.desktop.StartWith(append(variables, w.variables...), "sh", "-c", line)
}

// Call runs a line of the shell, and returns the exit code, what it printed, and what it logged.
func (w *Wine) Call(line string, variables ...string) (code int, printed, logged string, err error) {
	process, err := w.Start(line, variables...)
	if err != nil {
		return 0, "", "", err
	}
	code, err = process.Wait(wineLimit)
	return code, process.Output.String(), process.Errors.String(), err
}

// Succeeds runs a line of the shell, and returns all that it said.
func (w *Wine) Succeeds(line string, variables ...string) (string, error) {
	code, printed, logged, err := w.Call(line, variables...)
	if err == nil && code != 0 {
		err = fmt.Errorf("%s: exit code %d; printed %q, logged %q", line, code, printed, logged)
	}
	return printed + logged, err
}
