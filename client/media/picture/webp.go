package picture

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"image"
	"image/draw"

	"assay/client/media/container"
)

// A WebP is a RIFF file. If its first chunk is VP8X, that has the size of the canvas; an animation has each of its frames
// in an ANMF chunk: 16 bytes with its place, then the chunks of a still picture. x/image decodes still ones only.
// https://developers.google.com/speed/webp/docs/riff_container
const (
	webPAnimation   = 1 << 1 // the bits of a VP8X chunk's first byte
	webPAlpha       = 1 << 4
	vp8xLength      = 10
	anmfHeadLength  = 16
	chunkHeadLength = 8
)

// stillFrame is one frame of a WebP as a still WebP, and its place on the animation's canvas.
type stillFrame struct {
	data   []byte
	canvas image.Rectangle // empty for a still picture
	at     image.Point
}

// placed draws the decoded frame on its canvas, which stays transparent outside the frame.
func (s stillFrame) placed(frame image.Image) image.Image {
	if s.canvas.Empty() || s.canvas == frame.Bounds() {
		return frame
	}
	whole := image.NewRGBA(s.canvas)
	draw.Draw(whole, frame.Bounds().Sub(frame.Bounds().Min).Add(s.at), frame, frame.Bounds().Min, draw.Src)
	return whole
}

// firstWebPFrame makes a still WebP of an animation's first frame. A still one is returned as it is.
func firstWebPFrame(data []byte) (stillFrame, error) {
	still := stillFrame{data: data}
	head, ok := webPChunk(data, "VP8X")
	if !ok || len(head) != vp8xLength || head[0]&webPAnimation == 0 {
		return still, nil
	}
	frame, ok := webPChunk(data, "ANMF")
	if !ok || len(frame) < anmfHeadLength {
		return still, errors.New("an animation without a frame")
	}
	still.canvas = image.Rect(0, 0, uint24(head[4:])+1, uint24(head[7:])+1)
	still.at = image.Pt(uint24(frame)*2, uint24(frame[3:])*2)
	size := image.Pt(uint24(frame[6:])+1, uint24(frame[9:])+1)
	if whole := (image.Rectangle{Min: still.at, Max: still.at.Add(size)}); !whole.In(still.canvas) {
		return still, fmt.Errorf("a frame of %v at %v lies outside of its canvas %v", size, still.at, still.canvas.Max)
	}

	chunks := frame[anmfHeadLength:]
	newHead := make([]byte, vp8xLength)
	if bytes.HasPrefix(chunks, []byte("ALPH")) {
		newHead[0] = webPAlpha
	}
	copy(newHead[4:], frame[6:12]) // the frame's size becomes the canvas's
	still.data = riffFile(newHead, chunks)
	return still, nil
}

// riffFile builds a WebP file from the content of a VP8X chunk and chunks that are already encoded.
func riffFile(vp8x, chunks []byte) []byte {
	length := len("WEBP") + chunkHeadLength + len(vp8x) + len(chunks)
	file := append(make([]byte, 0, chunkHeadLength+length), "RIFF"...)
	file = binary.LittleEndian.AppendUint32(file, uint32(length)) //nolint:gosec // shorter than the file that it is taken from, plus 30
	file = append(file, "WEBPVP8X"...)
	file = binary.LittleEndian.AppendUint32(file, vp8xLength)
	return append(append(file, vp8x...), chunks...)
}

// webPExif returns the EXIF block, a TIFF, or nothing. Some writers put a JPEG's marker before it.
func webPExif(data []byte) []byte {
	exif, _ := webPChunk(data, "EXIF")
	return bytes.TrimPrefix(exif, []byte("Exif\x00\x00"))
}

// webPChunk returns the content of the first chunk of that name; ok is false where there is none, or it is cut short.
func webPChunk(data []byte, name string) (content []byte, ok bool) {
	src := container.SourceOf(data)
	src.RIFFChunks(func(b container.Block) bool {
		if b.Kind != name {
			return true
		}
		content, ok = data[b.Content.Start:b.Content.End], src.RIFFLength(b) == b.Content.Length()
		return false
	})
	return content, ok
}

// riffBreaksOff reports whether a RIFF file is shorter than its header claims.
func riffBreaksOff(data []byte) bool {
	end, ok := container.SourceOf(data).RIFFEnd()
	return !ok || end > int64(len(data))
}

// uint24 reads a little-endian number of three bytes.
func uint24(b []byte) int {
	return int(b[0]) | int(b[1])<<8 | int(b[2])<<16
}
