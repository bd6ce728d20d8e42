package forensics

import (
	"bytes"
	"fmt"
	"strings"

	"assay/client/media/facts"
)

// exifFields are the fields in which programs and generators name themselves.
var exifFields = map[string]bool{
	"Software": true, "ProcessingSoftware": true, "ImageDescription": true, "UserComment": true,
	"Make": true, "Model": true, "XPComment": true,
}

// factsFormats are the pictures' formats as the reader of metadata calls them.
var factsFormats = map[format]facts.Format{formatJPEG: facts.JPEG, formatPNG: facts.PNG, formatGIF: facts.GIF, formatWebP: facts.WebP}

// exifTraces reads EXIF. What is damaged there ends the reading quietly: whether
// the pixels are sound is another question.
func exifTraces(p *picture) []trace {
	var found []trace
	tags, err := facts.EXIF(bytes.NewReader(p.data), factsFormats[p.format], func(name string) bool { return exifFields[name] })
	for _, tag := range tags {
		text := strings.ReplaceAll(fmt.Sprint(tag.Value), "\x00", "") // UTF-16 without its zeros reads as Latin text
		text = strings.TrimPrefix(strings.TrimPrefix(text, "UNICODE"), "ASCII")
		if strings.TrimSpace(text) != "" {
			found = append(found, fromText("EXIF", tag.Name, text))
		}
	}
	if err != nil {
		found = append(found, newTrace("EXIF", "", "unreadable", 0, ""))
	}
	return found
}
