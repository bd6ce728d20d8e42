package sandbox

import (
	"bytes"
	"mime"
	"net/http"
	"path"
	"strings"
	"unicode/utf8"
)

// sniffLength is how many bytes of a file's beginning tell its type.
const sniffLength = 512

// extensionOf tells the extension of media that came without a name: by its first bytes, and by the address's extension
// where that fits them. Texts have no mark, so that for them the address or the declared type must say so.
func extensionOf(head []byte, contentType, address string) (extension string, known bool) {
	named := strings.ToLower(path.Ext(address))
	if found := sniffed(head); found != "" {
		if container(found) && container(named) || kinds[named].media == kinds[found].media {
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

// sniffed is the extension of the format that the first bytes show, "" for none of the supported ones.
func sniffed(head []byte) string {
	at := func(offset int, mark string) bool {
		return len(head) >= offset+len(mark) && string(head[offset:offset+len(mark)]) == mark
	}
	switch {
	case at(0, "\xff\xd8\xff"):
		return ".jpg"
	case at(0, "\x89PNG\r\n\x1a\n"):
		return ".png"
	case at(0, "GIF87a"), at(0, "GIF89a"):
		return ".gif"
	case at(0, "RIFF") && at(8, "WEBP"):
		return ".webp"
	case at(0, "RIFF") && at(8, "WAVE"):
		return ".wav"
	case at(0, "fLaC"):
		return ".flac"
	case at(0, "OggS"):
		return ".ogg"
	case at(4, "ftypM4A"), at(4, "ftypM4B"):
		return ".m4a"
	case at(4, "ftypqt"):
		return ".mov"
	case at(4, "ftyp"):
		return ".mp4"
	case at(0, "ID3"):
		return ".mp3"
	case len(head) > 1 && head[0] == 0xff && head[1]&0xf6 == 0xf0: // an ADTS frame: MPEG-4 or MPEG-2, layer 0
		return ".aac"
	case len(head) > 1 && head[0] == 0xff && head[1]&0xe6 == 0xe2: // an MPEG audio frame of layer 3
		return ".mp3"
	}
	return ""
}

// container reports whether files with this extension are of the one container that holds sound as well as video.
func container(extension string) bool {
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
