package facts

import (
	"bytes"
	"encoding/binary"
	"maps"
	"slices"
	"strings"

	"assay/client/media/container"
)

// readFLACTags reads the comments of a FLAC, and whether there is a picture.
func (f *Facts) readFLACTags(src *source) {
	src.FLACBlocks(src.BehindID3(), func(b block) bool {
		f.readFLACBlock(b.Kind, src.Bytes(b.Content, longestPacket), b.Content.Length())
		return len(f.Embedded) < mostFields
	})
}

// readFLACBlock reads a block of FLAC's metadata, of which content is the beginning.
func (f *Facts) readFLACBlock(kind string, content []byte, length int64) {
	head := content[:min(len(content), longestKey)]
	switch kind {
	case container.FLACComments:
		f.Incomplete = !f.readVorbis(content) || f.Incomplete
	case container.FLACPicture:
		f.Thumbnail = true
	case container.FLACApplication, container.FLACCueSheet:
		const name = 4
		f.ownData("FLAC", "", string(head[:min(len(head), name)]), length)
	case container.FLACStreamInfo, container.FLACPadding, container.FLACSeekTable:
	default:
		f.ownData("FLAC", hexText([]byte(kind)), string(head), length)
	}
}

// oggStream is a stream of an Ogg file, up to the end of its comments.
type oggStream struct {
	flac   bool
	packet []byte // as far as it has been read
	done   bool
}

// readOggTags reads the comments of each stream: its second packet, or the blocks of a FLAC, which have a packet each. A stream may begin
// anywhere: files are put one behind the other.
func (f *Facts) readOggTags(src *source) {
	const mostStreams = 20
	streams, begun := map[uint32]*oggStream{}, 0
	src.OggPages(func(page container.Page) bool {
		stream := streams[page.Serial]
		if stream == nil || page.Begins {
			f.endOggStream(stream)
			if begun++; begun > mostStreams {
				f.Incomplete = true
				return false
			}
			stream = &oggStream{}
			streams[page.Serial] = stream
		}
		pieces := page.Pieces()
		if page.Begins {
			stream.flac = string(src.Bytes(page.Content, 5)) == "\x7fFLAC"
			f.Incomplete = f.Incomplete || len(pieces) > 1 // more than the one packet that is to be there
			return true
		}
		for _, piece := range pieces {
			if stream.done {
				break
			}
			stream.packet = append(stream.packet, src.Bytes(piece.Span, longestPacket)...)
			if piece.Ends || len(stream.packet) > longestPacket {
				f.readOggPacket(stream)
			}
		}
		return true
	})
	for _, serial := range slices.Sorted(maps.Keys(streams)) {
		f.endOggStream(streams[serial])
	}
}

// endOggStream reads what there is of a stream that breaks off within its comments.
func (f *Facts) endOggStream(stream *oggStream) {
	if stream != nil && !stream.done {
		f.Incomplete = true
		f.readOggPacket(stream)
	}
}

// readOggPacket reads the packet of a stream that has been put together.
func (f *Facts) readOggPacket(stream *oggStream) {
	packet := stream.packet
	if stream.packet = nil; stream.flac {
		stream.done = f.readFLACPacket(packet)
		return
	}
	stream.done = true
	f.readOggComments(packet)
}

// readFLACPacket reads a block of a FLAC in Ogg: whether it is the last one, its kind, its length in three bytes, the content.
func (f *Facts) readFLACPacket(packet []byte) (last bool) {
	const header, lastBlock = 4, 0x80
	if len(packet) < header || packet[0] == 0xff { // sound
		f.Incomplete = true
		return true
	}
	content, length := packet[header:], int(packet[1])<<16|int(packet[2])<<8|int(packet[3])
	f.Incomplete = f.Incomplete || length != len(content)
	f.readFLACBlock(string([]byte{packet[0] &^ lastBlock}), content, int64(length))
	return packet[0]&lastBlock != 0
}

// readOggComments reads the second packet of a stream. Of a kind that is not known there may be more to say.
func (f *Facts) readOggComments(packet []byte) {
	for _, start := range []string{"\x03vorbis", "OpusTags", "\x81theora"} {
		if rest, ok := bytes.CutPrefix(packet, []byte(start)); ok {
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
