package sandbox

import (
	"bytes"
	"mime"
	"net/http"
	"path"
	"strings"
	"unicode/utf8"

	"assay/client"
	"assay/client/media/container"
)

// kind is what the interface says of the files with one extension (interface, "Limits").
type kind struct {
	media       client.MediaType
	cap         int64  // largest size in bytes
	contentType string // of the original, when it is fetched
}

// The caps in bytes. For texts the interface names 900 KB and 5 MB: here the larger holds.
const (
	megabyte = 1 << 20
	imageCap = 50 * megabyte
	audioCap = 20 * megabyte
	videoCap = 250 * megabyte
	textCap  = 5 * megabyte
)

// kinds are the accepted extensions in lower case.
var kinds = map[string]kind{
	".jpg":  {client.Image, imageCap, "image/jpeg"},
	".jpeg": {client.Image, imageCap, "image/jpeg"},
	".png":  {client.Image, imageCap, "image/png"},
	".gif":  {client.Image, imageCap, "image/gif"},
	".webp": {client.Image, imageCap, "image/webp"},
	".mp3":  {client.Audio, audioCap, "audio/mpeg"},
	".wav":  {client.Audio, audioCap, "audio/wav"},
	".m4a":  {client.Audio, audioCap, "audio/mp4"},
	".aac":  {client.Audio, audioCap, "audio/aac"},
	".ogg":  {client.Audio, audioCap, "audio/ogg"},
	".flac": {client.Audio, audioCap, "audio/flac"},
	".alac": {client.Audio, audioCap, "audio/mp4"},
	".mp4":  {client.Video, videoCap, "video/mp4"},
	".mov":  {client.Video, videoCap, "video/quicktime"},
	".txt":  {client.Text, textCap, "text/plain; charset=utf-8"},
}

// sniffLength is how many bytes of a file's beginning are examined.
const sniffLength = 512

// extensionOf finds the extension of media without a name: by its first bytes, and by the URL's extension where that fits them. Texts have no
// signature, so that for them the URL or the declared type must say so.
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

// readable reports whether the beginning of a file is plain text, possibly cut inside a character, and no web page.
func readable(head []byte) bool {
	for cut := 0; cut < utf8.UTFMax && cut < len(head); cut++ {
		if utf8.Valid(head[:len(head)-cut]) {
			return !bytes.ContainsRune(head, 0) && !strings.HasPrefix(http.DetectContentType(head), "text/html")
		}
	}
	return false
}
