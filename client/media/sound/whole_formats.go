package sound

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"

	"assay/client/media/container"
)

// The functions here rewrite a recording so that it contains only correct sizes: the libraries' decoders trust every size in a file.

// plainWAV reads up to the samples of a WAV file, and returns a reader of a plain one: a header of 44 bytes without contradictions, then
// the samples. beep's decoder would allocate whatever the original header claims. ok is false if the samples are no integers of 8, 16 or
// 24 bits.
//
// A data size of 0 or 0xffffffff, from programs that can't seek back, means "up to the end". If r is a *bytes.Reader, fewer samples than
// claimed are io.ErrUnexpectedEOF.
func plainWAV(r io.Reader) (body io.Reader, ok bool, err error) {
	var head [12]byte
	if _, err := io.ReadFull(r, head[:]); err != nil {
		return nil, false, err
	}
	if string(head[:4]) != "RIFF" || string(head[8:]) != "WAVE" {
		return nil, false, errors.New("no RIFF WAVE header")
	}
	var format []byte
	for {
		var chunk [8]byte
		if _, err := io.ReadFull(r, chunk[:]); err != nil {
			return nil, false, err
		}
		size := int64(binary.LittleEndian.Uint32(chunk[4:]))
		switch string(chunk[:4]) {
		case "fmt ":
			if size < 16 || size > 4096 {
				return nil, false, fmt.Errorf("a fmt chunk of %d bytes", size)
			}
			format = make([]byte, size+size%2)
			if _, err := io.ReadFull(r, format); err != nil {
				return nil, false, err
			}
		case "data":
			if format == nil {
				return nil, false, errors.New("samples before their format")
			}
			return rewrittenWAV(r, format, size)
		default:
			if n, err := io.CopyN(io.Discard, r, size+size%2); err != nil {
				return nil, false, fmt.Errorf("%d of %d bytes of a chunk: %w", n, size, err)
			}
		}
	}
}

// rewrittenWAV puts a new header before size bytes of samples.
func rewrittenWAV(r io.Reader, format []byte, size int64) (io.Reader, bool, error) {
	f, _ := container.ReadWAVFormat(format)
	if f.Code != container.WAVIntegers || f.Bits != 8 && f.Bits != 16 && f.Bits != 24 {
		return nil, false, nil
	}
	frame := f.Channels * f.Bits / 8
	if f.Channels < 1 || f.Channels > mostChannels || f.Rate > highestRate || f.Frame != frame {
		return nil, false, fmt.Errorf("%d channels of %d bits in frames of %d bytes, %d per second", f.Channels, f.Bits, f.Frame, f.Rate)
	}
	memory, sized := r.(*bytes.Reader)
	switch {
	case size == 0 || size == math.MaxUint32:
		size = math.MaxInt32
		if sized {
			size = int64(memory.Len())
		}
	case sized && size > int64(memory.Len()):
		return nil, false, io.ErrUnexpectedEOF
	}
	size = min(size, math.MaxInt32) / int64(frame) * int64(frame)
	le := binary.LittleEndian
	header := []byte("RIFF\x00\x00\x00\x00WAVEfmt ")
	header = le.AppendUint32(header, 16)
	header = le.AppendUint16(header, container.WAVIntegers)
	header = le.AppendUint16(header, uint16(f.Channels))
	header = le.AppendUint32(header, uint32(f.Rate))
	header = le.AppendUint32(header, uint32(f.Rate*frame))
	header = le.AppendUint16(header, uint16(frame))
	header = le.AppendUint16(header, uint16(f.Bits))
	header = append(header, "data"...)
	header = le.AppendUint32(header, uint32(size))
	return io.MultiReader(bytes.NewReader(header), io.LimitReader(r, size)), true, nil
}

// mp3FrameSize returns the size in bytes of the frame that begins at data[0], or 0 if none of layer III does.
func mp3FrameSize(data []byte) int {
	header := container.ReadMPEGHeader(data)
	if !header.LayerIII() {
		return 0
	}
	return int(header.FrameLength())
}

// mp3Frames cuts a file down to its frames, without the tags before and after, whose sizes the decoder would trust. A frame counts as the
// first if another one follows it. If the last frame is cut short, it returns io.ErrUnexpectedEOF; a file that was cut between two frames
// can't be distinguished from a whole one.
func mp3Frames(data []byte) ([]byte, error) {
	const search = 1 << 16
	data = data[container.SourceOf(data).BehindID3():]
	first := -1
	for i := 0; i < min(len(data), search); i++ {
		size := mp3FrameSize(data[i:])
		if size > 0 && i+size < len(data) && mp3FrameSize(data[i+size:]) > 0 {
			first = i
			break
		}
	}
	if first < 0 {
		return nil, errors.New("no two frames follow one another")
	}
	end := first
	for {
		size := mp3FrameSize(data[end:])
		if size == 0 {
			break
		}
		if end+size > len(data) {
			return nil, io.ErrUnexpectedEOF
		}
		end += size
	}
	// A tag follows, or more frames follow after a gap, which the decoder finds itself.
	if rest := data[end:]; len(rest) > search {
		end = len(data)
	}
	return data[first:end], nil
}

// vorbisStream cuts an Ogg file down to its first stream, from the first page to its last one, and checks the headers. A file without a
// last page is io.ErrUnexpectedEOF.
func vorbisStream(data []byte) ([]byte, error) {
	const pageHeader = 27
	src := container.SourceOf(data)
	var packets [][]byte // the first three: identification, comments, setup
	var packet []byte
	var last container.Page
	malformed := false
	src.OggPages(func(page container.Page) bool {
		last, malformed = page, len(page.Lacing) == 0
		for _, piece := range page.Pieces() {
			if len(packets) == 3 {
				break
			}
			packet = append(packet, data[piece.Start:piece.End]...)
			if piece.Ends {
				packets, packet = append(packets, packet), nil
			}
		}
		return !page.Ends && !malformed
	})
	end := last.Whole.End
	if !malformed && !last.Ends {
		if head, ok := src.Head(end, pageHeader); !ok || string(head[:4]) == "OggS" {
			return nil, io.ErrUnexpectedEOF
		}
		malformed = true
	}
	if malformed || len(packets) < 3 {
		return nil, errVorbisHeaders
	}
	if _, _, err := checkVorbisHeaders(packets); err != nil {
		return nil, err
	}
	return data[:end], nil
}
