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
			f.Incomplete = !f.readVorbis(src.Bytes(b.Content, longestPacket)) || f.Incomplete
		case blocks.FLACPicture:
			f.Thumbnail = true
		case blocks.FLACApplication, blocks.FLACCueSheet:
			const name = 4
			head, _ := src.Head(b.Content.Start, min(name, b.Content.Length()))
			f.ownData("FLAC", "", string(head), b.Content.Length())
		case blocks.FLACStreamInfo, blocks.FLACPadding, blocks.FLACSeekTable:
		default:
			f.ownData("FLAC", hexText([]byte(b.Kind)), src.head(b), b.Content.Length())
		}
		return len(f.Embedded) < mostFields
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
			f.readOggComments(packet)
		}
		if len(comments) == mostStreams {
			f.Incomplete = true
		}
		return len(comments) < mostStreams
	})
	for serial, packet := range comments { // they break off
		if !done[serial] {
			f.Incomplete = true
			f.readOggComments(packet)
		}
	}
	src.OggPages(func(blocks.Page) bool { return true }) // whether all of it is pages
}

// readOggComments reads the second packet of a stream. Of a kind that is not known there may be more to say.
func (f *Facts) readOggComments(packet []byte) {
	for _, start := range []string{"\x03vorbis", "OpusTags", "\x81theora", "\x84\x00\x00"} {
		if rest, ok := bytes.CutPrefix(packet, []byte(start)); ok {
			if start[0] == 0x84 { // FLAC's block has its length in three bytes
				rest = packet[4:]
			}
			f.Incomplete = !f.readVorbis(rest) || f.Incomplete
			return
		}
	}
	f.Incomplete = true
}

// readVorbis reads Vorbis comments: the program's name, then "NAME=value", each with its length before it. whole is false where they are
// cut short; what there is of the last one is read.
func (f *Facts) readVorbis(data []byte) (whole bool) {
	whole = true
	next := func() (text []byte, ok bool) {
		if len(data) < 4 {
			return nil, false
		}
		n := int64(binary.LittleEndian.Uint32(data))
		if n > int64(len(data)-4) {
			n, whole = int64(len(data)-4), false
		}
		text, data = data[4:4+n], data[4+n:]
		return text, true
	}
	vendor, ok := next()
	if f.tag("Vorbis", "vendor", string(vendor)); !ok || len(data) < 4 {
		return false
	}
	count := binary.LittleEndian.Uint32(data)
	for data = data[4:]; count > 0 && len(f.Embedded) < mostFields; count-- {
		comment, ok := next()
		if !ok {
			return false
		}
		name, value, _ := strings.Cut(string(comment), "=")
		if name = strings.ToLower(name); name == "metadata_block_picture" || name == "coverart" {
			f.Thumbnail = true
			continue
		}
		f.tag("Vorbis", name, value)
	}
	return whole
}
