package media

import (
	"path/filepath"
	"strings"

	"assay/client"
)

// kinds is what the service takes, in the order of the interface's table "Supported file types (upload)".
var kinds = []struct {
	extension string // lower case, without its dot
	mediaType client.MediaType
}{
	{"jpg", client.Image}, {"jpeg", client.Image}, {"png", client.Image}, {"gif", client.Image}, {"webp", client.Image},
	{"mp3", client.Audio}, {"wav", client.Audio}, {"m4a", client.Audio}, {"aac", client.Audio}, {"ogg", client.Audio},
	{"flac", client.Audio}, {"alac", client.Audio},
	{"mp4", client.Video}, {"mov", client.Video},
	{"txt", client.Text},
}

// Supported gives the extensions that the service takes, in lower case without their dots, in the interface's order.
func Supported() []string {
	extensions := make([]string, len(kinds))
	for i, kind := range kinds {
		extensions[i] = kind.extension
	}
	return extensions
}

// TypeOf gives the media type that the extension of a file's name stands for, in whatever case it is written. It is
// false for a type that the service does not take.
func TypeOf(name string) (client.MediaType, bool) {
	extension := strings.ToLower(strings.TrimPrefix(filepath.Ext(name), "."))
	for _, kind := range kinds {
		if kind.extension == extension {
			return kind.mediaType, true
		}
	}
	return "", false
}
