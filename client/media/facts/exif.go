package facts

import (
	"bytes"
	"encoding/binary"
	"io"
	"slices"
	"strconv"

	"github.com/bep/imagemeta"

	"assay/client/i18n"
)

// Tag is one field of EXIF or IPTC as imagemeta reads it.
type Tag struct {
	Directory string // "IFD0", "IFD0/GPSInfoIFD", …
	Name      string
	Value     any
}

var exifFormats = map[Format]imagemeta.ImageFormat{JPEG: imagemeta.JPEG, PNG: imagemeta.PNG, WebP: imagemeta.WebP}

// EXIF reads the EXIF fields of a picture whose names wanted accepts, in the file's order; a nil wanted accepts all. If the data is
// damaged, it returns what it read before the damage, along with an error.
func EXIF(r io.ReadSeeker, format Format, wanted func(name string) bool) ([]Tag, error) {
	return tags(r, format, imagemeta.EXIF, wanted)
}

// mostTags bounds the number of fields that are read, longestTag the bytes of one.
const (
	mostTags   = 2_000
	longestTag = 1 << 16
)

func tags(r io.ReadSeeker, format Format, from imagemeta.Source, wanted func(name string) bool) (found []Tag, err error) {
	kind, ok := exifFormats[format]
	if !ok {
		return nil, nil
	}
	defer func() {
		// imagemeta recovers from its own panics; if a hostile file causes another one, what was read before still counts.
		if recover() != nil {
			err = errPart
		}
	}()
	seen := 0
	_, err = imagemeta.Decode(imagemeta.Options{
		R: r, ImageFormat: kind, Sources: from,
		LimitNumTags: mostTags, LimitTagSize: longestTag,
		Warnf: func(string, ...any) {},
		ShouldHandleTag: func(t imagemeta.TagInfo) bool {
			seen++
			return wanted == nil || wanted(t.Tag)
		},
		HandleTag: func(t imagemeta.TagInfo) error {
			value := t.Value
			if b, ok := value.([]byte); ok {
				value = slices.Clone(b) // imagemeta reuses its buffers
			}
			found = append(found, Tag{t.Namespace, t.Tag, value})
			return nil
		},
	})
	if err == nil && seen > mostTags {
		err = errPart
	}
	return found, err
}

// exifPicture wraps a block of EXIF in a WebP without pixels, for imagemeta.
func exifPicture(block []byte) io.ReadSeeker {
	const header = "RIFF\x00\x00\x00\x00WEBPVP8X\x0a\x00\x00\x00\x08\x00\x00\x00\x00\x00\x00\x00\x00\x00EXIF"
	return bytes.NewReader(append(binary.LittleEndian.AppendUint32([]byte(header), uint32(len(block))), block...)) //nolint:gosec // at most longestPacket
}

// codes are the texts for fields whose value is a number with a fixed meaning (EXIF 2.32, 4.6), by that number.
var codes = map[string][]i18n.Key{
	"ExposureProgram":  {"not defined", "manual", "normal", "aperture priority", "shutter priority", "creative", "action", "portrait", "landscape"},
	"MeteringMode":     {"not known", "average", "centre-weighted", "spot", "multi-spot", "pattern", "partial"},
	"WhiteBalance":     {"automatic", "manual"},
	"ExposureMode":     {"automatic", "manual", "bracketing"},
	"SceneCaptureType": {"standard", "landscape", "portrait", "night"},
	"CustomRendered":   {"normal", "custom"},
	"Contrast":         {"normal", "soft", "hard"},
	"Saturation":       {"normal", "low", "high"},
	"Sharpness":        {"normal", "soft", "hard"},
	"ResolutionUnit":   {"", "none", "inches", "centimetres"},
	"ColorSpace":       {"", "sRGB"},
	"LightSource":      {"not known", "daylight", "fluorescent", "tungsten", "flash"},
}

// codeText returns a code's meaning followed by the code, "" for an unknown code.
func codeText(key string, code float64) string {
	meanings := codes[key]
	n := int(code)
	if n < 0 || n >= len(meanings) || float64(n) != code || meanings[n] == "" {
		return ""
	}
	return i18n.T(meanings[n]) + " (" + strconv.Itoa(n) + ")"
}
