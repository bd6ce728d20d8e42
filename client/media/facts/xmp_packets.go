package facts

import (
	"bytes"
	"context"
	"encoding/binary"
	"io"

	"assay/client/media/container"
)

const (
	mostPackets = 8
	xmpInJPEG   = "http://ns.adobe.com/xap/1.0/\x00"
	extendedXMP = "http://ns.adobe.com/xmp/extension/\x00"
	xmpInPNG    = "XML:com.adobe.xmp"
	xmpBox      = "\xbe\x7a\xcf\xcb\x97\xa9\x42\xe8\x9c\x71\x99\x94\x91\xe3\xaf\xac"
)

// XMPPackets returns the XMP packets of a picture, from the places where its container has them (XMP specification, part 3).
func XMPPackets(r io.ReaderAt, size int64, format Format) [][]byte {
	packets, _ := newSource(context.Background(), r, size).xmpPackets(format)
	return packets
}

// xmpPackets also reports whether all packets were read whole.
func (s *source) xmpPackets(format Format) (packets [][]byte, whole bool) {
	whole = true
	room := func() bool {
		whole = whole && len(packets) < mostPackets
		return len(packets) < mostPackets
	}
	keep := func(b block, prefix string) bool {
		content := s.Bytes(b.Content, longestPacket)
		if packet, ok := bytes.CutPrefix(content, []byte(prefix)); ok {
			packets, whole = append(packets, packet), whole && b.Content.Length() <= longestPacket
			return room()
		}
		return true
	}
	switch format {
	case JPEG:
		var more xmpExtension
		s.jpegParts(func(b block) bool {
			if b.Kind != "\xe1" {
				return true
			}
			content := s.Bytes(b.Content, longestPacket)
			more.add(content)
			if at := xmpStart(content); at >= 0 { // other readers accept anything before it
				packets = append(packets, content[at:])
			}
			return room()
		})
		joined, ok := more.packets()
		packets, whole = append(packets, joined...), whole && ok
	case PNG:
		s.PNGChunks(func(b block) bool {
			if b.Kind != "iTXt" {
				return true
			}
			text, ok := s.pngText(b)
			if string(text.Keyword) != xmpInPNG {
				return true
			}
			packet, unpacked := text.Text(longestPacket, s.unpackable)
			packets, whole = append(packets, packet), whole && ok && unpacked
			return room()
		})
	case WebP, WAV:
		s.RIFFChunks(func(b block) bool {
			return b.Kind != "XMP " && b.Kind != "_PMX" || keep(b, "")
		})
	case GIF:
		// The packet is not divided into sub-blocks, but ends in bytes that make a reader of sub-blocks leave it.
		const name, ending = "\x0bXMP DataXMP", 258
		s.GIFParts(func(b block) bool {
			b.Content.End = max(b.Content.Start, b.Content.End-ending)
			return b.Kind != container.GIFApplication || keep(b, name)
		})
	case MP4, QuickTime, M4A:
		s.Boxes(s.Whole(), func(b block) bool {
			if b.Kind == "moov" {
				s.movieXMP(b, keep)
			}
			return b.Kind != "uuid" || keep(b, xmpBox)
		})
	}
	return packets, whole
}

// xmpStart is where a packet begins in a segment of a JPEG; -1 for none. Other readers don't insist on the standard's prefix.
func xmpStart(segment []byte) int {
	if bytes.HasPrefix(segment, []byte(xmpInJPEG)) {
		return len(xmpInJPEG)
	}
	const longestName = 64
	for _, start := range []string{"<?xpacket", "<x:xmpmeta", "<x:xapmeta", "<rdf:RDF"} {
		if at := bytes.Index(segment[:min(len(segment), longestName+len(start))], []byte(start)); at >= 0 {
			return at
		}
	}
	return -1
}

// movieXMP finds packets in a clip's moov: QuickTime has its own place for them.
func (s *source) movieXMP(moov block, keep func(b block, prefix string) bool) {
	s.Boxes(moov.Content, func(b block) bool {
		if b.Kind == "udta" {
			s.Boxes(b.Content, func(b block) bool { return b.Kind != "XMP_" || keep(b, "") })
		}
		return b.Kind != "uuid" || keep(b, xmpBox)
	})
}

// xmpExtension joins what did not fit into a JPEG's first packet: segments that each have the packet's GUID of 32 letters, its length, and
// their offset in it (XMP specification, part 3, 1.1.3.1).
type xmpExtension struct {
	order []string
	parts map[string][]byte
	left  map[string]int
	cut   bool
}

func (x *xmpExtension) add(segment []byte) {
	const number, header = 32, 32 + 4 + 4
	data, ok := bytes.CutPrefix(segment, []byte(extendedXMP))
	if !ok {
		return
	}
	if len(data) < header {
		x.cut = true
		return
	}
	id, length, at := string(data[:number]), int64(binary.BigEndian.Uint32(data[number:])), int64(binary.BigEndian.Uint32(data[number+4:]))
	if _, seen := x.parts[id]; !seen {
		if length > longestPacket || len(x.order) == mostPackets {
			x.cut = true
			return
		}
		if x.parts == nil {
			x.parts, x.left = map[string][]byte{}, map[string]int{}
		}
		x.order, x.parts[id], x.left[id] = append(x.order, id), make([]byte, length), int(length)
	}
	if at > int64(len(x.parts[id])) {
		x.cut = true
		return
	}
	x.left[id] -= copy(x.parts[id][at:], data[header:])
}

func (x *xmpExtension) packets() (all [][]byte, whole bool) {
	whole = !x.cut
	for _, id := range x.order {
		all, whole = append(all, x.parts[id]), whole && x.left[id] == 0
	}
	return all, whole
}
