package container

// The kinds of a GIF's parts. Extensions have their label for a kind.
const (
	GIFScreen      = "screen" // with its signature and palette
	GIFPicture     = "picture"
	GIFControl     = "\xf9"
	GIFComment     = "\xfe"
	GIFPlainText   = "\x01"
	GIFApplication = "\xff" // its Content begins with the length 11 and the application's name
)

// GIFParts visits the parts of a GIF. end is where it ends, after its trailer; whole is false where it breaks off before that.
func (s *Source) GIFParts(visit func(Block) bool) (end int64, whole bool) {
	stopped := false
	end, whole = s.gifParts(func(b Block) bool {
		stopped = !visit(b)
		return !stopped
	})
	s.damaged = s.damaged || !whole && !stopped
	return end, whole
}

func (s *Source) gifParts(visit func(Block) bool) (end int64, whole bool) {
	const screen, palette, separator, introducer, trailer = 13, 0x80, 0x2c, 0x21, 0x3b
	head, ok := s.Head(0, screen)
	if !ok {
		return 0, false
	}
	at := int64(screen)
	if head[10]&palette != 0 {
		at += 3 << (head[10]&7 + 1)
	}
	if at > s.size || !visit(Block{GIFScreen, Span{0, at}, Span{0, at}}) {
		return at, false
	}
	for range Most {
		intro, ok := s.Head(at, 1)
		if !ok {
			return at, false
		}
		part := Block{Whole: Span{Start: at}}
		switch intro[0] {
		case trailer:
			return at + 1, true
		case introducer:
			label, ok := s.Head(at+1, 1)
			if !ok {
				return at, false
			}
			part.Kind, part.Content.Start = string(label), at+2
		case separator:
			const descriptor = 10
			d, ok := s.Head(at, descriptor)
			if !ok {
				return at, false
			}
			part.Kind, part.Content.Start = GIFPicture, at+descriptor
			if d[9]&palette != 0 {
				part.Content.Start += 3 << (d[9]&7 + 1)
			}
			part.Content.Start++ // the code size
		default:
			return at, false
		}
		next, ok := s.behindSubBlocks(part.Content.Start)
		if !ok {
			return at, false
		}
		part.Whole.End, part.Content.End = next, next
		if !visit(part) {
			return at, false
		}
		at = next
	}
	return at, false
}

// behindSubBlocks skips sub-blocks, which each begin with their length, up to and including the empty one.
func (s *Source) behindSubBlocks(at int64) (next int64, ok bool) {
	const piece = 1 << 16
	for at < s.size {
		data := s.Bytes(Span{at, at + piece}, piece)
		if len(data) == 0 {
			return at, false
		}
		i := 0
		for i < len(data) {
			n := int(data[i])
			i += 1 + n
			if n == 0 {
				return at + int64(i), true
			}
		}
		at += int64(i)
	}
	return at, false
}

// SubBlocks joins the sub-blocks in a part's content, up to limit bytes.
func (s *Source) SubBlocks(content Span, limit int64) []byte {
	var joined []byte
	for at := content.Start; at < content.End && int64(len(joined)) < limit; {
		length, ok := s.Head(at, 1)
		if !ok || length[0] == 0 {
			break
		}
		n := int64(length[0])
		joined = append(joined, s.Bytes(Span{at + 1, min(at+1+n, content.End)}, n)...)
		at += 1 + n
	}
	return joined[:min(int64(len(joined)), limit)]
}
