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
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/widget"

	"assay/client/i18n"
	"assay/client/media/film"
	"assay/client/media/picture"
	"assay/gui/careful"
	"assay/gui/kit"
	"assay/gui/look"
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

// frameView shows a picture as large as fits on a plain background, or a film icon and a line if there is none.
type frameView struct {
	widget.BaseWidget
	picture image.Image
	note    string
	name    string // for screen readers
	resized func()
	over    func(inside bool) // called when the pointer moves over it, and with false when it leaves it
}

var (
	_ fyne.Accessible   = (*frameView)(nil)
	_ desktop.Hoverable = (*frameView)(nil)
)

// MouseIn implements desktop.Hoverable.
func (v *frameView) MouseIn(*desktop.MouseEvent) { v.over(true) }

// MouseMoved implements desktop.Hoverable.
func (v *frameView) MouseMoved(*desktop.MouseEvent) { v.over(true) }

// MouseOut implements desktop.Hoverable.
func (v *frameView) MouseOut() { v.over(false) }

func newFrameView(resized func()) *frameView {
	v := &frameView{resized: resized, over: func(bool) {}}
	v.ExtendBaseWidget(v)
	return v
}

// set shows a picture, or a note for nil.
func (v *frameView) set(picture image.Image, name, note string) {
	v.picture, v.name, v.note = picture, name, note
	v.Refresh()
}

// AccessibilityLabel implements fyne.Accessible.
func (v *frameView) AccessibilityLabel() string {
	if v.picture == nil {
		return v.note
	}
	return v.name
}

// AccessibilityRole implements fyne.Accessible.
func (v *frameView) AccessibilityRole() fyne.AccessibleRole { return fyne.AccessibleRoleText }

// CreateRenderer implements fyne.Widget.
func (v *frameView) CreateRenderer() fyne.WidgetRenderer {
	r := &frameRenderer{
		view: v, ground: canvas.NewRectangle(nil), note: canvas.NewText("", nil),
		icon:    look.NewGlyph(),
		picture: &canvas.Image{FillMode: canvas.ImageFillContain, ScaleMode: canvas.ImageScaleFastest},
	}
	r.ground.CornerRadius = look.RadiusCard
	r.note.Alignment = fyne.TextAlignCenter
	r.Refresh()
	return r
}

type frameRenderer struct {
	view    *frameView
	ground  *canvas.Rectangle
	icon    *look.Glyph
	picture *canvas.Image
	note    *canvas.Text
	size    fyne.Size
}

func (r *frameRenderer) Destroy() {}

func (r *frameRenderer) MinSize() fyne.Size { return fyne.NewSize(120, 90) }

func (r *frameRenderer) Objects() []fyne.CanvasObject {
	return []fyne.CanvasObject{r.ground, r.icon.Raster, r.note, r.picture}
}

func (r *frameRenderer) Layout(size fyne.Size) {
	const icon = 32
	r.ground.Resize(size)
	r.picture.Resize(size)
	top := (size.Height - icon - 2*look.Space - r.note.MinSize().Height) / 2
	r.icon.Raster.Move(fyne.NewPos((size.Width-icon)/2, top))
	r.icon.Raster.Resize(fyne.NewSquareSize(icon))
	r.note.Text = look.Fit(r.view.note, size.Width-4*look.Space, look.Size(look.SizeSmall), fyne.TextStyle{}, look.EllipsisEnd)
	r.note.Move(fyne.NewPos(0, top+icon+2*look.Space))
	r.note.Resize(fyne.NewSize(size.Width, r.note.MinSize().Height))
	if size != r.size {
		r.size = size
		r.view.resized()
	}
}

func (r *frameRenderer) Refresh() {
	none := r.view.picture == nil
	r.ground.FillColor = look.Color(look.ColorSunk)
	r.note.TextSize, r.note.Color = look.Size(look.SizeSmall), look.Color(look.ColorMuted)
	r.icon.Set(look.IconFilm.Tinted(look.ColorMuted))
	r.picture.Image = r.view.picture
	r.icon.Raster.Hidden, r.note.Hidden, r.picture.Hidden = !none, !none || r.view.note == "", none
	r.Layout(r.view.Size())
	for _, o := range []fyne.CanvasObject{r.ground, r.note, r.picture} {
		o.Refresh()
	}
	canvas.Refresh(r.view)
}
