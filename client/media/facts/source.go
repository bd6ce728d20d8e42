package facts

import (
	"context"
	"io"

	"assay/client/media/container"
)

// source is the file that is read.
type source struct {
	*container.Source
	unpackable *int64 // how many bytes the packed texts of the file may still give
}

// mostUnpacked bounds what all packed texts of a file give, in bytes: a small file may promise gigabytes.
const mostUnpacked = 16 << 20

type (
	span  = container.Span
	block = container.Block
)

func newSource(ctx context.Context, r io.ReaderAt, size int64) *source {
	unpackable := int64(mostUnpacked)
	return &source{container.NewSource(ctx, r, size), &unpackable}
}
