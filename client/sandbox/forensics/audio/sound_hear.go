package audio

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"

	"assay/client/media/container"
	"assay/client/sandbox/forensics"

	"github.com/gopxl/beep/v2"
	"github.com/gopxl/beep/v2/flac"
	"github.com/gopxl/beep/v2/mp3"
	"github.com/gopxl/beep/v2/vorbis"
	"github.com/gopxl/beep/v2/wav"
)

// Limits of what is decoded.
const (
	soundLowestRate  = 4000 // per second
	soundHighestRate = 192000
)

// soundLongest is the longest recording in seconds; tests lower it.
var soundLongest = 3 * 3600

// The sentences about recordings that can't be read.
const (
	soundEmpty     = "The recording is empty."
	soundCut       = "The recording breaks off before its end."
	soundNone      = "These bytes are no recording that the sandbox knows."
	soundNoFFmpeg  = "ffmpeg is needed to read this kind of recording and is not installed here."
	soundFFmpegBad = "The recording is damaged or of a kind that ffmpeg can't read."
)

// soundHeard is a recording that was decoded and measured.
type soundHeard struct {
	frames   *frames
	channels int
}

// soundHear decodes a recording and measures it on the way, a block at a time. Its
// error is ctx's or an *Unreadable.
func soundHear(ctx context.Context, data []byte, ext string) (*soundHeard, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if len(data) == 0 {
		return nil, &forensics.Unreadable{Sentence: soundEmpty}
	}
	src := container.SourceOf(data)
	format := src.Format()
	switch format {
	case container.WAV:
		body, ok, err := soundWAVBody(bytes.NewReader(data))
		if err != nil {
			return nil, soundDamaged("WAV", err)
		}
		if !ok { // floating point, A-law and the like
			return soundThroughFFmpeg(ctx, data, format)
		}
		return soundListen(ctx, "WAV", body, func(r io.Reader) (beep.StreamSeekCloser, beep.Format, error) { return wav.Decode(r) })
	case container.FLAC:
		// Without a way to seek the decoder skips all metadata but the first block,
		// whose sizes it would otherwise believe.
		return soundListen(ctx, "FLAC", bytes.NewReader(data), func(r io.Reader) (beep.StreamSeekCloser, beep.Format, error) { return flac.Decode(r) })
	case container.MP3:
		return soundMP3(ctx, data)
	case container.Ogg:
		if src.OggCodec() != "Vorbis" {
			return soundThroughFFmpeg(ctx, data, format)
		}
		body, err := soundVorbisPages(data)
		if err != nil {
			return nil, soundDamaged("Ogg", err)
		}
		return soundListen(ctx, "Ogg", bytes.NewReader(body), func(r io.Reader) (beep.StreamSeekCloser, beep.Format, error) { return vorbis.Decode(io.NopCloser(r)) })
	case container.MP4, container.M4A, container.QuickTime, container.HEIF, container.AAC:
		return soundThroughFFmpeg(ctx, data, format)
	default:
		if ext == "mp3" { // MPEG audio has no signature, and may stand behind something else
			return soundMP3(ctx, data)
		}
		return nil, &forensics.Unreadable{Sentence: soundNone}
	}
}

// soundMP3 hears the frames of MPEG audio that there are.
func soundMP3(ctx context.Context, data []byte) (*soundHeard, error) {
	body, err := soundMP3Frames(data)
	if err != nil {
		return nil, soundDamaged("MP3", err)
	}
	heard, err := soundListen(ctx, "MP3", bytes.NewReader(body), func(r io.Reader) (beep.StreamSeekCloser, beep.Format, error) { return mp3.Decode(io.NopCloser(r)) })
	if err == nil && body[3]>>6 == 3 { // the decoder gives two channels for one, too
		heard.channels = 1
	}
	return heard, err
}

// soundOnlyReader hides every method but Read, and reads until the buffer is full
// where it can, since beep's WAV decoder drops what is no whole frame.
type soundOnlyReader struct{ r io.Reader }

func (s soundOnlyReader) Read(p []byte) (int, error) {
	n, err := io.ReadFull(s.r, p)
	if errors.Is(err, io.ErrUnexpectedEOF) {
		err = io.EOF
	}
	return n, err
}

// soundListen runs a decoder to its end. The decoders are other people's, and
// meet hostile bytes: a panic is an *Unreadable like any other fault.
func soundListen(ctx context.Context, kind string, r io.Reader, decode func(io.Reader) (beep.StreamSeekCloser, beep.Format, error)) (heard *soundHeard, err error) {
	defer func() {
		if cause := recover(); cause != nil {
			heard, err = nil, soundDamaged(kind, fmt.Errorf("panic: %v", cause))
		}
	}()
	stream, format, err := decode(soundOnlyReader{r})
	if err != nil {
		return nil, soundDamaged(kind, err)
	}
	rate := int(format.SampleRate)
	if rate < soundLowestRate || rate > soundHighestRate {
		return nil, &forensics.Unreadable{Sentence: fmt.Sprintf("The recording claims %d samples per second; the sandbox reads %d to %d.", rate, soundLowestRate, soundHighestRate)}
	}
	meter := newAudioMeter(rate)
	block, mono := make([][2]float64, 4096), make([]float64, 4096)
	for {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		n, ok := stream.Stream(block)
		for i, s := range block[:n] {
			mono[i] = (s[0] + s[1]) / 2
		}
		meter.add(mono[:n])
		if meter.frames.samples > soundLongest*rate {
			return nil, &forensics.Unreadable{Sentence: fmt.Sprintf("The recording is longer than %g hours, the most that the sandbox reads.", float64(soundLongest)/3600)}
		}
		if !ok || n == 0 {
			break
		}
	}
	if err := stream.Err(); err != nil {
		return nil, soundDamaged(kind, err)
	}
	if kind == "FLAC" && stream.Len() > meter.frames.samples {
		return nil, &forensics.Unreadable{Sentence: soundCut}
	}
	if meter.frames.samples == 0 {
		return nil, &forensics.Unreadable{Sentence: "The recording holds no sound."}
	}
	return &soundHeard{frames: meter.frames, channels: format.NumChannels}, nil
}

// errSoundCut says that a container claims more than there is.
var errSoundCut = errors.New("fewer bytes than claimed")

// soundDamaged puts a decoder's error into a sentence.
func soundDamaged(kind string, err error) error {
	if errors.Is(err, errSoundCut) || errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF) {
		return &forensics.Unreadable{Sentence: soundCut, Cause: err}
	}
	return &forensics.Unreadable{Sentence: fmt.Sprintf("The recording is damaged: its %s data can't be decoded.", kind), Cause: err}
}
