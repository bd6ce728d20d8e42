package audio

import (
	"fmt"

	"assay/client/sandbox/forensics"
)

// When a recording is no matter for the analysers.
const (
	shortest      = 1.5   // seconds, as the service interface has it
	mute          = -85.0 // dB; a recording whose loudest frames stay below is silent
	active        = 30.0  // dB below the loudest frames that a sounding frame may lie
	toneLike      = 0.75  // likeness over 160 ms from which a frame's tones stand still …
	toneCrest     = 12.0  // dB … if they also stand out so far
	toneShare     = 0.45  // of the sounding frames, from which it is a tone or music
	quietSpread   = 7.0   // dB between loud and quiet frames, below which no voice stands out
	noisySpread   = 11.0  // dB, below which it doesn't either if the sound is also …
	noisyFlatness = 0.25  // … as flat as this in the median
)

// reasons says why a recording can't be scored, or nothing. The measures go
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
//   - cross-talk: two voices of different pitch take turns, as turns tells.
//     It is looked at only where nothing else is given.
func reasons(f *frames) ([]forensics.Reason, map[string]any) {
	data := map[string]any{"duration": f.duration()}
	if f.duration() < shortest {
		return []forensics.Reason{{Code: "duration", Message: fmt.Sprintf("The recording lasts %.1f s; at least %.1f s are needed.", f.duration(), shortest)}}, data
	}
	loud, quiet := quantile(f.level, 0.95), quantile(f.level, 0.1)
	data["loud_db"], data["quiet_db"] = loud, quiet
	if loud < mute {
		return []forensics.Reason{{Code: "quality", Message: "The recording is silent throughout."}}, data
	}
	sounding, tones := 0, 0
	for i, level := range f.level {
		if float64(level) < loud-active {
			continue
		}
		sounding++
		if f.tonal[i] >= toneLike && f.crest[i] >= toneCrest {
			tones++
		}
	}
	share := float64(tones) / float64(max(sounding, 1))
	flat := quantile(f.flatness, 0.5)
	data["steady_tones"], data["flatness"], data["pauses"] = share, flat, len(pauses(f))
	var reasons []forensics.Reason
	if share >= toneShare {
		reasons = append(reasons, forensics.Reason{Code: "detected", Message: "The recording is a steady tone (such as a dial tone) or music."})
	} else if spread := loud - quiet; spread < quietSpread || (spread < noisySpread && flat >= noisyFlatness) {
		reasons = append(reasons, forensics.Reason{Code: "quality", Message: "The recording is too noisy: nothing stands out of the noise."})
	} else if turns := turns(f); turns.twoSpeakers() {
		data["low_pitch_hz"], data["high_pitch_hz"], data["speaker_changes"] = turns.low, turns.high, turns.changes
		reasons = append(reasons, forensics.Reason{Code: "cross-talk", Message: "More than one speaker is heard: two ranges of pitch take turns."})
	}
	return reasons, data
}
