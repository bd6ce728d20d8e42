//go:build e2e && linux

package e2e

import (
	"path/filepath"
	"testing"
)

// A picture that another program has copied is taken, and so are files copied in the file manager.
func TestPasting(t *testing.T) {
	desktop := setup(t)
	w := &watching{viewing: &viewing{t: t, desktop: desktop}, options: Options{Theme: "light", Home: t.TempDir()}}
	d := &desk{w}
	d.open()
	screenshot := filepath.Join(t.TempDir(), "screenshot.png")
	content, err := HeavyPNG(7, 3<<20) // more than one answer of a clipboard holds
	if err != nil {
		t.Fatal(err)
	}
	write(t, screenshot, content)
	if err := desktop.Copy(t.Context(), "image/png", screenshot); err != nil {
		t.Fatal(err)
	}
	d.keys("ctrl+v")
	lines, err := d.app.Answers(t.Context(), 1, answerLimit)
	if err != nil {
		t.Fatal(err)
	}
	namesAnswered(t, lines)
	d.look()
	d.keep("1-picture")

	folder := folderWith(t, map[string]string{"one.jpg": pictures(t)[0], "two.png": pictures(t)[2]})
	files, err := desktop.OpenFolder(t.Context(), folder)
	if err != nil {
		t.Fatal(err)
	}
	if err := files.CopyAll(t.Context()); err != nil {
		t.Fatal(err)
	}
	d.keys("ctrl+v")
	if lines, err = d.app.Answers(t.Context(), 3, answerLimit); err != nil {
		t.Fatal(err)
	}
	namesAnswered(t, lines)
	d.look()
	d.keep("2-files")
	d.close()
}
