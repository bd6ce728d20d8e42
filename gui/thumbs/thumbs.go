// Package thumbs makes the small pictures of submissions on workers and caches the latest, for the rows of inbox and results, and for the items of a
// case.
package thumbs

import (
	"context"
	"errors"
	"image"
	"os"
	"slices"

	"fyne.io/fyne/v2"

	"assay/client/media/picture"
	"assay/gui/careful"
	"assay/gui/look"
	"assay/gui/present"
	"assay/gui/work"
)

// Row is the size of a thumbnail in a row, in pixels: 44 device-independent ones on a screen of scale 2. Tile is that of an item of a case.
var (
	Row  = image.Pt(88, 88)
	Tile = image.Pt(240, 164)
)

// What the cache may hold: so many thumbnails of a row, of 31 KB each, and so many tiles, of 157 KB. The largest window shows about half as many: one that
// showed more would have them made again and again.
const (
	maxThumbs = 500
	maxTiles  = 250
)

// maxThumbsWaiting limits the thumbnails to be made to the rows of two screens: those that were asked for before are out of sight.
const maxThumbsWaiting = 48

// Files opens a submission's files. Its methods read the disk, so they are called on workers.
type Files interface {
	// OpenFile opens a submission's own file, if it is still the one that was submitted.
	OpenFile(ctx context.Context, id string) (*os.File, error)
	// OpenThumbnail opens the thumbnail from the service, or returns fs.ErrNotExist if none was kept.
	OpenThumbnail(ctx context.Context, id string) (*os.File, error)
}

// Loader makes thumbnails on workers and caches the latest. It makes those first that were asked for last, and drops requests for rows that were
// scrolled out of sight long ago. It must be used on the UI thread.
type Loader struct {
	workers *work.Workers
	files   Files
	size    image.Point
	preview present.PreviewChoice
	version int                    // of all thumbnails: those of an earlier one are not shown
	known   map[string]image.Image // nil while it is being made, or if there is none
	order   []string               // keys of known, the oldest first
	waiting []wantedThumb          // the oldest first
	making  int
	changed []func(id string)
	marked  map[string]bool // as graphic or not, in this run: what the rows have may be older
}

type wantedThumb struct {
	id     string
	medium present.Medium
	care   present.Care
}

// thumbsAtATime leaves workers free for the picture that the person is looking at.
const thumbsAtATime = 1

// New returns an empty loader of thumbnails of a size, in pixels.
func New(w *work.Workers, files Files, size image.Point) *Loader {
	return &Loader{workers: w, files: files, size: size, known: map[string]image.Image{}, marked: map[string]bool{}}
}

// OnMade adds a function to be called, on the UI thread, when a thumbnail has been made.
func (t *Loader) OnMade(f func(id string)) { t.changed = append(t.changed, f) }

// SetPreview sets how disturbing material is shown, for which all thumbnails are made again.
func (t *Loader) SetPreview(p present.PreviewChoice) {
	if p == t.preview {
		return
	}
	t.preview = p
	t.again()
}

// again makes all thumbnails again.
func (t *Loader) again() {
	t.version++
	t.known, t.order, t.waiting = map[string]image.Image{}, nil, nil
	for _, f := range t.changed {
		f("")
	}
}

// Mark makes the thumbnails of some submissions again after they were marked as graphic, or the mark was taken away.
func (t *Loader) Mark(ids []string, graphic bool) {
	for _, id := range ids {
		t.marked[id] = graphic
	}
	t.again()
}

// Get returns a submission's thumbnail, or nil and starts making one if its medium can have one. care says how it is to be previewed; where lists have no
// pictures, it is nil.
func (t *Loader) Get(id string, medium present.Medium, care present.Care) image.Image {
	if graphic, known := t.marked[id]; known {
		care.Graphic = graphic
	}
	if !t.preview.Listed() {
		return nil // the row keeps its icon
	}
	if thumb, asked := t.known[id]; asked || medium != present.Picture && medium != present.Clip {
		return thumb
	}
	t.remember(id)
	t.waiting = append(t.waiting, wantedThumb{id, medium, care})
	if len(t.waiting) > maxThumbsWaiting {
		t.forget(t.waiting[0].id) // asked for again when its row is shown next
		t.waiting = t.waiting[1:]
	}
	t.next()
	return nil
}

// next starts making the thumbnail that was asked for last.
func (t *Loader) next() {
	if t.making >= thumbsAtATime || len(t.waiting) == 0 {
		return
	}
	last := len(t.waiting) - 1
	wanted := t.waiting[last]
	t.waiting = t.waiting[:last]
	t.making++
	preview, version := t.preview, t.version
	t.workers.Do(func(ctx context.Context) func() {
		small, err := t.load(ctx, wanted)
		if small != nil {
			small = careful.Seen(small, preview.For(wanted.care))
		}
		return func() {
			t.making--
			if version == t.version {
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
		t.forget(id) // there may be one when the row is shown next
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

// load makes a thumbnail of the person's own file, or else of the one from the service.
func (t *Loader) load(ctx context.Context, wanted wantedThumb) (*image.RGBA, error) {
	if wanted.medium == present.Picture {
		small, err := shrink(ctx, t.size, func() (*os.File, error) { return t.files.OpenFile(ctx, wanted.id) })
		if err == nil {
			return small, nil
		}
	}
	small, err := shrink(ctx, t.size, func() (*os.File, error) { return t.files.OpenThumbnail(ctx, wanted.id) })
	if errors.Is(err, os.ErrNotExist) {
		return nil, errNoThumb
	}
	return small, err
}

func shrink(ctx context.Context, size image.Point, open func() (*os.File, error)) (*image.RGBA, error) {
	file, err := open()
	if err != nil {
		return nil, err
	}
	defer file.Close() //nolint:errcheck // only read from
	decoded, err := picture.Decode(ctx, file, picture.Limits{LongSide: 4 * max(size.X, size.Y)})
	if err != nil {
		return nil, err
	}
	return picture.Cover(decoded.Image, size), nil
}

func (t *Loader) remember(id string) {
	t.known[id] = nil
	t.order = append(t.order, id)
	most := maxThumbs
	if t.size == Tile {
		most = maxTiles
	}
	for len(t.order) > most {
		delete(t.known, t.order[0])
		t.order = t.order[1:]
	}
}

func (t *Loader) forget(id string) {
	delete(t.known, id)
	t.order = slices.DeleteFunc(t.order, func(o string) bool { return o == id })
}

// Icon is shown while there is no thumbnail.
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
