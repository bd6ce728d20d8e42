package facts

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"io"
	"slices"
)

// store is a C2PA manifest store as it lies in a file.
type store struct {
	data    []byte // JUMBF
	spans   []span // the bytes of the file that hold it, with the container's headers round it
	purpose string // of MP4's box: "manifest", "original" or "update"
	large   bool   // more than is read
}

// largestStore bounds what is read of a manifest store, thumbnails and ingredients included.
const largestStore = 32 << 20

// c2paBox is the type of MP4's uuid box (C2PA specification, A.5), and storeKind that of the JUMBF superbox (11.1.4.2).
const (
	c2paBox   = "\xd8\xfe\xc3\xd6\x1b\x0e\x48\x3c\x92\x97\x58\x28\x87\x7e\xc4\x81"
	storeKind = "c2pa\x00\x11\x00\x10\x80\x00\x00\xaa\x00\x38\x9b\x71"
)

// ManifestStores collects the JUMBF bytes of a picture where C2PA puts them (C2PA specification, annex A): APP11 in JPEG, caBX in PNG,
// the chunk C2PA in WebP, an application extension in GIF.
func ManifestStores(r io.ReaderAt, size int64, format Format) [][]byte {
	var all [][]byte
	for _, s := range background(r, size).stores(format) {
		all = append(all, s.data)
	}
	return all
}

// holdsCredentials reports whether a format's place for content credentials is known here.
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
			if b.kind == name {
				found = append(found, store{data: s.bytes(b.content, largestStore), spans: []span{b.whole}, large: b.content.length() > largestStore})
			}
			return len(found) < mostPackets
		}
	}
	switch format {
	case JPEG:
		return s.jpegStores()
	case PNG:
		s.pngChunks(chunk("caBX"))
	case WebP, WAV:
		s.riffChunks(chunk("C2PA"))
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
// (4); every packet repeats the box's header, which is kept from the first alone.
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
	s.jpegSegments(func(b block) bool {
		if b.kind != "\xeb" || total > largestStore {
			return true
		}
		content := s.bytes(b.content, largest)
		if len(content) < prefix+8 || string(content[:2]) != "JP" {
			return true
		}
		n := binary.BigEndian.Uint16(content[2:])
		if _, seen := byBox[n]; !seen {
			order = append(order, n)
		}
		total += len(content)
		byBox[n] = append(byBox[n], packet{binary.BigEndian.Uint32(content[4:]), content[prefix:]})
		spans[n] = append(spans[n], b.whole)
		return true
	})
	var all []store
	for _, n := range order {
		packets := byBox[n]
		slices.SortStableFunc(packets, func(a, b packet) int { return cmp.Compare(a.number, b.number) })
		header := 8
		if binary.BigEndian.Uint32(packets[0].content) == 1 {
			header = 16 // the length is in the eight bytes that follow
		}
		joined := slices.Clone(packets[0].content)
		for _, more := range packets[1:] {
			joined = append(joined, more.content[min(header, len(more.content)):]...)
		}
		all = append(all, store{data: joined, spans: spans[n], large: total > largestStore})
	}
	return all
}

// gifStores looks for C2PA's application extension, which stands before the first picture.
func (s *source) gifStores() []store {
	const screen, name = 13, "\x0bC2PA_GIF"
	head, ok := s.head(0, screen)
	if !ok {
		return nil
	}
	at := int64(screen)
	if head[10]&0x80 != 0 {
		at += 3 << (head[10]&7 + 1)
	}
	for range mostBlocks {
		intro, ok := s.head(at, 2)
		if !ok || intro[0] != 0x21 {
			return nil
		}
		start := at
		first, _ := s.head(at+2, int64(len(name)))
		content, next, ok := s.subBlocks(at + 2)
		if !ok {
			return nil
		}
		if at = next; intro[1] == 0xff && string(first) == name {
			const application = 11
			return []store{{data: content[min(application, len(content)):], spans: []span{{start, next}}}}
		}
	}
	return nil
}

// subBlocks joins GIF's length-prefixed blocks up to the empty one.
func (s *source) subBlocks(at int64) (content []byte, next int64, ok bool) {
	for len(content) < largestStore {
		length, ok := s.head(at, 1)
		if !ok {
			return nil, 0, false
		}
		n := int64(length[0])
		if n == 0 {
			return content, at + 1, true
		}
		content = append(content, s.bytes(span{at + 1, at + 1 + n}, n)...)
		at += 1 + n
	}
	return nil, 0, false
}

// id3Stores looks for C2PA's object among the frames of an ID3v2 tag at the file's beginning.
func (s *source) id3Stores() []store {
	head, ok := s.head(0, 10)
	if !ok || string(head[:3]) != "ID3" || head[3] < 3 {
		return nil
	}
	end := min(10+synchsafe(head[6:]), s.size)
	for at := int64(10); at+10 <= end; {
		frame, ok := s.head(at, 10)
		if !ok || frame[0] == 0 {
			return nil
		}
		n := int64(binary.BigEndian.Uint32(frame[4:]))
		if head[3] == 4 {
			n = synchsafe(frame[4:])
		}
		if n > end-at-10 {
			return nil
		}
		if string(frame[:4]) == "GEOB" {
			// Encoding, media type, file name and description, each with a zero behind it, and the object.
			content := s.bytes(span{at + 10, at + 10 + n}, largestStore)
			kind, rest, _ := bytes.Cut(content[min(1, len(content)):], []byte{0})
			_, rest, _ = bytes.Cut(rest, []byte{0})
			_, object, found := bytes.Cut(rest, []byte{0})
			if found && (string(kind) == "application/c2pa" || string(kind) == "application/x-c2pa-manifest-store") {
				return []store{{data: object, spans: []span{{at, at + 10 + n}}, large: n > largestStore}}
			}
		}
		at += 10 + n
	}
	return nil
}

// movieStores looks for C2PA's boxes: version and flags, the purpose with a zero behind it, for a manifest the offset of another box, and
// the store.
func (s *source) movieStores() []store {
	const head, offset = len(c2paBox) + 4, 8
	var found []store
	s.boxes(span{0, s.size}, func(b block) bool {
		if b.kind != "uuid" {
			return true
		}
		if kind, ok := s.head(b.content.start, int64(len(c2paBox))); !ok || string(kind) != c2paBox {
			return true
		}
		content := s.bytes(b.content, largestStore)
		purpose, data, ok := bytes.Cut(content[min(head, len(content)):], []byte{0})
		if !ok || string(purpose) == "merkle" {
			return true
		}
		if string(purpose) != "update" {
			data = data[min(offset, len(data)):]
		}
		found = append(found, store{data: data, spans: []span{b.whole}, purpose: string(purpose), large: b.content.length() > largestStore})
		return len(found) < mostPackets
	})
	return found
}

// isC2PA reports whether JUMBF bytes are, or began as, a C2PA manifest store: other standards use JUMBF in a JPEG too.
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
