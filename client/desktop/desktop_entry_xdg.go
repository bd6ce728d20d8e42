//go:build unix && !darwin

package desktop

import (
	"strings"

	"assay/client/i18n"
)

// mimeTypes are those of the files that the service takes. Wave files have two names, an older and a newer one; Apple Lossless is
// in an audio/mp4.
var mimeTypes = []string{
	"image/jpeg", "image/png", "image/gif", "image/webp",
	"audio/mpeg", "audio/x-wav", "audio/vnd.wave", "audio/mp4", "audio/aac", "audio/ogg", "audio/flac",
	"video/mp4", "video/quicktime",
	"text/plain",
}

// An entry is a file of the desktop entry specification, as Linux and the BSDs have them.
type desktopEntry struct {
	exec  string // as execLine makes it
	types []string
	more  []string // further lines
}

// text is the file.
func (d desktopEntry) text() string {
	lines := []string{
		"[Desktop Entry]",
		"Type=Application",
		"Version=1.0",
		"Name=Assay",
		"Comment=" + escaped(i18n.T("Have a picture, clip, recording or text checked for manipulation")),
		"Exec=" + escaped(d.exec),
		"Terminal=false",
		"Categories=Utility;AudioVideo;",
	}
	if len(d.types) > 0 {
		lines = append(lines, "MimeType="+strings.Join(d.types, ";")+";")
	}
	return strings.Join(append(lines, d.more...), "\n") + "\n"
}
