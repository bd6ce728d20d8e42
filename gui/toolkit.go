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

// The text around the file's name in the toolkit's question whether it may be replaced.
const (
	beforeReplaced = "Are you sure you want to overwrite the file\n"
	afterReplaced  = "?"
)

// fileDialogMargin is how much of the window stays visible around a dialog for files, both sides together.
const fileDialogMargin = 80

// placesWidth is the width of the list of places, which the toolkit computes from English words.
const placesWidth float32 = 200

// showFileDialog opens one of the toolkit's dialogs for files, as large as the window allows, in the language in use. It shows names with their
// extensions, which tell files of one name apart. It runs on the UI thread.
func showFileDialog(d *dialog.FileDialog, title string, window fyne.Window) {
	d.SetTitleText(title)
	d.SetView(dialog.ListView)
	d.Show()
	d.Resize(window.Canvas().Size().Subtract(fyne.NewSquareSize(fileDialogMargin))) // it has no content before it is shown
	overlays := window.Canvas().Overlays()
	s := dialogSpeaker{overlays: overlays, files: overlays.Top()}
	s.speak(s.files)
}

// dialogSpeaker translates the toolkit's fixed words: those of its dialog for files, and of what opens over that.
type dialogSpeaker struct {
	overlays fyne.OverlayStack
	files    fyne.CanvasObject // over the window while the dialog is open
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
		o.Hide() // a large mark under the words of a question
	case *widget.List: // the list of places: its rows are filled in again and again
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
			if top := s.overlays.Top(); top != s.files && slices.Contains(s.overlays.List(), s.files) { // a question, for example
				s.speak(top)
			}
		}
	case fyne.Widget:
		if popUp := popUpIn(o); popUp != nil {
			s.speak(popUp)
		}
	}
}

// popUpIn returns the dialog in an overlay of the toolkit, whose type is unexported; nil for anything else.
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

// dismissDialog cancels the toolkit's dialog over a window.
func dismissDialog(window fyne.Window) {
	if popUp := popUpIn(window.Canvas().Overlays().Top()); popUp != nil {
		popUp.Hide()
	}
}

// fixedWords translates words of the toolkit's dialog for files, which it says in English whatever language is set. Other words stay as they are.
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
		return i18n.T("There is already a folder with this name. Choose another name.")
	case "folder cannot be created":
		return i18n.T("The folder could not be created.")
	}
	if name, asks := strings.CutPrefix(text, beforeReplaced); asks {
		return i18n.F("There is already a file %s.", plain.From(strings.TrimSuffix(name, afterReplaced)).String())
	}
	return text
}

// toolkitWords are the words of the toolkit's own dialogs and menus, by the names under which it looks them up.
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

// speakToolkit sets the toolkit's own words to the language in use. The toolkit always uses the system's language, so the words of the language in
// use are put under the system's name. It runs on the UI thread.
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

// toolkitLocales are the names under which the toolkit looks for its words, for a system's locale: the locale, its language alone, and English, for
// when it knows neither.
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
