package strip

import (
	"encoding/binary"

	"assay/client/media/container"
	"assay/client/media/facts"
)

// planFLAC keeps the description of the sound, the table for seeking, whose places count from the sound's beginning, and the sound.
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

// sameSamples holds that the sound from the first frame up to where the tags begin is whole: frame follows frame, each with a right
// checksum, up to the last byte and to as many samples as the file says. What looks like a tag could else be sound.
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
