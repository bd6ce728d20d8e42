package picture

import (
	"bytes"
	"context"
	"errors"
	"image"
	"os"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"

	"assay/client"
	"assay/client/i18n"
	"assay/client/media/picture"
	"assay/client/plain"
	"assay/gui/kit"
	"assay/gui/present"
)

// say shows a sentence in a notice, with a button if action is not empty. What is said of the boxes waits while something is said of the heatmap:
// together they would cover a small picture.
func (p *Pane) say(n *kit.Notice, sentence, action string, onAction func()) {
	n.SetText(sentence)
	n.SetAction(action, onAction)
	n.Show()
	if p.heatNotice.Visible() && p.boxNotice.Visible() {
		p.boxNotice.Hide()
		p.boxesWait = true
	}
	p.root.Refresh()
}

// saying is say for a sentence that the person closes.
func (p *Pane) saying(n *kit.Notice, sentence string) {
	p.say(n, sentence, i18n.T("Close"), func() { p.unsay(n) })
}

// unsay hides a notice.
func (p *Pane) unsay(n *kit.Notice) {
	n.Hide()
	if n == p.heatNotice && p.boxesWait {
		p.boxNotice.Show()
	}
	p.boxesWait = false
	p.root.Refresh()
}

// The messages while something loads.
const (
	photoWait i18n.Key = "Opening the picture…"
	heatWait  i18n.Key = "Fetching the heatmap…"
	fullWait  i18n.Key = "Opening all pixels…"
)

// await sets whether something is loading, for the status.
func (p *Pane) await(what i18n.Key, under bool) {
	p.awaited[what] = under
	for _, wait := range []i18n.Key{photoWait, heatWait, fullWait} {
		if p.awaited[wait] {
			p.stage.setStatus(i18n.T(wait))
			return
		}
	}
	p.stage.setStatus("")
}

// loadPhoto decodes the photo for the screen.
func (p *Pane) loadPhoto() {
	id := p.shown.ID
	p.cancelPhoto()
	p.photoNotice.Hide()
	p.tools.object.Show()
	p.stage.Show()
	p.await(photoWait, true)
	if p.takeAhead() {
		return
	}
	as := p.stage.first()
	p.cancelPhoto = p.p.Askers.Do(func(ctx context.Context) func() {
		photo, err := decode(ctx, p.p.Source.OpenOriginal, id, as)
		if err != nil {
			return func() {
				p.await(photoWait, false)
				p.sayUnreadable(err)
				p.readNext()
			}
		}
		return func() { p.showPhoto(photo) }
	})
}

// sayUnreadable offers to try again if that may help, which it does not for a broken file.
func (p *Pane) sayUnreadable(err error) {
	p.tools.object.Hide()
	p.stage.Hide()
	if broken := (*picture.Unreadable)(nil); errors.As(err, &broken) {
		p.say(p.photoNotice, present.Problem(err), "", nil)
		return
	}
	if present.Lasting(err) {
		p.say(p.photoNotice, i18n.F("The picture can't be shown. %s", present.Problem(err)), "", nil)
		return
	}
	p.say(p.photoNotice, i18n.F("The picture can't be shown. %s", present.Problem(err)), i18n.T("Try again"), func() {
		p.photoNotice.Hide()
		p.root.Refresh()
		p.loadPhoto()
	})
}

func (p *Pane) showPhoto(photo *decoded) {
	p.await(photoWait, false)
	p.stage.setPhoto(photo)
	p.applyBoxes()
	p.applyCaption()
	p.loadHeatmap()
	p.readNext()
	p.root.Refresh()
}

// decode reads what was submitted, for the screen. Call it on a worker.
func decode(ctx context.Context, open func(ctx context.Context, id string) (*os.File, error), id string, as first) (*decoded, error) {
	file, err := open(ctx, id)
	if err != nil {
		return nil, err
	}
	defer file.Close() //nolint:errcheck // only read from
	photo, err := picture.Decode(ctx, file, picture.Limits{LongSide: firstLook})
	if err != nil {
		return nil, err
	}
	return as.of(ctx, photo), nil
}

// firstLook is the longer side of the first decoding, in pixels; all pixels are read when a zoom needs them.
const firstLook = 2048

// openWhole reads all pixels of what was submitted. Call it on a worker.
func openWhole(ctx context.Context, from Source, id string) (*picture.Full, error) {
	file, err := from.OpenOriginal(ctx, id)
	if err != nil {
		return nil, err
	}
	defer file.Close() //nolint:errcheck // only read from
	return picture.Open(ctx, file, picture.DefaultLimits)
}

// otherFile is the error for a file that has changed since the picture was opened.
type otherFile struct{}

func (otherFile) Error() string { return "the file has changed" }

// Sentence is the message for the person.
func (otherFile) Sentence() string { return i18n.T("The file is no longer the one that was opened.") }

// openFull reads all pixels of the photo, when a zoom needs them.
func (p *Pane) openFull() {
	if p.opening || p.shown.ID == "" {
		return
	}
	p.opening = true
	id := p.shown.ID
	source := p.stage.photo.Source
	p.await(fullWait, true)
	p.cancelFull = p.p.Askers.Do(func(ctx context.Context) func() {
		full, err := openWhole(ctx, p.p.Source, id)
		if err == nil && full.Size() != source {
			err = otherFile{}
		}
		return func() {
			p.await(fullWait, false)
			if err != nil {
				p.say(p.photoNotice, i18n.F("Single pixels can't be shown. %s", present.Problem(err)), i18n.T("Try again"), func() {
					p.photoNotice.Hide()
					p.root.Refresh()
					p.opening = false
					p.stage.arrange()
				})
				return
			}
			p.stage.setFull(full)
		}
	})
}

// loadHeatmap fetches and decodes the chosen model's heatmap, once it is to be shown and the photo is there. Others are never fetched.
func (p *Pane) loadHeatmap() {
	model := p.model()
	if p.stage.mode == Original || p.stage.photo == nil || model.IsZero() || model == p.heatmapOf {
		return
	}
	p.dropHeatmap()
	p.heatmapOf = model
	p.applyCaption()
	p.await(heatWait, true)
	if p.against != nil {
		p.loadBoth(model, model.Verbatim())
		return
	}
	id := p.shown.ID
	p.cancelHeat = p.p.Askers.Do(func(ctx context.Context) func() {
		heatmap, err := openHeatmap(ctx, p.p.Source, id, model.Verbatim())
		return func() {
			p.await(heatWait, false)
			if err != nil {
				p.heatmapOf = plain.Text{}
				p.applyCaption()
				p.say(p.heatNotice, i18n.F("The heatmap of %s can't be shown. %s", model, present.Problem(err)), i18n.T("Try again"), func() {
					p.unsay(p.heatNotice)
					p.root.Refresh()
					p.loadHeatmap()
				})
				return
			}
			p.showHeatmap(heatmap)
		}
	})
}

// dropHeatmap releases the heatmap, and cancels the one that is loading.
func (p *Pane) dropHeatmap() {
	p.cancelHeat()
	p.heatmapOf = plain.Text{}
	p.unsay(p.heatNotice)
	p.await(heatWait, false)
	p.stage.setHeatmap(nil)
	p.stage.setEarlier(nil)
	p.tools.allowModes()
	p.applyBlink()
	p.applyCaption()
	p.root.Refresh()
}

// openHeatmap must be called on a worker. A heatmap keeps its values: it is never smoothed.
func openHeatmap(ctx context.Context, from Source, id, model string) (*picture.Full, error) {
	png, err := from.Heatmap(ctx, id, model)
	if err != nil {
		return nil, err
	}
	return picture.Open(ctx, bytes.NewReader(png), picture.Limits{Unsmoothed: true})
}

func (p *Pane) showHeatmap(h *picture.Full) {
	p.stage.setHeatmap(h)
	if p.stage.differs() {
		p.setMode(SideBySide) // before the other modes are disabled
		p.saying(p.heatNotice, i18n.T("The heatmap's shape differs from the picture's by more than 1 %, so they are shown side by side."))
	}
	p.tools.allowModes()
	p.tools.showMode(p.stage.mode)
	p.applyBlink()
	p.applyCaption()
}

// loadBoxes reads the boxes of the aggregation JSON. If there is no such file, nothing is shown.
func (p *Pane) loadBoxes() {
	id := p.shown.ID
	p.cancelBoxes = p.p.Askers.Do(func(ctx context.Context) func() {
		a, err := p.p.Source.Aggregation(ctx, id)
		switch {
		case errors.Is(err, client.ErrNoArtifact):
			return nil
		case err != nil:
			return func() {
				p.say(p.boxNotice, i18n.F("Assay can't tell whether parts of the picture are marked. %s", present.Problem(err)), i18n.T("Try again"), p.retryBoxes)
			}
		}
		return func() { p.takeBoxes(a) }
	})
}

func (p *Pane) retryBoxes() {
	p.unsay(p.boxNotice)
	p.root.Refresh()
	p.loadBoxes()
}

// cut is what to draw of a picture: a part of its grid of pixels, at a size on screen.
type cut struct {
	of      *picture.Full // nil: nothing
	lead    image.Point
	turn    int // orientation of a heatmap, 0 for a photo
	part    image.Rectangle
	size    image.Point // in screen pixels
	preview present.Preview
	blur    float64 // with which a heatmap is covered, in screen pixels; 0: it is not
}

// layer is a picture on the stage. Its image shows a cut of it within a clip, since pixels made for the last zoom are stretched until those for the
// new one are there.
type layer struct {
	clip  *container.Clip
	room  *fyne.Container
	image *canvas.Image
	drawn cut
}

func newLayer() *layer {
	l := &layer{image: &canvas.Image{FillMode: canvas.ImageFillStretch, ScaleMode: canvas.ImageScaleFastest}}
	l.room = container.NewWithoutLayout(l.image)
	l.clip = container.NewClip(l.room)
	l.clip.Hide()
	return l
}

// clear releases the pixels.
func (l *layer) clear() {
	if l.image.Image == nil {
		return
	}
	l.image.Image, l.drawn = nil, cut{}
	l.image.Refresh() // releases the texture
	l.clip.Hide()
}

// set replaces the pixels, which were drawn for a cut.
func (l *layer) set(pixels *image.RGBA, drawn cut) {
	l.image.Image, l.drawn = pixels, drawn
	l.image.Refresh()
}

// view is where a frame is on the stage, in device-independent pixels; scale is screen pixels for each of them.
type view struct {
	left  float32
	size  fyne.Size
	scale float32
}

// frame is the size of the view in screen pixels.
func (v view) frame() spot {
	return spot{float64(v.size.Width * v.scale), float64(v.size.Height * v.scale)}
}

// point converts a position in the frame to one on the stage.
func (v view) point(at spot) fyne.Position {
	return fyne.NewPos(v.left+float32(at.X)/v.scale, float32(at.Y)/v.scale)
}

// spot converts a position on the stage to one in the frame.
func (v view) spot(at fyne.Position) spot {
	return spot{float64((at.X - v.left) * v.scale), float64(at.Y * v.scale)}
}

// place shows the layer's pixels, for a picture that is at whole, right of from only (in screen pixels of the frame).
func (l *layer) place(v view, whole placed, from float64, visible bool) {
	frame := v.frame()
	visible = visible && l.image.Image != nil && from < frame.X && l.drawn.lead.X > 0
	if visible {
		corner := v.point(spot{from, 0})
		l.clip.Move(corner)
		l.clip.Resize(fyne.NewSize(v.left+v.size.Width-corner.X, v.size.Height))
		at := whole.at(l.drawn.part, l.drawn.lead)
		l.image.Move(v.point(spot{at.left, at.top}).Subtract(corner))
		l.image.Resize(fyne.NewSize(float32(at.width)/v.scale, float32(at.height)/v.scale))
	}
	kit.SetVisible(l.clip, visible)
}
