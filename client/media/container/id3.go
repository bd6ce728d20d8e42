package container

import (
	"bytes"
	"encoding/binary"
	"strconv"
)

// ID3 is an ID3v2 tag, which comes before a recording.
type ID3 struct {
	Whole   Span
	Version byte // 2, 3 or 4
	frames  Span
	// unsynchronised means that a zero was inserted after each 0xff, so that no player takes the tag for audio.
	unsynchronised bool
}

// ID3At returns the tag that begins at an offset. If it claims to be longer than the file, its span ends with the file.
func (s *Source) ID3At(at int64) (tag ID3, ok bool) {
	const header, extended, footer = 10, 0x40, 0x10
	head, ok := s.Head(at, header)
	if !ok || string(head[:3]) != "ID3" || head[3] == 0xff || head[4] == 0xff || (head[6]|head[7]|head[8]|head[9])&0x80 != 0 {
		return ID3{}, false
	}
	tag.Version, tag.unsynchronised = head[3], head[5]&0x80 != 0
	end := at + header + synchsafe(head[6:])
	s.damaged = s.damaged || end > s.size
	tag.frames = Span{at + header, min(end, s.size)}
	if tag.Version >= 4 && head[5]&footer != 0 {
		end += header
	}
	tag.Whole = Span{at, min(end, s.size)}
	if tag.Version >= 3 && head[5]&extended != 0 {
		if size, ok := s.Head(tag.frames.Start, 4); ok && tag.Version == 3 {
			tag.frames.Start += 4 + int64(binary.BigEndian.Uint32(size))
		} else if ok {
			tag.frames.Start += synchsafe(size)
		}
	}
	s.damaged = s.damaged || tag.frames.Start > tag.frames.End
	return tag, true
}

// ID3In returns the tag that a span begins with. If it claims to be longer than the span, it ends with it, and the source is damaged.
func (s *Source) ID3In(in Span) (tag ID3, ok bool) {
	tag, ok = s.ID3At(in.Start)
	s.damaged = s.damaged || ok && tag.Whole.End > in.End
	tag.Whole.End, tag.frames.End = min(tag.Whole.End, in.End), min(tag.frames.End, in.End)
	return tag, ok
}

// BehindID3 is where a recording begins, after the tags at the file's beginning.
func (s *Source) BehindID3() int64 {
	at := int64(0)
	for range Most {
		tag, ok := s.ID3At(at)
		if !ok || tag.Whole.Length() <= 0 {
			return at
		}
		at = tag.Whole.End
	}
	return at
}

// ID3Frames visits a tag's frames up to the padding. Their kinds have four letters, or three in version 2.
func (s *Source) ID3Frames(tag ID3, visit func(Block) bool) {
	name, header := int64(4), int64(10)
	if tag.Version == 2 {
		name, header = 3, 6
	}
	at := tag.frames.Start
	for left := Most; at+header <= tag.frames.End; left-- {
		frame, ok := s.Head(at, header)
		if !ok || left == 0 {
			s.damaged = true
			return
		}
		if frame[0] == 0 {
			break
		}
		n := s.id3FrameLength(tag, frame, at+header)
		if n > tag.frames.End-at-header {
			s.damaged = true
			return
		}
		if !visit(Block{string(frame[:name]), Span{at, at + header + n}, Span{at + header, at + header + n}}) {
			return
		}
		at += header + n
	}
	s.damaged = s.damaged || at < tag.frames.End && !s.zeros(Span{at, tag.frames.End})
}

// id3FrameLength is the length of the content that begins at an offset, from its frame's header. Some programs write version 4 with version
// 3's encoding of numbers; the right one is the one after which another frame follows.
func (s *Source) id3FrameLength(tag ID3, frame []byte, at int64) int64 {
	switch tag.Version {
	case 2:
		return int64(frame[3])<<16 | int64(frame[4])<<8 | int64(frame[5])
	case 4:
		n, whole := synchsafe(frame[4:]), int64(binary.BigEndian.Uint32(frame[4:]))
		if n != whole && !s.id3FrameAt(tag, at+n) && s.id3FrameAt(tag, at+whole) {
			return whole
		}
		return n
	}
	return int64(binary.BigEndian.Uint32(frame[4:]))
}

// id3FrameAt reports whether a frame, padding or the tag's end is at an offset.
func (s *Source) id3FrameAt(tag ID3, at int64) bool {
	if at >= tag.frames.End {
		return at == tag.frames.End
	}
	for i, b := range s.Bytes(Span{at, at + 4}, 4) {
		if b == 0 && i == 0 {
			return true
		}
		if (b < 'A' || b > 'Z') && (b < '0' || b > '9') {
			return false
		}
	}
	return true
}

// Unsynchronised returns a source with a tag of version 2 or 3 as it was before unsynchronisation; ok is false for a tag that was not
// unsynchronised. In version 4, each frame has a flag of its own for that.
func (s *Source) Unsynchronised(tag ID3) (inside *Source, same ID3, ok bool) {
	const most, header, flags, unsynchronised = 16 << 20, 10, 5, 0x80
	if !tag.unsynchronised || tag.Version >= 4 {
		return nil, ID3{}, false
	}
	body := Synchronised(s.Bytes(Span{tag.Whole.Start + header, tag.Whole.End}, most))
	head := s.Bytes(tag.Whole, header)
	if len(head) < header {
		return nil, ID3{}, false
	}
	head[flags] &^= unsynchronised
	for i, shift := range []int{21, 14, 7, 0} {
		head[6+i] = byte(len(body) >> shift & 0x7f)
	}
	data := append(head, body...)
	inside = NewSource(s.ctx, bytes.NewReader(data), int64(len(data)))
	same, ok = inside.ID3At(0)
	return inside, same, ok
}

// Synchronised removes the zeros that unsynchronisation inserted after each 0xff.
func Synchronised(data []byte) []byte {
	return bytes.ReplaceAll(data, []byte("\xff\x00"), []byte("\xff"))
}

// synchsafe reads ID3's numbers of four bytes with seven bits each.
func synchsafe(b []byte) int64 {
	return int64(b[0]&0x7f)<<21 | int64(b[1]&0x7f)<<14 | int64(b[2]&0x7f)<<7 | int64(b[3]&0x7f)
}

// The kinds of tags after a recording.
const (
	ID3v1   = "ID3v1"
	APE     = "APE"
	Lyrics3 = "Lyrics3"
	ID3v2   = "ID3v2"
)

// TagsBehind returns the tags at the end of a recording that begins at from, the last one first, and where the recording itself ends.
func (s *Source) TagsBehind(from int64) (tags []Block, end int64) {
	end = s.size
	for range 20 { // usually there is one of each
		tag, ok := s.tagBefore(from, end)
		if !ok {
			break
		}
		tags, end = append(tags, tag), tag.Whole.Start
	}
	return tags, end
}

// tagBefore returns the tag that ends at an offset.
func (s *Source) tagBefore(from, end int64) (Block, bool) {
	const first, more, ape, id3 = 128, 227, 32, 10
	tag := func(kind string, length int64) (Block, bool) {
		at := Span{end - length, end}
		return Block{kind, at, at}, length > 0 && at.Start >= from
	}
	if head, ok := s.Head(end-first, 3); ok && end-first >= from && string(head) == "TAG" {
		if extended, ok := s.Head(end-first-more, 4); ok && string(extended) == "TAG+" {
			return tag(ID3v1, first+more)
		}
		return tag(ID3v1, first)
	}
	if foot, ok := s.Head(end-ape, ape); ok && string(foot[:8]) == "APETAGEX" {
		length := int64(binary.LittleEndian.Uint32(foot[12:]))
		if binary.LittleEndian.Uint32(foot[20:])&(1<<31) != 0 {
			length += ape // its header
		}
		return tag(APE, max(length, ape))
	}
	if foot, ok := s.Head(end-9, 9); ok && bytes.HasPrefix(foot, []byte("LYRICS")) {
		return s.lyricsBefore(string(foot), end, tag)
	}
	if foot, ok := s.Head(end-id3, id3); ok && string(foot[:3]) == "3DI" {
		return tag(ID3v2, 2*id3+synchsafe(foot[6:]))
	}
	return Block{}, false
}

// lyricsBefore returns the Lyrics3 tag whose last nine letters are foot.
func (s *Source) lyricsBefore(foot string, end int64, tag func(string, int64) (Block, bool)) (Block, bool) {
	const digits, longest = 6, 5100 + 9
	switch foot {
	case "LYRICS200":
		if number, ok := s.Head(end-9-digits, digits); ok {
			if length, err := strconv.ParseUint(string(number), 10, 32); err == nil {
				return tag(Lyrics3, int64(length)+digits+9) //nolint:gosec // of 32 bits
			}
		}
	case "LYRICSEND":
		if i := bytes.LastIndex(s.Bytes(Span{end - longest, end}, longest), []byte("LYRICSBEGIN")); i >= 0 {
			return tag(Lyrics3, min(longest, end)-int64(i))
		}
	}
	return Block{}, false
}
