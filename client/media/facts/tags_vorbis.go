package facts

import (
	"bytes"
	"encoding/binary"
	"strings"

	"assay/client/media/blocks"
)

// readFLACTags reads the comments of a FLAC, and whether there is a picture.
func (f *Facts) readFLACTags(src *source) {
	src.FLACBlocks(src.BehindID3(), func(b block) bool {
		switch b.Kind {
		case blocks.FLACComments:
			f.readVorbis(src.Bytes(b.Content, longestPacket))
		case blocks.FLACPicture:
			f.Thumbnail = true
		}
		return true
	})
}

// readOggTags reads the comments of each stream: its second packet.
func (f *Facts) readOggTags(src *source) {
	const mostStreams = 20
	comments := map[uint32][]byte{}
	done := map[uint32]bool{}
	src.OggPages(func(page blocks.Page) bool {
		if page.Begins || done[page.Serial] {
			// What comes long after the beginning is sound.
			return page.Begins || len(comments) > len(done)
		}
		pieces := page.Pieces()
		if len(pieces) == 0 {
			return true
		}
		packet := append(comments[page.Serial], src.Bytes(pieces[0].Span, longestPacket)...)
		comments[page.Serial] = packet
		if pieces[0].Ends || len(packet) > longestPacket {
			done[page.Serial] = true
			for _, start := range []string{"\x03vorbis", "OpusTags"} {
				if rest, ok := bytes.CutPrefix(packet, []byte(start)); ok {
					f.readVorbis(rest)
				}
			}
		}
		return len(comments) < mostStreams
	})
}

// readVorbis reads Vorbis comments: the program's name, then "NAME=value", each with its length before it.
func (f *Facts) readVorbis(data []byte) {
	next := func() (text []byte, ok bool) {
		if len(data) < 4 {
			return nil, false
		}
		n := int64(binary.LittleEndian.Uint32(data))
		if n > int64(len(data)-4) {
			return nil, false
		}
		text, data = data[4:4+n], data[4+n:]
		return text, true
	}
	vendor, ok := next()
	if !ok || len(data) < 4 {
		return
	}
	f.tag("Vorbis", "vendor", string(vendor))
	for data = data[4:]; len(f.Embedded) < mostFields; {
		comment, ok := next()
		if !ok {
			return
		}
		name, value, _ := strings.Cut(string(comment), "=")
		if name = strings.ToLower(name); name == "metadata_block_picture" || name == "coverart" {
			f.Thumbnail = true
			continue
		}
		f.tag("Vorbis", name, value)
	}
}
