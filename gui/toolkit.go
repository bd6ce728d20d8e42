package gui

import (
	"encoding/json"
	"log/slog"
	"reflect"
	"slices"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/dialog"
	"fyne.io/fyne/v2/lang"
	"fyne.io/fyne/v2/widget"

	"assay/client/i18n"
	"assay/client/plain"
)

// What stands around the file's name where the toolkit asks whether it may be replaced.
const (
	beforeReplaced = "Are you sure you want to overwrite the file\n"
	afterReplaced  = "?"
)

// fileDialogMargin is how much of the window is seen around a dialog for files, on two sides together.
const fileDialogMargin = 80

// placesWidth is the room for the places to begin at, which the toolkit measures by English words.
const placesWidth float32 = 200

// showFileDialog opens one of the toolkit's dialogs for files, as large as the window has room for, in the language in use. Names are
// shown with their endings, by which files of one name are told apart. It runs on the UI thread.
func showFileDialog(d *dialog.FileDialog, title string, window fyne.Window) {
	d.SetTitleText(title)
	d.SetView(dialog.ListView)
	d.Show()
	d.Resize(window.Canvas().Size().Subtract(fyne.NewSquareSize(fileDialogMargin))) // it has no content before it is shown
	overlays := window.Canvas().Overlays()
	s := dialogSpeaker{overlays: overlays, files: overlays.Top()}
	s.speak(s.files)
}

// dialogSpeaker puts the toolkit's fixed words into the language in use: those of its dialog for files, and of what opens over that.
type dialogSpeaker struct {
	overlays fyne.OverlayStack
	files    fyne.CanvasObject // lies over the window for as long as the dialog is open
}

func (s dialogSpeaker) speak(o fyne.CanvasObject) {
	switch o := o.(type) {
	case *fyne.Container:
		for _, inner := range o.Objects {
			s.speak(inner)
		}
	case *container.Split:
		o.SetOffset(float64(placesWidth / o.Size().Width))
		s.speak(o.Leading)
		s.speak(o.Trailing)
	case *widget.PopUp:
		s.speak(o.Content)
	case *widget.Label:
		o.SetText(fixedWords(o.Text))
	case *canvas.Image:
		o.Hide() // a large mark that lies under the words of a question
	case *widget.List: // of places to begin at: its rows are filled in again and again
		fill := o.UpdateItem
		o.UpdateItem = func(row widget.ListItemID, item fyne.CanvasObject) {
			fill(row, item)
			s.speak(item)
		}
		o.Refresh()
	case *widget.Button:
		tapped := o.OnTapped
		o.OnTapped = func() {
			tapped()
			if top := s.overlays.Top(); top != s.files && slices.Contains(s.overlays.List(), s.files) { // a question, say
				s.speak(top)
			}
		}
	case fyne.Widget:
		if popUp := popUpIn(o); popUp != nil {
			s.speak(popUp)
		}
	}
}

// popUpIn is what the toolkit lays over a window, of a type that it keeps to itself, with a dialog in it; nil for anything else.
func popUpIn(o fyne.CanvasObject) *widget.PopUp {
	laid := reflect.Indirect(reflect.ValueOf(o))
	if laid.Kind() != reflect.Struct {
		return nil
	}
	content := laid.FieldByName("Content")
	if !content.IsValid() || !content.CanInterface() {
		return nil
	}
	popUp, _ := content.Interface().(*widget.PopUp)
	return popUp
}

// dismissDialog closes the toolkit's dialog that lies over a window, as if nothing had been asked.
func dismissDialog(window fyne.Window) {
	if popUp := popUpIn(window.Canvas().Overlays().Top()); popUp != nil {
		popUp.Hide()
	}
}

// fixedWords are those in the language in use that stand for what the toolkit's dialog for files says in English, whatever words it was
// given: it looks these up nowhere. What it does not say by itself stays as it is.
func fixedWords(text string) string {
	switch text {
	case "Home":
		return i18n.C("folder", "Home")
	case "Computer":
		return i18n.T("Computer")
	case "App Files":
		return i18n.T("App files")
	case "Desktop":
		return i18n.C("folder", "Desktop")
	case "Documents":
		return i18n.T("Documents")
	case "Downloads":
		return i18n.T("Downloads")
	case "Music":
		return i18n.T("Music")
	case "Pictures":
		return i18n.T("Pictures")
	case "Videos", "Movies":
		return i18n.T("Videos")
	case "Overwrite?":
		return i18n.T("Replace the file?")
	case "Cannot overwrite":
		return i18n.T("Not saved")
	case "Files cannot replace a directory,\ncheck the file name and try again":
		return i18n.T("There is a folder of that name. Choose another name.")
	case "folder cannot be created":
		return i18n.T("The folder could not be made.")
	}
	if name, asks := strings.CutPrefix(text, beforeReplaced); asks {
		return i18n.F("There is a file %s already.", plain.From(strings.TrimSuffix(name, afterReplaced)).String())
	}
	return text
}

// toolkitWords are what the toolkit's own dialogs and menus say, by the names under which it looks them up.
var toolkitWords = map[string]i18n.Key{
	"Advanced":          "Advanced",
	"Cancel":            "Cancel",
	"Confirm":           "Confirm",
	"Copy":              "Copy",
	"Create Folder":     "Create Folder",
	"Cut":               "Cut",
	"Enter filename":    "Enter filename",
	"Error":             "Error",
	"Favourites":        "Favourites",
	"File":              "File",
	"Folder":            "Folder",
	"New Folder":        "New Folder",
	"No":                "No",
	"OK":                "OK",
	"Open":              "Open",
	"Paste":             "Paste",
	"Quit":              "Quit",
	"Redo":              "Redo",
	"Save":              "Save",
	"Select all":        "Select all",
	"Show Hidden Files": "Show Hidden Files",
	"Undo":              "Undo",
	"Yes":               "Yes",
	"file.name":         "Name",
	"file.parent":       "Parent",
}

// speakToolkit has the toolkit say its own words in the language in use. It takes the system's language by itself and has no other way
// to choose one: so the words of the language in use are put under the name of the system's. It runs on the UI thread.
func speakToolkit(log *slog.Logger) {
	words := make(map[string]map[string]string, len(toolkitWords))
	for name, text := range toolkitWords {
		words[name] = map[string]string{"other": i18n.T(text)}
	}
	data, err := json.Marshal(words)
	if err != nil {
		log.Error("the toolkit's words", "error", err)
		return
	}
	for _, name := range toolkitLocales(lang.SystemLocale()) {
		if err := lang.AddTranslationsForLocale(data, name); err != nil {
			log.Warn("the toolkit's words", "locale", name, "error", err)
		}
	}
}

// toolkitLocales are the names among which the toolkit looks for its words, where the system's locale is the one given: it, its language
// alone, and English, which it takes where it knows neither.
func toolkitLocales(system fyne.Locale) []fyne.Locale {
	names := []fyne.Locale{system}
	if language, _, more := strings.Cut(system.String(), "-"); more {
		names = append(names, fyne.Locale(language))
	}
	if system != "en" && !strings.HasPrefix(system.String(), "en-") {
		names = append(names, "en")
	}
	return names
}
