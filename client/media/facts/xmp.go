package facts

import (
	"bytes"
	"compress/zlib"
	"context"
	"encoding/xml"
	"io"
	"strings"

	"assay/client/media/blocks"
)

// Property is one value in an XMP packet, by its name without the namespace's prefix, which varies.
type Property struct{ Name, Value string }

const (
	longestPacket  = 4 << 20
	mostProperties = 1_000
)

// XMP reads the properties of a packet whose names are wanted: attributes, elements' texts, references. Damage ends the reading.
func XMP(packet []byte, wanted func(name string) bool) []Property {
	var found []Property
	add := func(name, value string) {
		if value = strings.TrimSpace(value); value != "" && name != "" && wanted(name) && len(found) < mostProperties {
			found = append(found, Property{name, value})
		}
	}
	decoder := xml.NewDecoder(bytes.NewReader(packet))
	decoder.Strict = false
	inside := "" // the property whose text comes next
	for {
		token, err := decoder.RawToken()
		if err != nil || len(found) == mostProperties {
			return found
		}
		switch token := token.(type) {
		case xml.StartElement:
			if wanted(token.Name.Local) {
				inside = token.Name.Local
			}
			for _, a := range token.Attr {
				if a.Name.Local == "resource" {
					add(inside, a.Value)
				} else {
					add(a.Name.Local, a.Value)
				}
			}
		case xml.EndElement:
			if token.Name.Local == inside {
				inside = ""
			}
		case xml.CharData:
			add(inside, string(token))
		}
	}
}

// XMPPackets gives the XMP packets of a picture, from where each container keeps them (XMP specification, part 3).
func XMPPackets(r io.ReaderAt, size int64, format Format) [][]byte {
	return newSource(context.Background(), r, size).xmpPackets(format)
}

const (
	mostPackets = 8
	xmpInJPEG   = "http://ns.adobe.com/xap/1.0/\x00"
	xmpInPNG    = "XML:com.adobe.xmp\x00"
	xmpBox      = "\xbe\x7a\xcf\xcb\x97\xa9\x42\xe8\x9c\x71\x99\x94\x91\xe3\xaf\xac"
)

func (s *source) xmpPackets(format Format) [][]byte {
	var packets [][]byte
	keep := func(content []byte, prefix string) bool {
		if packet, ok := bytes.CutPrefix(content, []byte(prefix)); ok {
			packets = append(packets, packet)
		}
		return len(packets) < mostPackets
	}
	switch format {
	case JPEG:
		s.JPEGSegments(2, func(b block) bool {
			return b.Kind != "\xe1" || keep(s.Bytes(b.Content, longestPacket), xmpInJPEG)
		})

	case PNG:
		s.PNGChunks(func(b block) bool {
			if b.Kind != "iTXt" {
				return true
			}
			if start, ok := s.Head(b.Content.Start, int64(len(xmpInPNG))); !ok || string(start) != xmpInPNG {
				return true
			}
			return keep(pngXMP(s.Bytes(b.Content, longestPacket)), "")
		})
	case WebP, WAV:
		s.RIFFChunks(func(b block) bool {
			return b.Kind != "XMP " && b.Kind != "_PMX" || keep(s.Bytes(b.Content, longestPacket), "")
		})
	case GIF:
		// The packet is not in blocks: it stands there as it is, and ends in bytes that lead a reader of blocks out of it.
		const name = "\x0bXMP DataXMP"
		s.GIFParts(func(b block) bool {
			return b.Kind != blocks.GIFApplication || keep(s.Bytes(b.Content, longestPacket), name)
		})
	case MP4, QuickTime, M4A:
		s.Boxes(blocks.Between(0, s.Size()), func(b block) bool {
			return b.Kind != "uuid" || keep(s.Bytes(b.Content, longestPacket), xmpBox)
		})
	}
	return packets
}

// pngXMP takes the text out of an international text chunk: key, compression, language, translated key, text.
func pngXMP(content []byte) []byte {
	content = content[len(xmpInPNG):]
	if len(content) < 2 {
		return nil
	}
	compressed := content[0] == 1
	_, rest, _ := bytes.Cut(content[2:], []byte{0})
	_, text, found := bytes.Cut(rest, []byte{0})
	if !found || !compressed {
		return text
	}
	r, err := zlib.NewReader(bytes.NewReader(text))
	if err != nil {
		return nil
	}
	unpacked, _ := io.ReadAll(io.LimitReader(r, longestPacket)) // what a damaged stream gave is used
	return unpacked
}
