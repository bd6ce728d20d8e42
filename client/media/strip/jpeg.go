package strip

import (
	"strings"

	"assay/client/media/container"
	"assay/client/media/facts"
)

// planJPEG keeps what the picture is decoded from, its colour profile and how it is turned.
func planJPEG(src *container.Source, f facts.Facts) (*plan, error) {
	const app0, app2, app14, scan = "\xe0", "\xe2", "\xee", "\xda"
	p := &plan{}
	p.put(0xff, 0xd8)
	var rest plan
	var profile jpegProfile
	picture := false
	end, whole := src.JPEGParts(func(b container.Block) bool {
		switch {
		case b.Kind == app0 && !picture:
			// JFIF's thumbnail, which may show what was cut away since, is left out.
			const withoutThumbnail = 12
			head := src.Bytes(b.Content, withoutThumbnail)
			if len(head) == withoutThumbnail && strings.HasPrefix(string(head), "JFIF\x00") && len(p.pieces) == 1 {
				p.put(append([]byte{0xff, 0xe0, 0, 16}, append(head, 0, 0)...)...)
			}
		case b.Kind == app2:
			profile.add(src, b, &rest)
		case b.Kind == app14:
			const adobe = 12
			if head, ok := src.Head(b.Content.Start, adobe); ok && b.Content.Length() >= adobe && strings.HasPrefix(string(head), "Adobe") {
				rest.put(append([]byte{0xff, 0xee, 0, adobe + 2}, head...)...)
			}
		case decodes(b.Kind[0]):
			picture = picture || b.Kind == scan
			rest.keep(b.Whole)
		}
		return true
	})
	if !whole || !picture {
		return nil, ErrDamaged
	}
	profile.finish(&rest)
	p.trailing = end < src.Size()
	if turned := orientation(f); turned != nil {
		const name = "Exif\x00\x00"
		p.put(append([]byte{0xff, 0xe1, 0, byte(2 + len(name) + len(turned))}, append([]byte(name), turned...)...)...)
	}
	p.pieces, p.own = append(p.pieces, rest.pieces...), p.own+rest.own
	p.put(0xff, 0xd9)
	return p, nil
}

// decodes reports whether a decoder needs a marker's segment: frames, tables, intervals, scans.
func decodes(marker byte) bool {
	return marker >= 0xc0 && marker <= 0xcf || marker >= 0xda && marker <= 0xdf
}
