package pasteboard

import (
	"context"
	"strings"

	"assay/client/address"
)

// The forms to ask for, by the names that programs on X11 and Wayland agree on.
const (
	copiedFiles = "x-special/gnome-copied-files"
	uriList     = "text/uri-list"
	pngPicture  = "image/png"
	utf8Text    = "UTF8_STRING"
	utf8Plain   = "text/plain;charset=utf-8"
)

func read(ctx context.Context, onWayland bool) (Content, error) {
	if onWayland {
		return readWayland(ctx)
	}
	return readX11(ctx)
}

// contentOf asks for the forms that are offered, the one that tells most first.
func contentOf(offered func(form string) bool, ask func(form string) ([]byte, error)) (Content, error) {
	for _, list := range []string{copiedFiles, uriList} {
		if !offered(list) {
			continue
		}
		data, err := ask(list)
		if err != nil {
			return Content{}, err
		}
		if found := paths(string(data)); len(found) > 0 {
			return Content{Paths: found}, nil
		}
	}
	if offered(pngPicture) {
		data, err := ask(pngPicture)
		if err != nil || len(data) > 0 {
			return Content{Picture: data}, err
		}
	}
	for _, text := range []string{utf8Text, utf8Plain} {
		if offered(text) {
			data, err := ask(text)
			return Content{Text: string(data)}, err
		}
	}
	return Content{}, nil
}

// paths are the files of a file manager's list: one URL a line, after a first line that says whether they are to be copied or moved. A list with
// anything other than files of this computer is no list.
func paths(list string) []string {
	var found []string
	for _, line := range strings.Split(strings.ReplaceAll(list, "\x00", "\n"), "\n") {
		line = strings.TrimRight(line, "\r")
		if line == "" || line == "copy" || line == "cut" || strings.HasPrefix(line, "#") {
			continue
		}
		path, ok := address.FilePath(line)
		if !ok {
			return nil
		}
		found = append(found, path)
	}
	return found
}
