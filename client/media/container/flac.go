package container

// The kinds of a FLAC's blocks that matter here.
const (
	FLACStreamInfo  = "\x00"
	FLACPadding     = "\x01"
	FLACApplication = "\x02"
	FLACSeekTable   = "\x03"
	FLACComments    = "\x04"
	FLACCueSheet    = "\x05"
	FLACPicture     = "\x06"
)

// FLACBlocks goes through the blocks before a FLAC's sound, whose signature "fLaC" stands at an offset. frames is where the sound begins;
// whole is false where a block is cut short.
func (s *Source) FLACBlocks(at int64, visit func(Block) bool) (frames int64, whole bool) {
	const signature, header, last = 4, 4, 0x80
	at += signature
	for range Most {
		head, ok := s.Head(at, header)
		if !ok {
			s.damaged = true
			return at, false
		}
		n := int64(head[1])<<16 | int64(head[2])<<8 | int64(head[3])
		if at+header+n > s.size {
			s.damaged = true
			return at, false
		}
		if !visit(Block{string([]byte{head[0] &^ last}), Span{at, at + header + n}, Span{at + header, at + header + n}}) {
			return at, false
		}
		at += header + n
		if head[0]&last != 0 {
			return at, true
		}
	}
	s.damaged = true
	return at, false
}
