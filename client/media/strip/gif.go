package strip

import (
	"assay/client/media/blocks"
	"assay/client/media/facts"
)

// planGIF keeps the pictures, their times, and how often they are repeated.
func planGIF(src *blocks.Source, _ facts.Facts) (*plan, error) {
	p := &plan{}
	picture := false
	end, whole := src.GIFParts(func(b blocks.Block) bool {
		switch b.Kind {
		case blocks.GIFScreen:
			p.keep(b.Whole)
		case blocks.GIFPicture:
			picture = true
			p.keep(b.Whole)
		case blocks.GIFControl:
			const length = 8 // introducer, label, 4, four bytes, 0
			if control, ok := src.Head(b.Whole.Start, length); ok && b.Whole.Length() == length && control[2] == 4 {
				p.keep(b.Whole)
			}
		case blocks.GIFApplication:
			const length, times = 19, 16 // "!", label, 11, the name, 3, 1, two bytes of times, 0
			loop, ok := src.Head(b.Whole.Start, length)
			if !ok || b.Whole.Length() < length {
				break
			}
			if name := string(loop[3:14]); (name == "NETSCAPE2.0" || name == "ANIMEXTS1.0") && loop[14] == 3 && loop[15] == 1 {
				p.put(append(loop[:times+2:times+2], 0)...)
			}
		}
		return true
	})
	if !whole || !picture {
		return nil, ErrDamaged
	}
	p.trailing = end < src.Size()
	p.put(0x3b)
	return p, nil
}
