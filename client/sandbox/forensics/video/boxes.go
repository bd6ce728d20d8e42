package video

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"

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

// boxes walks a file's boxes. Headers and fields are go-mp4's; the walk
// is not, since that one follows sizes that wrap around and has no bounds.
type boxes struct {
	r    io.ReadSeeker
	left int // boxes that may still be looked at
}

// each visits the boxes between start and end one after the other. Fewer than
// eight bytes behind the last one, as QuickTime leaves them, are passed over.
func (v *boxes) each(ctx context.Context, start, end int64, visit func(box) error) error {
	for at := start; end-at >= mp4.SmallHeaderSize; {
		if err := ctx.Err(); err != nil {
			return err
		}
		if v.left--; v.left < 0 {
			return fmt.Errorf("%w: too many", errBoxes)
		}
		if _, err := v.r.Seek(at, io.SeekStart); err != nil {
			return err
		}
		info, err := mp4.ReadBoxInfo(v.r)
		if err != nil {
			return fmt.Errorf("%w: header at %d: %w", errBoxes, at, err)
		}
		kind := string(info.Type[:])
		if info.Size < info.HeaderSize || info.Size > uint64(end-at) {
			return &overrun{kind: kind, at: at}
		}
		next := at + int64(info.Size)
		if err := visit(box{kind, at + int64(info.HeaderSize), next}); err != nil {
			return err
		}
		at = next
	}
	return nil
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
	if _, err := v.r.Seek(b.start, io.SeekStart); err != nil {
		return nil, err
	}
	data := make([]byte, size)
	if _, err := io.ReadFull(v.r, data); err != nil {
		return nil, fmt.Errorf("%w: %q: %w", errBoxes, b.kind, err)
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
