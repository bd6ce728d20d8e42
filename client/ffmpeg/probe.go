package ffmpeg

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
	"time"

	"assay/client/bounded"
)

// mostProbe bounds the bytes that are read of ffprobe's answer.
const mostProbe = 1 << 20

// Facts are what ffprobe reads in a file's headers, which may be wrong.
type Facts struct {
	Container string        // ffprobe's names for it, "mov,mp4,m4a,3gp,3g2,mj2"
	Duration  time.Duration // 0 where it is unknown
	Start     time.Duration // the time of its beginning by its own clock
	Video     *Video        // the first video track, covers aside; nil where there is none
	Sound     *Sound        // the first sound track; nil where there is none
}

// Video is a video track.
type Video struct {
	Codec         string
	Width, Height int     // in pixels as stored, before rotation
	PixelAspect   float64 // width of a pixel divided by its height; 1 where it is unknown
	Rotation      int     // degrees clockwise by which the frames are turned to be upright: 0, 90, 180 or 270
	FrameRate     float64 // frames per second on average; 0 where it is unknown
	Duration      time.Duration
}

// Sound is a sound track.
type Sound struct {
	Codec    string
	Rate     int // samples per second and channel
	Channels int
	Duration time.Duration
}

// Probe reads a file's headers. demuxer is as in Job. The error is a *Missing without ffprobe, a *Failed if it can't read the file.
func (t Tool) Probe(ctx context.Context, path, demuxer string) (Facts, error) {
	if t.Prober == "" {
		return Facts{}, &Missing{Program: "ffprobe", Cause: errors.New("it is not on the search path")}
	}
	file, err := fileArgument(path)
	if err != nil {
		return Facts{}, err
	}
	args := []string{"-hide_banner", "-loglevel", "error", "-protocol_whitelist", "file,pipe"}
	if demuxer != "" {
		args = append(args, "-f", demuxer)
	}
	args = append(args, "-show_format", "-show_streams", "-of", "json", "-i", file)
	var answer probed
	err = run(ctx, t.Prober, "ffprobe", args, usualTime, nil, func(out io.Reader) error {
		text, err := bounded.ReadUpTo(out, mostProbe)
		if err != nil {
			return err
		}
		if err := json.Unmarshal(text, &answer); err != nil {
			return fmt.Errorf("its answer: %w", err)
		}
		return nil
	})
	if err != nil {
		return Facts{}, err
	}
	return answer.facts(), nil
}

// probed has the fields of ffprobe's JSON that are read; many of the numbers are text.
type probed struct {
	Format struct {
		Name     string `json:"format_name"`
		Duration string `json:"duration"`
		Start    string `json:"start_time"`
	} `json:"format"`
	Streams []probedStream `json:"streams"`
}

type probedStream struct {
	Kind        string         `json:"codec_type"`
	Codec       string         `json:"codec_name"`
	Width       int            `json:"width"`
	Height      int            `json:"height"`
	Aspect      string         `json:"sample_aspect_ratio"`
	FrameRate   string         `json:"avg_frame_rate"`
	Rate        string         `json:"sample_rate"`
	Channels    int            `json:"channels"`
	Duration    string         `json:"duration"`
	Disposition map[string]int `json:"disposition"`
	SideData    []struct {
		Rotation float64 `json:"rotation"`
	} `json:"side_data_list"`
}

func (p *probed) facts() Facts {
	f := Facts{Container: p.Format.Name, Duration: seconds(p.Format.Duration), Start: seconds(p.Format.Start)}
	for _, s := range p.Streams {
		switch {
		case s.Kind == "video" && f.Video == nil && s.Disposition["attached_pic"] == 0 && s.Width > 0 && s.Height > 0:
			v := &Video{Codec: s.Codec, Width: s.Width, Height: s.Height, PixelAspect: 1, FrameRate: ratio(s.FrameRate), Duration: seconds(s.Duration)}
			if a := ratio(s.Aspect); a > 0 {
				v.PixelAspect = a
			}
			for _, data := range s.SideData {
				if data.Rotation != 0 && !math.IsNaN(data.Rotation) && math.Abs(data.Rotation) <= 360 {
					quarters := int(math.Round(-data.Rotation / 90)) // ffprobe counts counterclockwise
					v.Rotation = (quarters%4 + 4) % 4 * 90
				}
			}
			f.Video = v
		case s.Kind == "audio" && f.Sound == nil:
			rate, err := strconv.Atoi(s.Rate)
			if err != nil {
				rate = 0
			}
			f.Sound = &Sound{Codec: s.Codec, Rate: max(0, rate), Channels: max(0, s.Channels), Duration: seconds(s.Duration)}
		}
	}
	return f
}

// seconds parses a duration; an invalid or impossible one is 0.
func seconds(text string) time.Duration {
	const longest = 100 * 365 * 24 * 3600
	v, err := strconv.ParseFloat(text, 64)
	if err != nil || !(v > 0 && v < longest) {
		return 0
	}
	return time.Duration(v * float64(time.Second))
}

// ratio parses "30000/1001" or "4:3"; an invalid one is 0.
func ratio(text string) float64 {
	above, below, ok := strings.Cut(strings.Replace(text, ":", "/", 1), "/")
	if !ok {
		return 0
	}
	a, errA := strconv.ParseFloat(above, 64)
	b, errB := strconv.ParseFloat(below, 64)
	if errA != nil || errB != nil || !(a > 0 && b > 0) || math.IsInf(a/b, 0) {
		return 0
	}
	return a / b
}
