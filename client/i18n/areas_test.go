package i18n_test

import (
	"cmp"
	"path"
	"slices"
	"strings"
)

// areas are the files of each language in assets/lang, in their order: a text that several say is in the first of them.
var areas = []string{"verdict", "client", "media", "facts", "folders", "present", "report", "screen", "viewer", "settings", "desk", "command", "toolkit"}

// areaOfFolder says which area a package's texts are in.
var areaOfFolder = map[string]string{
	"client": "client", "client/bounded": "client", "client/pull": "client", "client/vault": "client", "client/keys": "client", "client/i18n": "client",
	"client/jsontree": "client", "client/ffmpeg": "client", "client/explain": "client", "client/desk/postgres": "client", "client/desk/files": "client",
	"client/verdict": "verdict",
	"client/media":   "media", "client/media/strip": "media", "client/media/film": "media", "client/media/convert": "media", "client/media/picture": "media", "client/media/sound": "media",
	"client/media/facts": "facts",
	"client/folders":     "folders", "client/intake": "folders", "client/intake/poll": "folders", "client/store": "folders", "client/feedback": "folders", "client/copies": "folders", "client/submission": "folders",
	"client/config": "settings", "client/logs": "settings", "client/desktop": "settings",
	"client/command": "command", "client/session": "command", "client/ipc": "command", "client/report": "report", "client/report/bundle": "report", "client/custody": "present", ".": "command",
	"gui": "desk", "gui/player": "desk", "gui/player/speaker": "desk", "gui/pasteboard": "desk", "gui/work": "desk", "gui/look": "desk", "gui/screens": "desk",
	"gui/present": "present",
	"gui/inbox":   "screen", "gui/undo": "screen", "gui/results": "screen", "gui/cases": "screen", "gui/folders": "screen", "gui/review": "screen", "gui/recheck": "screen", "gui/verify": "screen", "gui/report": "screen", "gui/kit": "screen", "gui/chart": "screen",
	"gui/settings": "settings", "gui/firstrun": "settings",
	"gui/viewer": "viewer", "gui/compare": "viewer",
}

// areaOf is the area of what a file says.
func areaOf(file string) (area string, known bool) {
	base := path.Base(file)
	switch {
	case strings.HasPrefix(file, "gui/") && (strings.HasPrefix(base, "settings") || strings.HasPrefix(base, "first_run")):
		return "settings", true
	case (areaOfFolder[path.Dir(file)] == "screen" || strings.HasPrefix(file, "gui/viewer/") || strings.HasPrefix(file, "gui/compare/")) && strings.HasPrefix(base, "model"):
		return "present", true
	case strings.HasPrefix(file, "gui/toolkit"):
		return "toolkit", true
	}
	for folder := path.Dir(file); ; folder = path.Dir(folder) {
		if area, known = areaOfFolder[folder]; known || !strings.HasPrefix(folder, "gui/viewer/") {
			return area, known
		}
	}
}

// texts are what is said, each once, in the area that it belongs to.
func texts(all []used) map[string]used {
	said := map[string]used{}
	for _, u := range all {
		if before, known := said[u.key]; known {
			if slices.Index(areas, before.area) <= slices.Index(areas, u.area) {
				before, u = u, before
			}
			u.plural = u.plural || before.plural
			u.kept = u.kept || before.kept
			u.one = cmp.Or(u.one, before.one)
		}
		said[u.key] = u
	}
	return said
}
