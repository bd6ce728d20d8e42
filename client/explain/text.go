package explain

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"golang.org/x/net/html/charset"

	"assay/client/bounded"
)

// ErrNoText is the error for a file without any text.
var ErrNoText = errors.New("The file contains no text.") //nolint:staticcheck,revive // a sentence for the person

// ReadText reads a plain text: each line becomes a block, and empty lines separate paragraphs. Its errors are ctx's and ErrNoText.
func ReadText(ctx context.Context, data []byte, limits Limits) (*Page, error) {
	b := newBuilder(limits)
	if len(data) > limits.Bytes {
		data = data[:limits.Bytes]
		b.cut(CutBytes)
	}
	reader, err := decoder(data, false)
	if err != nil {
		return nil, err
	}
	text, err := bounded.ReadUpTo(untilDone{ctx, reader}, 4*int64(len(data))) // no encoding's characters are longer than that in UTF-8
	if err != nil {
		return nil, err
	}
	text = bytes.ReplaceAll(text, []byte("\r\n"), []byte("\n"))
	joined := false
	for n := 0; len(text) > 0 && !b.full(); n++ {
		if n%1024 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		end := bytes.IndexAny(text, "\n\r")
		line := text
		if text = nil; end >= 0 {
			line, text = line[:end], line[end+1:]
		}
		content := strings.TrimRight(string(line), " \t")
		if content == "" {
			joined = false
			continue
		}
		b.line(content, joined)
		joined = true
	}
	page := b.page
	if len(page.Blocks) == 0 {
		return nil, ErrNoText
	}
	return page, nil
}

// untilDone is a reader that fails once its context ends.
type untilDone struct {
	ctx context.Context
	r   io.Reader
}

func (u untilDone) Read(p []byte) (int, error) {
	if err := u.ctx.Err(); err != nil {
		return 0, err
	}
	return u.r.Read(p[:min(len(p), 64<<10)])
}

// decoder converts data to UTF-8: by its byte order mark; if declared is set, by the encoding that its head declares; as UTF-8 if it is
// valid, else from Windows-1252. Clean handles bytes that are invalid in that encoding.
func decoder(data []byte, declared bool) (io.Reader, error) {
	if rest, has := bytes.CutPrefix(data, []byte("\xef\xbb\xbf")); has {
		return bytes.NewReader(rest), nil
	}
	for mark, name := range map[string]string{"\xff\xfe": "utf-16le", "\xfe\xff": "utf-16be"} {
		if rest, has := bytes.CutPrefix(data, []byte(mark)); has {
			return charset.NewReaderLabel(name, bytes.NewReader(rest))
		}
	}
	name := "windows-1252"
	if declared {
		_, name, _ = charset.DetermineEncoding(data[:min(len(data), 1024)], "")
	}
	// Windows-1252 is also the result if nothing is declared.
	if name == "utf-8" || name == "windows-1252" && isMostlyUTF8(data) {
		return bytes.NewReader(data), nil
	}
	return charset.NewReaderLabel(name, bytes.NewReader(data))
}

// isMostlyUTF8 tolerates one invalid sequence in a thousand: a damaged page is still UTF-8.
func isMostlyUTF8(data []byte) bool {
	good, bad := 0, 0
	for i := 0; i < len(data); {
		if data[i] < utf8.RuneSelf {
			i++
			continue
		}
		r, size := utf8.DecodeRune(data[i:])
		if r == utf8.RuneError && size == 1 && (good == 0 || utf8.FullRune(data[i:])) { // the last character may have been cut off
			bad++
		} else {
			good++
		}
		i += size
	}
	return bad == 0 || bad*1000 <= good
}

// Clean makes a text safe to show: invalid UTF-8 and control characters become U+FFFD; characters that reorder the text around them are
// replaced by their code. Line breaks and tabs become spaces.
func Clean(s string) string {
	if isClean(s) {
		return s
	}
	var b strings.Builder
	b.Grow(len(s) + 16)
	for _, r := range s {
		writeClean(&b, r)
	}
	return b.String()
}

func isClean(s string) bool {
	for i := 0; i < len(s); {
		c := s[i]
		if c < utf8.RuneSelf {
			if c < ' ' || c == 0x7f {
				return false
			}
			i++
			continue
		}
		r, size := utf8.DecodeRuneInString(s[i:])
		if r == utf8.RuneError && size == 1 || r < 0xa0 || ordersText(r) || endsLine(r) || isHidden(r) {
			return false
		}
		i += size
	}
	return true
}

func writeClean(b *strings.Builder, r rune) {
	switch {
	case r == '\n' || r == '\t' || r == '\r' || r == '\f' || r == '\v' || endsLine(r):
		b.WriteByte(' ')
	case r < ' ' || r >= 0x7f && r < 0xa0:
		b.WriteRune(utf8.RuneError)
	case ordersText(r) || isHidden(r):
		fmt.Fprintf(b, "[U+%04X]", r)
	default:
		b.WriteRune(r)
	}
}

// ordersText reports whether a character embeds, overrides or isolates a direction of writing.
func ordersText(r rune) bool { return r >= 0x202a && r <= 0x202e || r >= 0x2066 && r <= 0x2069 }

func endsLine(r rune) bool { return r == 0x85 || r == 0x2028 || r == 0x2029 }

// isHidden reports whether a character carries invisible text: tags (of which only the flags of regions are in use) and annotations.
func isHidden(r rune) bool { return r >= 0xe0000 && r <= 0xe0fff || r >= 0xfff9 && r <= 0xfffb }
