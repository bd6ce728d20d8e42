package facts

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"io"
	"strings"

	"assay/client/i18n"
	"assay/client/media/blocks"
)

// readPNGText reads a PNG's texts and its time of change.
func (f *Facts) readPNGText(src *source) {
	src.PNGChunks(func(b block) bool {
		switch b.Kind {
		case "tEXt", "zTXt", "iTXt":
			content := src.Bytes(b.Content, longestTagText)
			name, rest, ok := bytes.Cut(content, []byte{0})
			if !ok || strings.HasPrefix(string(content), xmpInPNG) {
				break
			}
			value := ""
			switch b.Kind {
			case "tEXt":
				value = anyText(rest)
			case "zTXt":
				value = anyText(inflated(rest[min(len(rest), 1):]))
			case "iTXt":
				value = internationalText(rest)
			}
			if strings.HasPrefix(string(name), "Raw profile type ") {
				value = i18n.Bytes(b.Content.Length())
			}
			f.tag("PNG", strings.ToLower(anyText(name)), value)
		case "tIME":
			if t := src.Bytes(b.Content, 7); len(t) == 7 {
				f.tag("PNG", "time", fmt.Sprintf("%04d-%02d-%02d %02d:%02d:%02d UTC", int(t[0])<<8|int(t[1]), t[2], t[3], t[4], t[5], t[6]))
			}
		}
		return len(f.Embedded) < mostFields
	})
}

// internationalText is what stands behind the name: compression, language, translated name, text.
func internationalText(rest []byte) string {
	if len(rest) < 2 {
		return ""
	}
	compressed := rest[0] == 1
	_, rest, _ = bytes.Cut(rest[2:], []byte{0})
	_, text, _ := bytes.Cut(rest, []byte{0})
	if compressed {
		text = inflated(text)
	}
	return anyText(text)
}

// inflated unpacks a text, as far as its stream is whole.
func inflated(packed []byte) []byte {
	r, err := zlib.NewReader(bytes.NewReader(packed))
	if err != nil {
		return nil
	}
	text, _ := io.ReadAll(io.LimitReader(r, longestTagText)) // what a damaged stream gave is used
	return text
}

// readGIFComments reads a GIF's comments.
func (f *Facts) readGIFComments(src *source) {
	src.GIFParts(func(b block) bool {
		if b.Kind == blocks.GIFComment {
			f.tag("GIF", "comment", anyText(src.SubBlocks(b.Content, longestTagText)))
		}
		return len(f.Embedded) < mostFields
	})
}

// countTrailing counts the bytes behind a file's end. Phones put short clips there, with positions of their own.
func (f *Facts) countTrailing(src *source) {
	if end, known := f.end(src); known {
		f.Trailing = max(src.Size()-end, 0)
	}
	f.Thumbnail = f.Thumbnail || f.Format == JPEG && jfifThumbnail(src)
}

// end is where a file ends by its format; known is false for one that breaks off before, or whose format has no end.
func (f *Facts) end(src *source) (end int64, known bool) {
	switch f.Format {
	case JPEG:
		return src.JPEGParts(func(block) bool { return true })
	case GIF:
		return src.GIFParts(func(block) bool { return true })
	case PNG:
		last := ""
		end = src.PNGChunks(func(b block) bool {
			if last == "IEND" {
				return false
			}
			last = b.Kind
			return true
		})
		return end, last == "IEND"
	case WebP, WAV:
		head, ok := src.Head(4, 4)
		if !ok {
			return 0, false
		}
		length := int64(binary.LittleEndian.Uint32(head))
		return 8 + length + length%2, length >= 4 && length < 1<<32-1
	}
	return 0, false
}

// jfifThumbnail reports whether the first segment holds a small picture.
func jfifThumbnail(src *source) bool {
	const width = 12
	found := false
	src.JPEGSegments(2, func(b block) bool {
		head := src.Bytes(b.Content, width+2)
		found = b.Kind == "\xe0" && (len(head) == width+2 && strings.HasPrefix(string(head), "JFIF\x00") && head[width] > 0 && head[width+1] > 0 ||
			strings.HasPrefix(string(head), "JFXX\x00"))
		return !found && b.Kind == "\xe0"
	})
	return found
}

func hexText(b []byte) string { return hex.EncodeToString(b) }
