package facts

import (
	"bytes"
	"encoding/binary"
	"fmt"

	"assay/client/media/container"

	"github.com/abema/go-mp4"
)

// smallBox bounds the bytes of a box with a few fields.
const smallBox = 64 << 10

// readMovie reads the headers of a clip's tracks: the size of the first picture track, channels and rate of the first sound track.
func (f *Facts) readMovie(src *source) error {
	found := false
	src.Boxes(container.Between(0, src.Size()), func(b block) bool {
		if b.Kind != "moov" {
			return true
		}
		found = true
		src.Boxes(b.Content, func(b block) bool {
			switch b.Kind {
			case "mvhd":
				var header mp4.Mvhd
				if src.fields(b, &header) == nil {
					f.Duration = lasting(int64(min(header.GetDuration(), 1<<62)), int64(header.Timescale))
					if header.Version == 0 && header.DurationV0 == 1<<32-1 {
						f.Duration = 0 // all ones mean that it is unknown
					}
				}
			case "trak":
				f.readTrack(src, b)
			}
			return true
		})
		return false
	})
	if !found {
		return errPart
	}
	return nil
}

func (f *Facts) readTrack(src *source, track block) {
	var header mp4.Tkhd
	src.Boxes(track.Content, func(b block) bool {
		switch b.Kind {
		case "tkhd":
			_ = src.fields(b, &header) // if it fails, only the track's size is missing
		case "mdia":
			f.readTrackMedia(src, b, &header)
		}
		return true
	})
}

func (f *Facts) readTrackMedia(src *source, media block, header *mp4.Tkhd) {
	handler := ""
	src.Boxes(media.Content, func(b block) bool {
		switch b.Kind {
		case "hdlr":
			var h mp4.Hdlr
			if src.fields(b, &h) == nil {
				handler = string(h.HandlerType[:])
			}
			if handler == "vide" && f.Width == 0 {
				// Fixed point, with 16 bits of fraction. The size is before the rotation, which is in the matrix.
				f.Width, f.Height = int(header.Width>>16), int(header.Height>>16)
				if header.Matrix[0] == 0 && header.Matrix[1] != 0 {
					f.Width, f.Height = f.Height, f.Width
				}
			}
		case "minf":
			if handler == "soun" && f.SampleRate == 0 {
				f.readSoundEntry(src, b)
			}
		}
		return true
	})
}

// readSoundEntry reads the sample description: every kind of sound has channels and rate at the same place.
func (f *Facts) readSoundEntry(src *source, minf block) {
	const entryHeader, channels, rate, length = 16, 16, 24, 28 // after version, flags, count, size and kind
	src.Boxes(minf.Content, func(b block) bool {
		if b.Kind != "stbl" {
			return true
		}
		src.Boxes(b.Content, func(b block) bool {
			if b.Kind != "stsd" {
				return true
			}
			if entry, ok := src.Head(b.Content.Start+entryHeader, length); ok && b.Content.Length() >= entryHeader+length {
				f.Channels = int(binary.BigEndian.Uint16(entry[channels:]))
				f.SampleRate = int(binary.BigEndian.Uint32(entry[rate:]) >> 16)
			}
			return false
		})
		return false
	})
}

// fields reads a box with a few fields into dst. If go-mp4 panics, it returns an error.
func (s *source) fields(b block, dst mp4.IBox) (err error) {
	defer func() {
		if cause := recover(); cause != nil {
			err = fmt.Errorf("%w: %q: %v", errPart, b.Kind, cause)
		}
	}()
	data := s.Bytes(b.Content, smallBox)
	_, err = mp4.Unmarshal(bytes.NewReader(data), uint64(len(data)), dst, mp4.Context{})
	return err
}
