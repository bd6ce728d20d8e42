//go:build e2e && linux

package e2e

import (
	"image"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"assay/client/assert"
)

// windowsOpen counts Assay's windows.
func windowsOpen(t *testing.T, desktop *Desktop) int {
	t.Helper()
	return desktop.Windows(t.Context(), "--name", "^Assay$")
}

// There is one window for a home, which everything comes to.
func TestOneWindow(t *testing.T) {
	t.Run("a second start hands its files over and ends", func(t *testing.T) {
		desktop, home := setup(t), t.TempDir()
		app := open(t, desktop, Options{Theme: "light", Home: home}, image.Pt(1280, 800))
		empty := keep(t, desktop, app.Window, "1-empty")
		handOver(t, desktop, Options{Home: home, Files: []string{manipulated(t)}})
		if _, err := app.Window.Differs(t.Context(), empty, 0.02); err != nil {
			t.Error("nothing shows that a file was handed over:", err)
		}
		lines, err := app.Answers(t.Context(), 1, answerLimit)
		assert.NoError(t, err)
		namesAnswered(t, lines)
		keep(t, desktop, app.Window, "2-answered")
		if n := windowsOpen(t, desktop); n != 1 {
			t.Errorf("%d windows are open", n)
		}
	})
	t.Run("a second start without files only shows it", func(t *testing.T) {
		desktop, home := setup(t), t.TempDir()
		open(t, desktop, Options{Theme: "light", Home: home}, image.Pt(1280, 800))
		handOver(t, desktop, Options{Home: home})
		if n := windowsOpen(t, desktop); n != 1 {
			t.Errorf("%d windows are open", n)
		}
	})
	t.Run("two starts at once become one", func(t *testing.T) {
		desktop, home := setup(t), t.TempDir()
		files := pictures(t)[:2]
		var starts []*Process
		for _, file := range files {
			process, err := desktop.Launch(Options{Theme: "light", Home: home, Files: []string{file}}, "--print")
			assert.NoError(t, err)
			starts = append(starts, process)
		}
		waitFor(t, patience, "one of them ends", func() bool {
			return slices.ContainsFunc(starts, func(p *Process) bool {
				select {
				case <-p.Ended():
					return true
				default:
					return false
				}
			})
		})
		var said []string
		waitFor(t, answerLimit, "both files are answered", func() bool {
			said = nil
			for _, process := range starts {
				said = append(said, process.Output.Lines()...)
			}
			return len(said) >= len(files)
		})
		var want []string
		for _, file := range files {
			want = append(want, filepath.Base(file))
		}
		slices.Sort(want)
		if diff := cmp.Diff(want, namesAnswered(t, said)); diff != "" {
			t.Errorf("names answered (-want +got):\n%s", diff)
		}
		running := 0
		for _, process := range starts {
			select {
			case <-process.Ended():
				if code := process.ExitCode(); code != 0 {
					t.Errorf("the one that ended has exit code %d: %s", code, process.Errors)
				}
			default:
				running++
			}
		}
		if n := windowsOpen(t, desktop); running != 1 || n != 1 {
			t.Errorf("%d processes run and %d windows are open, want one", running, n)
		}
	})
	t.Run("after a kill the next start takes over at once", func(t *testing.T) {
		desktop, home := setup(t), t.TempDir()
		first := open(t, desktop, Options{Theme: "light", Home: home, Files: pictures(t)[:1]}, image.Pt(1280, 800))
		if _, err := first.Answers(t.Context(), 1, answerLimit); err != nil {
			t.Fatal(err)
		}
		assert.NoError(t, first.Kill())
		begun := time.Now()
		second := open(t, desktop, Options{Theme: "light", Home: home, Files: pictures(t)[1:2]}, image.Pt(1280, 800))
		if took := time.Since(begun); took > handOverLimit {
			t.Errorf("the window took %s to open", took)
		}
		// What was answered is not asked for once more, and shows beside the new one.
		lines, err := second.Answers(t.Context(), 1, answerLimit)
		assert.NoError(t, err)
		if diff := cmp.Diff([]string{filepath.Base(pictures(t)[1])}, namesAnswered(t, lines)); diff != "" {
			t.Errorf("names answered (-want +got):\n%s", diff)
		}
		keep(t, desktop, second.Window, "both")
	})
	t.Run("scan works through it", func(t *testing.T) {
		desktop, home := setup(t), t.TempDir()
		app := open(t, desktop, Options{Theme: "light", Home: home}, image.Pt(1280, 800))
		empty := keep(t, desktop, app.Window, "1-empty")
		scan, err := desktop.Launch(Options{Home: home, Files: pictures(t)[:2]}, "scan")
		assert.NoError(t, err)
		if code, err := scan.Wait(answerLimit); err != nil || code != 0 {
			t.Fatalf("scan ended with exit code %d, %v: %s", code, err, scan.Errors)
		}
		said := scan.Output.Lines()
		if len(said) != 2 {
			t.Errorf("scan printed %q, want two answers", said)
		}
		namesAnswered(t, said)
		lines, err := app.Answers(t.Context(), 2, answerLimit)
		assert.NoError(t, err)
		slices.Sort(lines)
		slices.Sort(said)
		if diff := cmp.Diff(said, lines); diff != "" {
			t.Errorf("scan and window (-scan +window):\n%s", diff)
		}
		if _, err := app.Window.ChangedFrom(t.Context(), empty); err != nil {
			t.Error("nothing shows what was scanned:", err)
		}
		keep(t, desktop, app.Window, "2-scanned")
	})
}

// A folder that is dropped is walked: what can be sent is taken, what is hidden is not, and the rest is counted.
func TestDragAFolder(t *testing.T) {
	desktop := setup(t)
	outer := t.TempDir()
	picture := pictures(t)
	layOut(t, filepath.Join(outer, "evidence"), map[string]string{
		"one.jpg":                    picture[0],
		"further down/two.jpg":       picture[1],
		".hidden.jpg":                picture[2],
		".trash/three.jpg":           picture[2],
		"letter.docx":                picture[2],
		"further down/accounts.xlsx": picture[2],
	})
	app := open(t, desktop, Options{Theme: "light"}, image.Pt(1280, 800))
	empty := keep(t, desktop, app.Window, "1-empty")
	files, err := desktop.OpenFolder(t.Context(), outer)
	assert.NoError(t, err)
	assert.NoError(t, files.DragTo(t.Context(), app.Window, image.Pt(640, 400)))
	if _, err := app.Window.Differs(t.Context(), empty, 0.02); err != nil {
		t.Fatal("nothing shows that the folder was dropped:", err)
	}
	lines, err := app.Answers(t.Context(), 2, answerLimit)
	assert.NoError(t, err)
	keep(t, desktop, app.Window, "2-answered, with what was left out")
	if diff := cmp.Diff([]string{"one.jpg", "two.jpg"}, namesAnswered(t, lines)); diff != "" {
		t.Errorf("names answered (-want +got):\n%s", diff)
	}
	if strings.Contains(app.Output.String(), "docx") {
		t.Errorf("what was left out is not to be answered: %q", lines)
	}
}
