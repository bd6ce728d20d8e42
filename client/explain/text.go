package explain

import (
	"bytes"
	"context"
	"errors"
	"io"
	"strings"

	"assay/client/bounded"
)

// ErrNoText is what a file gives that holds no text at all.
var ErrNoText = errors.New("There is no text in it.") //nolint:staticcheck,revive // a sentence for the person

// ReadText reads a plain text: a block to each line, an empty line between paragraphs. Its errors are ctx's and ErrNoText.
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
	text, err := bounded.ReadUpTo(untilDone{ctx, reader}, 4*int64(len(data))) // no encoding's characters are longer in UTF-8
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

// untilDone ends reading when its context ends.
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
