package sound

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math"

	"github.com/gopxl/beep/v2"
	beepflac "github.com/gopxl/beep/v2/flac"

	"assay/client/media/container"
)

// flac is a FLAC recording. It finds a place by bisection, since the decoder would decode the file from its start.
type flac struct {
	file           *file
	info           [34]byte // the STREAMINFO block
	rate, channels int
	block          int64 // samples in a frame; the last frame may have fewer
	begin          int64 // of the first frame
	like           [4]byte
	total          int64
	missing        bool
}

// openFLAC reads the header, and the last frame, since a header may be wrong or omit the length.
func openFLAC(ctx context.Context, f *file) (*flac, error) {
	fl := &flac{file: f}
	if err := fl.readInfo(ctx); err != nil {
		return nil, err
	}
	const least = 8 // bytes of a frame
	var head [16]byte
	if n, err := f.ReadAt(head[:], fl.begin); n < least {
		return nil, breaksOff(err)
	}
	if _, ok := readFlacHeader(head[:], fl.block); !ok {
		return nil, damaged("FLAC", errors.New("no frame follows the header"))
	}
	copy(fl.like[:], head[:])
	end, err := fl.end()
	if err != nil {
		return nil, err
	}
	claimed := fl.total
	if end > 0 {
		fl.total = end
	}
	fl.missing = claimed > fl.total
	if fl.total == 0 {
		return nil, breaksOff(nil)
	}
	return fl, nil
}

// readInfo reads the first metadata block and skips the others.
func (f *flac) readInfo(ctx context.Context) error {
	src := f.file.source(ctx)
	var first container.Block
	frames, whole := src.FLACBlocks(0, func(b container.Block) bool {
		if first.Whole.Length() == 0 {
			first = b
			copy(f.info[:], src.Bytes(b.Content, int64(len(f.info))))
		}
		return true
	})
	switch {
	case first.Whole.Length() > 0 && (first.Kind != container.FLACStreamInfo || first.Content.Length() != int64(len(f.info))):
		return damaged("FLAC", fmt.Errorf("a first block of kind %q and %d bytes", first.Kind, first.Content.Length()))
	case !whole:
		return breaksOff(src.Err())
	}
	b := f.info[:]
	f.begin = f.file.content + frames
	f.block = int64(b[2])<<8 | int64(b[3])
	f.rate = int(b[10])<<12 | int(b[11])<<4 | int(b[12])>>4
	f.channels = int(b[12]>>1&7) + 1
	f.total = int64(b[13]&15)<<32 | int64(b[14])<<24 | int64(b[15])<<16 | int64(b[16])<<8 | int64(b[17])
	return nil
}

// end returns the number of samples up to the last frame's end, or 0 if that wasn't found.
func (f *flac) end() (int64, error) {
	const step, most = 1 << 16, 1 << 22
	high := int64(math.MaxInt64)
	if f.total > 0 {
		high = f.total
	}
	for to := f.file.size; to > f.begin && f.file.size-to < most; to -= step {
		if end, err := f.endIn(max(f.begin, to-step), to, high); err != nil || end > 0 {
			return end, err
		}
	}
	return 0, nil
}

// endIn returns the number of samples up to the end of the last frame that begins in from..to, or 0 if none does. It counts only frames
// that follow another one, because audio data may look like a frame by chance.
func (f *flac) endIn(from, to, high int64) (end int64, err error) {
	ends, following := map[int64]bool{}, int64(0)
	for {
		frame, ok, err := f.search(from, to, 0, high)
		switch {
		case err != nil:
			return 0, err
		case !ok && following > 0:
			return following, nil
		case !ok:
			return end, nil
		}
		end, from = frame.first+frame.size, frame.at+1
		if ends[frame.first] {
			following = end
		}
		ends[end] = true
	}
}

func (f *flac) facts() facts   { return facts{format: "FLAC", rate: f.rate, channels: f.channels} }
func (f *flac) frames() int64  { return f.total }
func (f *flac) exact() bool    { return true }
func (f *flac) cut() bool      { return f.missing }
func (f *flac) release() error { return nil }

// open finds the frame that contains a sample, and starts the decoder there.
func (f *flac) open(ctx context.Context, from int64) (Stream, error) {
	from = min(from, f.total)
	best := flacFrame{at: f.begin}
	low, high := f.begin, f.file.size // the frame begins at low or later, and before high
	const near = 1 << 15
	for high-low > near && from > 0 {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		middle := low + (high-low)/2
		frame, ok, err := f.search(middle, high, best.first, f.total)
		switch {
		case err != nil:
			return nil, err
		case !ok || frame.first > from:
			high = middle
		default:
			best, low = frame, frame.at+1
		}
	}
	return decode("FLAC", from-best.first, f.total-from, func() (beep.StreamSeekCloser, beep.Format, error) {
		head := append([]byte{'f', 'L', 'a', 'C', 0x80, 0, 0, byte(len(f.info))}, f.info[:]...)
		return beepflac.Decode(io.MultiReader(bytes.NewReader(head), f.file.from(best.at)))
	})
}

// flacFrame is a frame of FLAC, from its header.
type flacFrame struct {
	at    int64 // its place in the file
	first int64 // its first sample
	size  int64 // samples
}

// readFlacHeader reads the header of a frame at the beginning of b. block is the number of samples of all frames except the last, if the
// stream has a fixed block size.
func readFlacHeader(b []byte, block int64) (f flacFrame, ok bool) {
	frame, ok := container.ReadFLACFrame(b)
	if !ok {
		return f, false
	}
	if f.first, f.size = frame.Number, frame.Samples; !frame.Counts {
		f.first *= block
	}
	return f, true
}

// search finds the first frame that begins in from..to. Its header must agree with the stream's first one, and its place between two
// samples: the header's checksum of 8 bits matches too often by chance.
func (f *flac) search(from, to, low, high int64) (frame flacFrame, ok bool, err error) {
	const window, header = 1 << 15, 32
	buffer := make([]byte, window+header)
	for at := from; at < to; at += window {
		n, err := f.file.ReadAt(buffer, at)
		if err != nil && err != io.EOF { //nolint:errorlint // a bare io.EOF, as io.ReaderAt promises
			return frame, false, err
		}
		b := buffer[:n]
		clear(buffer[n:]) // the last frame may be shorter than the largest header
		for i := 0; ; i++ {
			next := bytes.IndexByte(b[i:], 0xff)
			if next < 0 || i+next >= window || at+int64(i+next) >= to {
				break
			}
			i += next
			found, ok := readFlacHeader(buffer[i:], f.block)
			if ok && b[i+1] == f.like[1] && b[i+2]&15 == f.like[2]&15 && b[i+3]&14 == f.like[3]&14 && found.first >= low && found.first < high {
				found.at = at + int64(i)
				return found, true, nil
			}
		}
	}
	return frame, false, nil
}
