package video

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"

	"assay/client/media/container"

	"github.com/abema/go-mp4"
)

const (
	// mostBoxes bounds how many boxes of one clip are visited; a
	// fragmented one has a few for each second.
	mostBoxes = 100_000
	// mostPayload is the size of the largest box that is read into memory, and
	// smallPayload that of the largest with a few fields.
	mostPayload  = 4 << 20
	smallPayload = 64 << 10
)

// errBoxes means that boxes don't fit into each other.
var errBoxes = errors.New("damaged boxes")

// box is a box of ISO/IEC 14496-12, as offsets in the file.
type box struct {
	kind       string // four characters
	start, end int64  // of the payload
}

// boxes walks a file's boxes. Which box extends beyond the file's end shows whether a clip was cut short or has other data after it.
type boxes struct {
	src  *container.Source
	left int // how many more boxes may be visited
}

// each visits the boxes between start and end in order. Fewer than
// eight bytes after the last one, which QuickTime may leave, are skipped.
func (v *boxes) each(ctx context.Context, start, end int64, visit func(box) error) error {
	const header = 8
	for at := start; end-at >= header; {
		if err := ctx.Err(); err != nil {
			return err
		}
		if v.left--; v.left < 0 {
			return fmt.Errorf("%w: too many", errBoxes)
		}
		b, ok := v.src.BoxAt(at, end)
		if v.src.Err() != nil {
			return v.src.Err()
		}
		if !ok || v.endless(at, end) {
			return v.impossible(at)
		}
		if err := visit(box{b.Kind, b.Content.Start, b.Content.End}); err != nil {
			return err
		}
		at = b.Whole.End
	}
	return nil
}

// endless reports whether the box at an offset, inside a box that ends before the file does, claims by a size of 0 to extend to the file's
// end, which only an outermost box may do.
func (v *boxes) endless(at, end int64) bool {
	size, ok := v.src.Head(at, 4)
	return ok && binary.BigEndian.Uint32(size) == 0 && end < v.src.Size()
}

// impossible is the error for the box at an offset that extends beyond the box around it, or has no valid size.
func (v *boxes) impossible(at int64) error {
	const wide, kind = 1, 4 // a size of 1 means that one of 64 bits follows the kind
	head, _ := v.src.Head(at, 16)
	if len(head) >= 8 && binary.BigEndian.Uint32(head) == wide && (len(head) < 16 || binary.BigEndian.Uint64(head[8:]) == 0) {
		return fmt.Errorf("%w: the box at %d has no size", errBoxes, at)
	}
	return &overrun{kind: string(head[min(kind, len(head)):min(2*kind, len(head))]), at: at}
}

// overrun is a box that claims more bytes than there are, or fewer than its
// own header.
type overrun struct {
	kind string
	at   int64
}

func (o *overrun) Error() string {
	return fmt.Sprintf("damaged boxes: %q at %d has an impossible size", o.kind, o.at)
}

// payload reads a box of at most limit bytes.
func (v *boxes) payload(b box, limit int64) ([]byte, error) {
	size := b.end - b.start
	if size > limit {
		return nil, fmt.Errorf("%w: %q has %d bytes", errBoxes, b.kind, size)
	}
	data, ok := v.src.Head(b.start, size)
	switch {
	case v.src.Err() != nil:
		return nil, v.src.Err()
	case !ok:
		return nil, fmt.Errorf("%w: %q is cut short", errBoxes, b.kind)
	}
	return data, nil
}

// fields reads a box with a few fields into dst.
func (v *boxes) fields(b box, dst mp4.IBox) error {
	data, err := v.payload(b, smallPayload)
	if err != nil {
		return err
	}
	return fields(b.kind, data, dst)
}

// fields reads a payload into dst. If go-mp4 panics, it returns an error.
func fields(kind string, data []byte, dst mp4.IBox) (err error) {
	defer func() {
		if cause := recover(); cause != nil {
			err = fmt.Errorf("%w: %q: %v", errBoxes, kind, cause)
		}
	}()
	if _, err := mp4.Unmarshal(bytes.NewReader(data), uint64(len(data)), dst, mp4.Context{}); err != nil {
		return fmt.Errorf("%w: %q: %w", errBoxes, kind, err)
	}
	return nil
}
