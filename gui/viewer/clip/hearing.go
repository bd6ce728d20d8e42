package clip

import (
	"context"

	"assay/client/i18n"
	"assay/gui/kit"
	"assay/gui/present"
	"assay/gui/viewer/recording"
)

// soundState is what is known of a clip's sound.
type soundState int

const (
	soundUnknown soundState = iota
	soundOwn                // it has a result of its own
	soundClip               // only the clip's own sound can be heard
)

// loadSoundInfo asks whether the sound has a result of its own.
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

// showSound shows the player, with what was reported of the sound where that has a result of its own. A clip of which ffmpeg says that
// it has no sound has no player.
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
