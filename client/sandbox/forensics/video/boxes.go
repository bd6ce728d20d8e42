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
	// mostBoxes bounds the boxes of one clip that are looked at; a
	// fragmented one has a few for each second.
	mostBoxes = 100_000
	// mostPayload is the largest box that is read into memory, and
	// smallPayload the largest of those with a few fields.
	mostPayload  = 4 << 20
	smallPayload = 64 << 10
)

// errBoxes says that boxes don't fit into each other.
var errBoxes = errors.New("damaged boxes")

// box is a box of ISO/IEC 14496-12, as offsets in the file.
type box struct {
	kind       string // four characters
	start, end int64  // of the payload
}

// boxes walks a file's boxes: which of them overruns the file tells a clip that was cut short from one with something behind it.
type boxes struct {
	src  *container.Source
	left int // boxes that may still be looked at
}

// each visits the boxes between start and end one after the other. Fewer than
// eight bytes behind the last one, as QuickTime leaves them, are passed over.
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

// endless reports whether the box at an offset claims all that follows, by a size of 0, within a box that ends before the file does: no
// box within another may.
func (v *boxes) endless(at, end int64) bool {
	size, ok := v.src.Head(at, 4)
	return ok && binary.BigEndian.Uint32(size) == 0 && end < v.src.Size()
}

// impossible is the error for the box at an offset: it overruns what it stands in, or has no size at all.
func (v *boxes) impossible(at int64) error {
	const wide, kind = 1, 4 // a size of 1 says that one of 64 bits stands behind the kind
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

// fields reads a payload into dst, whatever the payload makes go-mp4 do.
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
