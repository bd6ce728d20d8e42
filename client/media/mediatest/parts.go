// Package mediatest is for tests of media files: the parts of which files are composed, byte by byte, small pictures, and other
// programs that make files or read them. It imports the standard library.
package mediatest

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"hash/crc32"
	"slices"
	"strings"
)

// BE16 is a big-endian number of 16 bits.
func BE16(n int) string { return string(binary.BigEndian.AppendUint16(nil, uint16(n))) }

// BE32 is a big-endian number of 32 bits.
func BE32(n int) string { return string(binary.BigEndian.AppendUint32(nil, uint32(n))) }

// LE32 is a little-endian number of 32 bits.
func LE32(n int) string { return string(binary.LittleEndian.AppendUint32(nil, uint32(n))) }

// Zeros is n zeros.
func Zeros(n int) string { return strings.Repeat("\x00", n) }

// Padded is a text in a field of n bytes.
func Padded(text string, n int) string { return (text + Zeros(n))[:n] }

// Join returns a file composed of parts.
func Join(parts ...string) []byte { return []byte(strings.Join(parts, "")) }

// Insert inserts parts into a file at an offset.
func Insert(data []byte, at int, parts ...string) []byte {
	return slices.Insert(slices.Clone(data), at, Join(parts...)...)
}

// Deflated is a text compressed with zlib.
func Deflated(text string) string {
	var b bytes.Buffer
	w := zlib.NewWriter(&b)
	_, _ = w.Write([]byte(text)) // into memory
	_ = w.Close()
	return b.String()
}

// Segment is a segment of a JPEG.
func Segment(marker byte, content string) string {
	return "\xff" + string([]byte{marker}) + BE16(len(content)+2) + content
}

// APP11 returns the segments into which a JPEG splits a box of JUMBF, with at most size bytes of it in each.
func APP11(box string, size int) string {
	var b strings.Builder
	header, rest := box[:8], []byte(box[8:])
	n := 0
	for part := range slices.Chunk(rest, size) {
		n++
		b.WriteString(Segment(0xeb, "JP\x00\x01"+BE32(n)+header+string(part)))
	}
	return b.String()
}

// BehindIHDR is where a PNG's second chunk begins.
const BehindIHDR = 8 + 25

// PNGChunk is a chunk with its checksum.
func PNGChunk(kind, content string) string {
	return BE32(len(content)) + kind + content + BE32(int(crc32.ChecksumIEEE([]byte(kind+content))))
}

// GIFBlocks are the sub-blocks, of up to 255 bytes, of a GIF's comments and other texts.
func GIFBlocks(text string) string {
	var b strings.Builder
	for part := range slices.Chunk([]byte(text), 255) {
		b.WriteString(string([]byte{byte(len(part))}) + string(part))
	}
	return b.String() + "\x00"
}

// RIFF is a file of a form: "WAVE" or "WEBP".
func RIFF(form string, chunks ...string) []byte {
	body := form + strings.Join(chunks, "")
	return Join("RIFF", LE32(len(body)), body)
}

// Chunk is a chunk of RIFF.
func Chunk(kind, content string) string {
	return kind + LE32(len(content)) + content + Zeros(len(content)%2)
}

// WAVFormat is the chunk that describes samples of 8 bits, 8,000 a second, in one channel.
const WAVFormat = "fmt \x10\x00\x00\x00\x01\x00\x01\x00\x40\x1f\x00\x00\x40\x1f\x00\x00\x01\x00\x08\x00"

// OnePixelWebP is the chunk of a WebP of one pixel.
const OnePixelWebP = "VP8L\x08\x00\x00\x00\x2f\x00\x00\x00\x00\x88\x88\x08"

// Box is a box of ISO/IEC 14496-12, of which clips and JUMBF consist.
func Box(kind string, contents ...string) string {
	body := strings.Join(contents, "")
	return BE32(8+len(body)) + kind + body
}

// ID3 is a tag of version 2.2, 2.3 or 2.4, with padding after its frames.
func ID3(version byte, frames ...string) string {
	body := strings.Join(frames, "") + Zeros(20)
	return "ID3" + string([]byte{version}) + "\x00\x00" + synchsafe(len(body)) + body
}

// ID3Frame is a frame of version 2.2, whose kinds have three letters, of 2.3, or of 2.4 with up to 127 bytes: up to that length both
// encode it in the same way.
func ID3Frame(kind, content string) string {
	if len(kind) == 3 {
		return kind + BE32(len(content))[1:] + content
	}
	return kind + BE32(len(content)) + "\x00\x00" + content
}

func synchsafe(n int) string {
	return string([]byte{byte(n >> 21 & 0x7f), byte(n >> 14 & 0x7f), byte(n >> 7 & 0x7f), byte(n & 0x7f)})
}

// MP3Frames are frames of silence: 128 kbit/s, 44,100 Hz, each of 417 bytes.
func MP3Frames(n int) string {
	return strings.Repeat("\xff\xfb\x90\x00"+strings.Repeat("\x55", 413), n)
}

// VorbisComments are the comments of Ogg and FLAC, after the name of the program that wrote them.
func VorbisComments(vendor string, comments ...string) string {
	text := LE32(len(vendor)) + vendor + LE32(len(comments))
	for _, c := range comments {
		text += LE32(len(c)) + c
	}
	return text
}

// FLACBlock is a metadata block; the last one has the highest bit of kind set.
func FLACBlock(kind byte, content string) string {
	return string([]byte{kind}) + BE32(len(content))[1:] + content
}

// OggPage is a page of a stream, without its checksum; more means that its last packet continues on the next page.
func OggPage(flags byte, serial, number int, more bool, packets ...string) string {
	lacing := ""
	for i, p := range packets {
		lacing += strings.Repeat("\xff", len(p)/255)
		if i < len(packets)-1 || !more {
			lacing += string([]byte{byte(len(p) % 255)})
		}
	}
	return "OggS\x00" + string([]byte{flags}) + Zeros(8) + LE32(serial) + LE32(number) + Zeros(4) + string([]byte{byte(len(lacing))}) + lacing + strings.Join(packets, "")
}
