package forensics

import (
	"bytes"
	"compress/zlib"
	"io"
	"strings"
)

// textTraces reads the text chunks of a PNG and the comments of a GIF or JPEG.
func textTraces(p *picture) []trace {
	var found []trace
	switch p.format {
	case formatPNG:
		left := int64(mostTexts)
		for name, content := range pngChunks(p.data) {
			if key, text, ok := pngText(name, content, &left); ok && key != xmpKey {
				found = append(found, fromText("PNG text", key, text))
			}
		}
	case formatGIF:
		const comment = 0xfe
		// What could be walked is used; that the GIF is whole was checked before.
		_ = walkGIF(p.data, func() {}, func(label byte, content []byte) {
			if label == comment {
				found = append(found, fromText("GIF comment", "comment", string(content)))
			}
		})
	case formatJPEG:
		const comment = 0xfe
		for marker, content := range jpegSegments(p.data) {
			if marker == comment {
				found = append(found, fromText("JPEG comment", "comment", string(content)))
			}
		}
	}
	return found
}

// longestText bounds what a compressed text may unpack to, in bytes, and mostTexts
// what all those of a picture may.
const (
	longestText = 1 << 20
	mostTexts   = 16 << 20
)

// pngText reads a tEXt, zTXt or iTXt chunk (PNG specification, 11.3.3). Text in
// Latin-1 is taken as it is where it is also valid UTF-8, which many writers use.
// left is how many bytes compressed texts may still unpack to.
func pngText(name string, content []byte, left *int64) (key, text string, ok bool) {
	keyBytes, rest, found := bytes.Cut(content, []byte{0})
	if !found {
		return "", "", false
	}
	key = string(keyBytes)
	switch name {
	case "tEXt":
		return key, string(rest), true
	case "zTXt":
		if len(rest) < 1 {
			return "", "", false
		}
		text, ok = inflate(rest[1:], left)
		return key, text, ok
	case "iTXt":
		if len(rest) < 2 {
			return "", "", false
		}
		compressed := rest[0] == 1
		_, rest, found = bytes.Cut(rest[2:], []byte{0}) // language
		if !found {
			return "", "", false
		}
		_, rest, found = bytes.Cut(rest, []byte{0}) // translated key
		if !found {
			return "", "", false
		}
		if compressed {
			text, ok = inflate(rest, left)
			return key, text, ok
		}
		return key, string(rest), true
	default:
		return "", "", false
	}
}

// inflate unpacks a zlib stream up to longestText and what is left; what a damaged
// stream gave before its fault is kept.
func inflate(packed []byte, left *int64) (string, bool) {
	if *left <= 0 {
		return "", false
	}
	r, err := zlib.NewReader(bytes.NewReader(packed))
	if err != nil {
		return "", false
	}
	var text strings.Builder
	n, err := io.Copy(&text, io.LimitReader(r, min(longestText, *left)))
	*left -= n
	return text.String(), err == nil || text.Len() > 0
}
