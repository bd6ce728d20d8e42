package facts

import (
	"bytes"
	"encoding/binary"
	"io"
	"slices"

	"github.com/bep/imagemeta"
)

// Tag is one field of EXIF or IPTC as the library reads it.
type Tag struct {
	Directory string // "IFD0", "IFD0/GPSInfoIFD", …
	Name      string
	Value     any
}

var exifFormats = map[Format]imagemeta.ImageFormat{JPEG: imagemeta.JPEG, PNG: imagemeta.PNG, WebP: imagemeta.WebP}

// EXIF reads the EXIF fields of a picture whose names are wanted, in their order; nil wants all. Damage ends the reading: what was
// read before is given along with the error.
func EXIF(r io.ReadSeeker, format Format, wanted func(name string) bool) ([]Tag, error) {
	return tags(r, format, imagemeta.EXIF, wanted)
}

// mostTags and longestTag bound what is read, in fields and bytes of one.
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
		// The library recovers from its own panics; should a hostile file find another, what was read before still counts.
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
				value = slices.Clone(b) // the library uses its buffers again
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

// exifPicture is a picture of nothing but a block of EXIF, as the library takes it.
func exifPicture(block []byte) io.ReadSeeker {
	const header = "RIFF\x00\x00\x00\x00WEBPVP8X\x0a\x00\x00\x00\x08\x00\x00\x00\x00\x00\x00\x00\x00\x00EXIF"
	return bytes.NewReader(append(binary.LittleEndian.AppendUint32([]byte(header), uint32(len(block))), block...)) //nolint:gosec // at most longestPacket
}
