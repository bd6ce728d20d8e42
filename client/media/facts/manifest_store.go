package facts

import (
	"bytes"
	"cmp"
	"context"
	"encoding/binary"
	"io"
	"slices"

	"assay/client/media/container"
)

// store is a C2PA manifest store as it is stored in a file.
type store struct {
	data    []byte // JUMBF
	spans   []span // the file's bytes that hold it, with the container's headers around it
	purpose string // of MP4's box: "manifest", "original" or "update"
	large   bool   // larger than largestStore
}

// largestStore bounds the bytes of a manifest store, thumbnails and ingredients included.
const largestStore = 32 << 20

// c2paBox is the type of MP4's uuid box (C2PA specification, A.5), and storeKind that of the JUMBF superbox (11.1.4.2).
const (
	c2paBox   = "\xd8\xfe\xc3\xd6\x1b\x0e\x48\x3c\x92\x97\x58\x28\x87\x7e\xc4\x81"
	storeKind = "c2pa\x00\x11\x00\x10\x80\x00\x00\xaa\x00\x38\x9b\x71"
)

// ManifestStores returns the JUMBF bytes in a picture, from the places that C2PA defines (C2PA specification, annex A): APP11 in JPEG, caBX
// in PNG, the chunk C2PA in WebP, an application extension in GIF.
func ManifestStores(r io.ReaderAt, size int64, format Format) [][]byte {
	var all [][]byte
	for _, s := range newSource(context.Background(), r, size).stores(format) {
		all = append(all, s.data)
	}
	return all
}

// holdsCredentials reports whether this package knows a format's place for content credentials.
func (f Format) holdsCredentials() bool {
	switch f {
	case JPEG, PNG, GIF, WebP, WAV, MP3, FLAC, MP4, QuickTime, M4A, HEIF:
		return true
	}
	return false
}

func (s *source) stores(format Format) []store {
	var found []store
	chunk := func(name string) func(block) bool {
		return func(b block) bool {
			if b.Kind == name {
				found = append(found, store{data: s.Bytes(b.Content, largestStore), spans: []span{b.Whole}, large: b.Content.Length() > largestStore})
			}
			return len(found) < mostPackets
		}
	}
	switch format {
	case JPEG:
		return s.jpegStores()
	case PNG:
		s.PNGChunks(chunk("caBX"))
	case WebP, WAV:
		s.RIFFChunks(chunk("C2PA"))
	case GIF:
		return s.gifStores()
	case MP3, FLAC:
		return s.id3Stores()
	case MP4, QuickTime, M4A, HEIF:
		return s.movieStores()
	}
	return found
}

// jpegStores joins the APP11 segments of each JUMBF box. A segment begins with "JP", the number of the box (2 bytes) and of the packet
// (4); every packet repeats the box's header, which is kept only from the first.
func (s *source) jpegStores() []store {
	const prefix, largest = 8, 1 << 16
	type packet struct {
		number  uint32
		content []byte
	}
	byBox := map[uint16][]packet{}
	spans := map[uint16][]span{}
	var order []uint16
	total := 0
	s.JPEGSegments(2, func(b block) bool {
		if b.Kind != "\xeb" || total > largestStore {
			return true
		}
		content := s.Bytes(b.Content, largest)
		if len(content) < prefix+8 || string(content[:2]) != "JP" {
			return true
		}
		n := binary.BigEndian.Uint16(content[2:])
		if _, seen := byBox[n]; !seen {
			order = append(order, n)
		}
		total += len(content)
		byBox[n] = append(byBox[n], packet{binary.BigEndian.Uint32(content[4:]), content[prefix:]})
		spans[n] = append(spans[n], b.Whole)
		return true
	})

	var all []store
	for _, n := range order {
		packets := byBox[n]
		slices.SortStableFunc(packets, func(a, b packet) int { return cmp.Compare(a.number, b.number) })
		header := 8
		if binary.BigEndian.Uint32(packets[0].content) == 1 {
			header = 16 // the length is in the next eight bytes
		}
		joined := slices.Clone(packets[0].content)
		for _, more := range packets[1:] {
			joined = append(joined, more.content[min(header, len(more.content)):]...)
		}
		all = append(all, store{data: joined, spans: spans[n], large: total > largestStore})
	}
	return all
}

// gifStores finds C2PA's application extension, which comes before the first picture.
func (s *source) gifStores() []store {
	const name, application = "\x0bC2PA_GIF", 11
	var found []store
	s.GIFParts(func(b block) bool {
		if b.Kind == container.GIFPicture {
			return false
		}
		if first, _ := s.Head(b.Content.Start, int64(len(name))); b.Kind == container.GIFApplication && string(first) == name {
			content := s.SubBlocks(b.Content, largestStore)
			found = []store{{data: content[min(application, len(content)):], spans: []span{b.Whole}, large: len(content) == largestStore}}
		}
		return len(found) == 0
	})
	return found
}

// id3Stores finds C2PA's object among the frames of an ID3v2 tag at the file's beginning.
func (s *source) id3Stores() []store {
	tag, ok := s.ID3At(0)
	if _, _, unsynchronised := s.Unsynchronised(tag); !ok || tag.Version < 3 || unsynchronised {
		return nil
	}
	var found []store
	s.ID3Frames(tag, func(b block) bool {
		if b.Kind != "GEOB" {
			return true
		}
		// Encoding, media type, file name and description, the last three zero-terminated, then the object.
		content := s.Bytes(b.Content, largestStore)
		kind, rest, _ := bytes.Cut(content[min(1, len(content)):], []byte{0})
		_, rest, _ = bytes.Cut(rest, []byte{0})
		_, object, whole := bytes.Cut(rest, []byte{0})
		if whole && (string(kind) == "application/c2pa" || string(kind) == "application/x-c2pa-manifest-store") {
			found = []store{{data: object, spans: []span{b.Whole}, large: b.Content.Length() > largestStore}}
		}
		return len(found) == 0
	})
	return found
}

// movieStores finds C2PA's boxes: version and flags, the zero-terminated purpose, of a manifest the offset of another box, and the store.
func (s *source) movieStores() []store {
	const head, offset = len(c2paBox) + 4, 8
	var found []store
	s.Boxes(container.Between(0, s.Size()), func(b block) bool {
		if b.Kind != "uuid" {
			return true
		}
		if kind, ok := s.Head(b.Content.Start, int64(len(c2paBox))); !ok || string(kind) != c2paBox {
			return true
		}
		content := s.Bytes(b.Content, largestStore)
		purpose, data, ok := bytes.Cut(content[min(head, len(content)):], []byte{0})
		if !ok || string(purpose) == "merkle" {
			return true
		}
		if string(purpose) != "update" {
			data = data[min(offset, len(data)):]
		}
		found = append(found, store{data: data, spans: []span{b.Whole}, purpose: string(purpose), large: b.Content.Length() > largestStore})
		return len(found) < mostPackets
	})
	return found
}

// isC2PA reports whether JUMBF bytes are, or before damage were, a C2PA manifest store: other standards use JUMBF in a JPEG too.
func (s store) isC2PA() bool {
	const kindAt = 16
	long := 0
	if len(s.data) >= 4 && binary.BigEndian.Uint32(s.data) == 1 {
		long = 8
	}
	d := s.data[min(long, len(s.data)):]
	return len(d) >= kindAt+len(storeKind) && string(d[kindAt:kindAt+len(storeKind)]) == storeKind ||
		len(d) > kindAt+len(storeKind)+5 && bytes.HasPrefix(d[kindAt+len(storeKind)+1:], []byte("c2pa\x00"))
}
