package forensics

import "fmt"

// When a recording is no matter for the analysers.
const (
	audioShortest      = 1.5   // seconds, as the service interface has it
	audioMute          = -85.0 // dB; a recording whose loudest frames stay below is silent
	audioActive        = 30.0  // dB below the loudest frames that a sounding frame may lie
	audioToneLike      = 0.75  // likeness over 160 ms from which a frame's tones stand still …
	audioToneCrest     = 12.0  // dB … if they also stand out so far
	audioToneShare     = 0.45  // of the sounding frames, from which it is a tone or music
	audioQuietSpread   = 7.0   // dB between loud and quiet frames, below which no voice stands out
	audioNoisySpread   = 11.0  // dB, below which it doesn't either if the sound is also …
	audioNoisyFlatness = 0.25  // … as flat as this in the median
)

// audioReasons says why a recording can't be scored, or nothing. The measures go
// into the models' Data.
//
//   - duration: shorter than 1.5 s;
//   - quality: silent throughout (below −85 dB); or too noisy, that is, the loud
//     frames (95th percentile) stand less than 7 dB above the quiet ones (10th), or
//     less than 11 dB with a median spectral flatness of 0.25 or more;
//   - detected: in 45 % of the sounding frames or more, the narrow peaks of the
//     spectrum between 200 and 4000 Hz stand out by 12 dB and are where they were
//     160 ms earlier (likeness 0.75): so do dial tones and held notes, and not a
//     voice, whose pitch moves;
//   - cross-talk: two voices of different pitch take turns, as audioTurns tells.
//     It is looked at only where nothing else is given.
func audioReasons(f *audioFrames) ([]Reason, map[string]any) {
	data := map[string]any{"duration": f.duration()}
	if f.duration() < audioShortest {
		return []Reason{{"duration", fmt.Sprintf("The recording lasts %.1f s; at least %.1f s are needed.", f.duration(), audioShortest)}}, data
	}
	loud, quiet := audioQuantile(f.level, 0.95), audioQuantile(f.level, 0.1)
	data["loud_db"], data["quiet_db"] = loud, quiet
	if loud < audioMute {
		return []Reason{{"quality", "The recording is silent throughout."}}, data
	}
	sounding, tones := 0, 0
	for i, level := range f.level {
		if float64(level) < loud-audioActive {
			continue
		}
		sounding++
		if f.tonal[i] >= audioToneLike && f.crest[i] >= audioToneCrest {
			tones++
		}
	}
	share := float64(tones) / float64(max(sounding, 1))
	flat := audioQuantile(f.flatness, 0.5)
	data["steady_tones"], data["flatness"], data["pauses"] = share, flat, len(audioPauses(f))
	var reasons []Reason
	if share >= audioToneShare {
		reasons = append(reasons, Reason{"detected", "The recording is a steady tone (such as a dial tone) or music."})
	} else if spread := loud - quiet; spread < audioQuietSpread || (spread < audioNoisySpread && flat >= audioNoisyFlatness) {
		reasons = append(reasons, Reason{"quality", "The recording is too noisy: nothing stands out of the noise."})
	} else if turns := audioTurns(f); turns.twoSpeakers() {
		data["low_pitch_hz"], data["high_pitch_hz"], data["speaker_changes"] = turns.low, turns.high, turns.changes
		reasons = append(reasons, Reason{"cross-talk", "More than one speaker is heard: two ranges of pitch take turns."})
	}
	return reasons, data
}
