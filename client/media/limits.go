package media

import (
	"cmp"
	"path/filepath"
	"strings"

	"assay/client"
	"assay/client/i18n"
)

// Limits says up to which size in bytes, and including which, files of each media type are sent. A type that is missing
// or 0 has the interface's own cap, so that nil means all of those; settings may name others.
type Limits map[client.MediaType]int64

// caps are the interface's "Size caps"; MB is 1024 × 1024 bytes. For text it names 900 KB and 5 MB: the larger is in
// force, and TextNotice tells of the smaller.
var caps = Limits{
	client.Image: 50 << 20,
	client.Audio: 20 << 20,
	client.Video: 250 << 20,
	client.Text:  5 << 20,
}

// textDoubt is the smaller of the two caps that the interface names for text.
const textDoubt = 900 << 10

// Cap gives the size in bytes up to which, and including which, files of this media type are sent; 0 for a type that the
// service does not take.
func (l Limits) Cap(mediaType client.MediaType) int64 {
	standard, known := caps[mediaType]
	if !known {
		return 0
	}
	return cmp.Or(l[mediaType], standard)
}

// TextNotice gives the sentence that a person reads before a text of this size is sent: from 900 KB on the service may
// refuse it. Below that, or where the cap in force is no larger, it says nothing.
func (l Limits) TextNotice(size int64) i18n.Message {
	most := l.Cap(client.Text)
	if size < textDoubt || most <= textDoubt {
		return i18n.Message{}
	}
	return i18n.M("This text is %s. The service names two limits for text, %s and %s, so it may refuse this one.",
		i18n.SizeMessage(size), i18n.SizeMessage(textDoubt), i18n.SizeMessage(most))
}

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

// SizeText writes a size in words: "0 bytes", "900 KB", "5.2 MB", "50 MB", "1.5 GB". KB, MB and GB are powers of 1024,
// as in the caps of the service. What is below 0 counts as 0.
func SizeText(bytes int64) string { return i18n.Size(bytes) }
