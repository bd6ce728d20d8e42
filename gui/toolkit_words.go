package gui

import (
	"encoding/json"
	"log/slog"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/lang"

	"assay/client/i18n"
)

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
