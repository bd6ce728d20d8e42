package strip

import (
	"assay/client/media/blocks"
	"assay/client/media/facts"
)

// planFLAC keeps the description of the sound, the table for seeking, whose places count from the sound's beginning, and the sound.
func planFLAC(src *blocks.Source, _ facts.Facts) (*plan, error) {
	const description, last = 34, 0x80
	start := src.BehindID3()
	p := &plan{}
	p.put([]byte("fLaC")...)
	var kept []blocks.Block
	frames, whole := src.FLACBlocks(start, func(b blocks.Block) bool {
		if len(kept) == 0 && b.Kind != blocks.FLACStreamInfo {
			return false
		}
		if len(kept) == 0 || b.Kind == blocks.FLACSeekTable && kept[len(kept)-1].Kind != blocks.FLACSeekTable {
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
	if sync, ok := src.Head(frames, 2); !ok || sync[0] != 0xff || sync[1]&0xfe != 0xf8 {
		return nil, ErrDamaged
	}
	p.keep(blocks.Between(frames, end))
	return p, nil
}
