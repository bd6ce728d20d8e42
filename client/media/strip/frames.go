package strip

import (
	"bytes"

	"assay/client/media/container"
	"assay/client/media/facts"
)

// mostStray is how many bytes among a recording's frames may belong to none of them. Players pass over them, and so does the copy.
const mostStray = 64 << 10

func planMP3(src *container.Source, _ facts.Facts) (*plan, error) {
	return planFrames(src, 4, mp3Frame)
}

func planADTS(src *container.Source, _ facts.Facts) (*plan, error) {
	return planFrames(src, 7, adtsFrame)
}

// planFrames keeps the frames of a recording, and drops the tags before, among and behind them. length gives a frame's length by its first
// bytes, of which there are header; 0 for what is no frame.
func planFrames(src *container.Source, header int64, length func(head []byte) int64) (*plan, error) {
	at := src.BehindID3()
	_, end := src.TagsBehind(at)
	p := &plan{}
	w := &window{src: src}
	frames, stray := 0, int64(0)
	sure := false // a frame or tag ended right here, so that what looks like a frame is one
	for at+header <= end {
		head := w.at(at, header)
		if int64(len(head)) < header {
			break
		}
		if n := length(head); n > 0 && (sure || at+n == end || length(w.at(at+n, header)) > 0) {
			if at+n > end && end < src.Size() {
				return nil, ErrDamaged // what looks like a tag is the end of a frame
			}
			p.keep(container.Between(at, min(at+n, end)))
			at, sure = at+n, true
			frames++
			continue
		}
		if string(head[:3]) == "ID3" {
			if tag, ok := src.ID3At(at); ok && tag.Whole.End <= end {
				at, sure = tag.Whole.End, true
				continue
			}
		}
		at, sure = at+1, false
		if stray++; stray > mostStray || p.tooLarge() {
			return nil, ErrDamaged
		}
	}
	if frames == 0 || framesIn(w, container.Between(end, src.Size()), header, length) {
		return nil, ErrDamaged
	}
	return p, nil
}

// framesIn reports whether three frames follow one another in what looks like tags: a tag that claims to be longer than it is holds sound.
func framesIn(w *window, in container.Span, header int64, length func(head []byte) int64) bool {
	const row = 3
	for ; in.Start+header <= in.End; in.Start++ {
		at, first := in.Start, append([]byte(nil), w.at(in.Start, header)...)
		for n := range row {
			head := w.at(at, header)
			if int64(len(head)) < header || head[1] != first[1] || head[2]&0x0c != first[2]&0x0c {
				break
			}
			step := length(head)
			if step == 0 || at+step > in.End {
				break
			}
			if at += step; n == row-1 {
				return true
			}
		}
	}
	return false
}

// window reads a few bytes at a time, forward, out of larger pieces.
type window struct {
	src   *container.Source
	start int64
	data  []byte
}

// at gives n bytes from an offset, or fewer at the file's end.
func (w *window) at(offset, n int64) []byte {
	const piece = 1 << 16
	if offset < w.start || offset+n > w.start+int64(len(w.data)) {
		w.start, w.data = offset, w.src.Bytes(container.Between(offset, offset+piece), piece)
	}
	data := w.data[min(offset-w.start, int64(len(w.data))):]
	return data[:min(n, int64(len(data)))]
}

// mp3Frame is the length of a frame of MPEG audio.
func mp3Frame(head []byte) int64 { return container.ReadMPEGHeader(head).FrameLength() }

// adtsFrame is the length of a frame of AAC.
func adtsFrame(head []byte) int64 {
	const header = 7
	if len(head) < header || head[0] != 0xff || head[1]&0xf6 != 0xf0 || bytes.Equal(head[:2], []byte{0xff, 0xff}) {
		return 0
	}
	n := int64(head[3]&3)<<11 | int64(head[4])<<3 | int64(head[5]>>5)
	if n < header {
		return 0
	}
	return n
}
