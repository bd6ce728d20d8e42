package sound

import (
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"math"

	"assay/client/media/container"
)

// wav is an uncompressed WAV file: integers of 8, 16, 24 or 32 bits or floating point of 32 or 64. beep's decoder supports none of 32
// bits, and trusts every size in a header.
type wav struct {
	file     *file
	rate     int
	channels int
	bytes    int // of a sample
	float    bool
	data     int64 // where the samples begin
	total    int64 // frames
	missing  bool  // the header claims more samples than there are
}

// openWAV reads the chunks up to the samples. known is false for samples that ffmpeg may support instead.
func openWAV(ctx context.Context, f *file) (w *wav, known bool, err error) {
	var format []byte
	src := f.source(ctx)
	known, err = true, error(nil)
	src.RIFFChunks(func(b container.Block) bool {
		length := src.RIFFLength(b)
		switch b.Kind {
		case "fmt ":
			const most = 40
			if format = src.Bytes(b.Content, most); int64(len(format)) < min(length, most) {
				return false
			}
		case "data":
			w = &wav{file: f, data: f.content + b.Content.Start}
			if about, ok := container.ReadWAVFormat(format); ok {
				known, err = w.describe(about, length)
			} else {
				err = damaged("WAV", fmt.Errorf("a format of %d bytes before the samples", len(format)))
			}
			return false
		}
		return true
	})
	if w == nil {
		return nil, true, breaksOff(src.Err())
	}
	return w, known, err
}

func (w *wav) describe(f container.WAVFormat, size int64) (known bool, err error) {
	w.channels, w.rate, w.bytes, w.float = f.Channels, f.Rate, f.Bits/8, f.Code == container.WAVFloats
	switch {
	case f.Code == container.WAVIntegers && (f.Bits == 8 || f.Bits == 16 || f.Bits == 24 || f.Bits == 32):
	case w.float && (f.Bits == 32 || f.Bits == 64):
	default:
		return false, damaged("WAV", fmt.Errorf("samples of code %d and %d bits", f.Code, f.Bits))
	}
	if w.channels < 1 || w.channels > mostChannels || f.Frame != w.channels*w.bytes {
		return true, damaged("WAV", fmt.Errorf("%d channels of %d bits in frames of %d bytes", w.channels, f.Bits, f.Frame))
	}
	there := w.file.size - w.data
	switch {
	case size == 0 || size == math.MaxUint32: // from a program that could not seek back, or longer than the field can express
		size = there
	case size > there:
		size, w.missing = there, true
	}
	w.total = size / int64(w.channels*w.bytes)
	return true, nil
}

func (w *wav) facts() facts   { return facts{format: "WAV", rate: w.rate, channels: w.channels} }
func (w *wav) frames() int64  { return w.total }
func (w *wav) exact() bool    { return true }
func (w *wav) cut() bool      { return w.missing }
func (w *wav) release() error { return nil }

func (w *wav) open(_ context.Context, from int64) (Stream, error) {
	frame := int64(w.channels * w.bytes)
	from = min(from, w.total)
	return &wavStream{wav: w, r: io.NewSectionReader(w.file, w.data+from*frame, (w.total-from)*frame), mix: newMix(w.channels)}, nil
}

type wavStream struct {
	wav    *wav
	r      io.Reader
	mix    mix
	buffer []byte
	sample []float64
}

func (s *wavStream) Read(frames [][2]float64) (int, error) {
	size := s.wav.channels * s.wav.bytes
	frames = frames[:min(len(frames), max(1, (1<<16)/size))]
	if need := len(frames) * size; cap(s.buffer) < need {
		s.buffer, s.sample = make([]byte, need), make([]float64, s.wav.channels)
	}
	n, err := io.ReadFull(s.r, s.buffer[:len(frames)*size])
	n /= size
	for i := range n {
		for c := range s.sample {
			s.sample[c] = s.wav.number(s.buffer[i*size+c*s.wav.bytes:])
		}
		frames[i] = s.mix.down(s.sample)
	}
	if n > 0 {
		return n, nil
	}
	if err == nil || err == io.ErrUnexpectedEOF { //nolint:errorlint // io.ReadFull does not wrap it
		err = io.EOF
	}
	return 0, err
}

// number reads one sample.
func (w *wav) number(b []byte) float64 {
	le := binary.LittleEndian
	switch {
	case w.float && w.bytes == 4:
		return tame(float64(math.Float32frombits(le.Uint32(b))))
	case w.float:
		return tame(math.Float64frombits(le.Uint64(b)))
	case w.bytes == 1:
		return (float64(b[0]) - 128) / 128
	case w.bytes == 2:
		return float64(int16(le.Uint16(b))) / (1 << 15)
	case w.bytes == 3:
		return float64(int32(uint32(b[0])<<8|uint32(b[1])<<16|uint32(b[2])<<24)) / (1 << 31)
	default:
		return float64(int32(le.Uint32(b))) / (1 << 31)
	}
}
