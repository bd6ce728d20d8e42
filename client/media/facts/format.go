package facts

import (
	"path/filepath"
	"slices"
	"strings"

	"assay/client/i18n"
	"assay/client/media/container"
)

// Format is a file's format, as its first bytes show it.
type Format container.Format

// The formats whose facts are read.
const (
	JPEG      = Format(container.JPEG)
	PNG       = Format(container.PNG)
	GIF       = Format(container.GIF)
	WebP      = Format(container.WebP)
	MP3       = Format(container.MP3)
	WAV       = Format(container.WAV)
	FLAC      = Format(container.FLAC)
	Ogg       = Format(container.Ogg)
	AAC       = Format(container.AAC)
	M4A       = Format(container.M4A)
	MP4       = Format(container.MP4)
	QuickTime = Format(container.QuickTime)
	Text      = Format(container.Text)
	TIFF      = Format(container.TIFF)
	BMP       = Format(container.BMP)
	HEIF      = Format(container.HEIF)
	PDF       = Format(container.PDF)
	ZIP       = Format(container.ZIP)
	Matroska  = Format(container.Matroska)
)

// formatTexts are the names of the formats, translated where they are shown. A format without one counts as unknown.
var formatTexts = map[Format]i18n.Key{
	JPEG: "JPEG picture", PNG: "PNG picture", GIF: "GIF picture", WebP: "WebP picture", MP3: "MP3 recording", WAV: "WAV recording",
	FLAC: "FLAC recording", Ogg: "Ogg recording", AAC: "AAC recording", M4A: "MPEG-4 recording", MP4: "MPEG-4 clip", QuickTime: "QuickTime clip",
	Text: "plain text", TIFF: "TIFF picture", BMP: "BMP picture", HEIF: "HEIF picture", PDF: "PDF document", ZIP: "ZIP archive", Matroska: "Matroska clip",
}

// Words is the format in the person's language; "" for an unknown one.
func (f Format) Words() string {
	text, known := formatTexts[f]
	if !known {
		return string(f)
	}
	return i18n.T(text)
}

// extensions are those that fit a format. A container's other usual names are no mismatch: a clip may be called .mov or .mp4.
var extensions = map[Format][]string{
	JPEG: {"jpg", "jpeg", "jpe", "jfif"}, PNG: {"png", "apng"}, GIF: {"gif"}, WebP: {"webp"},
	MP3: {"mp3"}, WAV: {"wav", "wave"}, FLAC: {"flac"}, Ogg: {"ogg", "oga", "opus", "ogv"}, AAC: {"aac"},
	M4A: {"m4a", "alac", "mp4", "m4b", "aac"}, MP4: {"mp4", "m4v", "mov"}, QuickTime: {"mov", "qt", "mp4"},
	TIFF: {"tif", "tiff", "dng", "nef", "arw", "cr2"}, BMP: {"bmp"}, HEIF: {"heic", "heif", "avif"},
	PDF: {"pdf"}, ZIP: {"zip", "docx", "xlsx", "pptx", "odt", "epub"}, Matroska: {"mkv", "webm"},
}

func (f Format) fits(extension string) bool {
	known, ok := extensions[f]
	return !ok || extension == "" || slices.Contains(known, extension)
}

// searched reports whether all places of a format that can hold statements are read here. A text has none beside its content.
func (f Format) searched() bool {
	switch f {
	case "", TIFF, BMP, HEIF, PDF, ZIP, Matroska:
		return false
	}
	return true
}

func (f Format) boxed() bool { return f == MP4 || f == QuickTime || f == M4A || f == HEIF }

func extensionOf(name string) string {
	return cleanText(strings.ToLower(strings.TrimPrefix(filepath.Ext(name), ".")), 20)
}

// format detects the file's format; "" for one whose facts are not read.
func (s *source) format() Format {
	f := Format(s.Format())
	if _, known := formatTexts[f]; !known {
		return ""
	}
	return f
}
