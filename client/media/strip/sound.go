package strip

import (
	"bytes"
	"encoding/binary"
	"strings"

	"assay/client/media/container"
	"assay/client/media/facts"
)

// mostStray bounds the bytes between a recording's frames that belong to no frame. Players skip them, and the copy lacks them.
const mostStray = 64 << 10

func planMP3(src *container.Source, _ facts.Facts) (*plan, error) {
	return planFrames(src, 4, mp3Frame)
}

func planADTS(src *container.Source, _ facts.Facts) (*plan, error) {
	return planFrames(src, 7, adtsFrame)
}

// planFrames keeps the frames of a recording, and drops the tags before, between and after them. length returns a frame's length from its
// first header bytes; 0 if they begin no frame.
func planFrames(src *container.Source, header int64, length func(head []byte) int64) (*plan, error) {
	at := src.BehindID3()
	_, end := src.TagsBehind(at)
	p := &plan{}
	w := &window{src: src}
	frames, stray := 0, int64(0)
	sure := false // a frame or tag ended right here, so that a frame's pattern here is a frame
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

// framesIn reports whether three consecutive frames are in what looks like tags: a tag that claims too much length would contain audio.
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

// window reads a few bytes at a time, moving forward, from larger blocks.
type window struct {
	src   *container.Source
	start int64
	data  []byte
}

// at returns n bytes from an offset, or fewer at the file's end.
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

// planFLAC keeps the description of the audio, the seek table, whose offsets count from the first frame, and the audio.
func planFLAC(src *container.Source, _ facts.Facts) (*plan, error) {
	const description, last = 34, 0x80
	start := src.BehindID3()
	p := &plan{}
	p.put([]byte("fLaC")...)
	var kept []container.Block
	frames, whole := src.FLACBlocks(start, func(b container.Block) bool {
		if len(kept) == 0 && b.Kind != container.FLACStreamInfo {
			return false
		}
		if len(kept) == 0 || b.Kind == container.FLACSeekTable && kept[len(kept)-1].Kind != container.FLACSeekTable {
			kept = append(kept, b)
		}
		return true
	})
	if !whole || len(kept) == 0 || kept[0].Content.Length() != description {
		return nil, ErrDamaged
	}
	for i, b := range kept {
		head := src.Bytes(b.Whole, 4)
		if len(head) != 4 {
			return nil, ErrDamaged
		}
		if head[0] &^= last; i == len(kept)-1 {
			head[0] |= last
		}
		p.put(head...)
		p.keep(b.Content)
	}
	_, end := src.TagsBehind(frames)
	if err := sameSamples(src, kept[0], container.Between(frames, end)); err != nil {
		return nil, err
	}
	p.keep(container.Between(frames, end))
	return p, nil
}

// sameSamples checks that the audio from the first frame up to the tags is complete: consecutive frames, each with a correct checksum, up to
// the last byte and with as many samples as the header states. Otherwise, what looks like a tag could be audio.
func sameSamples(src *container.Source, info container.Block, sound container.Span) error {
	const total, length, mask = 10, 8, 1<<36 - 1
	samples, whole := src.FLACSamples(sound)
	described, ok := src.Head(info.Content.Start+total, length)
	if !ok || !whole {
		return ErrDamaged
	}
	if behind, ok := src.Head(sound.End, container.FLACFrameHeader); ok {
		if _, another := container.ReadFLACFrame(behind); another {
			return ErrDamaged
		}
	}
	if said := int64(binary.BigEndian.Uint64(described) & mask); said != 0 && said != samples {
		return ErrDamaged
	}
	return nil
}

// longestComments bounds the bytes of the comments of one stream, covers included.
const longestComments = 16 << 20

// planOgg keeps every page at its length. The comments of Vorbis and Opus are replaced by none, padded with zeros, which both formats allow;
// their pages get new checksums.
func planOgg(src *container.Source, _ facts.Facts) (*plan, error) {
	streams := map[uint32]*oggStream{}
	var patches []patch
	var problem error
	whole := src.OggPages(func(page container.Page) bool {
		stream := streams[page.Serial]
		if page.Begins {
			if stream, problem = newOggStream(src, page); problem != nil {
				return false
			}
			const mostStreams = 100
			if streams[page.Serial] = stream; len(streams) > mostStreams {
				problem = ErrUnusual
			}
			return problem == nil
		}
		if stream == nil {
			problem = ErrDamaged
			return false
		}
		if stream.done {
			return true
		}
		problem = stream.add(page)
		if problem == nil && stream.done {
			var more []patch
			more, problem = stream.blanked(src)
			patches = append(patches, more...)
		}
		return problem == nil
	})
	switch {
	case problem != nil:
		return nil, problem
	case !whole || len(streams) == 0:
		return nil, ErrDamaged
	}
	for _, stream := range streams {
		if !stream.done {
			return nil, ErrDamaged
		}
	}
	return patched(src.Size(), patches)
}

// oggStream collects the pages with a stream's comments, its second packet.
type oggStream struct {
	start  string // what the comments begin with
	ending string // what follows them
	pages  []container.Page
	parts  []container.Span // of the comments, one for each page
	length int64
	done   bool
}

// newOggStream determines a stream's codec from its first page.
func newOggStream(src *container.Source, page container.Page) (*oggStream, error) {
	head := string(src.Bytes(page.Content, 8))
	if pieces := page.Pieces(); len(pieces) != 1 || !pieces[0].Ends {
		return nil, ErrUnusual
	}
	switch {
	case strings.HasPrefix(head, "\x01vorbis"):
		return &oggStream{start: "\x03vorbis", ending: "\x01"}, nil
	case head == "OpusHead":
		return &oggStream{start: "OpusTags"}, nil
	}
	return nil, ErrUnusual
}

// add adds a page on which the comments begin or continue.
func (o *oggStream) add(page container.Page) error {
	pieces := page.Pieces()
	if len(pieces) == 0 {
		return nil
	}
	if page.Joins != (len(o.parts) > 0) {
		return ErrDamaged
	}
	o.pages, o.parts = append(o.pages, page), append(o.parts, pieces[0].Span)
	o.length += pieces[0].Length()
	o.done = pieces[0].Ends
	if o.length > longestComments {
		return ErrUnusual
	}
	return nil
}

// blanked returns patches for the stream's pages: no program's name, no comments, zeros.
func (o *oggStream) blanked(src *container.Source) ([]patch, error) {
	head := make([]byte, 0, o.length)
	for _, part := range o.parts {
		head = append(head, src.Bytes(part, part.Length())...)
	}
	const counts = 8 // zero bytes of the program's name, zero comments
	if int64(len(head)) != o.length || len(head) < len(o.start)+counts+len(o.ending) || string(head[:len(o.start)]) != o.start {
		return nil, ErrDamaged
	}
	clear(head[len(o.start):])
	copy(head[len(o.start)+counts:], o.ending)
	var patches []patch
	for i, page := range o.pages {
		content := src.Bytes(page.Whole, page.Whole.Length())
		if int64(len(content)) != page.Whole.Length() {
			return nil, ErrDamaged
		}
		n := copy(content[o.parts[i].Start-page.Whole.Start:o.parts[i].End-page.Whole.Start], head)
		head = head[n:]
		binary.LittleEndian.PutUint32(content[container.OggChecksumAt:], container.OggChecksum(content))
		patches = append(patches, patch{page.Whole, content})
	}
	return patches, nil
}
