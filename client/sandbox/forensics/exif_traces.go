package forensics

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/bep/imagemeta"
)

// exifFields are the fields in which programs and generators name themselves.
var exifFields = map[string]bool{
	"Software": true, "ProcessingSoftware": true, "ImageDescription": true, "UserComment": true,
	"Make": true, "Model": true, "XPComment": true,
}

// exifTraces reads EXIF. What is damaged there ends the reading quietly: whether
// the pixels are sound is another question.
func exifTraces(p *picture) (found []trace) {
	kinds := map[format]imagemeta.ImageFormat{formatJPEG: imagemeta.JPEG, formatPNG: imagemeta.PNG, formatWebP: imagemeta.WebP}
	kind, ok := kinds[p.format]
	if !ok {
		return nil
	}
	defer func() {
		// The library recovers from its own panics; should a hostile file find
		// another, what was read before still counts.
		if recover() != nil {
			found = append(found, newTrace("EXIF", "", "unreadable", 0, ""))
		}
	}()
	_, err := imagemeta.Decode(imagemeta.Options{
		R: bytes.NewReader(p.data), ImageFormat: kind, Sources: imagemeta.EXIF,
		LimitTagSize:    1 << 16,
		Warnf:           func(string, ...any) {},
		ShouldHandleTag: func(tag imagemeta.TagInfo) bool { return exifFields[tag.Tag] },
		HandleTag: func(tag imagemeta.TagInfo) error {
			text := strings.ReplaceAll(fmt.Sprint(tag.Value), "\x00", "") // UTF-16 without its zeros reads as Latin text
			text = strings.TrimPrefix(strings.TrimPrefix(text, "UNICODE"), "ASCII")
			if strings.TrimSpace(text) != "" {
				found = append(found, fromText("EXIF", tag.Tag, text))
			}
			return nil
		},
	})
	if err != nil {
		found = append(found, newTrace("EXIF", "", "unreadable", 0, ""))
	}
	return found
}
