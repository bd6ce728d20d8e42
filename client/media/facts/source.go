package facts

import (
	"context"
	"io"

	"assay/client/media/blocks"
)

// source is the file that is read.
type source struct{ *blocks.Source }

type (
	span  = blocks.Span
	block = blocks.Block
)

func newSource(ctx context.Context, r io.ReaderAt, size int64) *source {
	return &source{blocks.NewSource(ctx, r, size)}
}
