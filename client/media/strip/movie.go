package strip

import (
	"slices"

	"assay/client/media/container"
	"assay/client/media/facts"
)

// movieKept are the boxes that picture and sound need for playing, by the box around them. All others become free space filled with zeros,
// which moves nothing, so that every offset stays valid.
var movieKept = map[string][]string{
	"":     {"ftyp", "moov", "mdat"},
	"moov": {"mvhd", "iods", "trak"},
	"trak": {"tkhd", "edts", "tapt", "mdia"},
	"mdia": {"mdhd", "hdlr", "minf"},
	"minf": {"vmhd", "smhd", "hdlr", "dinf", "stbl"},
	"dinf": {"dref"},
	"stbl": {"stsd", "stts", "stss", "ctts", "stsc", "stsz", "stz2", "stco", "co64", "sdtp", "sbgp", "sgpd", "cslg", "stsh", "stps"},
}

// movieRefused are boxes in whose presence a clip's samples can't be told from the rest.
var movieRefused = map[string]*Problem{
	"moof": ErrFragments, "mvex": ErrFragments, "cmov": ErrUnusual, "saio": ErrLocked, "saiz": ErrLocked,
}

// movie is the plan's state while a clip is read.
type movie struct {
	src     *container.Source
	patches []patch
	data    []container.Span // of the boxes that hold samples
	chunks  []chunk          // of all tracks
	kept    int              // number of tracks that are kept
	tables  int64            // bytes of sample tables that were read
}

// planMovie keeps picture and sound at their place, and overwrites everything else with zeros: metadata boxes, times, other tracks (such as
// positions, subtitles or timecode), and all bytes between the samples.
func planMovie(src *container.Source, _ facts.Facts) (*plan, error) {
	m := &movie{src: src}
	if err := m.boxes("", src.Whole(), m.outermost); err != nil {
		return nil, err
	}
	if m.kept == 0 {
		return nil, ErrDamaged
	}
	if err := m.blankBetweenSamples(); err != nil {
		return nil, err
	}
	return patched(src.Size(), m.patches)
}

// boxes walks the boxes in a span: those that movieKept does not list become free space, and visit gets the others.
func (m *movie) boxes(parent string, in container.Span, visit func(container.Block) error) error {
	err := error(nil)
	whole := m.src.Boxes(in, func(b container.Block) bool {
		switch problem := movieRefused[b.Kind]; {
		case problem != nil:
			err = problem
		case slices.Contains(movieKept[parent], b.Kind):
			err = visit(b)
		default:
			m.free(b)
		}
		if len(m.patches) > mostPieces/2 {
			err = ErrUnusual
		}
		return err == nil
	})
	if err != nil {
		return err
	}
	// QuickTime may end a list of boxes with four zeros.
	if !whole && m.src.Err() == nil && !m.endsInZeros(in) {
		return ErrDamaged
	}
	return nil
}

// endsInZeros reports whether what follows the last box in a span is at most an end mark.
func (m *movie) endsInZeros(in container.Span) bool {
	at := in.Start
	m.src.Boxes(in, func(b container.Block) bool {
		at = b.Whole.End
		return true
	})
	mark, ok := m.src.Head(at, 4)
	return ok && in.End-at == 4 && string(mark) == "\x00\x00\x00\x00"
}

// free turns a box into free space.
func (m *movie) free(b container.Block) {
	if b.Kind != "wide" || b.Content.Length() > 0 {
		kind := b.Whole.Start + 4
		m.patches = append(m.patches, patch{container.Between(kind, kind+4), []byte("free")})
	}
	m.zero(b.Content)
}

func (m *movie) zero(at container.Span) { m.patches = append(m.patches, patch{at: at}) }

func (m *movie) outermost(b container.Block) error {
	switch b.Kind {
	case "mdat":
		const most = 1_000
		if m.data = append(m.data, b.Content); len(m.data) > most {
			return ErrUnusual
		}
	case "moov":
		return m.boxes("moov", b.Content, func(b container.Block) error {
			switch b.Kind {
			case "mvhd":
				return m.blankTimes(b)
			case "trak":
				return m.track(b)
			}
			return nil
		})
	}
	return nil
}

// blankTimes overwrites the times of creation and modification in a header.
func (m *movie) blankTimes(b container.Block) error {
	const before = 4 // version and flags
	version, ok := m.src.Head(b.Content.Start, 1)
	if !ok {
		return ErrDamaged
	}
	length := int64(8)
	if version[0] == 1 {
		length = 16
	}
	if b.Content.Length() < before+length {
		return ErrDamaged
	}
	m.zero(container.Between(b.Content.Start+before, b.Content.Start+before+length))
	return nil
}

// track keeps a picture or sound track; any other becomes free space.
func (m *movie) track(b container.Block) error {
	handler, err := m.handler(b)
	if err != nil {
		return err
	}
	table := &sampleTable{keep: handler == "vide" || handler == "soun", sound: handler == "soun"}
	before := len(m.patches)
	err = m.boxes("trak", b.Content, func(b container.Block) error {
		switch b.Kind {
		case "tkhd":
			return m.blankTimes(b)
		case "mdia":
			return m.boxes("mdia", b.Content, func(b container.Block) error { return m.trackMedia(b, table) })
		}
		return nil
	})
	if table.keep && err != nil {
		return err
	}
	if err == nil {
		err = m.addChunks(table)
	}
	if table.keep {
		m.kept++
		return err
	}
	// However damaged a track is that is not kept, nothing of it remains.
	m.patches = m.patches[:before]
	m.free(b)
	return nil
}

// handler is a track's type: "vide", "soun", …
func (m *movie) handler(track container.Block) (handler string, err error) {
	m.src.Boxes(track.Content, func(b container.Block) bool {
		if b.Kind == "mdia" {
			m.src.Boxes(b.Content, func(b container.Block) bool {
				if b.Kind != "hdlr" {
					return true
				}
				const at, length = 8, 4
				if kind, ok := m.src.Head(b.Content.Start+at, length); ok && b.Content.Length() >= at+length && handler == "" {
					handler = string(kind)
				} else {
					err = ErrDamaged
				}
				return true
			})
		}
		return true
	})
	return handler, err
}

func (m *movie) trackMedia(b container.Block, table *sampleTable) error {
	switch b.Kind {
	case "mdhd":
		return m.blankTimes(b)
	case "hdlr":
		m.blankHandler(b)
	case "minf":
		return m.boxes("minf", b.Content, func(b container.Block) error {
			switch b.Kind {
			case "hdlr":
				m.blankHandler(b)
			case "dinf":
				return m.boxes("dinf", b.Content, m.reference)
			case "stbl":
				return m.boxes("stbl", b.Content, func(b container.Block) error { return m.samples(b, table) })
			}
			return nil
		})
	}
	return nil
}

// blankHandler overwrites the maker and the name, which cameras write there.
func (m *movie) blankHandler(b container.Block) {
	const maker = 12 // after version, flags and two kinds
	m.zero(container.Between(b.Content.Start+maker, b.Content.End))
}

// reference checks that the samples are in this file, and overwrites the path that may be given all the same.
func (m *movie) reference(b container.Block) error {
	const header, flags, here = 8, 4, 1
	err := error(nil)
	whole := m.src.Boxes(container.Between(b.Content.Start+header, b.Content.End), func(b container.Block) bool {
		version, ok := m.src.Head(b.Content.Start, flags)
		switch {
		case !ok || b.Content.Length() < flags:
			err = ErrDamaged
		case version[3]&here == 0:
			err = ErrElsewhere
		default:
			m.zero(container.Between(b.Content.Start+flags, b.Content.End))
		}
		return err == nil
	})
	if err == nil && !whole {
		err = ErrDamaged
	}
	return err
}
