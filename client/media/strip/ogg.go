package strip

import (
	"encoding/binary"
	"strings"

	"assay/client/media/container"
	"assay/client/media/facts"
)

// longestComments bounds the comments of one stream, covers included.
const longestComments = 16 << 20

// planOgg keeps every page and its length. The comments of Vorbis and Opus become none, with zeros behind them, which both allow; the
// pages that held them get new checksums.
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

// oggStream collects the pages that hold a stream's comments, its second packet.
type oggStream struct {
	start  string // what the comments begin with
	ending string // what stands behind them
	pages  []container.Page
	parts  []container.Span // of the comments, one for each page
	length int64
	done   bool
}

// newOggStream tells by a stream's first page what it holds.
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

// add takes a page up, on which the comments begin or go on.
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

// blanked writes the stream's pages anew: no name of a program, no comment, zeros.
func (o *oggStream) blanked(src *container.Source) ([]patch, error) {
	head := make([]byte, 0, o.length)
	for _, part := range o.parts {
		head = append(head, src.Bytes(part, part.Length())...)
	}
	const counts = 8 // no bytes of the program's name, no comments
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
