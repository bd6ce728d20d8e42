//go:build e2e && linux

package e2e

import (
	"image"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"assay/client/assert"
)

// A picture's whole way: dragged from another program, answered, looked at, with the heatmap and without.
func TestDragOnePicture(t *testing.T) {
	const name = "press photo (Größe 100%).jpg"
	desktop := setup(t)
	folder := folderWith(t, map[string]string{name: manipulated(t)})
	app := open(t, desktop, Options{Theme: "light"}, image.Pt(1280, 800))
	empty := keep(t, desktop, app.Window, "1-empty")

	files, err := desktop.OpenFolder(t.Context(), folder)
	assert.NoError(t, err)
	assert.NoError(t, files.DragTo(t.Context(), app.Window, image.Pt(640, 400)))
	dropped, err := app.Window.ChangedFrom(t.Context(), empty)
	if err != nil {
		t.Fatal("nothing shows that the file was dropped:", err)
	}
	if err := desktop.Keep(dropped, "2-dropped"); err != nil {
		t.Error(err)
	}
	screen, err := desktop.Screen(t.Context())
	assert.NoError(t, err)
	if err := desktop.Keep(screen, "2-dropped-whole-screen"); err != nil {
		t.Error(err)
	}

	lines, err := app.Answers(t.Context(), 1, answerLimit)
	assert.NoError(t, err)
	if diff := cmp.Diff([]string{name}, namesAnswered(t, lines)); diff != "" {
		t.Errorf("names answered (-want +got):\n%s", diff)
	}
	inbox := keep(t, desktop, app.Window, "3-answered")
	viewer := press(t, desktop, app.Window, inbox, "4-viewer", "ctrl+2")
	overlay := press(t, desktop, app.Window, viewer, "5-heatmap", "o")
	press(t, desktop, app.Window, overlay, "6-heatmap-fainter", "bracketleft", "bracketleft", "bracketleft")

	t.Run("the subcommand says the same", func(t *testing.T) {
		binary, err := Binary()
		assert.NoError(t, err)
		said, err := desktop.Run(t.Context(), binary, "scan", filepath.Join(folder, name), "--sandbox", "--home", t.TempDir())
		assert.NoError(t, err)
		if diff := cmp.Diff(lines, strings.Split(strings.TrimSpace(string(said)), "\n")); diff != "" {
			t.Errorf("window and subcommand (-window +scan):\n%s", diff)
		}
	})
	t.Run("the end of the session ends it", func(t *testing.T) {
		if err := app.Terminate(stopLimit); err != nil {
			t.Error(err)
		}
	})
}

func TestDragThreePictures(t *testing.T) {
	desktop := setup(t)
	from := pictures(t)
	if len(from) < 3 {
		t.Fatalf("testdata/pictures holds %d pictures", len(from))
	}
	copies := map[string]string{}
	var want []string
	for i, prefix := range []string{"a ", "b#", "c&"} {
		name := prefix + filepath.Base(from[i])
		copies[name] = from[i]
		want = append(want, name)
	}
	folder := folderWith(t, copies)
	app := open(t, desktop, Options{Theme: "dark"}, image.Pt(900, 600))
	empty := keep(t, desktop, app.Window, "1-empty-dark")
	if empty.Brightness() > 100 {
		t.Errorf("the dark window has a mean brightness of %.0f of 255", empty.Brightness())
	}

	files, err := desktop.OpenFolder(t.Context(), folder)
	assert.NoError(t, err)
	assert.NoError(t, files.SelectAll(t.Context()))
	assert.NoError(t, files.DragTo(t.Context(), app.Window, image.Pt(450, 300)))
	lines, err := app.Answers(t.Context(), len(want), answerLimit)
	assert.NoError(t, err)
	if diff := cmp.Diff(want, namesAnswered(t, lines)); diff != "" {
		t.Errorf("names answered (-want +got):\n%s", diff)
	}
	inbox := keep(t, desktop, app.Window, "2-answered-dark")
	first := press(t, desktop, app.Window, inbox, "3-viewer-dark", "ctrl+2")
	press(t, desktop, app.Window, first, "4-viewer-next-dark", "j")
}

// A picture that another program has copied is taken, and so are files copied in the file manager.
func TestPasting(t *testing.T) {
	desktop := setup(t)
	d := &fixture{t: t, desktop: desktop, options: Options{Theme: "light", Home: t.TempDir()}}
	d.open()
	screenshot := filepath.Join(t.TempDir(), "screenshot.png")
	content, err := HeavyPNG(7, 3<<20) // more than one answer of a clipboard holds
	assert.NoError(t, err)
	write(t, screenshot, content)
	assert.NoError(t, desktop.Copy(t.Context(), "image/png", screenshot))
	d.keys("ctrl+v")
	lines, err := d.app.Answers(t.Context(), 1, answerLimit)
	assert.NoError(t, err)
	namesAnswered(t, lines)
	d.look()
	d.keep("1-picture")

	folder := folderWith(t, map[string]string{"one.jpg": pictures(t)[0], "two.png": pictures(t)[2]})
	files, err := desktop.OpenFolder(t.Context(), folder)
	assert.NoError(t, err)
	assert.NoError(t, files.CopyAll(t.Context()))
	d.keys("ctrl+v")
	if lines, err = d.app.Answers(t.Context(), 3, answerLimit); err != nil {
		t.Fatal(err)
	}
	namesAnswered(t, lines)
	d.look()
	d.keep("2-files")
	d.close()
}
