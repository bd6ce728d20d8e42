package audio

import (
	"context"
	"errors"
	"fmt"
	"time"

	"assay/client/ffmpeg"
	"assay/client/media/sound"
	"assay/client/sandbox/forensics"
)

// Limits of what is analysed.
const (
	lowestRate  = 4000 // per second
	highestRate = 192000
)

// longest is the longest accepted recording in seconds; tests lower it.
var longest = 3 * 3600

// The sentences about recordings that can't be read.
const (
	emptyRecording = "The recording is empty."
	breaksOff      = "The recording breaks off before its end."
	noRecording    = "These bytes are no recording that the sandbox knows."
	needsFFmpeg    = "ffmpeg is needed to read this kind of recording and is not installed here."
	ffmpegFails    = "The recording is damaged or of a kind that ffmpeg can't read."
)

// measured decodes a recording and measures it on the way, a block at a time. Its error is ctx's, an *Unreadable, or about this computer.
func measured(ctx context.Context, data []byte, ext string) (heard *frames, channels int, err error) {
	if err := ctx.Err(); err != nil {
		return nil, 0, err
	}
	if len(data) == 0 {
		return nil, 0, &forensics.Unreadable{Sentence: emptyRecording}
	}
	var m *meter
	mono := make([]float64, 0, 4096)
	channels, err = sound.Whole(ctx, data, ext, time.Duration(longest+1)*time.Second, func(rate int, block [][2]float64) error {
		if m == nil {
			if rate < lowestRate || rate > highestRate {
				return &forensics.Unreadable{Sentence: fmt.Sprintf("The recording claims %d samples per second; the sandbox reads %d to %d.", rate, lowestRate, highestRate)}
			}
			m = newMeter(rate)
		}
		mono = mono[:0]
		for _, s := range block {
			mono = append(mono, (s[0]+s[1])/2)
		}
		m.add(mono)
		if m.frames.samples > longest*rate {
			return &forensics.Unreadable{Sentence: fmt.Sprintf("The recording is longer than %g hours, the most that the sandbox reads.", float64(longest)/3600)}
		}
		return nil
	})
	if err != nil {
		return nil, 0, unreadable(err)
	}
	if m.frames.samples == 0 {
		return nil, 0, &forensics.Unreadable{Sentence: "The recording holds no sound."}
	}
	return m.frames, channels, nil
}

// unreadable turns a decoding error into one with a sentence.
func unreadable(err error) error {
	var (
		needs  *sound.NeedsFFmpeg
		faulty *sound.Faulty
		failed *ffmpeg.Failed
	)
	switch {
	case errors.Is(err, sound.ErrNoRecording):
		return &forensics.Unreadable{Sentence: noRecording}
	case errors.As(err, &needs):
		return &forensics.Unreadable{Sentence: needsFFmpeg, Cause: needs.Cause}
	case !errors.As(err, &faulty):
		return err
	case errors.As(faulty.Cause, &failed) && failed.TooLong > 0:
		return &forensics.Unreadable{Sentence: "ffmpeg took too long to read the recording.", Cause: faulty.Cause}
	case faulty.BreaksOff:
		return &forensics.Unreadable{Sentence: breaksOff, Cause: faulty.Cause}
	case faulty.Format == "":
		return &forensics.Unreadable{Sentence: ffmpegFails, Cause: faulty.Cause}
	}
	return &forensics.Unreadable{Sentence: fmt.Sprintf("The recording is damaged: its %s data can't be decoded.", faulty.Format), Cause: faulty.Cause}
}
