package clip

import (
	"context"
	"math"

	"fyne.io/fyne/v2"

	"assay/client/i18n"
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
	p.showMoment(seconds)
	if p.sound.Playing() && p.roll(seconds) {
		return
	}
	if p.stillAt < 0 && seconds == 0 || math.Abs(seconds-p.stillAt) < playApart && p.stillAt >= 0 {
		return
	}
	p.want(seconds)
}

// showMoment shows at which moment the clip is.
func (p *Pane) showMoment(seconds float64) {
	p.moment = seconds
	p.lanes.SetMoment(seconds)
	p.showFrame()
	p.tellMoment()
}

func (p *Pane) tellMoment() {
	if p.OnMoment != nil {
		p.OnMoment(p.moment, p.lanesLength())
	}
}

// Seek goes to a moment in seconds.
func (p *Pane) Seek(seconds float64) { p.seek(seconds) }

// SetPart has a part gone round, in seconds, where the person wants to go round one.
func (p *Pane) SetPart(from, to float64) { p.sound.SetPart(from, to) }

// seek goes to a moment in seconds, in picture and sound.
func (p *Pane) seek(seconds float64) {
	if length := p.lanesLength(); length > 0 {
		seconds = min(seconds, length)
	}
	seconds = max(seconds, 0)
	p.sound.Seek(seconds)
	p.showMoment(seconds)
	if p.rolling == nil {
		p.want(seconds)
	}
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
	p.say(recording.SourceOf(chosen))
	p.sound.SetPart(chosen.Start, chosen.End)
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

// step pauses and goes a frame back (-1) or on (1).
func (p *Pane) step(by int) {
	if p.info == nil {
		return
	}
	p.sound.Stop()
	p.seek((p.frameAt(p.moment) + float64(by)) / p.info.PlayRate())
}

// frameAt is the number of the frame that is seen at a moment in seconds; the first is 0. A moment that was sought lies a little before or after it.
func (p *Pane) frameAt(seconds float64) float64 { return math.Floor(seconds*p.info.PlayRate() + 0.1) }

// showFrame shows the number of the frame at the moment, where the clip tells how many a second has.
func (p *Pane) showFrame() {
	if p.info != nil && p.info.FrameRate > 0 {
		p.sound.SetFrame(int(math.Floor(p.moment*p.info.FrameRate + 0.1)))
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
		{Keys: i18n.T("Space"), Does: i18n.T("Play or pause")},
		{Keys: "← →", Does: i18n.T("Back or forward a second; with Shift, ten")},
		{Keys: ", .", Does: i18n.T("To the frame before or after")},
		{Keys: "W", Does: i18n.T("Go to the strongest part that was reported")},
		{Keys: "L", Does: i18n.T("Loop the chosen part, or the whole")},
		{Keys: "M", Does: i18n.T("Turn the sound on or off")},
	}
}

// frameResized fetches the frame again if it is now shown larger.
func (p *Pane) frameResized() {
	if p.fetching >= 0 { // the one that is wanted, in the new size: not the one before it
		p.cancelFrame()
		p.fetch()
		return
	}
	if p.stillAt >= 0 && p.still != nil && max(p.still.Rect.Dx(), p.still.Rect.Dy()) < p.sideWanted()-sideStep {
		p.want(p.stillAt)
	}
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
				p.mute = false
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
	if p.hasSound == soundClip && p.info != nil && !p.info.HasSound {
		if !p.mute {
			p.mute = true
			at := p.moment
			p.sound.ShowSilent(p.shown, p.length())
			p.sound.Seek(at)
			p.setAxis()
		}
		return
	}
	v := p.shown
	v.Verdict.Provisional = p.hasSound == soundOwn && p.soundOf.Verdict.Provisional
	p.sound.NoParts = i18n.T("This clip has no separate result for its sound: only the sound itself can be played.")
	switch {
	case p.soundErr != nil:
		p.sound.NoParts = i18n.F("Assay can't tell whether its sound has its own result. %s", present.Problem(p.soundErr))
	case p.hasSound == soundOwn:
		p.sound.NoParts = i18n.T("Nothing was reported of single parts of the sound.")
	}
	p.sound.Source = soundSource{Source: p.Source, own: p.hasSound == soundOwn}
	p.sound.Show(v)
	if !p.sound.Playing() {
		p.sound.Seek(p.moment) // the person may have gone there before the sound was known
	}
	p.sound.SetPicture(p.length())
	p.sound.SetLead(p.timeline.Worst)
	p.showSource()
	p.refresh()
}

// OnVoice has told called with what was reported of the sound's parts, now and whenever that changes.
func (p *Pane) OnVoice(told func(present.Timeline)) {
	p.voice = told
	told(p.voiced)
}

// ChooseVoice goes to a part of the sound, by its place in the timeline.
func (p *Pane) ChooseVoice(lane, i int) { p.sound.Choose(lane, i) }

func (p *Pane) heardParts(t present.Timeline) {
	p.voiced = t
	if p.soundOf.Verdict.Provisional {
		p.voiced = present.Timeline{} // it can't be told yet which are the strongest
	}
	if p.voice != nil {
		p.voice(p.voiced)
	}
}

var _ recording.Source = soundSource{}
