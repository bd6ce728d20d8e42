package forensics

import (
	"context"
	"errors"
	"fmt"
	"os"
)

// The names under which the analysers of clips report.
const (
	videoContainerName = "sandbox-container-vid"
	videoFramesName    = "sandbox-frames-vid"
	videoEnsembleName  = "sandbox-vid-ensemble"
)

// The reasons why VideoAudio gives no sound.
var (
	ErrNoFFmpeg     = errors.New("ffmpeg is not installed")
	ErrNoSoundTrack = errors.New("the clip has no sound track")
)

// VideoModels lists the models' names in the order in which they report, the
// ensemble last.
func VideoModels() []string {
	return []string{videoContainerName, videoFramesName, videoEnsembleName}
}

// Video analyses one clip (MP4 or QuickTime) that lies at path. It reads the
// boxes that describe the clip, four megabytes at most at once, and never the whole
// file. Frames are looked at through ffmpeg where that is on the search path: a
// few a second, at most 480 of at most 640 pixels a side, for two minutes at most.
// Where ffmpeg is missing or fails, the frames model is UNABLE_TO_EVALUATE with the
// reason in Message, and so is the ensemble unless the container decides.
//
// The container analyser reads what the file says of itself; only a
// declaration of generated media or a generator's name counts, none is verified, and
// programs that cut or encode count for nothing. The frames analyser looks for
// a stretch that stands still inside a moving scene, for moving frames that occur
// a second time, and for a jump of the fine grain within a scene. All of these
// have honest causes (a pause, a loop, a change of exposure), so that frames alone
// are SUSPICIOUS at most. Neither sees a generated face.
//
// finished, which may be nil, is called on the calling goroutine as each model
// ends, the ensemble last. A clip that can't be read gives an *Unreadable; a path
// that can't be opened, its error; and if ctx ends, ctx's.
func Video(ctx context.Context, path string, finished func(Model)) (*VideoReport, error) {
	return videoWork{findFFmpeg}.analyse(ctx, path, finished)
}

// videoWork analyses clips with the ffmpeg that find gives.
type videoWork struct {
	find func() (string, error) // the program's absolute path, or an error
}

func (w videoWork) analyse(ctx context.Context, path string, finished func(Model)) (*VideoReport, error) {
	facts, err := openVideoFacts(ctx, path)
	if err != nil {
		return nil, err
	}
	if finished == nil {
		finished = func(Model) {}
	}
	report := &VideoReport{
		Width: facts.width, Height: facts.height, Duration: facts.seconds, HasAudio: facts.sound != nil,
		Conclusions: map[string]string{}, Facts: facts.asData(),
	}
	add := func(m Model) {
		report.Models = append(report.Models, m)
		report.Conclusions[m.Name] = videoConclusion(m)
		finished(m)
	}

	add(videoContainer(facts))
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	m, err := w.frames(ctx, path, facts, report)
	if err != nil {
		return nil, err
	}
	add(m)
	summary := videoEnsemble(report.Models)
	report.Status, report.Score = summary.Status, summary.Score
	add(summary)
	return report, nil
}

// frames runs the analyser of frames and fills in the report's scenes, frames and
// thumbnail. Its error is ctx's alone.
func (w videoWork) frames(ctx context.Context, path string, facts *videoFacts, report *VideoReport) (Model, error) {
	unable := func(message string, cause error) Model {
		return Model{
			Name: videoFramesName, Status: Unable, Code: codeModelError, Message: message,
			Data: map[string]any{"error": clean(cause.Error(), valueLength)},
		}
	}
	program, err := w.find()
	if err != nil {
		return unable("The frames could not be looked at: ffmpeg is not installed on this computer.", err), nil
	}
	film, err := readFilm(ctx, program, path, facts)
	if ctx.Err() != nil {
		return Model{}, ctx.Err()
	}
	if err != nil {
		return unable("The frames could not be looked at: ffmpeg could not decode the clip.", err), nil
	}
	report.Thumbnail = film.thumbnail
	m, scenes, frames := judgeFilm(film)
	report.Scenes, report.Frames = scenes, frames
	return m, nil
}

// videoEnsemble takes the larger score. A failed analyser leaves the clip
// unevaluated unless the other one reached a verdict against it: an AUTHENTIC that
// nobody looked at the frames for would say too much, and the container gives none.
func videoEnsemble(models []Model) Model {
	strongest, counted, failed := 0.0, 0, ""
	for _, m := range models {
		if m.Status == Unable {
			failed = m.Message
		}
		if m.Raw != nil {
			counted++
			strongest = max(strongest, *m.Raw)
		}
	}
	var m Model
	switch {
	case counted > 0 && (failed == "" || strongest*100 >= suspiciousFrom):
		m = scored(videoEnsembleName, strongest, map[string]any{"counted": counted})
	case failed != "":
		m = Model{Name: videoEnsembleName, Status: Unable, Code: codeModelError, Message: failed}
	default:
		m = notApplicable(videoEnsembleName, whyNoneApplies(models), map[string]any{})
	}
	m.Ensemble = true
	return m
}

// videoConclusion puts a model's row into a sentence.
func videoConclusion(m Model) string {
	return found(m, "no marked sign", map[string]string{
		videoContainerName: "in the file that a machine made the clip or part of it",
		videoFramesName:    "of frozen, repeated or differently grained frames",
		videoEnsembleName:  "of manipulation or generation, taken together",
	})
}

// openVideoFacts reads the facts of the clip at path.
func openVideoFacts(ctx context.Context, path string) (*videoFacts, error) {
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
		return nil, &Unreadable{Sentence: "This is no file."}
	}
	return readVideoFacts(ctx, file, info.Size())
}
