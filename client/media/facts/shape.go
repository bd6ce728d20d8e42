package facts

import (
	"encoding/binary"
	"errors"
	"image"
	_ "image/gif"  // only their headers are read
	_ "image/jpeg" // only their headers are read
	"io"
	"time"

	"assay/client/media/container"

	_ "golang.org/x/image/webp" // only their headers are read
)

// errPart means that a part of the file breaks off or contradicts itself.
var errPart = errors.New("damaged")

// readShape reads a picture's dimensions, and a recording's or clip's duration, sample rate and channels.
func (f *Facts) readShape(src *source) error {
	switch f.Format {
	case PNG:
		return f.readPNGHeader(src)
	case JPEG, GIF, WebP:
		// A header lies within the first megabytes, and no file may make a decoder read on endlessly.
		const headers = 16 << 20
		config, _, err := image.DecodeConfig(io.LimitReader(src.Reader(), headers))
		if err != nil {
			return err
		}
		f.Width, f.Height = config.Width, config.Height
	case WAV:
		return f.readWAV(src)
	case FLAC:
		return f.readFLAC(src)
	case MP3:
		return f.readMP3(src)
	case Ogg:
		return f.readOgg(src)
	case AAC:
		return f.readADTS(src)
	case MP4, QuickTime, M4A:
		return f.readMovie(src)
	}
	return nil
}

// readPNGHeader reads the first chunk. Go's decoder fails if the checksum of any chunk is wrong; other programs show such a file.
func (f *Facts) readPNGHeader(src *source) error {
	const length, most = 13, 1<<31 - 1
	err := errPart
	src.PNGChunks(func(b block) bool {
		if data := src.Bytes(b.Content, length); b.Kind == "IHDR" && len(data) == length {
			width, height := binary.BigEndian.Uint32(data), binary.BigEndian.Uint32(data[4:])
			if width > 0 && width <= most && height > 0 && height <= most {
				f.Width, f.Height, err = int(width), int(height), nil
			}
		}
		return false
	})
	return err
}

func (f *Facts) readWAV(src *source) error {
	var bytesPerSecond int64
	src.RIFFChunks(func(b block) bool {
		switch b.Kind {
		case "fmt ":
			format, ok := container.ReadWAVFormat(src.Bytes(b.Content, 16))
			if !ok {
				return false
			}
			f.Channels, f.SampleRate, bytesPerSecond = format.Channels, format.Rate, format.BytesPerSecond
		case "data":
			f.Duration = lasting(b.Content.Length(), bytesPerSecond)
			return false
		}
		return true
	})
	if f.SampleRate == 0 {
		return errPart
	}
	return nil
}

func (f *Facts) readFLAC(src *source) error {
	// The figures are in the first block after the signature: 20 bits of rate, 3 of channels, 5 of depth, 36 of samples.
	const at, length = 8 + 10, 8
	data, ok := src.Head(src.BehindID3()+at, length)
	if !ok {
		return errPart
	}
	bits := binary.BigEndian.Uint64(data)
	f.SampleRate, f.Channels = int(bits>>44), int(bits>>41&7)+1
	f.Duration = lasting(int64(bits&(1<<36-1)), int64(f.SampleRate))
	return nil
}

// readMP3 reads the first frame. The duration is known only if an encoder counted the frames there.
func (f *Facts) readMP3(src *source) error {
	at := src.BehindID3()
	data := src.Bytes(container.Between(at, at+8192), 8192)
	for i := 0; i+4 <= len(data); i++ {
		head := container.ReadMPEGHeader(data[i:])
		if !head.LayerIII() {
			continue
		}
		f.SampleRate, f.Channels = head.Rate(), head.Channels()
		side := map[bool]int{true: 32, false: 17}[head.FirstVersion()]
		if f.Channels == 1 {
			side = map[int]int{32: 17, 17: 9}[side]
		}
		const flags, frames = 4, 8
		if tag := data[min(len(data), i+4+side):]; len(tag) >= 12 && (string(tag[:4]) == "Xing" || string(tag[:4]) == "Info") && tag[flags+3]&1 != 0 {
			f.Duration = lasting(int64(binary.BigEndian.Uint32(tag[frames:]))*head.Samples(), int64(f.SampleRate))
		}
		return nil
	}
	return errPart
}

// readOgg reads the header of Vorbis or Opus in the first page, and the sample count of the last page.
func (f *Facts) readOgg(src *source) error {
	const tail = 64 << 10
	first, ok := src.Head(0, 28+30)
	if !ok {
		return errPart
	}
	data := first[27+int(first[26]):]
	rate := 0
	switch {
	case len(data) >= 16 && string(data[:7]) == "\x01vorbis":
		f.Channels, rate = int(data[11]), int(binary.LittleEndian.Uint32(data[12:]))
		f.SampleRate = rate
	case len(data) >= 16 && string(data[:8]) == "OpusHead":
		f.Channels, rate = int(data[9]), 48_000 // Opus counts in 48 kHz whatever the rate of its source
		f.SampleRate = rate
	default:
		return nil
	}
	last := src.Bytes(container.Between(src.Size()-tail, src.Size()), tail)
	for i := len(last) - 14; i >= 0; i-- {
		if string(last[i:i+4]) == "OggS" {
			f.Duration = lasting(int64(binary.LittleEndian.Uint64(last[i+6:])), int64(rate))
			break
		}
	}
	return nil
}

// adtsRates are AAC's sample rates by their number, in Hz.
var adtsRates = [...]int{96_000, 88_200, 64_000, 48_000, 44_100, 32_000, 24_000, 22_050, 16_000, 12_000, 11_025, 8_000, 7_350}

func (f *Facts) readADTS(src *source) error {
	head, ok := src.Head(src.BehindID3(), 7)
	if !ok || int(head[2]>>2&15) >= len(adtsRates) {
		return errPart
	}
	f.SampleRate = adtsRates[head[2]>>2&15]
	f.Channels = int(head[2]&1)<<2 | int(head[3]>>6)
	return nil
}

// lasting is the duration of n units, 0 where it is unknown or impossibly long.
func lasting(n, perSecond int64) time.Duration {
	const longest = 1000 * 3600 // seconds
	if n <= 0 || perSecond <= 0 || n/perSecond > longest {
		return 0
	}
	return time.Duration(float64(n) / float64(perSecond) * float64(time.Second))
}
