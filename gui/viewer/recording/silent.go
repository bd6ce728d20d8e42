package recording

import (
	"time"

	"fyne.io/fyne/v2"

	"assay/client/i18n"
	"assay/gui/chart"
	"assay/gui/kit"
	"assay/gui/look"
	"assay/gui/player"
	"assay/gui/present"
)

// playing is a *player.Player, or a *player.Silence where a clip's frames are played without sound.
type playing interface {
	Play()
	Pause()
	Toggle()
	Seek(to time.Duration)
	Loop(from, to time.Duration)
	SetVolume(v float64)
	Position() time.Duration
	State() player.State
	Err() error
}

// SetPicture tells the length of the clip's picture in seconds, which plays without sound if there is none or it can't be heard.
func (p *Pane) SetPicture(seconds float64) {
	p.pictureLength = seconds
	if p.player == nil && p.fault != "" {
		p.silently(time.Duration(p.sought * float64(time.Second)))
	}
}

// ShowSilent shows the controls for a clip without sound, whose picture has a length in seconds.
func (p *Pane) ShowSilent(v present.Viewer, seconds float64) {
	p.Clear()
	p.shown, p.session = v, &session{}
	p.wave.SetNote(i18n.T("This clip has no sound."))
	p.pictureLength = seconds
	p.silently(0)
	p.setAxis()
}

// silently plays the picture without sound from a moment on, where that is possible.
func (p *Pane) silently(at time.Duration) {
	if !(p.pictureLength > 0) {
		return
	}
	p.length = max(p.length, p.pictureLength)
	silence := player.NewSilence(time.Duration(p.length*float64(time.Second)), p.Clock)
	silence.Seek(at)
	p.player, p.state = silence, player.Paused
	p.header.setEnabled(true)
	if p.looping {
		p.applyLoop()
	}
	p.wave.SetLength(p.length)
	p.showMoment(at.Seconds())
}

// SetFrame shows the number of the frame that is seen.
func (p *Pane) SetFrame(n int) { p.header.setFrame(n) }

// SetLead has the clip's strongest part in place of the sound's; OnLead goes to it. nil: the sound's again.
func (p *Pane) SetLead(w *present.Worst) {
	p.lead = w
	p.showWorst()
}

func (p *Pane) showWorst() {
	if p.lead != nil {
		p.header.setWorst(p.lead)
		return
	}
	p.header.setWorst(p.timeline.Worst)
}

// SetLow has the waveform as low as it can be read, or as usual.
func (p *Pane) SetLow(low bool) {
	p.wave.Height = waveUsual
	if low {
		p.wave.Height = waveLow
	}
	p.lanes.Low = low
	p.lanes.Refresh()
	p.tracks.Layout = kit.Column{Gap: gapOf(low), Grow: 1}
	p.tracks.Refresh()
}

// SetRoom tells the pane how much height it has without scrolling.
func (p *Pane) SetRoom(height float32) {
	if low := height < lowBelow; low != p.low {
		p.low = low
		p.SetLow(low)
	}
}

// lowBelow is the room below which the waveform is low.
const lowBelow float32 = 240

// The least heights of a waveform.
const (
	waveUsual float32 = 56
	waveLow   float32 = 36
)

func gapOf(low bool) float32 {
	if low {
		return look.Space
	}
	return 2 * look.Space
}

// SetRuler shows or hides the ruler below the lanes of the sound.
func (p *Pane) SetRuler(shown bool) {
	if shown == (p.lanes.Clock != nil) {
		return
	}
	p.lanes.Clock = nil
	if shown {
		p.lanes.Clock = present.ClockTick
	}
	p.lanes.Refresh()
	p.tracks.Refresh()
}

// NewTrack puts a title before a chart, in the gutter that lanes have theirs in.
func NewTrack(title string, of fyne.CanvasObject) *fyne.Container {
	words := kit.NewText(title, kit.TextStyle{Size: look.SizeCaption, Color: look.ColorMuted, Ellipsis: look.EllipsisEnd})
	return &fyne.Container{Layout: track{}, Objects: []fyne.CanvasObject{words, of}}
}

type track struct{}

// Layout implements fyne.Layout.
func (track) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	gutter, high := chart.Gutter(), objects[0].MinSize().Height
	objects[0].Move(fyne.NewPos(0, (size.Height-high)/2))
	objects[0].Resize(fyne.NewSize(gutter-2*look.Space, high))
	objects[1].Move(fyne.NewPos(gutter, 0))
	objects[1].Resize(fyne.NewSize(max(size.Width-gutter, 0), size.Height))
}

// MinSize implements fyne.Layout.
func (track) MinSize(objects []fyne.CanvasObject) fyne.Size {
	size := objects[1].MinSize()
	return fyne.NewSize(size.Width+chart.Gutter(), max(size.Height, objects[0].MinSize().Height))
}

// sheet lays the controls above the card of tracks, which grows until its waveform is high enough to be read, and no further.
type sheet struct{}

const (
	sheetGap   = 2 * look.Space
	sheetGrows = 104 // by how much the waveform may be higher than its least height
)

// Layout implements fyne.Layout.
func (sheet) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	for _, o := range objects {
		o.Resize(fyne.NewSize(size.Width, o.Size().Height)) // the width first: heights follow from it
	}
	controls, card := objects[0].MinSize().Height, objects[1].MinSize().Height
	objects[0].Move(fyne.NewPos(0, 0))
	objects[0].Resize(fyne.NewSize(size.Width, controls))
	objects[1].Move(fyne.NewPos(0, controls+sheetGap))
	objects[1].Resize(fyne.NewSize(size.Width, min(max(size.Height-controls-sheetGap, card), card+sheetGrows)))
}

// MinSize implements fyne.Layout.
func (sheet) MinSize(objects []fyne.CanvasObject) fyne.Size {
	return kit.Column{Gap: sheetGap, Grow: -1}.MinSize(objects)
}
