// Package thumbs makes the small pictures of submissions on workers and keeps the latest, for the rows of inbox and results.
package thumbs

import (
	"context"
	"errors"
	"image"
	"os"
	"slices"

	"fyne.io/fyne/v2"

	"assay/client/media/picture"
	"assay/gui/look"
	"assay/gui/present"
	"assay/gui/work"
)

// thumbPixels is the side of a thumbnail: 44 device-independent pixels on a screen of scale 2.
const thumbPixels = 88

// maxThumbs bounds the thumbnails kept: 31 KB each.
const maxThumbs = 500

// maxThumbsWaiting bounds those that wait to be made, the rows on two screens: of more, those asked for first are out of sight.
const maxThumbsWaiting = 48

// Files opens what the person handed over, and what was kept of it. Its methods read the disk: they are called on Workers.
type Files interface {
	// OpenFile opens a submission's own file, as long as it is the one that was submitted.
	OpenFile(ctx context.Context, id string) (*os.File, error)
	// OpenThumbnail opens the small picture of the service's that was kept; fs.ErrNotExist where there is none.
	OpenThumbnail(ctx context.Context, id string) (*os.File, error)
}

// Loader makes the small pictures of submissions on workers and keeps the latest. What was asked for last is made first, and what
// has long been scrolled away is not made at all. It belongs to the UI thread.
type Loader struct {
	workers *work.Workers
	files   Files
	preview present.PreviewChoice
	known   map[string]image.Image // nil while it is being made, or where there is none
	order   []string               // of what is known, the oldest first
	waiting []wantedThumb          // the oldest first
	making  int
	changed []func(id string)
}

type wantedThumb struct {
	id      string
	medium  present.Medium
	watched bool
}

// thumbsAtATime leaves a worker to the picture that is being looked at.
const thumbsAtATime = 1

// New returns a loader that has made none yet.
func New(w *work.Workers, files Files) *Loader {
	return &Loader{workers: w, files: files, known: map[string]image.Image{}}
}

// OnMade adds a function that is told when a thumbnail has been made, on the UI thread.
func (t *Loader) OnMade(f func(id string)) { t.changed = append(t.changed, f) }

// SetPreview says how material that may disturb is shown: all thumbnails are made anew.
func (t *Loader) SetPreview(p present.PreviewChoice) {
	if p == t.preview {
		return
	}
	t.preview = p
	t.known, t.order, t.waiting = map[string]image.Image{}, nil, nil
	for _, f := range t.changed {
		f("")
	}
}

// Get returns a submission's thumbnail, or nil, in which case one is made if its medium can have one. watched says that a watched
// folder brought it.
func (t *Loader) Get(id string, medium present.Medium, watched bool) image.Image {
	if thumb, asked := t.known[id]; asked || medium != present.Picture && medium != present.Clip {
		return thumb
	}
	t.remember(id)
	t.waiting = append(t.waiting, wantedThumb{id, medium, watched})
	if len(t.waiting) > maxThumbsWaiting {
		t.forget(t.waiting[0].id) // asked for again when its row is shown next
		t.waiting = t.waiting[1:]
	}
	t.next()
	return nil
}

// next makes what was asked for last.
func (t *Loader) next() {
	if t.making >= thumbsAtATime || len(t.waiting) == 0 {
		return
	}
	last := len(t.waiting) - 1
	wanted := t.waiting[last]
	t.waiting = t.waiting[:last]
	t.making++
	preview := t.preview
	t.workers.Do(func(ctx context.Context) func() {
		small, err := t.load(ctx, wanted)
		if small != nil {
			small = veiled(small, preview.For(wanted.watched))
		}
		return func() {
			t.making--
			if preview == t.preview {
				t.made(wanted.id, small, err)
			}
			t.next()
		}
	})
}

func (t *Loader) made(id string, small *image.RGBA, err error) {
	if _, wanted := t.known[id]; !wanted {
		return
	}
	if errors.Is(err, errNoThumb) {
		t.forget(id) // there may be something when the row is shown next
		return
	}
	if small == nil {
		return // the row keeps its icon
	}
	t.known[id] = small
	for _, f := range t.changed {
		f(id)
	}
}

var errNoThumb = errors.New("neither the file nor a thumbnail of it is at hand")

// load makes a thumbnail of the person's own file, else of what was kept of it.
func (t *Loader) load(ctx context.Context, wanted wantedThumb) (*image.RGBA, error) {
	if wanted.medium == present.Picture {
		small, err := shrink(ctx, func() (*os.File, error) { return t.files.OpenFile(ctx, wanted.id) })
		if err == nil {
			return small, nil
		}
	}
	small, err := shrink(ctx, func() (*os.File, error) { return t.files.OpenThumbnail(ctx, wanted.id) })
	if errors.Is(err, os.ErrNotExist) {
		return nil, errNoThumb
	}
	return small, err
}

func shrink(ctx context.Context, open func() (*os.File, error)) (*image.RGBA, error) {
	file, err := open()
	if err != nil {
		return nil, err
	}
	defer file.Close() //nolint:errcheck // only read from
	decoded, err := picture.Decode(ctx, file, picture.Limits{LongSide: 4 * thumbPixels})
	if err != nil {
		return nil, err
	}
	return picture.Thumbnail(decoded.Image, thumbPixels), nil
}

// veiled is a thumbnail as the preview wants it.
func veiled(small *image.RGBA, p present.Preview) *image.RGBA {
	switch p {
	case present.PreviewGrey:
		return picture.Grey(small)
	case present.PreviewBlurred:
		return picture.Blur(small, picture.PreviewBlur(small.Rect.Size()))
	}
	return small
}

func (t *Loader) remember(id string) {
	t.known[id] = nil
	t.order = append(t.order, id)
	for len(t.order) > maxThumbs {
		delete(t.known, t.order[0])
		t.order = t.order[1:]
	}
}

func (t *Loader) forget(id string) {
	delete(t.known, id)
	t.order = slices.DeleteFunc(t.order, func(o string) bool { return o == id })
}

// Icon stands where there is no thumbnail.
func Icon(medium present.Medium) fyne.Resource {
	switch medium {
	case present.Picture:
		return look.IconPicture
	case present.Clip:
		return look.IconFilm
	case present.Recording:
		return look.IconWaveform
	}
	return look.IconText
}
