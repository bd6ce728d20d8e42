package facts

import (
	"bytes"
	"encoding/binary"
	"maps"
	"slices"
	"strings"

	"assay/client/media/container"
)

// readFLACTags reads the comments of a FLAC, and notes whether it has a picture.
func (f *Facts) readFLACTags(src *source) {
	src.FLACBlocks(src.BehindID3(), func(b block) bool {
		f.readFLACBlock(b.Kind, src.Bytes(b.Content, longestPacket), b.Content.Length())
		return len(f.Embedded) < mostFields
	})
}

// readFLACBlock reads a metadata block of FLAC of length bytes; content is its beginning.
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

// oggStream is a stream of an Ogg file, as far as the end of its comments.
type oggStream struct {
	flac   bool
	packet []byte // what has been read of the current packet
	done   bool
}

// readOggTags reads the comments of each stream: its second packet, or, of a FLAC, the metadata blocks, of which each is a packet. A stream may
// begin anywhere in the file, because files may be concatenated.
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
			f.Incomplete = f.Incomplete || len(pieces) > 1 // only one packet belongs there
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

// endOggStream reads the last packet of a stream that breaks off within its comments.
func (f *Facts) endOggStream(stream *oggStream) {
	if stream != nil && !stream.done {
		f.Incomplete = true
		f.readOggPacket(stream)
	}
}

// readOggPacket reads the packet of a stream once it is complete.
func (f *Facts) readOggPacket(stream *oggStream) {
	packet := stream.packet
	if stream.packet = nil; stream.flac {
		stream.done = f.readFLACPacket(packet)
		return
	}
	stream.done = true
	f.readOggComments(packet)
}

// readFLACPacket reads a metadata block of a FLAC in Ogg: a flag for the last one, its kind, its length in three bytes, the content.
func (f *Facts) readFLACPacket(packet []byte) (last bool) {
	const header, lastBlock = 4, 0x80
	if len(packet) < header || packet[0] == 0xff { // audio
		f.Incomplete = true
		return true
	}
	content, length := packet[header:], int(packet[1])<<16|int(packet[2])<<8|int(packet[3])
	f.Incomplete = f.Incomplete || length != len(content)
	f.readFLACBlock(string([]byte{packet[0] &^ lastBlock}), content, int64(length))
	return packet[0]&lastBlock != 0
}

// readOggComments reads the second packet of a stream. One of an unknown kind makes the facts incomplete.
func (f *Facts) readOggComments(packet []byte) {
	for _, start := range []string{"\x03vorbis", "OpusTags", "\x81theora"} {
		if rest, ok := bytes.CutPrefix(packet, []byte(start)); ok {
			f.Incomplete = !f.readVorbis(rest) || f.Incomplete
			return
		}
	}
	f.Incomplete = true
}

// readVorbis reads Vorbis comments: the program's name, then "NAME=value", each after its length. whole is false where they are cut short;
// the part of the last one is read.
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
