package picture

import (
	"context"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"image"
	"image/png"
	"io"
	"maps"
	"slices"
	"strings"
)

// EncodePNG writes a picture as PNG. The texts are stored in it as iTXt chunks, sorted by keyword ("Software" and the
// like). A keyword has 1 to 79 printable ASCII characters, with no space at either end. If ctx ends, the next write
// fails with its error.
func EncodePNG(ctx context.Context, w io.Writer, img image.Image, texts map[string]string) error {
	var chunks []byte
	for _, keyword := range slices.Sorted(maps.Keys(texts)) {
		if !isPNGKeyword(keyword) {
			return fmt.Errorf("write the picture: %q is no keyword for a PNG", keyword)
		}
		chunks = append(chunks, pngText(keyword, texts[keyword])...)
	}
	encoder := png.Encoder{CompressionLevel: png.BestSpeed} // a composite has many millions of pixels
	if err := encoder.Encode(&pngInserter{ctx: ctx, w: w, chunks: chunks}, img); err != nil {
		return fmt.Errorf("write the picture: %w", err)
	}
	return nil
}

func isPNGKeyword(keyword string) bool {
	if len(keyword) < 1 || len(keyword) > 79 || strings.TrimSpace(keyword) != keyword {
		return false
	}
	for _, r := range keyword {
		if r < ' ' || r > '~' {
			return false
		}
	}
	return true
}

// pngText returns an iTXt chunk: the keyword, four empty fields (not compressed, no language, no translation), the text.
func pngText(keyword, text string) []byte {
	text = strings.ReplaceAll(strings.ToValidUTF8(text, "\ufffd"), "\x00", "\ufffd")
	body := "iTXt" + keyword + "\x00\x00\x00\x00\x00" + text
	chunk := binary.BigEndian.AppendUint32(nil, uint32(len(body)-4))
	return binary.BigEndian.AppendUint32(append(chunk, body...), crc32.ChecksumIEEE([]byte(body)))
}

// pngHeadLength is the length of the signature and the first chunk, after which other chunks may stand.
const pngHeadLength = 8 + 25

// pngInserter inserts chunks after a PNG's first one, and fails once ctx has ended.
type pngInserter struct {
	ctx    context.Context // lives for one call of EncodePNG, whose ctx it is
	w      io.Writer
	chunks []byte
	passed int
}

// Write passes p on.
func (p *pngInserter) Write(data []byte) (int, error) {
	if err := p.ctx.Err(); err != nil {
		return 0, err
	}
	head := min(max(pngHeadLength-p.passed, 0), len(data))
	n, err := p.w.Write(data[:head])
	p.passed += n
	if err != nil || head == len(data) && p.passed < pngHeadLength {
		return n, err
	}
	if p.chunks != nil {
		if _, err := p.w.Write(p.chunks); err != nil {
			return n, err
		}
		p.chunks = nil
	}
	rest, err := p.w.Write(data[head:])
	p.passed += rest
	return n + rest, err
}
