package clip

import (
	"image"

	"fyne.io/fyne/v2"

	"assay/gui/chart"
	"assay/gui/kit"
	"assay/gui/viewer/recording"
)

// What tests look at.

func (p *Pane) Lanes() *chart.Lanes { return p.lanes }
func (p *Pane) Sound() Sound        { return Sound{p.sound} }
func (p *Pane) Notice() *kit.Notice { return p.notice }
func (p *Pane) Caption() string     { return p.caption.Text() }
func (p *Pane) SourceText() string  { return p.source.Text() }
func (p *Pane) PartsText() string   { return p.parts.Text() }
func (p *Pane) Worst() *kit.Button  { return p.worst }
func (p *Pane) Plain() *kit.Button  { return p.plain }
func (p *Pane) SilentText() string {
	if !p.silent.Visible() {
		return ""
	}
	return p.silent.Text()
}
func (p *Pane) Seen() image.Image { return p.frame.picture }
func (p *Pane) Place() string     { return p.frame.note }
func (p *Pane) Moment() float64   { return p.moment }
func (p *Pane) SystemPlayer() *kit.Button {
	return p.player
}

func (p *Pane) Probed() bool      { return p.info != nil }
func (p *Pane) Follow(at float64) { p.follow(at) }

// Sound is the sound's pane, with what is in it.
type Sound struct{ *recording.Pane }

func (s Sound) Wave() *chart.Waveform { return inside[*chart.Waveform](s.Content(), 0) }
func (s Sound) Lanes() *chart.Lanes   { return inside[*chart.Lanes](s.Content(), 0) }
func (s Sound) Worst() *kit.Button    { return inside[*kit.Button](s.Content(), 1) }
func (s Sound) PartsText() string     { return inside[*kit.Paragraph](s.Content(), 0).Text() }

// inside is the nth object of a type in containers.
func inside[T fyne.CanvasObject](o fyne.CanvasObject, nth int) T {
	var found []T
	var walk func(fyne.CanvasObject)
	walk = func(o fyne.CanvasObject) {
		if match, ok := o.(T); ok {
			found = append(found, match)
		}
		if c, ok := o.(*fyne.Container); ok {
			for _, child := range c.Objects {
				walk(child)
			}
		}
	}
	walk(o)
	return found[nth]
}
