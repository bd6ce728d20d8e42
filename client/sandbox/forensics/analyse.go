package forensics

import (
	"context"
	"fmt"
)

// analyser is one way of looking at a picture.
type analyser interface {
	name() string
	// analyse gives the model's row and the regions behind it. Its error is
	// ctx's, or says why this one analyser failed; the others go on.
	analyse(ctx context.Context, pic *picture) (Model, []BBox, error)
}

// imageAnalysers are in the order in which they report.
var imageAnalysers = []analyser{errorLevels{}, noiseLevels{}, copyMove{}, provenance{}}

// ImageModels lists the models' names in the order in which they report, the
// ensemble last, so that a service can announce them before they end.
func ImageModels() []string {
	names := make([]string, 0, len(imageAnalysers)+1)
	for _, a := range imageAnalysers {
		names = append(names, a.name())
	}
	return append(names, ensembleName)
}

// Image analyses one encoded picture on the calling goroutine: one to two seconds
// for 12 megapixels. It holds the picture's luma (a byte per pixel) and three heatmaps
// (four bytes per pixel each) beside what decoding takes.
//
// finished, which may be nil, is called on the calling goroutine as each model
// ends, the ensemble last. A picture that can't be analysed (cut short, more
// than MaxPixels, no picture) gives an *Unreadable, whose text is a sentence for
// the person; if ctx ends, its error is given.
func Image(ctx context.Context, data []byte, finished func(Model)) (*ImageReport, error) {
	pic, err := open(ctx, data)
	if err != nil {
		return nil, err
	}
	if finished == nil {
		finished = func(Model) {}
	}
	report := &ImageReport{Width: pic.config.Width, Height: pic.config.Height, Conclusions: map[string]string{}}
	add := func(m Model) {
		report.Models = append(report.Models, m)
		report.Conclusions[m.Name] = conclusion(m)
		finished(m)
	}
	for _, a := range imageAnalysers {
		m, boxes, err := run(ctx, a, pic)
		if err != nil {
			return nil, err
		}
		report.BBoxes = append(report.BBoxes, boxes...)
		add(m)
	}
	summary, reasons := ensemble(report.Models)
	report.Status, report.Score, report.Reasons = summary.Status, summary.Score, reasons
	add(summary)
	return report, nil
}

// run keeps one analyser's failure from taking the others with it. Its error is
// ctx's alone.
func run(ctx context.Context, a analyser, pic *picture) (m Model, boxes []BBox, err error) {
	defer func() {
		if cause := recover(); cause != nil {
			m, boxes, err = failure(a, fmt.Errorf("panic: %v", cause)), nil, nil
		}
	}()
	m, boxes, err = a.analyse(ctx, pic)
	if ctx.Err() != nil {
		return Model{}, nil, ctx.Err()
	}
	if err != nil {
		return failure(a, err), nil, nil
	}
	return m, boxes, nil
}

// failure makes the row of an analyser that failed.
func failure(a analyser, cause error) Model {
	return Model{
		Name: a.name(), Status: Unable, Code: codeModelError,
		Message: "This analyser failed on the picture.", Data: map[string]any{"error": cause.Error()},
	}
}
