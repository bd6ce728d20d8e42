package strip

import (
	"assay/client/media/container"
	"assay/client/media/facts"
)

// planGIF keeps the pictures, their times, and how often they are repeated.
func planGIF(src *container.Source, _ facts.Facts) (*plan, error) {
	p := &plan{}
	picture, broken := false, false
	var control container.Span // of the picture that comes next
	end, whole := src.GIFParts(func(b container.Block) bool {
		switch b.Kind {
		case container.GIFScreen:
			p.keep(b.Whole)
		case container.GIFPicture:
			picture = true
			p.keep(control)
			p.keep(b.Whole)
			control = container.Span{}
		case container.GIFPlainText:
			control = container.Span{} // it was the text's
		case container.GIFControl:
			const length = 8 // introducer, label, 4, four bytes, 0
			head, ok := src.Head(b.Whole.Start, length)
			broken = broken || !ok || b.Whole.Length() != length || head[2] != 4
			control = b.Whole
		case container.GIFApplication:
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
	if !whole || !picture || broken {
		return nil, ErrDamaged
	}
	p.trailing = end < src.Size()
	p.put(0x3b)
	return p, nil
}
