package gui

import (
	"cmp"
	"context"
	"errors"
	"image"
	"image/draw"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"assay/client"
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

// sample reads what the sheet shows of a submission, and then what its copies would be.
func (l *reviewer) sample(id string, now present.Preview, asked bool) {
	a, about := l.app, l.asked
	s, ok := a.Queue.Get(id)
	if !ok || s.Path == "" {
		return
	}
	l.stopSample()
	known := l.seen
	if known.id != id && s.Type == client.Image && s.Needs != submission.NeedsNothing {
		l.copied(about, s) // the picture that is sent
		return
	}
	l.stopSample = a.decoders.Do(func(ctx context.Context) func() {
		var sample review.Sample
		if known.id != id {
			known = seen{id: id}
			known.img, sample = a.sampleOf(ctx, s)
		}
		sample.Preview = a.previewBefore(ctx, s)
		if asked {
			sample.Preview = present.PreviewChoiceOf(a.Config.Settings().Appearance.Careful).Asked(now, present.PreviewPlain)
		}
		sample.Picture = careful.Seen(known.img, sample.Preview)
		return func() {
			if !l.asks(about, id) {
				return
			}
			if known.img != nil {
				l.seen = known
			}
			about.Sampled(id, sample)
			l.sheet.Refresh()
			switch {
			case l.copiesOf == id: // they are known
			case s.Needs != submission.NeedsNothing:
				l.copied(about, s)
			default:
				l.sum(about, s)
			}
		}
	})
}

// previewBefore is how a submission's picture is shown before it is sent.
func (a *app) previewBefore(ctx context.Context, s submission.Submission) present.Preview {
	if kept, ok, err := a.Store.Get(ctx, s.ID); ok || err != nil {
		s.Graphic = err != nil || kept.Graphic // the queue's may be older
	}
	return a.previewOf(present.Care{Watched: s.Source == submission.Watched, Graphic: s.Graphic})
}

// asks reports whether the sheet still asks about a submission.
func (l *reviewer) asks(about *review.Review, id string) bool {
	return l.asked == about && about != nil && about.Current() == id
}

// sum finds out what a submission's copy without metadata would be.
func (l *reviewer) sum(about *review.Review, s submission.Submission) {
	a := l.app
	l.stopSample = a.lookers.Do(func(ctx context.Context) func() {
		sum, err := a.sumOf(ctx, s)
		return func() {
			if err != nil || !l.asks(about, s.ID) { // the sheet says why there is no copy
				return
			}
			l.copiesOf = s.ID
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

// copied makes the copy that a submission needs, and shows what would be sent: the copy with what it says of itself, and the one without.
func (l *reviewer) copied(about *review.Review, s submission.Submission) {
	a := l.app
	l.stopSample = a.player.Do(func(ctx context.Context) func() {
		format := a.formatOf(ctx, s)
		var made review.Made
		var said facts.Facts
		var plain review.Sum
		var noPlain, unread error
		var img *image.RGBA
		made.Err = a.Queue.ShowCopy(ctx, s.ID, func(c submission.Copy, file *os.File) (err error) {
			made = review.Made{Sum: review.Sum{Size: c.Size, SHA256: c.SHA256}, Extension: filepath.Ext(c.Path), Format: c.Format, Note: c.Note.String()}
			if said, err = facts.ReadFile(ctx, file, ""); err != nil {
				return err
			}
			plain.Size, plain.SHA256, noPlain = strip.Sum(ctx, file, c.Size, said.Format)
			if s.Type == client.Image {
				img, unread = decodeSample(ctx, file)
			}
			return ctx.Err()
		})
		preview := a.previewBefore(ctx, s)
		sample := review.Sample{Picture: careful.Seen(img, preview), Preview: preview, Problem: cantBeShown(cmp.Or(made.Err, unread))}
		return func() {
			if !l.asks(about, s.ID) {
				return
			}
			l.copiesOf = s.ID
			about.Made(s.ID, made)
			if made.Err == nil {
				said.Format = format
				about.Looked(s.ID, said, nil)
				about.NoCopy(s.ID, noPlain)
				about.Summed(s.ID, plain)
			}
			if s.Type == client.Image {
				l.seen = seen{id: s.ID, img: img}
				about.Sampled(s.ID, sample)
			}
			l.sheet.Refresh()
		}
	})
}

// formatOf is the format of a submission's own file; "" where it can't be read.
func (a *app) formatOf(ctx context.Context, s submission.Submission) facts.Format {
	file, err := a.Queue.OpenFile(s.ID)
	if err != nil {
		return ""
	}
	defer file.Close() //nolint:errcheck // only read from
	said, err := facts.ReadFile(ctx, file, s.Name)
	if err != nil {
		return ""
	}
	return said.Format
}

// sampleOf reads what is shown of a file: a picture, which is not covered yet, or else a sample without.
func (a *app) sampleOf(ctx context.Context, s submission.Submission) (img *image.RGBA, sample review.Sample) {
	file, err := a.Queue.OpenFile(s.ID)
	if err != nil {
		return nil, review.Sample{Problem: present.Problem(err)}
	}
	defer file.Close() //nolint:errcheck // only read from
	switch present.MediumOf(s.Type) {
	case present.Picture:
		img, err = decodeSample(ctx, file)
	case present.Clip:
		img, err = a.clipSample(ctx, file.Name())
	case present.Text:
		return nil, textSample(file)
	}
	return img, review.Sample{Problem: cantBeShown(err)}
}

func decodeSample(ctx context.Context, file *os.File) (*image.RGBA, error) {
	if _, err := file.Seek(0, io.SeekStart); err != nil {
		return nil, err
	}
	decoded, err := picture.Decode(ctx, file, picture.Limits{LongSide: sampleSide})
	if err != nil {
		return nil, err
	}
	return decoded.Image, nil
}

// clipSample is four frames of a clip beside and below each other: from its beginning, and from each further quarter.
func (a *app) clipSample(ctx context.Context, path string) (*image.RGBA, error) {
	info, err := a.frames.Probe(ctx, path)
	if err != nil {
		return nil, err
	}
	const gap, across, count = 4, 2, 4
	var all *image.RGBA
	for i := range count {
		frame, err := a.frames.Frame(ctx, path, info.Duration*time.Duration(i)/count, (sampleSide-gap)/across)
		if err != nil && i == 0 {
			return nil, err
		}
		if err != nil {
			break // the clip may be cut short
		}
		size := frame.Rect.Size()
		if all == nil {
			all = image.NewRGBA(image.Rect(0, 0, across*size.X+gap, across*size.Y+gap))
		}
		at := image.Pt(i%across*(size.X+gap), i/across*(size.Y+gap))
		draw.Draw(all, image.Rectangle{Min: at, Max: at.Add(size)}, frame, frame.Rect.Min, draw.Src)
	}
	return all, nil
}

// cantBeShown says why there is nothing to see; "" for nil.
func cantBeShown(err error) string {
	if err == nil {
		return ""
	}
	return i18n.F("The file can't be shown here. %s", present.Problem(err))
}

// textSample is the beginning of a text.
func textSample(file *os.File) review.Sample {
	begin := make([]byte, sampleText)
	n, err := io.ReadFull(file, begin)
	if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		return review.Sample{Problem: cantBeShown(err)}
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
