package audio

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
)

// The codes of a WAV file's fmt chunk.
const (
	soundPCM        = 1
	soundExtensible = 0xfffe
)

// soundWAVBody reads up to the samples of a WAV file and gives a reader of a plain
// one: a header of 44 bytes that agrees with itself, then the samples. The
// decoder of beep believes every size in a header, and reserves memory for it;
// this one does not. ok is false for samples that are no integers of 8, 16 or 24
// bits.
//
// A data size of 0 or 0xffffffff, as programs write that can't go back, means "up
// to the end". Where r is a *bytes.Reader, samples that are fewer than claimed are
// errSoundCut.
func soundWAVBody(r io.Reader) (body io.Reader, ok bool, err error) {
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
			return soundPlainWAV(r, format, size)
		default:
			if n, err := io.CopyN(io.Discard, r, size+size%2); err != nil {
				return nil, false, fmt.Errorf("%d of %d bytes of a chunk: %w", n, size, err)
			}
		}
	}
}

// soundPlainWAV puts a new header before size bytes of samples.
func soundPlainWAV(r io.Reader, format []byte, size int64) (io.Reader, bool, error) {
	le := binary.LittleEndian
	code, channels, rate, bits := le.Uint16(format), int64(le.Uint16(format[2:])), int64(le.Uint32(format[4:])), int64(le.Uint16(format[14:]))
	if code == soundExtensible && len(format) >= 26 {
		code = le.Uint16(format[24:])
	}
	if code != soundPCM || (bits != 8 && bits != 16 && bits != 24) {
		return nil, false, nil
	}
	frame := channels * bits / 8
	if channels < 1 || channels > 64 || rate > soundHighestRate || int64(le.Uint16(format[12:])) != frame {
		return nil, false, fmt.Errorf("%d channels of %d bits in frames of %d bytes, %d per second", channels, bits, le.Uint16(format[12:]), rate)
	}
	memory, sized := r.(*bytes.Reader)
	switch {
	case size == 0 || size == math.MaxUint32:
		size = math.MaxInt32
		if sized {
			size = int64(memory.Len())
		}
	case sized && size > int64(memory.Len()):
		return nil, false, errSoundCut
	}
	size = min(size, math.MaxInt32) / frame * frame
	header := []byte("RIFF\x00\x00\x00\x00WAVEfmt ")
	header = le.AppendUint32(header, 16)
	header = le.AppendUint16(header, soundPCM)
	header = le.AppendUint16(header, uint16(channels))
	header = le.AppendUint32(header, uint32(rate))
	header = le.AppendUint32(header, uint32(rate*frame))
	header = le.AppendUint16(header, uint16(frame))
	header = le.AppendUint16(header, uint16(bits))
	header = append(header, "data"...)
	header = le.AppendUint32(header, uint32(size))
	return io.MultiReader(bytes.NewReader(header), io.LimitReader(r, size)), true, nil
}
