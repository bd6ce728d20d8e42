package media

import (
	"cmp"
	"path/filepath"
	"strings"

	"assay/client"
	"assay/client/i18n"
)

// Limits are the largest sizes, in bytes and inclusive, of files of each media type that are sent. A type that is missing or 0 has the interface's
// own cap, so that nil means those for all types.
type Limits map[client.MediaType]int64

// caps are the interface's "Size caps"; MB is 1024 × 1024 bytes. For text it names 900 KB and 5 MB: the larger holds, and TextNotice tells of the
// smaller.
var caps = Limits{
	client.Image: 50 << 20,
	client.Audio: 20 << 20,
	client.Video: 250 << 20,
	client.Text:  5 << 20,
}

// textDoubt is the smaller of the two caps that the interface names for text.
const textDoubt = 900 << 10

// Cap is the largest size in bytes, inclusive, of files of this media type that are sent; 0 for a type that the service does not take.
func (l Limits) Cap(mediaType client.MediaType) int64 {
	standard, known := caps[mediaType]
	if !known {
		return 0
	}
	return cmp.Or(l[mediaType], standard)
}

// TextNotice is a sentence to show before a text of this size is sent: above 900 KB the service may refuse it. For smaller ones, or if the cap in
// force is no larger, it is empty.
func (l Limits) TextNotice(size int64) i18n.Message {
	most := l.Cap(client.Text)
	if size < textDoubt || most <= textDoubt {
		return i18n.Message{}
	}
	return i18n.M("This text is %s. The service names two limits for text, %s and %s, so it may refuse this one.",
		i18n.SizeMessage(size), i18n.SizeMessage(textDoubt), i18n.SizeMessage(most))
}

// kinds are the extensions that the service takes, in the order of the interface's table "Supported file types (upload)".
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

// convertible are the extensions of files of which Assay can make a copy that the service takes. For all but the first ones of pictures it needs ffmpeg.
var convertible = []struct {
	extension string
	mediaType client.MediaType
}{
	{"heic", client.Image}, {"heif", client.Image}, {"hif", client.Image}, {"tif", client.Image}, {"tiff", client.Image}, {"bmp", client.Image},
	{"avif", client.Image},
	{"mkv", client.Video}, {"webm", client.Video}, {"avi", client.Video}, {"m4v", client.Video}, {"3gp", client.Video}, {"wmv", client.Video},
	{"mpg", client.Video}, {"mpeg", client.Video}, {"mts", client.Video}, {"m2ts", client.Video}, {"flv", client.Video}, {"ogv", client.Video},
	{"opus", client.Audio}, {"oga", client.Audio}, {"wma", client.Audio}, {"aif", client.Audio}, {"aiff", client.Audio}, {"amr", client.Audio},
	{"caf", client.Audio}, {"mka", client.Audio}, {"weba", client.Audio},
}

// mostConverted are the largest sizes, in bytes, of files that copies are made of, and that parts are cut out of.
var mostConverted = Limits{client.Image: 400 << 20, client.Audio: 8 << 30, client.Video: 64 << 30}

// Convertible returns the extensions of files that the service does not take, but of which Assay can make a copy that it does; as Supported.
func Convertible() []string {
	extensions := make([]string, len(convertible))
	for i, kind := range convertible {
		extensions[i] = kind.extension
	}
	return extensions
}

// Accepted returns the media type of a file name's extension, in any case, if the service takes such files, or a copy that Assay makes of them; copied says
// that a copy is needed.
func Accepted(name string) (mediaType client.MediaType, copied, ok bool) {
	if mediaType, ok = TypeOf(name); ok {
		return mediaType, false, true
	}
	extension := strings.ToLower(strings.TrimPrefix(filepath.Ext(name), "."))
	for _, kind := range convertible {
		if kind.extension == extension {
			return kind.mediaType, true, true
		}
	}
	return "", false, false
}

// Supported returns the extensions that the service takes, in lower case without their dots, in the interface's order.
func Supported() []string {
	extensions := make([]string, len(kinds))
	for i, kind := range kinds {
		extensions[i] = kind.extension
	}
	return extensions
}

// TypeOf returns the media type of a file name's extension, in any case. It is false for a type that the service does not take.
func TypeOf(name string) (client.MediaType, bool) {
	extension := strings.ToLower(strings.TrimPrefix(filepath.Ext(name), "."))
	for _, kind := range kinds {
		if kind.extension == extension {
			return kind.mediaType, true
		}
	}
	return "", false
}

// SizeText is a size in words: "0 bytes", "900 KB", "5.2 MB", "50 MB", "1.5 GB". KB, MB and GB are powers of 1024, as in the caps of the service. A
// negative size counts as 0.
func SizeText(bytes int64) string { return i18n.Size(bytes) }
