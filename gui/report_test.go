package gui

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"
	"fyne.io/fyne/v2/widget"

	"assay/client/assert"
	"assay/client/config"
	"assay/client/custody"
	"assay/client/store"
	"assay/client/submission"
	"assay/gui/guitest"
	"assay/gui/kit"
	"assay/gui/results"
)

// setupReport shows two answered pictures among the results. The dialogs for files begin in an empty folder.
func setupReport(t *testing.T) (d *fixture, folder string) {
	t.Helper()
	folder = t.TempDir()
	t.Setenv("HOME", folder)
	d = setup(t)
	d.App.Preferences().RemoveValue("fyne:fileDialogLastFolder")
	d.drop(absolutePicture(t, "poster.png"), absolutePicture(t, "mountains-spliced.jpg"))
	d.Until("both are answered", func() bool { return len(d.listed()) == 2 })
	d.showResults()
	d.reads("Report…")
	return d, folder
}

// fileDialog waits until the toolkit's dialog for files, or its question, is open, and returns the button that goes on in it.
func (d *fixture) fileDialog() (yes *widget.Button) {
	d.T.Helper()
	d.Until("a dialog is open", func() bool {
		everyButton(d.top(), func(b *widget.Button) {
			if b.Importance == widget.HighImportance {
				yes = b
			}
		})
		return yes != nil
	})
	return yes
}

// chosenIn presses the button that goes on in the toolkit's dialog for files, or in its question.
func (d *fixture) chosenIn() {
	d.T.Helper()
	test.Tap(d.fileDialog())
}

// option chooses in one of the sheet's menus.
func (d *fixture) option(words string) {
	d.T.Helper()
	for _, s := range guitest.InSight[*kit.Select](d.top()) {
		if i := slices.Index(s.Options(), words); i >= 0 {
			s.Select(i)
			return
		}
	}
	d.T.Fatalf("nothing offers %q", words)
}

// only is the one file in a folder, and its content.
func only(t *testing.T, folder string) (name, content string) {
	t.Helper()
	files, err := os.ReadDir(folder)
	assert.NoError(t, err)
	files = slices.DeleteFunc(files, func(f os.DirEntry) bool { return f.Name() == ".cache" }) // the toolkit's
	if len(files) != 1 {
		t.Fatalf("%d files: %v", len(files), files)
	}
	data, err := os.ReadFile(filepath.Join(folder, files[0].Name()))
	assert.NoError(t, err)
	return files[0].Name(), string(data)
}

func TestAReportOfTheShownResult(t *testing.T) {
	d, folder := setupReport(t)
	id := d.viewer.Shown()
	sub, _, err := d.Store.Get(t.Context(), id)
	assert.NoError(t, err)
	d.Run("the preview has the words of what is written", func(t *testing.T) {
		d.press("Report…")
		d.reads("Report on " + sub.Name)
		d.reads("SHA-256 as received")
		shown := guitest.Words(d.top())
		d.press("Save…")
		d.chosenIn()
		d.reads("Saved as")
		name, page := only(t, folder)
		if !strings.HasPrefix(name, "report ") || filepath.Ext(name) != ".html" {
			t.Errorf("it is called %q", name)
		}
		for _, text := range []string{sub.Name, sub.SHA256, sub.RequestID, "Other checks"} {
			if !strings.Contains(strings.ReplaceAll(shown, "\n", ""), text) || !strings.Contains(page, text) {
				t.Errorf("%q is not in both", text)
			}
		}
	})
	d.Run("a file that is there is replaced only once it is agreed to, and only by a whole one", func(t *testing.T) {
		name, _ := only(t, folder)
		path := filepath.Join(folder, name)
		assert.NoError(t, os.WriteFile(path, []byte("mine"), 0o600))
		d.option("English") // a change: it can be saved again
		d.option("Neutral names")
		d.press("Save…")
		d.chosenIn()
		if _, content := only(t, folder); content != "mine" {
			t.Error("it was changed before it was asked about")
		}
		d.chosenIn()
		d.reads("Saved as")
		if _, content := only(t, folder); !strings.Contains(content, "<html") || strings.Contains(content, sub.Name) {
			t.Error("it is not the report with neutral names")
		}
	})
	d.Run("Escape leaves the dialog, then the sheet", func(t *testing.T) {
		d.option("As they are")
		d.press("Save…")
		d.fileDialog()
		dialog := d.top()
		d.typedKey(&fyne.KeyEvent{Name: fyne.KeyEscape})
		if d.top() == dialog || !d.sheet.Open() {
			t.Error("the sheet is closed, or the dialog is not")
		}
		d.typedKey(&fyne.KeyEvent{Name: fyne.KeyEscape})
		if d.sheet.Open() {
			t.Error("the sheet is open")
		}
	})
	d.Run("a folder that can't be written to is named in a sentence, and nothing is left", func(t *testing.T) {
		d.press("Report…")
		d.reads("SHA-256 as received")
		d.press("Save…")
		d.fileDialog()
		assert.NoError(t, os.RemoveAll(folder)) // root may write anywhere
		d.chosenIn()
		d.reads("There is no folder")
		assert.NoError(t, os.MkdirAll(folder, 0o700))
		d.press("Close")
	})
	d.Run("in the browser it is a private copy", func(t *testing.T) {
		d.press("Report…")
		d.reads("SHA-256 as received")
		d.press("Open in the browser")
		d.Until("it was written", func() bool {
			copies, _ := filepath.Glob(filepath.Join(d.LentFolder(), "*", "report.html"))
			return len(copies) == 1
		})
		info, err := os.Stat(d.LentFolder())
		if err != nil || info.Mode().Perm() != 0o700 {
			t.Errorf("%v, %v", info.Mode(), err)
		}
		d.press("Close")
	})
}

func TestAReportOfACase(t *testing.T) {
	d, folder := setupReport(t)
	c, err := d.Store.AddCase(t.Context(), store.Case{Title: "Harbour statement"})
	assert.NoError(t, err)
	var ids []string
	for _, row := range d.listed() {
		ids = append(ids, row.ID)
	}
	_, err = d.Store.AddToCase(t.Context(), c.ID, ids, "Maria")
	assert.NoError(t, err)
	assert.NoError(t, d.Config.Change(func(s *config.Settings) { s.Stamps = []string{"https://stamps.example/tsr"} }))
	d.makeCaseReport(c.ID)
	d.reads("Report on the case “Harbour statement”")
	d.reads("1 of 3")
	d.reads("Case: Harbour statement")
	d.option("Evidence bundle (.zip)")
	d.reads("Add a time stamp")
	d.option("JSON (.json)")
	d.reads(`"title":"Harbour statement"`)
	d.press("Save…")
	d.chosenIn()
	d.reads("Saved as")
	name, content := only(t, folder)
	if strings.Count(content, `"schema":"assay.result/1"`) != 2 || !strings.HasPrefix(name, "report Harbour statement ") {
		t.Errorf("%q: %.300s", name, content)
	}
}

func TestTheListIsExported(t *testing.T) {
	d, folder := setupReport(t)
	d.exportList(results.Query{}, func(string) bool { return true }, 2)
	d.reads("Export 2 results")
	d.option("CSV (.csv)")
	d.reads("request_id")
	d.reads("poster.png")
	d.press("Save…")
	d.chosenIn()
	d.reads("Saved as")
	if _, content := only(t, folder); strings.Count(content, "\r\n") != 3 || !strings.Contains(content, "mountains-spliced.jpg") {
		t.Errorf("%.400s", content)
	}
}

func TestWhatIsMarkedAsGraphicIsCovered(t *testing.T) {
	d, _ := setupReport(t)
	id := d.viewer.Shown()
	covered := "Covered, in case it is disturbing."
	d.Run("in the viewer, until the person asks to see it", func(t *testing.T) {
		d.photo()
		d.act([]string{id}, "mark-graphic")
		d.reads(covered)
		d.reads("graphic · ")
		d.press("Show")
		if strings.Contains(guitest.Words(d.top()), covered) {
			t.Error("it is covered")
		}
		if d.Config.Settings().Appearance.Careful != "" {
			t.Error("all that is marked would be shown")
		}
	})
	d.Run("again when it is shown the next time", func(*testing.T) {
		d.typedRune('j')
		d.Until("another one is shown", func() bool { return d.viewer.Shown() != id })
		d.photo()
		d.typedRune('k')
		d.reads(covered)
	})
	d.Run("in its report", func(*testing.T) {
		d.press("Report…")
		d.reads("Marked as graphic")
		d.press("Show it")
		d.press("Close")
	})
	d.Run("until the mark is taken away", func(*testing.T) {
		d.act([]string{id}, "unmark-graphic")
		d.Until("it is shown", func() bool { return !strings.Contains(guitest.Words(d.top()), covered) })
	})
}

func TestSensitiveFilesAreReportedCarefully(t *testing.T) {
	d, _ := setupReport(t)
	sub, _, err := d.Store.Get(t.Context(), d.viewer.Shown())
	assert.NoError(t, err)
	sub.Gate = submission.GateAsk
	assert.NoError(t, d.Store.Save(t.Context(), sub, custody.None))
	d.press("Report…")
	d.reads("This file is sensitive")
	d.reads("The picture is left out of this report")
	if strings.Contains(strings.Split(guitest.Words(d.top()), "Preview")[1], sub.Name) {
		t.Error("its name is in the report")
	}
}
