package gui

import (
	"context"
	"errors"
	"image"
	"io"
	"os"
	"strings"

	"assay/client/i18n"
	"assay/client/media/facts"
	"assay/client/media/picture"
	"assay/client/media/strip"
	"assay/client/plain"
	"assay/client/submission"
	"assay/gui/careful"
	"assay/gui/present"
	"assay/gui/review"
)

// What is shown of a file before it is sent.
const (
	sampleSide = 960  // pixels of a picture's longer side
	sampleText = 2000 // bytes of a text
)

// sample reads what the sheet shows of a submission, and then what its copy without metadata would be.
func (l *reviewer) sample(id string, now present.Preview, asked bool) {
	a, about := l.app, l.asked
	s, ok := a.Queue.Get(id)
	if !ok || s.Path == "" {
		return
	}
	l.stopSample()
	l.stopSample = a.decoders.Do(func(ctx context.Context) func() {
		choice := present.PreviewChoiceOf(a.Config.Settings().Appearance.Careful)
		preview := choice.For(present.Care{Watched: s.Source == submission.Watched, Graphic: s.Graphic})
		if asked {
			preview = choice.Asked(now, present.PreviewPlain)
		}
		sample := a.sampleOf(ctx, s, preview)
		return func() {
			if l.asked != about || about.Current() != id {
				return
			}
			about.Sampled(id, sample)
			l.sheet.Refresh()
			l.sum(about, s)
		}
	})
}

// sum finds out what a submission's copy without metadata would be.
func (l *reviewer) sum(about *review.Review, s submission.Submission) {
	a := l.app
	l.stopSample = a.lookers.Do(func(ctx context.Context) func() {
		sum, err := a.sumOf(ctx, s)
		return func() {
			if err != nil || l.asked != about { // the sheet says why there is no copy
				return
			}
			about.Summed(s.ID, sum)
			l.sheet.Refresh()
		}
	})
}

func (a *app) sumOf(ctx context.Context, s submission.Submission) (review.Sum, error) {
	file, err := a.Queue.OpenFile(s.ID)
	if err != nil {
		return review.Sum{}, err
	}
	defer file.Close() //nolint:errcheck // only read from
	said, err := facts.ReadFile(ctx, file, s.Name)
	if err != nil {
		return review.Sum{}, err
	}
	size, hash, err := strip.Sum(ctx, file, said.Size, said.Format)
	return review.Sum{Size: size, SHA256: hash}, err
}

// sampleOf reads what is shown of a file. What may be disturbing is covered here, before it goes to the canvas.
func (a *app) sampleOf(ctx context.Context, s submission.Submission, preview present.Preview) review.Sample {
	file, err := a.Queue.OpenFile(s.ID)
	if err != nil {
		return review.Sample{Problem: present.Problem(err)}
	}
	defer file.Close() //nolint:errcheck // only read from
	var img *image.RGBA
	switch present.MediumOf(s.Type) {
	case present.Picture:
		var decoded *picture.Picture
		if decoded, err = picture.Decode(ctx, file, picture.Limits{LongSide: sampleSide}); err == nil {
			img = decoded.Image
		}
	case present.Clip:
		img, err = a.frames.Frame(ctx, file.Name(), 0, sampleSide)
	case present.Text:
		return textSample(file)
	default:
		return review.Sample{}
	}
	if err != nil {
		return review.Sample{Problem: i18n.F("The file can't be shown here. %s", present.Problem(err))}
	}
	return review.Sample{Picture: careful.Seen(img, preview), Preview: preview}
}

// textSample is the beginning of a text.
func textSample(file *os.File) review.Sample {
	begin := make([]byte, sampleText)
	n, err := io.ReadFull(file, begin)
	if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		return review.Sample{Problem: i18n.F("The file can't be shown here. %s", present.Problem(err))}
	}
	text := string(begin[:n])
	if n == sampleText {
		text = strings.ToValidUTF8(text, "") + "…" // a character may be cut
	}
	lines := strings.Split(strings.ReplaceAll(strings.TrimSpace(text), "\t", " "), "\n")
	for i, line := range lines {
		lines[i] = plain.From(strings.TrimRight(line, "\r")).String()
	}
	return review.Sample{Text: strings.Join(lines, "\n")}
}
