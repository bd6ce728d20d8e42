package gui

import (
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/dialog"
	"fyne.io/fyne/v2/storage"
	"fyne.io/fyne/v2/test"
	"fyne.io/fyne/v2/widget"

	"assay/client/assert"
	"assay/client/i18n/i18ntest"
	"assay/gui/guitest"
	"assay/gui/look"
)

// everyButton calls found for each button in an object, in the order in which the keyboard reaches them.
func everyButton(o fyne.CanvasObject, found func(*widget.Button)) {
	switch o := o.(type) {
	case *widget.Button:
		found(o)
	case *fyne.Container:
		for _, inner := range o.Objects {
			everyButton(inner, found)
		}
	case fyne.Widget:
		for _, inner := range test.WidgetRenderer(o).Objects() {
			everyButton(inner, found)
		}
	}
}

func TestTheToolkitsFileDialogsSpeakTheLanguageInUse(t *testing.T) {
	log := slog.New(slog.DiscardHandler)
	t.Cleanup(func() { speakToolkit(log) }) // in the language of the other tests again
	i18ntest.Pseudo(t)
	test.NewTempApp(t).Settings().SetTheme(look.New(look.ModeLight))
	speakToolkit(log)
	home := t.TempDir()
	t.Setenv("HOME", home)
	for _, folder := range []string{"Desktop", "Documents", "Downloads", "Music", "Pictures", "Videos"} {
		assert.NoError(t, os.Mkdir(filepath.Join(home, folder), 0o700))
	}
	// The dialog begins in a folder of which nothing is a word.
	begin := filepath.Join(home, "1")
	assert.NoError(t, os.MkdirAll(filepath.Join(begin, "2"), 0o700))
	assert.NoError(t, os.WriteFile(filepath.Join(begin, "3"), nil, 0o600))
	folder, err := storage.ListerForURI(storage.NewFileURI(begin))
	assert.NoError(t, err)
	data := strings.Split(filepath.ToSlash(begin), "/")                                                // is shown in parts
	data = append(data, "foreground_folder-new.svg", "foreground_grid.svg", "foreground_settings.svg") // for a screen reader: the toolkit takes no other name
	window := test.NewTempWindow(t, nil)
	window.Resize(fyne.NewSize(900, 600))
	overlays := window.Canvas().Overlays()
	show := func(t *testing.T, d *dialog.FileDialog) {
		t.Helper()
		d.SetLocation(folder)
		showFileDialog(d, "-", window)
		t.Cleanup(d.Hide)
		guitest.CheckTranslated(t, overlays.Top(), data...)
	}
	for name, d := range map[string]*dialog.FileDialog{
		"a file is chosen":   dialog.NewFileOpen(nil, window),
		"a folder is chosen": dialog.NewFolderOpen(nil, window),
	} {
		t.Run(name, func(t *testing.T) { show(t, d) })
	}
	for name, there := range map[string]string{"a file of that name is there": "3", "a folder of that name is there": "2"} {
		t.Run(name, func(t *testing.T) {
			d := dialog.NewFileSave(func(fyne.URIWriteCloser, error) {}, window)
			d.SetFileName(there)
			show(t, d)
			asks := overlays.Top()
			var save *widget.Button
			everyButton(asks, func(b *widget.Button) {
				if b.Importance == widget.HighImportance {
					save = b
				}
			})
			test.Tap(save)
			if overlays.Top() == asks {
				t.Fatal("nothing is said")
			}
			guitest.CheckTranslated(t, overlays.Top(), data...)
			t.Cleanup(func() { overlays.Remove(overlays.Top()) })
		})
	}
	t.Run("a folder that can't be made", func(t *testing.T) {
		if fixedWords("folder cannot be created") == "folder cannot be created" {
			t.Error("it is said in English")
		}
	})
	t.Run("names stay as they are", func(t *testing.T) {
		if said := fixedWords("Home.jpg"); said != "Home.jpg" {
			t.Error(said)
		}
	})
}
