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

// A limit says how large a file of one media type may be, and what such a file is called in a sentence.
type limit struct {
	bytes     int64
	one, many string
}

// limits are the interface's "Size caps"; MB is 1024 × 1024 bytes. For text it names 900 KB and 5 MB: the larger is in
// force, and TextNotice tells of the smaller.
var limits = map[client.MediaType]limit{
	client.Image: {50 << 20, "picture", "pictures"},
	client.Audio: {20 << 20, "recording", "recordings"},
	client.Video: {250 << 20, "video", "videos"},
	client.Text:  {5 << 20, "text", "texts"},
}

// textDoubt is the smaller of the two caps that the interface names for text.
const textDoubt = 900 << 10

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

// Cap gives the size in bytes up to which, and including which, the service takes files of this media type; 0 for a type
// that it does not take.
func Cap(mediaType client.MediaType) int64 { return limits[mediaType].bytes }

// TextNotice gives the sentence that a person reads before a text of this size is sent: from 900 KB on the service may
// refuse it. Below that it is "".
func TextNotice(size int64) string {
	if size < textDoubt {
		return ""
	}
	return "This text is " + SizeText(size) + ". The service names two limits for text, " + SizeText(textDoubt) + " and " +
		SizeText(Cap(client.Text)) + ", so it may refuse this one."
}
