package player

import (
	"bytes"
	"io"

	"assay/client/media/container"
)

// flacFrame is a frame of FLAC that was found by its header.
type flacFrame struct {
	at    int64 // its place in the file
	first int64 // its first sample
	size  int64 // samples
}

// readFlacHeader reads the header of a frame at the beginning of b. The block size is that of all but the last frame where the
// stream's blocks are of one size.
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

// search finds the first frame that begins in from..to. What it takes for a frame must agree with the stream's first, and lie
// between two samples: a check sum of 8 bits alone would be met by chance.
func (f *flac) search(from, to, low, high int64) (frame flacFrame, ok bool, err error) {
	const window, header = 1 << 15, 32
	buffer := make([]byte, window+header)
	for at := from; at < to; at += window {
		n, err := f.file.ReadAt(buffer, at)
		if err != nil && err != io.EOF { //nolint:errorlint // a bare io.EOF, as io.ReaderAt promises
			return frame, false, err
		}
		b := buffer[:n]
		clear(buffer[n:]) // the last frame may be shorter than what a header may take
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
