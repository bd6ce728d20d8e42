package sandbox

import (
	"bytes"
	"mime"
	"net/http"
	"path"
	"strings"
	"unicode/utf8"

	"assay/client/media/container"
)

// sniffLength is how many bytes of a file's beginning tell its type.
const sniffLength = 512

// extensionOf tells the extension of media that came without a name: by its first bytes, and by the address's extension
// where that fits them. Texts have no mark, so that for them the address or the declared type must say so.
func extensionOf(head []byte, contentType, address string) (extension string, known bool) {
	named := strings.ToLower(path.Ext(address))
	if found := extensions[container.FormatOf(head)]; found != "" {
		if boxed(found) && boxed(named) || kinds[named].media == kinds[found].media {
			return named, true
		}
		return found, true
	}
	declared, _, err := mime.ParseMediaType(contentType)
	if (named == ".txt" || err == nil && declared == "text/plain") && readable(head) {
		return ".txt", true
	}
	return "", false
}

// extensions are those of the supported formats. HEIF is built as MP4 is, and goes by that name.
var extensions = map[container.Format]string{
	container.JPEG: ".jpg", container.PNG: ".png", container.GIF: ".gif", container.WebP: ".webp", container.WAV: ".wav", container.FLAC: ".flac",
	container.Ogg: ".ogg", container.MP3: ".mp3", container.AAC: ".aac", container.M4A: ".m4a", container.MP4: ".mp4", container.HEIF: ".mp4",
	container.QuickTime: ".mov",
}

// boxed reports whether files with this extension are of the one container that holds sound as well as video.
func boxed(extension string) bool {
	switch extension {
	case ".mp4", ".mov", ".m4a", ".alac":
		return true
	}
	return false
}

// readable reports whether the beginning of a file is plain text, perhaps cut inside a character, and no page.
func readable(head []byte) bool {
	for cut := 0; cut < utf8.UTFMax && cut < len(head); cut++ {
		if utf8.Valid(head[:len(head)-cut]) {
			return !bytes.ContainsRune(head, 0) && !strings.HasPrefix(http.DetectContentType(head), "text/html")
		}
	}
	return false
}
