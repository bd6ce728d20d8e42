package gui

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/godbus/dbus/v5"
	"github.com/google/go-cmp/cmp"

	"assay/client/assert"
	"assay/client/portal/portaltest"
)

// desktopWith is a desktop of the test's own whose dialogs answer with these addresses; asked are the dialogs that were opened, and their titles.
func desktopWith(t *testing.T, uris ...string) (asked func() []string) {
	t.Helper()
	seen := make(chan string, 8)
	portaltest.Start(t, func(method, title string, _ map[string]dbus.Variant) portaltest.Answer {
		seen <- method + ": " + title
		return portaltest.Chosen(uris...)
	})
	return func() (all []string) {
		for len(seen) > 0 {
			all = append(all, <-seen)
		}
		return all
	}
}

// In a sandbox, such as Flatpak's, nothing but the desktop's own dialogs leads to the person's files.
func TestEveryDialogForFilesIsTheDesktopsOwn(t *testing.T) {
	folder := t.TempDir()
	place := "file://" + filepath.ToSlash(folder)
	wants := func(t *testing.T, asked func() []string, dialog string) {
		t.Helper()
		if diff := cmp.Diff([]string{dialog}, asked()); diff != "" {
			t.Error(diff)
		}
	}
	t.Run("files to check", func(t *testing.T) {
		picture := absolutePicture(t, "poster.png")
		asked := desktopWith(t, "file://"+picture)
		d := setup(t)
		d.choose()
		d.Until("it was taken", func() bool { return len(d.listed()) == 1 })
		wants(t, asked, "FileChooser.OpenFile: Choose files")
	})
	for name, run := range map[string]struct {
		dialog string
		ask    func(d *fixture, then func(path string))
	}{
		"a folder to watch":       {"FileChooser.OpenFile: Choose a folder to watch", func(d *fixture, then func(string)) { d.chooseWatched(then) }},
		"what an answer rests on": {"FileChooser.OpenFile: Choose a file", func(d *fixture, then func(string)) { d.chooseEvidence(then) }},
		"where a report is saved": {"FileChooser.SaveFile: Save the report", func(d *fixture, then func(string)) { d.askWhere("report.pdf", then) }},
		"certificates that it trusts": {"FileChooser.OpenFile: Choose a file of certificates", func(d *fixture, then func(string)) {
			d.dialogs.file("Choose a file of certificates", then)
		}},
	} {
		t.Run(name, func(t *testing.T) {
			asked := desktopWith(t, place+"/chosen")
			d := setup(t)
			chosen := ""
			run.ask(d, func(path string) { chosen = path })
			d.Until("the person has answered", func() bool { return chosen != "" })
			assert.Equal(t, filepath.Join(folder, "chosen"), chosen)
			wants(t, asked, run.dialog)
		})
	}
	t.Run("where a picture is saved", func(t *testing.T) {
		asked := desktopWith(t, place+"/poster%20heatmap.png")
		d := setup(t)
		d.savePicture("poster heatmap.png", func(_ context.Context, to io.Writer) error {
			_, err := to.Write([]byte("picture"))
			return err
		})
		path := filepath.Join(folder, "poster heatmap.png")
		d.Until("it was saved", func() bool { content, err := os.ReadFile(path); return err == nil && string(content) == "picture" })
		wants(t, asked, "FileChooser.SaveFile: Save the picture")
	})
	t.Run("one at a time", func(t *testing.T) {
		opened := make(chan bool, 8)
		portaltest.Start(t, func(string, string, map[string]dbus.Variant) portaltest.Answer {
			opened <- true
			return portaltest.Answer{Never: true}
		})
		d := setup(t)
		d.choose()
		d.Until("it is open", func() bool { return len(opened) == 1 })
		d.chooseFolder()
		d.choose()
		if d.window.Canvas().Overlays().Top() != nil || len(opened) > 1 {
			t.Error("another dialog is open over it")
		}
	})
}

// Programs that something is dragged from give its path, which leads nowhere in a sandbox.
func TestWhatASandboxHidesIsSaid(t *testing.T) {
	t.Setenv("FLATPAK_ID", "news.assay.Assay")
	d := setup(t)
	d.drop(filepath.Join(t.TempDir(), "hidden.jpg"))
	d.reads("can't read files that are dropped on it")
	d.drop(filepath.Join(t.TempDir(), "hidden.jpg"), absolutePicture(t, "poster.png"))
	d.Until("the other was taken", func() bool { return len(d.listed()) == 1 })
}

// A sandbox may write to the name that was chosen, and to no other, such as the same one with an ending.
func TestInASandboxTheNameIsAskedForAgainIfItLacksItsEnding(t *testing.T) {
	t.Setenv("FLATPAK_ID", "news.assay.Assay")
	answers := []string{"file:///doc/1f2e/report", "file:///doc/3a4b/report.PDF"}
	titles := make(chan string, len(answers))
	portaltest.Start(t, func(_, title string, _ map[string]dbus.Variant) portaltest.Answer {
		titles <- title
		return portaltest.Chosen(answers[len(titles)-1])
	})
	d := setup(t)
	chosen := ""
	d.askWhere("report.pdf", func(path string) { chosen = path })
	d.Until("the person has answered", func() bool { return chosen != "" })
	assert.Equal(t, "/doc/3a4b/report.PDF", chosen)
	assert.Equal(t, "Save the report", <-titles)
	assert.Equal(t, "The name must end in .pdf", <-titles)
}
