// Package recording shows a recording: its waveform, what was reported of its parts, and a player. It is composed of gui/kit and gui/chart, and plays
// by gui/player. It must be used on the UI thread; what reads a disk or decodes runs on gui/work.
package recording

import (
	"context"
	"errors"
	"os"
	"sync"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/driver/desktop"

	"assay/client"
	"assay/client/i18n"
	"assay/client/media/sound"
	"assay/gui/chart"
	"assay/gui/kit"
	"assay/gui/look"
	"assay/gui/player"
	"assay/gui/present"
	"assay/gui/work"
)

// Pane shows a recording. Nothing plays before the person asks for it.
type Pane struct {
	Params
	root     *fyne.Container // nil if another pane contains the controls and the tracks
	tracks   *fyne.Container // waveform and lanes
	header   *header
	notice   *kit.Notice // problems with the sound
	wave     *chart.Waveform
	lanes    *chart.Lanes
	parts    *kit.Paragraph  // remarks on the lanes
	source   *kit.Text       // the field of the answer that the chosen part is from
	progress *fyne.Animation // runs while it plays

	shown         present.Viewer
	timeline      present.Timeline
	whyEmpty      string           // shown if the timeline is empty
	session       *session         // nil while nothing is shown
	sound         *sound.Recording // nil until it is open
	player        playing          // nil until the sound is open
	state         player.State     // as it is shown
	lead          *present.Worst   // of the clip, in place of the sound's
	pictureLength float64          // of the clip, in seconds; 0 for a recording
	fault         string           // a problem with the file, not the player
	length        float64          // in seconds, 0 if it is unknown
	sought        float64          // where the person went before the sound was open, in seconds
	chosen        *present.Span
	looping       bool
	low           bool    // whether there is little height
	volume        float64 // 0..1
	muted         bool

	cancelSound, cancelPeaks, cancelData context.CancelFunc
	endings                              sync.WaitGroup
}

// New makes an empty pane.
func New(p Params) *Pane {
	nothing := func() {}
	r := &Pane{Params: p, volume: volumeStart / 100, cancelSound: nothing, cancelPeaks: nothing, cancelData: nothing}
	r.header = newHeader(r)
	r.notice = kit.NewNotice(look.IconWarning, "", "", nil)
	r.wave = chart.NewWaveform()
	r.wave.OnSeek, r.wave.Clock, r.wave.Shift = r.seek, present.Clock, p.shifted
	r.wave.OnTypedKey = func(e *fyne.KeyEvent) { r.TypedKey(e) }
	r.lanes = chart.NewLanes()
	r.lanes.OnTapped, r.lanes.Clock = r.choose, present.ClockTick
	r.lanes.OnTypedKey = func(e *fyne.KeyEvent) { r.TypedKey(e) }
	small := kit.TextStyle{Size: look.SizeSmall, Color: look.ColorMuted}
	r.parts = kit.NewParagraph("", small)
	r.source = NewSource()
	r.progress = fyne.NewAnimation(progressStep, func(float32) { r.tick() })
	r.progress.RepeatCount, r.progress.Curve = fyne.AnimationRepeatForever, fyne.AnimationLinear
	r.tracks = container.New(kit.Column{Gap: 2 * look.Space, Grow: 1}, r.notice, NewTrack(i18n.T("Sound"), r.wave), r.lanes, r.parts, r.source)
	r.lanes.Gutter = chart.Gutter()
	r.reset()
	return r
}

// Object is the pane's root.
func (p *Pane) Object() fyne.CanvasObject {
	if p.root == nil {
		card := kit.NewCard(p.tracks)
		card.SetPadding(3 * look.Space)
		p.root = container.New(sheet{}, p.header.root, card)
	}
	return p.root
}

// Controls and Tracks are the player's controls, and waveform and lanes, for a pane that contains them in place of Object.
func (p *Pane) Controls() fyne.CanvasObject { return p.header.root }

// Tracks is described with Controls.
func (p *Pane) Tracks() fyne.CanvasObject { return p.tracks }

// refresh lays out again what may have another height.
func (p *Pane) refresh() {
	if p.root != nil {
		p.tracks.Refresh()
		p.root.Refresh()
		return
	}
	if p.OnResize != nil {
		p.OnResize()
		return
	}
	p.tracks.Refresh()
}

// Show shows a result's recording. For the one that is shown it only reads what was reported again, if there was nothing yet.
func (p *Pane) Show(v present.Viewer) {
	if p.session != nil && p.shown.ID == v.ID {
		wasProvisional := p.shown.Verdict.Provisional
		p.shown = v
		if wasProvisional != v.Verdict.Provisional {
			p.loadData()
		}
		return
	}
	p.Clear()
	p.shown = v
	p.session = &session{}
	p.wave.SetNote(i18n.T("Reading the sound…"))
	p.loadSound()
	p.loadData()
}

// Clear empties the pane, stops the sound and closes what was open.
func (p *Pane) Clear() {
	p.cancelSound()
	p.cancelPeaks()
	p.cancelData()
	p.progress.Stop()
	if p.player != nil {
		p.player.Pause()
	}
	if p.session != nil {
		p.endings.Go(p.session.end)
	}
	p.session, p.sound, p.player, p.lead = nil, nil, nil, nil
	p.shown, p.timeline, p.fault = present.Viewer{}, present.Timeline{}, ""
	p.reset()
}

// Close is Clear, and waits until everything is closed; call it when the window closes.
func (p *Pane) Close() {
	p.Clear()
	p.endings.Wait()
}

func (p *Pane) reset() {
	p.length, p.pictureLength, p.sought, p.chosen, p.looping = 0, 0, 0, nil, false
	p.header.setPlaying(false)
	p.header.setTime(0, 0)
	p.header.setWorst(nil)
	p.header.setEnabled(false)
	p.header.loop.Set(i18n.T("Loop part"), false)
	p.notice.Hide()
	p.wave.SetColumns(nil)
	p.wave.SetLength(0)
	p.wave.SetMoment(0)
	p.wave.SetLoop(0, 0)
	p.wave.SetNote("")
	p.lanes.SetMoment(-1)
	p.setParts(present.Timeline{}, "")
}

// Length is the length of the recording in seconds; 0 if it is unknown.
func (p *Pane) Length() float64 { return p.length }

// loadSound opens the recording on a worker, then reads its peaks.
func (p *Pane) loadSound() {
	s, id, source := p.session, p.shown.ID, p.Source
	options := player.Options{Output: p.Output, Clock: p.Clock, OnChange: func() {
		p.UI(func() {
			if p.session == s {
				p.showState()
			}
		})
	}}
	p.cancelSound = p.Workers.Do(func(ctx context.Context) func() {
		file, err := source.OpenSound(ctx, id)
		if err != nil {
			return func() { p.noSound(err) }
		}
		recording, player, err := s.open(ctx, file, options)
		if err != nil {
			return func() { p.noSound(err) }
		}
		return func() { p.opened(recording, player) }
	})
}

// opened prepares the player for the recording that was opened.
func (p *Pane) opened(recording *sound.Recording, player playing) {
	p.sound, p.player = recording, player
	p.length = recording.Duration().Seconds()
	player.SetVolume(p.loudness())
	p.header.setEnabled(true)
	p.wave.SetNote("")
	p.setAxis()
	p.seek(p.sought)
	p.loadPeaks()
	p.refresh()
}

// noSound shows why nothing can be played; what was reported of the parts is shown nevertheless.
func (p *Pane) noSound(err error) {
	words := i18n.F("The sound can't be played. %s", present.Problem(err))
	var needs *sound.NeedsFFmpeg
	if errors.As(err, &needs) {
		words = needs.Sentence()
	}
	var unreadable *sound.Unreadable
	p.fault = words
	p.say(words, needs != nil || errors.As(err, &unreadable))
	if network := (*client.Error)(nil); errors.As(err, &network) && network.Temporary() {
		p.notice.SetAction(i18n.T("Try again"), p.retrySound)
		p.refresh()
	}
	p.wave.SetNote(i18n.T("No waveform"))
	p.silently(time.Duration(p.sought * float64(time.Second)))
	p.setAxis()
}

func (p *Pane) retrySound() {
	p.fault = ""
	p.notice.Hide()
	p.wave.SetNote(i18n.T("Reading the sound…"))
	p.refresh()
	p.loadSound()
}

// say shows a sentence above the waveform, with a button for the system's player if that may help.
func (p *Pane) say(sentence string, offerPlayer bool) {
	action, open := "", (func())(nil)
	if offerPlayer && p.OpenInPlayer != nil {
		id := p.shown.ID
		action, open = i18n.T("Open in the system player"), func() { p.OpenInPlayer(id) }
	}
	p.notice.SetText(sentence)
	p.notice.SetAction(action, open)
	p.notice.Show()
	p.refresh()
}

// loadData reads what was reported of the parts.
func (p *Pane) loadData() {
	id, source, provisional := p.shown.ID, p.Source, p.shown.Verdict.Provisional
	p.cancelData()
	p.cancelData = p.Workers.Do(func(ctx context.Context) func() {
		data, err := source.Aggregation(ctx, id)
		if err != nil {
			return func() { p.setParts(present.Timeline{}, p.whyNoParts(err, provisional)) }
		}
		timeline := present.TimelineOf(data)
		return func() { p.setParts(timeline, p.whyNoParts(nil, provisional)) }
	})
}

// whyNoParts is the sentence for an empty timeline; err is the error of reading it.
func (p *Pane) whyNoParts(err error, provisional bool) string {
	switch {
	case p.Alone:
		return ""
	case err != nil && !errors.Is(err, client.ErrNoArtifact):
		return i18n.F("What was reported of the parts can't be shown. %s", present.Problem(err))
	case provisional:
		return i18n.T("Nothing is reported of the parts yet.")
	case p.NoParts != "":
		return p.NoParts
	}
	return i18n.T("Nothing was reported of single parts of this recording.")
}

// setParts shows a timeline, or why there is none.
func (p *Pane) setParts(t present.Timeline, whyEmpty string) {
	p.timeline, p.chosen = t, nil
	p.showWorst()
	p.whyEmpty = whyEmpty
	p.showSource("")
	p.setAxis()
	if p.OnParts != nil {
		p.OnParts(t)
	}
}

// setAxis draws the lanes over the length of the recording, or of what was reported if that is unknown.
func (p *Pane) setAxis() {
	length := p.length
	if length <= 0 {
		length = p.timeline.End
	}
	p.wave.SetLength(p.length)
	lane, span, chosen := p.lanes.Chosen()
	p.lanes.SetLanes(LanesOf(p.timeline, p.shown.Verdict.Provisional), length)
	if chosen && p.chosen != nil {
		p.lanes.Choose(lane, span)
	}
	words := joined(p.timeline.Unplaced, p.timeline.Beyond(p.length))
	if len(p.timeline.Lanes) == 0 {
		words = joined(p.whyEmpty, words)
	}
	p.parts.SetText(words)
	kit.SetVisible(p.parts, p.parts.Text() != "")
	kit.SetVisible(p.lanes, len(p.timeline.Lanes) > 0)
	p.refresh()
}

func joined(a, b string) string {
	if a == "" || b == "" {
		return a + b
	}
	return a + " " + b
}

// Source reads a result's recording. Its methods block; they are called on workers.
type Source interface {
	// Aggregation returns what was reported of the parts; client.ErrNoArtifact if there is nothing.
	Aggregation(ctx context.Context, id string) (*client.AggregationData, error)
	// OpenSound opens the sound. The file's name must be its path, by which it is read.
	OpenSound(ctx context.Context, id string) (*os.File, error)
}

// Params are the dependencies of a pane.
type Params struct {
	Workers *work.Workers
	// UI runs a closure on the UI thread, without waiting for it.
	UI     func(func())
	Source Source
	// Output plays the sound; it is not opened before the person plays.
	Output player.Output
	// Clock is for the player; nil for the system's.
	Clock player.Clock
	// OpenInPlayer opens the sound of a result in the system's player; nil if that is not possible.
	OpenInPlayer func(id string)
	// OnMoment is called when the moment shown changes, in seconds; it may be nil.
	OnMoment func(seconds float64)
	// OnState is called after the sound began or stopped to play; it may be nil.
	OnState func()
	// OnSource is called with where the numbers of a sound's chosen part stand in the answer; if it is nil, the pane shows that below the lanes.
	OnSource func(text string)
	// OnParts is called with what is shown of the sound's parts, whenever that changes; it may be nil.
	OnParts func(t present.Timeline)
	// OnResize is called when the height of Controls or Tracks may have changed, so that the pane that contains it is refreshed; it may be nil.
	OnResize func()
	// Modifier returns the modifier keys that are down; nil asks the window.
	Modifier func() fyne.KeyModifier
	// Step goes a frame back (-1) or on (1), and Tools are further controls at the right; both are of a clip, nil for a recording.
	Step   func(by int)
	OnLead func() // goes to what SetLead said
	Tools  []fyne.CanvasObject
	Alone  bool // nothing is said of its parts: nothing was asked about them yet
	// NoParts is shown if nothing was reported of the parts; "" for the usual sentence.
	NoParts string
}

func (p Params) shifted() bool {
	if p.Modifier != nil {
		return p.Modifier()&fyne.KeyModifierShift != 0
	}
	d, ok := fyne.CurrentApp().Driver().(desktop.Driver)
	return ok && d.CurrentKeyModifiers()&fyne.KeyModifierShift != 0
}
