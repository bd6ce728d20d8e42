package container

import (
	"bytes"
	"slices"
	"strings"
	"unicode/utf8"
)

// Format is a file's format, as its first bytes show it, by the name that people know. The file's name plays no part.
type Format string

// The formats that are detected; "" is any other.
const (
	JPEG Format = "JPEG"
	PNG  Format = "PNG"
	GIF  Format = "GIF"
	WebP Format = "WebP"
	TIFF Format = "TIFF"
	BMP  Format = "BMP"
	HEIF Format = "HEIF"

	MP3  Format = "MP3"
	WAV  Format = "WAV"
	RF64 Format = "RF64" // a WAV of more than 4 GB
	FLAC Format = "FLAC"
	Ogg  Format = "Ogg" // see OggCodec
	AAC  Format = "AAC"
	M4A  Format = "M4A"
	AIFF Format = "AIFF"
	AMR  Format = "AMR"
	CAF  Format = "CAF" // Apple's Core Audio Format

	MP4       Format = "MP4"
	QuickTime Format = "QuickTime"
	Matroska  Format = "Matroska"
	AVI       Format = "AVI"
	FLV       Format = "FLV"
	ASF       Format = "ASF"
	MPEGPS    Format = "MPEG program stream"
	MPEGTS    Format = "MPEG transport stream"

	PDF  Format = "PDF"
	ZIP  Format = "ZIP"
	Text Format = "text"
)

// signatures are tried in this order.
var signatures = []struct {
	format Format
	at     int
	start  string
}{
	{JPEG, 0, "\xff\xd8\xff"}, {PNG, 0, PNGSignature}, {GIF, 0, "GIF87a"}, {GIF, 0, "GIF89a"}, {FLAC, 0, "fLaC"}, {Ogg, 0, "OggS"},
	{TIFF, 0, "II*\x00"}, {TIFF, 0, "MM\x00*"}, {BMP, 0, "BM"}, {PDF, 0, "%PDF-"}, {ZIP, 0, "PK\x03\x04"}, {Matroska, 0, "\x1aE\xdf\xa3"},
	{AMR, 0, "#!AMR"}, {CAF, 0, "caff\x00\x01"},
	{FLV, 0, "FLV"}, {MPEGPS, 0, "\x00\x00\x01\xba"}, {ASF, 0, "\x30\x26\xb2\x75"},
	{QuickTime, 4, "moov"}, {QuickTime, 4, "mdat"}, {QuickTime, 4, "wide"}, {QuickTime, 4, "free"}, {QuickTime, 4, "skip"}, {QuickTime, 4, "pnot"},
}

// formatHead is how many bytes of a file's beginning determine its format.
const formatHead = 4096

// FormatOf detects the format of a file of which data is the beginning or the whole.
func FormatOf(data []byte) Format {
	return SourceOf(data).Format()
}

// Format detects the file's format. A recording may begin with ID3 tags: what follows them determines the format, which is MP3 if nothing
// else matches. MP3 and AAC have no signature except the pattern that each frame begins with; their readers check that frames follow.
func (s *Source) Format() Format {
	head := s.Bytes(Span{0, formatHead}, formatHead)
	if form, ok := riffForm(head); ok {
		return form
	}
	if len(head) >= 12 && string(head[4:8]) == "ftyp" {
		return brandFormat(string(head[8:12]))
	}
	if behind := s.BehindID3(); behind > 0 {
		switch after := s.Bytes(Span{behind, behind + 4}, 4); {
		case string(after) == "fLaC":
			return FLAC
		case len(after) == 4 && beginsADTS(after):
			return AAC
		}
		return MP3
	}
	if bytes.HasPrefix(head, []byte("ID3")) {
		return MP3
	}
	for _, known := range signatures {
		if len(head) >= known.at && bytes.HasPrefix(head[known.at:], []byte(known.start)) {
			return known.format
		}
	}
	const packet, sync = 188, 0x47
	switch {
	case beginsADTS(head):
		return AAC
	case len(head) >= 2 && head[0] == 0xff && head[1]&0xe6 == 0xe2:
		return MP3
	case len(head) > packet && head[0] == sync && head[packet] == sync:
		return MPEGTS
	case len(head) > 0 && isPlainText(head):
		return Text
	}
	return ""
}

// OggCodec is the codec of the first stream of an Ogg file: "Vorbis", "Opus", or "" for any other.
func (s *Source) OggCodec() string {
	head := s.Bytes(Span{0, formatHead}, formatHead)
	switch {
	case bytes.Contains(head, []byte("\x01vorbis")):
		return "Vorbis"
	case bytes.Contains(head, []byte("OpusHead")):
		return "Opus"
	}
	return ""
}

// riffForm distinguishes the kinds of RIFF, and of AIFF, which is built likewise.
func riffForm(head []byte) (Format, bool) {
	if len(head) < 12 {
		return "", false
	}
	switch string(head[:4]) + string(head[8:12]) {
	case "RIFFWEBP":
		return WebP, true
	case "RIFFWAVE":
		return WAV, true
	case "RIFFAVI ":
		return AVI, true
	case "RF64WAVE":
		return RF64, true
	case "FORMAIFF", "FORMAIFC":
		return AIFF, true
	}
	return "", false
}

// brandFormat distinguishes the kinds of MPEG-4 by their major brand.
func brandFormat(brand string) Format {
	switch {
	case brand == "qt  ":
		return QuickTime
	case strings.HasPrefix(brand, "M4A"), strings.HasPrefix(brand, "M4B"):
		return M4A
	case slices.Contains([]string{"heic", "heix", "heim", "heis", "hevm", "hevs", "hevx", "mif1", "miaf", "msf1", "hevc", "avif", "avis"}, brand):
		return HEIF
	}
	return MP4
}

// beginsADTS reports whether a frame of AAC may begin here: a sync word, and a layer of 0.
func beginsADTS(head []byte) bool { return len(head) >= 2 && head[0] == 0xff && head[1]&0xf6 == 0xf0 }

// isPlainText reports whether bytes look like text: UTF-8 without control characters (the last character may be cut), or UTF-16 with a
// byte order mark.
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
