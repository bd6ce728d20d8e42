package ffmpeg

import (
	"encoding/json"
	"math"
	"slices"
	"testing"
	"time"
)

// FuzzProbed holds that whatever ffprobe says of a file, the facts are numbers that a picture, a film and a player can be made of.
func FuzzProbed(f *testing.F) {
	for _, seed := range []string{
		`{"streams":[{"codec_type":"video","codec_name":"h264","width":640,"height":480,"sample_aspect_ratio":"4:3","avg_frame_rate":"30000/1001","duration":"1.5","side_data_list":[{"rotation":-90}]},
			{"codec_type":"audio","sample_rate":"44100","channels":2}],"format":{"format_name":"mov","duration":"1.500000"}}`,
		`{"streams":[{"codec_type":"audio","sample_rate":"-1","channels":-3,"duration":"1e300"}]}`, `{"format":{"duration":"NaN"}}`,
		`{"streams":[{"codec_type":"video","width":1,"height":1,"sample_aspect_ratio":"1e-300:1e300","avg_frame_rate":"1e300/1e-300","side_data_list":[{"rotation":1e308}]}]}`, `null`, `{"streams":[null]}`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		var answer probed
		if json.Unmarshal(data, &answer) != nil {
			return
		}
		facts := answer.facts()
		durations := []time.Duration{facts.Duration}
		if v := facts.Video; v != nil {
			durations = append(durations, v.Duration)
			if v.Width <= 0 || v.Height <= 0 || !(v.PixelAspect > 0) || math.IsInf(v.PixelAspect, 0) || !(v.FrameRate >= 0) || math.IsInf(v.FrameRate, 0) ||
				!slices.Contains([]int{0, 90, 180, 270}, v.Rotation) {
				t.Errorf("%+v", v)
			}
		}
		if s := facts.Sound; s != nil {
			durations = append(durations, s.Duration)
			if s.Rate < 0 || s.Channels < 0 {
				t.Errorf("%+v", s)
			}
		}
		if slices.Min(durations) < 0 {
			t.Errorf("%v", durations)
		}
	})
}
