package clip

import (
	"context"
	"errors"
	"image"
	"io/fs"
	"math"
	"os"
	"time"

	"fyne.io/fyne/v2"

	"assay/client/i18n"
	"assay/client/media/film"
	"assay/client/media/picture"
	"assay/gui/careful"
	"assay/gui/kit"
	"assay/gui/present"
)

const (
	// longestSide limits the pixels of a frame's longer side in any window.
	longestSide = 1280
	// sideStep rounds that side, so that cached frames still fit after small changes of the window.
	sideStep = 160
	// playApart is the interval, in seconds, between frames that follow the playing sound.
	playApart = 0.5
	// jumpApart is the distance, in seconds, from which a frame that is being fetched is cancelled for another.
	jumpApart = 1.5
)

// openOriginal reads what the clip is, and keeps its file open while it is shown.
func (p *Pane) openOriginal() {
	id := p.shown.ID
	p.cancelOpen = p.Workers.Do(func(ctx context.Context) func() {
		file, err := p.Source.OpenOriginal(ctx, id)
		if err != nil {
			return func() { p.noFrames(i18n.F("The clip itself can't be shown. %s", present.Problem(err))) }
		}
		path := file.Name()
		file.Close() //nolint:errcheck,gosec // only its path is used further on
		info, err := p.Frames.Probe(ctx, path)
		return func() {
			if err != nil {
				p.noFrames(i18n.F("No frames can be shown. %s", present.Problem(err)))
				return
			}
			p.probed(path, info)
		}
	})
}

func (p *Pane) probed(path string, info film.Info) {
	p.path, p.info = path, &info
	p.setAxis()
	p.showSound()
	p.tellMoment()
	p.want(p.moment)
}

// noFrames shows why there are no frames; thumbnail and lanes are shown nevertheless.
func (p *Pane) noFrames(why string) {
	p.notice.SetText(why)
	p.notice.Show()
	p.waiting = false
	p.showStill()
	p.refresh()
}

// loadThumbnail shows the service's thumbnail until the first frame.
func (p *Pane) loadThumbnail() {
	id, preview := p.shown.ID, p.preview
	p.cancelThumb = p.Workers.Do(func(ctx context.Context) func() {
		thumb, err := thumbnail(ctx, p.Source, id)
		if err != nil {
			return func() {
				if !errors.Is(err, fs.ErrNotExist) {
					p.thumbFault = i18n.F("The thumbnail can't be shown. %s", present.Problem(err))
				}
				p.showStill()
			}
		}
		seen := careful.Seen(thumb, preview)
		return func() {
			if p.stillAt < 0 { // unless a frame came first
				p.setStill(thumb, seen, preview, -1)
			}
		}
	})
}

func thumbnail(ctx context.Context, from Source, id string) (*image.RGBA, error) {
	file, err := from.OpenThumbnail(ctx, id)
	if err != nil {
		return nil, err
	}
	return decodeThumbnail(ctx, file)
}

func decodeThumbnail(ctx context.Context, file *os.File) (*image.RGBA, error) {
	defer file.Close() //nolint:errcheck // only read from
	decoded, err := picture.Decode(ctx, file, picture.DefaultLimits)
	if err != nil {
		return nil, err
	}
	size := decoded.Image.Bounds().Size()
	scale := min(1, float64(longestSide)/float64(max(size.X, size.Y, 1)))
	return picture.Fit(decoded.Image, max(int(float64(size.X)*scale), 1), max(int(float64(size.Y)*scale), 1)), nil
}

// want asks for the frame at a moment in seconds. It cancels a fetch for a moment far away, but waits for one nearby, so that frames keep coming
// while the sound plays.
func (p *Pane) want(at float64) {
	if p.info == nil {
		return
	}
	p.wanted = at
	if p.fetching >= 0 {
		if math.Abs(at-p.fetching) < jumpApart {
			return
		}
		p.cancelFrame()
	}
	p.fetch()
}

// fetch fetches the wanted frame, and repeats while another is wanted when it is done.
func (p *Pane) fetch() {
	at, path, preview, side := p.wanted, p.path, p.preview, p.sideWanted()
	p.fetching = at
	p.cancelFrame = p.Workers.Do(func(ctx context.Context) func() {
		frame, err := p.Frames.Frame(ctx, path, time.Duration(at*float64(time.Second)), side)
		if err != nil {
			return func() {
				p.fetching = -1
				p.noFrames(i18n.F("The frame at %s can't be shown. %s", present.Clock(at), present.Problem(err)))
			}
		}
		seen := careful.Seen(frame, preview)
		return func() {
			p.fetching = -1
			p.notice.Hide()
			p.setStill(frame, seen, preview, at)
			if p.wanted != at {
				p.fetch()
			}
		}
	})
}

// sideWanted is how many pixels the longer side of a frame must have.
func (p *Pane) sideWanted() int {
	scale := float32(1)
	if c := fyne.CurrentApp().Driver().CanvasForObject(p.frame); c != nil {
		scale = c.Scale()
	}
	size := p.frame.Size()
	side := int(max(size.Width, size.Height)*scale)/sideStep*sideStep + sideStep
	return min(side, longestSide)
}

// setStill shows a picture to which a preview was applied, unless another preview was chosen meanwhile; at is -1 for the thumbnail.
func (p *Pane) setStill(still, seen *image.RGBA, preview present.Preview, at float64) {
	p.still, p.stillAt = still, at
	if preview != p.preview {
		p.applyPreview()
		return
	}
	p.seen = seen
	p.showStill()
}

// SetPreview sets how frames are shown, from now on and for every clip.
func (p *Pane) SetPreview(preview present.Preview) {
	if p.preview == preview {
		return
	}
	p.preview, p.seen = preview, nil // it must not be shown without a preview meanwhile
	kit.SetVisible(p.plain, preview != present.PreviewPlain && p.OnPreview != nil)
	p.showStill()
	p.refresh()
	p.applyPreview()
}

// showPlain shows the clip as it is, by the person's choice.
func (p *Pane) showPlain() {
	p.OnPreview(present.PreviewPlain) // which sets the preview: who is most careful sees it in grey first
}

func (p *Pane) applyPreview() {
	p.cancelPreview()
	still, preview := p.still, p.preview
	if still == nil {
		return
	}
	p.cancelPreview = p.Workers.Do(func(context.Context) func() {
		seen := careful.Seen(still, preview)
		return func() {
			if p.still == still {
				p.seen = seen
				p.showStill()
			}
		}
	})
}

// showStill shows the picture that there is and what it is.
func (p *Pane) showStill() {
	caption := ""
	if p.still != nil && p.stillAt < 0 {
		caption = i18n.T("The service's thumbnail")
	}
	switch p.preview {
	case present.PreviewGrey:
		caption = also(caption, i18n.T("shown without colours"))
	case present.PreviewBlurred:
		caption = also(caption, i18n.T("shown blurred"))
	}
	p.caption.SetText(caption)
	kit.SetVisible(p.label, caption != "" && p.still != nil)
	if p.seen == nil {
		p.frame.set(nil, "", p.stillNote())
	} else {
		p.frame.set(p.seen, also(i18n.F("Frame at %s", present.Clock(max(p.stillAt, 0))), caption), "")
	}
}

func (p *Pane) stillNote() string {
	switch {
	case p.shown.ID == "":
		return ""
	case p.still != nil, p.waiting, p.fetching >= 0:
		return i18n.T("Reading the clip…")
	case p.thumbFault != "":
		return p.thumbFault
	}
	return i18n.T("No picture of this clip")
}

func also(a, b string) string {
	if a == "" {
		return ""
	}
	return a + ", " + b
}
