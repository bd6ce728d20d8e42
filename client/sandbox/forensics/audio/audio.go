// Package audio analyses recordings: it searches for splices and for band limits. Analyse documents the methods, and how well they work.
package audio

import (
	"context"

	"assay/client/sandbox/forensics"
)

// Models lists the names of the models for recordings in the order in which
// they report, the ensemble last.
func Models() []string {
	names := make([]string, 0, len(analysers)+1)
	for _, a := range analysers {
		names = append(names, a.name)
	}
	return append(names, ensembleName)
}

// Analyse analyses one encoded recording on the calling goroutine, in about a second
// for 3 minutes of 44.1 kHz. ext is the extension without a dot and in lower case
// ("wav", "mp3"); it chooses a decoder only if the bytes do not determine one.
//
// WAV (integers of 8, 16 or 24 bits), FLAC, MP3 and Ogg Vorbis are decoded here,
// and M4A, AAC, ALAC, Opus and other WAV by ffmpeg if it is installed. Decoded
// samples are measured at once and discarded, so that memory grows by about
// 20 kB per second of sound. The first two channels are mixed into one.
//
// finished, which may be nil, is called on the calling goroutine as each model
// ends, the ensemble last. A recording that can't be analysed (cut short, longer
// than 3 hours, damaged, of an unknown kind, or in need of an ffmpeg that isn't
// there) returns an *Unreadable, whose text is a sentence for the person; if ctx
// ends, its error is returned. Any other error is about this computer: no room for
// the file that ffmpeg reads.
//
// # What is looked for
//
// The splice model looks for pauses whose noise is not that of the other pauses,
// for digital silence inside a recording that has a noise floor, for single breaks
// of the waveform, and for jumps of the mean value. The band model looks for
// pieces of 1.5 s or more whose upper cut-off is not the rest's. The ensemble is
// 1 − (1 − splice) · (1 − 0.9 · band). A model's score is that of the strongest
// thing found; a chunk's, of the strongest thing found in it. The reasons that
// make a recording NOT_APPLICABLE stand at reasons. The language can't be
// told by these means, and is never given as a reason.
//
// # How cross-talk is told
//
// By the pitch of the voiced frames alone: two ranges of it, 6 semitones apart or
// more, that take turns at least three times. Tried, besides the made-up voices of
// the tests, on espeak-ng's, each speaking six sentences: 12 alone (men, women, a
// croak, a whisper, five languages), once at one pitch and once at another for
// each sentence, were none of them taken for two. Six dialogues of a man's and a
// woman's voice were all told; and of three of them as MP3, with noise, with
// reverberation and in a telephone's band, all twelve. One recorded reader and
// five tracks from test files of decoders, most of them music, gave no false
// alarm. No recorded conversation was at hand, and the share of frames that must
// belong to turns was set with these recordings in view.
//
// Missed are speakers of similar pitch (two men, mostly); voices that are heard at
// once, of which the six that were tried all passed as one; a second speaker with
// fewer than two turns or less than a fifth of the voice; changes with less than
// 130 ms between the voices, as editing leaves them; and short calls of less than
// half a second. Someone who imitates another, or sings in two registers by turns,
// is taken for two.
//
// # How it separates
//
// Measured by BenchmarkSeparationAudio on 40 untouched synthetic recordings of 9
// to 21 s at 16, 22.05 or 44.1 kHz, and 40 altered ones of each kind, made from
// other seeds than those it was tuned on, but by the same maker. In half of them
// the room's noise drifts by ±3 dB and the speaker breathes. The columns are the
// area under the curve of the ensemble's score, and how many score 40 or more.
//
//	untouched                                            0 of 40
//	inserted digital silence, 80 to 400 ms      1.000   40 of 40
//	piece with a floor quieter by 9 to 15 dB    1.000   40 of 40
//	piece with a floor louder by 9 to 15 dB     0.977   34 of 40
//	piece with a floor louder by 4 to 8 dB      0.864   19 of 40
//	piece with another mean value               0.991   38 of 40
//	piece cut off at 35 to 70 % of the range    0.963   38 of 40
//	half a second cut out, nothing put in       0.568    5 of 40
//
// Another 40 untouched ones, looked at while the limits were set, had 2 above 40.
//
// # Limits
//
// These are made-up voices in made-up rooms; real ones are less kind. A cut within
// one recording is close to invisible. A speech generator that makes a recording
// as a whole is, too, unless it leaves digital silence in the pauses. Noise floors
// are compared between pauses of at least 160 ms, of which there must be three: a
// piece without one, hasty speech and speech over music show nothing. A recording
// without noise above its cut-off can't show a lower one. Phases, of mains hum
// say, are not followed. Noise gates, conference systems, a change of room or
// microphone, an automatic gain and openly edited programmes stir these analysers
// as forgeries do. An MP3 that was cut between two frames can't be told from a
// whole one. Two channels of opposite sign cancel out.
func Analyse(ctx context.Context, data []byte, ext string, finished func(forensics.Model)) (*Report, error) {
	if finished == nil {
		finished = func(forensics.Model) {}
	}
	frames, channels, err := measured(ctx, data, ext)
	if err != nil {
		return nil, err
	}
	report := &Report{
		Duration: frames.duration(), SampleRate: frames.rate, Channels: channels,
		Chunks: chunks(frames.duration()), Conclusions: map[string]string{},
	}
	add := func(m forensics.Model) {
		report.Models = append(report.Models, m)
		report.Conclusions[m.Name] = conclusion(m)
		finished(m)
	}
	reasons, measures := reasons(frames)
	evidence := map[string][]evidence{}
	for _, a := range analysers {
		if len(reasons) > 0 {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			add(forensics.NotApplicableModel(a.name, reasons[0].Message, nil))
			continue
		}
		m, found, err := run(ctx, a, frames)
		if err != nil {
			return nil, err
		}
		evidence[a.name] = found
		add(m)
	}
	var summary forensics.Model
	if len(reasons) > 0 {
		summary = forensics.NotApplicableModel(ensembleName, reasons[0].Message, map[string]any{})
		summary.Ensemble = true
	} else {
		summary, reasons = summarise(report.Models)
	}
	if summary.Data != nil {
		summary.Data["measures"] = measures
	}
	add(summary)
	report.Status, report.Score, report.Reasons = summary.Status, summary.Score, reasons
	report.scoreChunks(evidence)
	return report, nil
}

// Report is the result of all analysers for one recording.
type Report struct {
	Duration             float64 // seconds
	SampleRate, Channels int     // per second; as decoded, of which at most 2 are analysed
	Chunks               []Chunk
	Models               []forensics.Model // in the order of Models, the ensemble last
	Status               forensics.Status  // the ensemble's
	Score                *float64
	Reasons              []forensics.Reason // why there is no score, for NOT_APPLICABLE and UNABLE_TO_EVALUATE
	Languages            []string           // nil: these analysers recognise no words
	Conclusions          map[string]string  // a sentence by model name
}

// Chunk is an interval of a recording with the models' scores for it.
type Chunk struct {
	Start, End float64             // seconds
	Scores     map[string]*float64 // by model, strictly between 0 and 100; nil: no score
	Decision   string              // the ensemble's: ARTIFICIAL, SUSPICIOUS or AUTHENTIC; "" without a score
}

// chunkSeconds is the length of a chunk. A remainder at the end is a chunk
// of its own if it has at least shortestChunk, and otherwise part of the last one.
const (
	chunkSeconds  = 3.0
	shortestChunk = 1.0
)

// chunks divides a duration into chunks without scores.
func chunks(duration float64) []Chunk {
	var chunks []Chunk
	for start := 0.0; start < duration; start += chunkSeconds {
		end := min(start+chunkSeconds, duration)
		if n := len(chunks); n > 0 && end-start < shortestChunk {
			chunks[n-1].End = end
			break
		}
		chunks = append(chunks, Chunk{Start: start, End: end, Scores: map[string]*float64{}})
	}
	return chunks
}
