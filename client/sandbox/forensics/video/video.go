// Package video analyses clips: what the container states, and frames that stand still, recur or change their grain.
package video

import (
	"context"
	"errors"
	"fmt"
	"image"
	"os"
	"slices"

	"assay/client/sandbox/forensics"
)

// The names under which the analysers of clips report.
const (
	containerName = "sandbox-container-vid"
	framesName    = "sandbox-frames-vid"
	ensembleName  = "sandbox-vid-ensemble"
)

// The reasons why Sound has no sound to write.
var (
	ErrNoFFmpeg     = errors.New("ffmpeg is not installed")
	ErrNoSoundTrack = errors.New("the clip has no sound track")
)

// Models lists the models' names in the order in which they report, the
// ensemble last.
func Models() []string {
	return []string{containerName, framesName, ensembleName}
}

// Analyse analyses one clip (MP4 or QuickTime) at path. It reads the
// boxes that describe the clip, four megabytes at most at once, and never the whole
// file. Frames are read with ffmpeg if that is on the search path: a
// few a second, at most 480 of at most 640 pixels a side, for two minutes at most.
// If ffmpeg is missing or fails, the frames model is UNABLE_TO_EVALUATE with the
// reason in Message, and so is the ensemble unless the container decides.
//
// The container analyser reads what the file states about itself; only a
// declaration of generated media or a generator's name has points, none is verified, and
// programs that cut or encode have none. The frames analyser searches for
// a passage that stands still inside a moving scene, for moving frames that occur
// a second time, and for a jump of the fine grain within a scene. All of these
// have honest causes (a pause, a loop, a change of exposure), so that frames alone
// are SUSPICIOUS at most. Neither detects a generated face.
//
// finished, which may be nil, is called on the calling goroutine as each model
// ends, the ensemble last. A clip that can't be read returns an *Unreadable; a path
// that can't be opened, its error; and if ctx ends, ctx's.
func Analyse(ctx context.Context, path string, finished func(forensics.Model)) (*Report, error) {
	return analyser{findFFmpeg}.analyse(ctx, path, finished)
}

// analyser analyses clips with the ffmpeg that find returns.
type analyser struct {
	find func() (string, error) // the program's absolute path, or an error
}

func (w analyser) analyse(ctx context.Context, path string, finished func(forensics.Model)) (*Report, error) {
	facts, err := openFacts(ctx, path)
	if err != nil {
		return nil, err
	}
	if finished == nil {
		finished = func(forensics.Model) {}
	}
	report := &Report{
		Width: facts.width, Height: facts.height, Duration: facts.seconds, HasAudio: facts.sound != nil,
		Conclusions: map[string]string{}, Facts: facts.asData(),
	}
	add := func(m forensics.Model) {
		report.Models = append(report.Models, m)
		report.Conclusions[m.Name] = conclusion(m)
		finished(m)
	}

	add(judgeContainer(facts))
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	m, err := w.frames(ctx, path, facts, report)
	if err != nil {
		return nil, err
	}
	add(m)
	summary := ensemble(report.Models)
	report.Status, report.Score = summary.Status, summary.Score
	add(summary)
	return report, nil
}

// frames runs the analyser of frames and fills in the report's scenes, frames and
// thumbnail. Its error is ctx's alone.
func (w analyser) frames(ctx context.Context, path string, facts *facts, report *Report) (forensics.Model, error) {
	unable := func(message string, cause error) forensics.Model {
		return forensics.Model{
			Name: framesName, Status: forensics.Unable, Code: forensics.CodeModelError, Message: message,
			Data: map[string]any{"error": forensics.Clean(cause.Error(), forensics.ValueLength)},
		}
	}
	program, err := w.find()
	if err != nil {
		return unable("The frames could not be looked at: ffmpeg is not installed on this computer.", err), nil
	}
	film, err := readFilm(ctx, program, path, facts)
	if ctx.Err() != nil {
		return forensics.Model{}, ctx.Err()
	}
	if err != nil {
		return unable("The frames could not be looked at: ffmpeg could not decode the clip.", err), nil
	}
	report.Thumbnail = film.thumbnail
	m, scenes, frames := judgeFilm(film)
	report.Scenes, report.Frames = scenes, frames
	return m, nil
}

// ensemble takes the larger score. If an analyser failed, the clip is
// unevaluated, unless the other one reached a verdict against it: AUTHENTIC would say too
// much if no frame was analysed, and the container alone never gives it.
func ensemble(models []forensics.Model) forensics.Model {
	strongest, counted, failed := 0.0, 0, ""
	for _, m := range models {
		if m.Status == forensics.Unable {
			failed = m.Message
		}
		if m.Raw != nil {
			counted++
			strongest = max(strongest, *m.Raw)
		}
	}
	var m forensics.Model
	switch {
	case counted > 0 && (failed == "" || strongest*100 >= forensics.SuspiciousFrom):
		m = forensics.ScoredModel(ensembleName, strongest, map[string]any{"counted": counted})
	case failed != "":
		m = forensics.Model{Name: ensembleName, Status: forensics.Unable, Code: forensics.CodeModelError, Message: failed}
	default:
		m = forensics.NotApplicableModel(ensembleName, forensics.WhyNoneApplies(models), map[string]any{})
	}
	m.Ensemble = true
	return m
}

// conclusion is a sentence for a model's row.
func conclusion(m forensics.Model) string {
	return forensics.Found(m, "no marked sign", map[string]string{
		containerName: "in the file that a machine made the clip or part of it",
		framesName:    "of frozen, repeated or differently grained frames",
		ensembleName:  "of manipulation or generation, taken together",
	})
}

// openFacts reads the facts of the clip at path.
func openFacts(ctx context.Context, path string) (*facts, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("opening the clip: %w", err)
	}
	defer func() { _ = file.Close() }() // opened for reading: nothing can be lost
	info, err := file.Stat()
	if err != nil {
		return nil, fmt.Errorf("opening the clip: %w", err)
	}
	if !info.Mode().IsRegular() {
		return nil, &forensics.Unreadable{Sentence: "This is no file."}
	}
	return readFacts(ctx, file, info.Size())
}

// judgeContainer is the analyser of what a clip's file states about itself. Its score is
// that of the strongest trace, as for pictures: a declaration of generated
// media 99, a generator's parameters 98, its name 95. Without one it doesn't apply:
// brands, times, encoders and edit lists are facts for a person, and no signs.
func judgeContainer(f *facts) forensics.Model {
	rows, strongest := forensics.StrongestFirst(slices.Clone(f.traces))
	data := map[string]any{"traces": rows, "c2pa_manifest": f.manifest, "c2pa_signature_verified": false}
	if strongest == 0 {
		return forensics.NotApplicableModel(containerName, forensics.NoTrace, data)
	}
	return forensics.ScoredModel(containerName, strongest, data)
}

// Report is the result of all analysers for one clip.
type Report struct {
	Width, Height int     // pixels as shown, the track's rotation applied
	Duration      float64 // seconds, according to the container
	HasAudio      bool

	// Scenes are the passages between abrupt cuts, and Frames the analysed
	// frames, both in order of time. Both are nil without ffmpeg.
	Scenes []Segment
	Frames []Frame

	Models      []forensics.Model // in the order of Models, the ensemble last
	Status      forensics.Status  // the ensemble's
	Score       *float64
	Conclusions map[string]string // a sentence by model name

	// Facts has what the container states, for JSON: brands, created, modified
	// (RFC 3339), duration, tracks with codec, size, durations and edit lists, software
	// names, C2PA, notes. Its numbers are finite.
	Facts map[string]any

	Thumbnail image.Image // *image.NRGBA, at most 640 pixels a side; nil without ffmpeg
}

// Segment is a scene. Score is nil where nothing moves, since every sign needs
// movement; Decision is "" then, and else ARTIFICIAL, SUSPICIOUS or AUTHENTIC by
// the bands of the whole.
type Segment struct {
	Start, End float64 // seconds
	Score      *float64
	Decision   string
}

// Frame is an analysed frame; Score and Decision as in Segment.
type Frame struct {
	Time     float64 // seconds
	Score    *float64
	Decision string
}
