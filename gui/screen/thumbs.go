package screen

import (
	"context"
	"errors"
	"image"
	"io"
	"os"

	"fyne.io/fyne/v2"

	"assay/gui/heat"
	"assay/gui/look"
	"assay/gui/present"
)

// thumbPixels is the side of a thumbnail: 44 device-independent pixels on a screen of scale 2.
const thumbPixels = 88

// maxThumbs bounds the thumbnails kept: 31 KB each.
const maxThumbs = 500

// Files opens a submission's own file, as long as it is the one that was submitted. It reads the disk.
type Files interface {
	OpenFile(id string) (*os.File, error)
}

// Thumbs makes the small pictures of submissions on workers and keeps the latest. It belongs to the UI thread.
type Thumbs struct {
	workers *Workers
	files   Files
	known   map[string]image.Image // nil while it is being made, or where there is none
	order   []string
	changed []func(id string)
}

// NewThumbs returns an empty store of thumbnails.
func NewThumbs(w *Workers, files Files) *Thumbs {
	return &Thumbs{workers: w, files: files, known: map[string]image.Image{}}
}

// OnMade adds a function that is told when a thumbnail has been made, on the UI thread.
func (t *Thumbs) OnMade(f func(id string)) { t.changed = append(t.changed, f) }

// Get returns a submission's thumbnail, or nil, in which case one is made if its file shows a picture.
func (t *Thumbs) Get(id string, medium present.Medium) image.Image {
	if thumb, asked := t.known[id]; asked || medium != present.Picture {
		return thumb
	}
	t.remember(id)
	t.workers.Do(func(ctx context.Context) func() {
		file, err := t.files.OpenFile(id)
		if err != nil {
			return func() { delete(t.known, id) } // not looked at yet: asked again when the row is shown next
		}
		defer file.Close() //nolint:errcheck // only read from
		picture, err := heat.Decode(ctx, file, heat.Limits{LongSide: 4 * thumbPixels})
		if err != nil {
			return nil // the row keeps its icon
		}
		small := heat.Thumbnail(picture.Image, thumbPixels)
		return func() {
			if _, wanted := t.known[id]; !wanted {
				return
			}
			t.known[id] = small
			for _, f := range t.changed {
				f(id)
			}
		}
	})
	return nil
}

func (t *Thumbs) remember(id string) {
	t.known[id] = nil
	t.order = append(t.order, id)
	for len(t.order) > maxThumbs {
		delete(t.known, t.order[0])
		t.order = t.order[1:]
	}
}

// mediaIcon stands where there is no thumbnail.
func mediumIcon(medium present.Medium) fyne.Resource {
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

// decodeFile decodes a submission's own file for the screen.
func decodeFile(ctx context.Context, files Files, id string) (*heat.Picture, error) {
	file, err := files.OpenFile(id)
	if err != nil {
		return nil, err
	}
	defer file.Close() //nolint:errcheck // only read from
	return heat.Decode(ctx, file, heat.DefaultLimits)
}

// unreadable is what a person reads where a picture should stand.
func unreadable(err error) string {
	var fromService interface {
		error
		Sentence() string
	}
	switch {
	case errors.As(err, &fromService):
		return fromService.Sentence()
	case errors.Is(err, os.ErrNotExist):
		return "The file is no longer where it was."
	case errors.Is(err, io.ErrUnexpectedEOF):
		return "The file breaks off before its end."
	}
	return err.Error() // the decoder's and the file's own errors are sentences
}
