package clip

import (
	"context"
	"math"

	"fyne.io/fyne/v2"

	"assay/client/i18n"
	"assay/gui/kit"
	"assay/gui/look"
	"assay/gui/present"
	"assay/gui/viewer/recording"
)

// The steps of the arrow keys, in seconds.
const (
	seekStep     = 1.0
	seekStepLong = 10.0
)

// follow shows the frame of the moment that is heard, in seconds.
func (p *Pane) follow(seconds float64) {
	p.moment = seconds
	p.lanes.SetMoment(seconds)
	if p.stillAt < 0 && seconds == 0 || math.Abs(seconds-p.stillAt) < playApart && p.stillAt >= 0 {
		return
	}
	p.want(seconds)
}

// seek goes to a moment in seconds, in picture and sound.
func (p *Pane) seek(seconds float64) {
	if length := p.lanesLength(); length > 0 {
		seconds = min(seconds, length)
	}
	seconds = max(seconds, 0)
	p.sound.Seek(seconds)
	p.moment = seconds
	p.lanes.SetMoment(seconds)
	p.want(seconds)
}

func (p *Pane) lanesLength() float64 {
	if length := p.length(); length > 0 {
		return length
	}
	return max(p.timeline.End, p.sound.Length())
}

// choose goes to a part and shows what was reported of it.
func (p *Pane) choose(lane, i int) {
	chosen := p.timeline.Lanes[lane].Spans[i]
	p.chosen = recording.SourceOf(chosen)
	p.showSource()
	p.seek(chosen.Start)
	p.refresh()
}

func (p *Pane) goTo(lane, i int) {
	p.lanes.Choose(lane, i)
	p.choose(lane, i)
}

// goToWorst goes to the worst part of the picture or, if none was flagged, of the sound.
func (p *Pane) goToWorst() {
	if w := p.timeline.Worst; w != nil {
		p.goTo(w.Lane, w.Span)
		return
	}
	p.sound.TypedRune('w')
}

// step goes to the next (1) or previous (-1) reported frame, or scene if no frames were reported.
func (p *Pane) step(by int) {
	lane := -1
	for i, l := range p.timeline.Lanes {
		if l.Part == "frames" || l.Part == "scenes" && lane < 0 {
			lane = i
		}
	}
	if lane < 0 {
		return
	}
	const same = 1e-3 // seconds
	spans := p.timeline.Lanes[lane].Spans
	if by > 0 {
		for i, s := range spans {
			if s.Start > p.moment+same {
				p.goTo(lane, i)
				return
			}
		}
		return
	}
	for i := len(spans) - 1; i >= 0; i-- {
		if spans[i].Start < p.moment-same {
			p.goTo(lane, i)
			return
		}
	}
}

// TypedRune handles a key of one character, and reports whether it does anything.
func (p *Pane) TypedRune(r rune) bool {
	switch r {
	case ',', '<':
		p.step(-1)
	case '.', '>':
		p.step(1)
	case 'w', 'W':
		p.goToWorst()
	default:
		return p.sound.TypedRune(r)
	}
	return true
}

// TypedKey handles a key without a character, and reports whether it does anything.
func (p *Pane) TypedKey(e *fyne.KeyEvent) bool {
	if p.sound.TypedKey(e) {
		return true
	}
	step := seekStep
	if p.shifted() {
		step = seekStepLong
	}
	switch e.Name {
	case fyne.KeyLeft:
		p.seek(p.moment - step)
	case fyne.KeyRight:
		p.seek(p.moment + step)
	default:
		return false
	}
	return true
}

// Shortcuts are the keys of this pane.
func (p *Pane) Shortcuts() []present.Shortcut {
	return []present.Shortcut{
		{Keys: i18n.T("Space"), Does: i18n.T("Play or pause the sound")},
		{Keys: "← →", Does: i18n.T("Back or forward a second; with Shift, ten")},
		{Keys: ", .", Does: i18n.T("To the frame before or after, as reported")},
		{Keys: "W", Does: i18n.T("Go to the worst part that was reported")},
		{Keys: "L", Does: i18n.T("Go round the chosen part of the sound, or the whole")},
		{Keys: "M", Does: i18n.T("Mute")},
	}
}

// frameResized fetches the frame again if it is now shown larger.
func (p *Pane) frameResized() {
	if p.stillAt >= 0 && p.still != nil && max(p.still.Rect.Dx(), p.still.Rect.Dy()) < p.sideWanted()-sideStep {
		p.want(p.stillAt)
	}
}

// beside lays the picture to the left of the rest, or above it if there is little width.
type beside struct{ width float32 }

const (
	besideFrom   float32 = 620
	pictureShare float32 = 0.36
	pictureMost  float32 = 420
	pictureHigh  float32 = 200 // its height above the rest
)

// Layout implements fyne.Layout.
func (b *beside) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	b.width = size.Width
	const gap = 3 * look.Space
	if size.Width < besideFrom {
		size.Width -= 2 * look.Space // for the scroll bar
	}
	if b.width >= besideFrom {
		left := min(size.Width*pictureShare, pictureMost)
		objects[0].Move(fyne.NewPos(0, 0))
		objects[0].Resize(fyne.NewSize(left, size.Height))
		objects[1].Move(fyne.NewPos(left+gap, 0))
		objects[1].Resize(fyne.NewSize(size.Width-left-gap, size.Height))
		return
	}
	objects[0].Resize(fyne.NewSize(size.Width, objects[0].Size().Height)) // the width first: heights follow from it
	objects[1].Resize(fyne.NewSize(size.Width, objects[1].Size().Height))
	above := b.above(objects)
	objects[0].Move(fyne.NewPos(0, 0))
	objects[0].Resize(fyne.NewSize(size.Width, above))
	objects[1].Move(fyne.NewPos(0, above+gap))
	objects[1].Resize(fyne.NewSize(size.Width, max(objects[1].MinSize().Height, size.Height-above-gap)))
}

func (b *beside) above(objects []fyne.CanvasObject) float32 {
	return objects[0].MinSize().Height + pictureHigh - 90 // 90 is the least height of the frame itself
}

// MinSize implements fyne.Layout.
func (b *beside) MinSize(objects []fyne.CanvasObject) fyne.Size {
	left, right := objects[0].MinSize(), objects[1].MinSize()
	width := max(left.Width, right.Width)
	if b.width >= besideFrom {
		return fyne.NewSize(width, max(left.Height, right.Height))
	}
	return fyne.NewSize(width, b.above(objects)+3*look.Space+right.Height)
}

// soundState is what is known about a clip's sound.
type soundState int

const (
	soundUnknown soundState = iota
	soundOwn                // it has a result of its own
	soundClip               // only the clip's own sound can be played
)

// loadSoundInfo reads whether the sound has a result of its own.
func (p *Pane) loadSoundInfo() {
	id := p.shown.ID
	p.cancelSoundInfo()
	p.cancelSoundInfo = p.Workers.Do(func(ctx context.Context) func() {
		v, ok, err := p.Source.SoundOf(ctx, id)
		return func() {
			before := p.hasSound
			p.soundOf, p.soundErr, p.hasSound = v, err, soundClip
			if ok && err == nil {
				p.hasSound = soundOwn
			}
			if before == soundClip && p.hasSound == soundOwn {
				p.sound.Clear() // it was shown as the clip's own
			}
			p.showSound()
		}
	})
}

// showSound shows the player, with the sound's own result if it has one. If ffmpeg finds no sound in the clip, there is no player.
func (p *Pane) showSound() {
	if p.hasSound == soundUnknown {
		return
	}
	none := p.hasSound == soundClip && p.info != nil && !p.info.HasSound
	kit.SetVisible(p.sound.Content(), !none)
	kit.SetVisible(p.silent, none)
	if none {
		p.silent.SetText(i18n.T("This clip has no sound."))
		p.sound.Clear()
		p.refresh()
		return
	}
	v := p.shown
	v.Verdict.Provisional = p.hasSound == soundOwn && p.soundOf.Verdict.Provisional
	p.sound.NoParts = i18n.T("This clip has no separate result for its sound: only the sound itself can be played.")
	switch {
	case p.soundErr != nil:
		p.sound.NoParts = i18n.F("Whether its sound has a result of its own can't be told. %s", present.Problem(p.soundErr))
	case p.hasSound == soundOwn:
		p.sound.NoParts = i18n.T("Nothing was reported of single parts of the sound.")
	}
	p.sound.Source = soundSource{Source: p.Source, own: p.hasSound == soundOwn}
	p.sound.Show(v)
	p.showSource()
	p.refresh()
}

var _ recording.Source = soundSource{}
