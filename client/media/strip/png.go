package strip

import (
	"encoding/binary"
	"hash/crc32"
	"slices"

	"assay/client/media/container"
	"assay/client/media/facts"
)

// pngKept are the chunks that pixels, colours and movement are decoded from.
var pngKept = []string{
	"IHDR", "PLTE", "IDAT", "tRNS", "cHRM", "gAMA", "sBIT", "sRGB", "cICP", "mDCV", "cLLI", "bKGD", "pHYs", "acTL", "fcTL", "fdAT",
}

func planPNG(src *container.Source, f facts.Facts) (*plan, error) {
	p := &plan{}
	p.keep(container.Between(0, int64(len(container.PNGSignature))))
	header, pixels, ended, unknown := false, false, false, false
	end := src.PNGChunks(func(b container.Block) bool {
		switch {
		case ended || unknown:
			return false
		case b.Kind == "IEND":
			ended = true
			p.put(pngChunk("IEND", nil)...)
			return true
		case b.Kind == "iCCP":
			p.put(pngProfile(src, b)...)
		case slices.Contains(pngKept, b.Kind):
			pixels = pixels || b.Kind == "IDAT"
			p.keep(b.Whole)
		default:
			const ancillary = 0x20
			unknown = b.Kind[0]&ancillary == 0 // decoding needs it, but how is not known
		}
		if !header {
			if header = b.Kind == "IHDR"; !header {
				return false
			}
			if turned := orientation(f); turned != nil {
				p.put(pngChunk("eXIf", turned)...)
			}
		}
		return true
	})
	switch {
	case unknown:
		return nil, ErrUnusual
	case !header || !pixels || !ended:
		return nil, ErrDamaged
	}
	p.trailing = end < src.Size()
	return p, nil
}

func pngChunk(kind string, content []byte) []byte {
	chunk := binary.BigEndian.AppendUint32(nil, uint32(len(content))) //nolint:gosec // a few bytes
	chunk = append(append(chunk, kind...), content...)
	return binary.BigEndian.AppendUint32(chunk, crc32.ChecksumIEEE(chunk[4:]))
}
