// Package forensics has what the sandbox's analysers share: a model's row and its status, what a file states about its origin,
// and why it can't be analysed. The analysers are in the packages below: picture, audio, video and text. They may import the
// standard library, x/image, x/text, imaging, gonum, beep's decoders, go-mp4 and whatlanggo, and of Assay client/ffmpeg and client/media.
//
// Every number is computed from the bytes handed in. A file's name, a table of known files, the clock and chance play no part: the same
// bytes give the same report. (Between processor families the last digits may differ, since some fuse a multiplication with the addition
// after it.)
//
// None of it detects deepfakes. It gives the sandbox answers that depend on real input in a way a person can follow.
package forensics

import (
	"context"
	"fmt"
	"image"
	"math"
	"slices"
	"strings"
)

// Status is an outcome in the terms of the service interface.
type Status string

// The outcomes that an analyser or the ensemble can have.
const (
	Fake          Status = "FAKE"
	Authentic     Status = "AUTHENTIC"
	Suspicious    Status = "SUSPICIOUS"
	NotApplicable Status = "NOT_APPLICABLE"
	Unable        Status = "UNABLE_TO_EVALUATE"
)

// Limits of the bands on the 0..100 scale, for the analysers and the ensemble
// alike: FAKE from fakeFrom, SUSPICIOUS from suspiciousFrom, AUTHENTIC below.
// They were set so that the untouched photographs used for tuning stay below
// suspiciousFrom (testdata/README.md tells which, and how they scored).
const (
	fakeFrom       = 70.0
	SuspiciousFrom = 40.0
)

// statusOf returns the band of a score of 0..100.
func statusOf(score float64) Status {
	switch {
	case score >= fakeFrom:
		return Fake
	case score >= SuspiciousFrom:
		return Suspicious
	default:
		return Authentic
	}
}

// The codes of Model.Code.
const (
	codeNotApplicable = "not_applicable"
	CodeModelError    = "model-error"
)

// Model is the result of one analyser. Ensemble is true for the summary row only.
type Model struct {
	Name     string
	Ensemble bool
	Status   Status
	Raw      *float64 // 0..1; nil: no score
	Score    *float64 // strictly between 0 and 100; nil: no score
	Code     string   // "not_applicable", "model-error" or ""
	Message  string   // why it doesn't apply or what failed, a sentence; or ""

	// Data holds details for JSON: the decision (ARTIFICIAL or AUTHENTIC) where
	// there is a score, the statistics behind it, the traces found. Its numbers
	// are finite.
	Data map[string]any

	// Heatmap is an *image.Paletted of the picture's size on its stored pixel
	// grid, that is, before the EXIF orientation is applied: whoever turns the
	// picture must turn both layers alike. Alpha grows with the reaction, in
	// squares of 8 pixels. Only the error level, noise and copy-move analysers
	// make one, and only if they have a score.
	Heatmap image.Image
}

// The decisions that Data and BBox carry.
const (
	decisionArtificial = "ARTIFICIAL"
	decisionAuthentic  = "AUTHENTIC"
)

// ScoredModel makes a model's row from a raw score of 0..1.
func ScoredModel(name string, raw float64, data map[string]any) Model {
	raw = math.Min(math.Max(raw, 0), 1)
	score := math.Min(math.Max(raw*100, 0.01), 99.99)
	decision := decisionAuthentic
	if score >= fakeFrom {
		decision = decisionArtificial
	}
	data["decision"] = decision
	data["raw_score"] = raw
	data["score"] = score
	return Model{Name: name, Status: statusOf(score), Raw: &raw, Score: &score, Data: data}
}

// PartDecision is the decision on a part of a file for which the model has this outcome. It goes by the bands of the whole, so that a part does
// not look better than the whole with the same score. "" where there is no score.
func (m Model) PartDecision() string {
	switch {
	case m.Score == nil:
		return ""
	case m.Status == Fake:
		return decisionArtificial
	}
	return string(m.Status)
}

// NotApplicableModel makes the row of a model that does not apply to a file.
func NotApplicableModel(name, why string, data map[string]any) Model {
	return Model{Name: name, Status: NotApplicable, Code: codeNotApplicable, Message: why, Data: data}
}

// Run runs one analyser. If it fails or panics, the others are not affected: its row then contains message. found is the second result of the
// analyser. The error is ctx's only.
func Run[T any](ctx context.Context, name, message string, analyse func() (Model, []T, error)) (m Model, found []T, err error) {
	failed := func(cause error) Model {
		return Model{Name: name, Status: Unable, Code: CodeModelError, Message: message, Data: map[string]any{"error": cause.Error()}}
	}
	defer func() {
		if cause := recover(); cause != nil {
			m, found, err = failed(fmt.Errorf("panic: %v", cause)), nil, nil
		}
	}()
	m, found, err = analyse()
	if ctx.Err() != nil {
		return Model{}, nil, ctx.Err()
	}
	if err != nil {
		return failed(err), nil, nil
	}
	return m, found, nil
}

// Reason is why there is no score.
type Reason struct{ Code, Message string }

// NoTrace is the message for a file that names no generator. WhyNoneApplies returns it only if there is no other reason.
const NoTrace = "The file carries no generator's trace; that says nothing either way."

// WhyNoneApplies joins the analysers' reasons for not applying, each sentence once.
func WhyNoneApplies(models []Model) string {
	var reasons []string
	for _, m := range models {
		if m.Message != NoTrace && !slices.Contains(reasons, m.Message) {
			reasons = append(reasons, m.Message)
		}
	}
	if len(reasons) == 0 {
		return NoTrace
	}
	return strings.Join(reasons, " ")
}

// Found is a sentence for a model's row: how strong the signs are, or, if there are none, the text none, and what they
// are signs of, by the model's name.
func Found(m Model, none string, of map[string]string) string {
	if m.Message != "" {
		return m.Message
	}
	if m.Score == nil {
		return "No score."
	}
	signs := map[Status]string{Fake: "strong signs", Suspicious: "some signs", Authentic: none}[m.Status]
	return fmt.Sprintf("Found %s %s (%.1f of 100).", signs, of[m.Name], *m.Score)
}

// Unreadable is the error for a file that can't be analysed. Error returns a sentence
// for the person who submitted the file; Unwrap returns the decoder's error.
type Unreadable struct {
	Sentence string
	Cause    error // nil if there is only the sentence
}

// Error returns the sentence.
func (u *Unreadable) Error() string { return u.Sentence }

// Unwrap returns the decoder's error, or nil.
func (u *Unreadable) Unwrap() error { return u.Cause }
