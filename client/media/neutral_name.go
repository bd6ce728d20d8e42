package media

import (
	"path/filepath"
	"strings"

	"assay/client"
)

// NeutralName gives a name that says nothing of the file but its media type: "picture-1a2b3c4d.jpg". The extension is that of name where
// the service takes it; the token is of letters and digits, "" adds none. The word is English in every language: the service reads it.
func NeutralName(t client.MediaType, name, token string) string {
	stem := namelessStem
	switch t {
	case client.Image:
		stem = "picture"
	case client.Audio:
		stem = "recording"
	case client.Video:
		stem = "video"
	case client.Text:
		stem = "text"
	}
	if token != "" {
		stem += "-" + token
	}
	if _, supported := TypeOf(name); supported {
		stem += strings.ToLower(filepath.Ext(name))
	}
	return stem
}
