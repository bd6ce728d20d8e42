package strip

import (
	"encoding/binary"
	"slices"

	"assay/client/media/container"
	"assay/client/media/facts"
)

// webpKept are the chunks that are needed for pixels, colours and animation; frameKept those inside a frame of an animation.
var (
	webpKept  = []string{"VP8 ", "VP8L", "ALPH", "ANIM"}
	frameKept = []string{"VP8 ", "VP8L", "ALPH"}
)

func planWebP(src *container.Source, f facts.Facts) (*plan, error) {
	const extended, frame, hasEXIF, hasXMP, hasProfile, flags = "VP8X", "ANMF", 0x08, 0x04, 0x20, 8
	body := &plan{}
	var turned, head []byte // the EXIF that is kept (only the orientation), and the header
	picture := false
	end, err := eachChunk(src, "WEBP", func(b container.Block) error {
		picture = picture || b.Kind == frame || b.Kind == "VP8 " || b.Kind == "VP8L"
		switch {
		case b.Kind == extended:
			const length = 10
			header, ok := src.Head(b.Content.Start, length)
			if !ok || b.Content.Length() < length {
				return ErrDamaged
			}
			header[0] &^= hasEXIF | hasXMP | hasProfile
			if turned = orientation(f); turned != nil {
				header[0] |= hasEXIF
			}
			head = riffChunk(extended, header)
			body.put(head...)
		case b.Kind == "ICCP":
			if profile := plainProfile(src.Bytes(b.Content, longestProfile)); profile != nil && head != nil {
				head[flags] |= hasProfile
				body.put(riffChunk(b.Kind, profile)...)
			}
		case b.Kind == frame:
			return keepFrame(src, body, b)
		case slices.Contains(webpKept, b.Kind):
			keepChunk(body, b)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	if !picture {
		return nil, ErrDamaged
	}
	if turned != nil {
		body.put(riffChunk("EXIF", turned)...)
	}
	return inRIFF("WEBP", body, end < src.Size()), nil
}

// keepFrame keeps a frame of an animation: its 16 bytes of place and duration, and its pixels.
func keepFrame(src *container.Source, body *plan, b container.Block) error {
	const header = 16
	inside := &plan{}
	inside.keep(container.Between(b.Content.Start, b.Content.Start+header))
	err := error(nil)
	src.Chunks(container.Between(b.Content.Start+header, b.Content.End), func(part container.Block) bool {
		if err = complete(src, part); err != nil {
			return false
		}
		if slices.Contains(frameKept, part.Kind) {
			keepChunk(inside, part)
		}
		return true
	})
	if err != nil || b.Content.Length() < header {
		return ErrDamaged
	}
	length, _ := inside.length()
	body.put(append([]byte(b.Kind), binary.LittleEndian.AppendUint32(nil, uint32(length))...)...) //nolint:gosec // shorter than it was
	body.pieces, body.own = append(body.pieces, inside.pieces...), body.own+inside.own
	return nil
}

// planWAV keeps the samples and the description of their format.
func planWAV(src *container.Source, _ facts.Facts) (*plan, error) {
	const longestFormat, samples = 4096, 4
	body := &plan{}
	kept := map[string]bool{} // nobody would hear a second one of a kind
	end, err := eachChunk(src, "WAVE", func(b container.Block) error {
		if kept[b.Kind] {
			if b.Kind == "fmt " && !kept["data"] {
				return ErrUnusual // players disagree on which one counts
			}
			return nil
		}
		kept[b.Kind] = true
		switch b.Kind {
		case "fmt ":
			if b.Content.Length() > longestFormat || kept["data"] {
				return ErrUnusual
			}
			keepChunk(body, b)
		case "fact":
			if count, ok := src.Head(b.Content.Start, samples); ok && b.Content.Length() >= samples {
				body.put(riffChunk("fact", count)...)
			}
		case "data":
			if b.Content.Length() == 0 {
				return ErrDamaged // a recorder that could not seek back wrote no length, so that all that follows is audio
			}
			keepChunk(body, b)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	if !kept["fmt "] || !kept["data"] {
		return nil, ErrDamaged
	}
	return inRIFF("WAVE", body, end < src.Size()), nil
}

// eachChunk visits a file's chunks up to the end that its header states.
func eachChunk(src *container.Source, form string, visit func(container.Block) error) (end int64, err error) {
	const header = 12
	head, _ := src.Head(0, header)
	end, ok := src.RIFFEnd()
	if !ok || string(head[:4]) != "RIFF" || string(head[8:]) != form {
		return 0, ErrDamaged
	}
	if end > src.Size() {
		return 0, ErrDamaged
	}
	src.Chunks(container.Between(header, end), func(b container.Block) bool {
		if err = complete(src, b); err == nil {
			err = visit(b)
		}
		return err == nil
	})
	if end%2 == 1 && end < src.Size() {
		end++ // a file has an even length
	}
	return end, err
}

// complete checks that a chunk is as long as its header states.
func complete(src *container.Source, b container.Block) error {
	if src.RIFFLength(b) != b.Content.Length() {
		return ErrDamaged
	}
	return nil
}

// keepChunk keeps a chunk, and pads one of odd length with a new byte.
func keepChunk(p *plan, b container.Block) {
	p.keep(container.Between(b.Whole.Start, b.Content.End))
	p.blank(b.Content.Length() % 2)
}

// riffChunk encodes a chunk.
func riffChunk(kind string, content []byte) []byte {
	chunk := binary.LittleEndian.AppendUint32([]byte(kind), uint32(len(content))) //nolint:gosec // at most a profile
	return append(append(chunk, content...), make([]byte, len(content)%2)...)
}

// inRIFF puts a file header before the body.
func inRIFF(form string, body *plan, trailing bool) *plan {
	length, _ := body.length()
	p := &plan{trailing: trailing}
	p.put(append(binary.LittleEndian.AppendUint32([]byte("RIFF"), uint32(4+length)), form...)...) //nolint:gosec // of 32 bits before
	p.pieces, p.own = append(p.pieces, body.pieces...), p.own+body.own
	return p
}
