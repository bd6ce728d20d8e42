package facts

import (
	"bytes"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"assay/client/i18n"
	"assay/client/media/container"
)

// Format is a kind of file, as its first bytes show it.
type Format string

// The formats that are told apart.
const (
	JPEG      Format = "JPEG picture"
	PNG       Format = "PNG picture"
	GIF       Format = "GIF picture"
	WebP      Format = "WebP picture"
	MP3       Format = "MP3 recording"
	WAV       Format = "WAV recording"
	FLAC      Format = "FLAC recording"
	Ogg       Format = "Ogg recording"
	AAC       Format = "AAC recording"
	M4A       Format = "MPEG-4 recording"
	MP4       Format = "MPEG-4 clip"
	QuickTime Format = "QuickTime clip"
	Text      Format = "plain text"
	TIFF      Format = "TIFF picture"
	BMP       Format = "BMP picture"
	HEIF      Format = "HEIF picture"
	PDF       Format = "PDF document"
	ZIP       Format = "ZIP archive"
	Matroska  Format = "Matroska clip"
)

// formatTexts are the formats in words, which are translated where they are shown.
var formatTexts = map[Format]i18n.Key{
	JPEG: "JPEG picture", PNG: "PNG picture", GIF: "GIF picture", WebP: "WebP picture", MP3: "MP3 recording", WAV: "WAV recording",
	FLAC: "FLAC recording", Ogg: "Ogg recording", AAC: "AAC recording", M4A: "MPEG-4 recording", MP4: "MPEG-4 clip", QuickTime: "QuickTime clip",
	Text: "plain text", TIFF: "TIFF picture", BMP: "BMP picture", HEIF: "HEIF picture", PDF: "PDF document", ZIP: "ZIP archive", Matroska: "Matroska clip",
}

// Words is the format in the person's language; "" for one that is not known.
func (f Format) Words() string {
	text, known := formatTexts[f]
	if !known {
		return string(f)
	}
	return i18n.T(text)
}

// extensions are those that fit a format. A container's many names are no lie: a clip may be called .mov or .mp4.
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

// searched reports whether all places of a format where something can be said are known here. A text has none beside what it says.
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

var signatures = []struct {
	format Format
	at     int
	start  string
}{
	{JPEG, 0, "\xff\xd8\xff"}, {PNG, 0, container.PNGSignature}, {GIF, 0, "GIF87a"}, {GIF, 0, "GIF89a"},
	{FLAC, 0, "fLaC"}, {Ogg, 0, "OggS"}, {MP3, 0, "ID3"}, {TIFF, 0, "II*\x00"}, {TIFF, 0, "MM\x00*"}, {BMP, 0, "BM"},
	{PDF, 0, "%PDF-"}, {ZIP, 0, "PK\x03\x04"}, {Matroska, 0, "\x1aE\xdf\xa3"},
	{QuickTime, 4, "moov"}, {QuickTime, 4, "mdat"}, {QuickTime, 4, "wide"}, {QuickTime, 4, "free"}, {QuickTime, 4, "pnot"},
}

// sniff tells the format by the file's first bytes.
func (s *source) sniff() Format {
	head := s.Bytes(container.Between(0, 4096), 4096)
	if len(head) == 0 {
		return ""
	}
	if len(head) >= 12 && string(head[:4]) == "RIFF" {
		switch string(head[8:12]) {
		case "WEBP":
			return WebP
		case "WAVE":
			return WAV
		}
	}
	if len(head) >= 12 && string(head[4:8]) == "ftyp" {
		return brandFormat(string(head[8:12]))
	}
	if behind := s.BehindID3(); behind > 0 { // other recordings may begin with a tag, too
		after := s.Bytes(container.Between(behind, behind+4), 4)
		switch {
		case string(after) == "fLaC":
			return FLAC
		case len(after) == 4 && after[0] == 0xff && after[1]&0xf6 == 0xf0:
			return AAC
		}
		return MP3
	}
	for _, known := range signatures {
		if len(head) >= known.at && bytes.HasPrefix(head[known.at:], []byte(known.start)) {
			return known.format
		}
	}
	if len(head) >= 2 && head[0] == 0xff && head[1]&0xf6 == 0xf0 {
		return AAC
	}
	if len(head) >= 2 && head[0] == 0xff && head[1]&0xe6 == 0xe2 {
		return MP3
	}
	if isPlainText(head) {
		return Text
	}
	return ""
}

// brandFormat tells the kinds of MPEG-4 apart by the brand that comes first.
func brandFormat(brand string) Format {
	switch {
	case brand == "qt  ":
		return QuickTime
	case strings.HasPrefix(brand, "M4A"), strings.HasPrefix(brand, "M4B"):
		return M4A
	case slices.Contains([]string{"heic", "heix", "mif1", "msf1", "hevc", "avif", "avis"}, brand):
		return HEIF
	}
	return MP4
}

// isPlainText reports whether bytes look like text: in UTF-8 without control characters, but for a character cut at the end, or UTF-16 with its mark.
func isPlainText(head []byte) bool {
	if bytes.HasPrefix(head, []byte("\xff\xfe")) || bytes.HasPrefix(head, []byte("\xfe\xff")) {
		return true
	}
	for i := 0; i < len(head); {
		r, n := utf8.DecodeRune(head[i:])
		if r == utf8.RuneError && n == 1 && len(head)-i >= utf8.UTFMax || r < ' ' && !strings.ContainsRune("\t\n\r\f", r) {
			return false
		}
		i += n
	}
	return true
}
