package recording

import (
	"context"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"fyne.io/fyne/v2"

	"assay/client/i18n"
	"assay/client/media/sound"
	"assay/gui/chart"
	"assay/gui/player"
	"assay/gui/present"
)

// progressStep is the length of the animation that follows the player. It repeats, with a step for each frame of the screen.
const progressStep = time.Second

// The steps of the arrow keys, in seconds.
const (
	seekStep     = 1.0
	seekStepLong = 10.0
)

func (p *Pane) toggle() {
	if p.player != nil {
		p.player.Toggle()
		p.showState()
	}
}

// Playing reports whether the sound plays.
func (p *Pane) Playing() bool { return p.player != nil && p.player.State() == player.Playing }

// Moment is the moment that is heard, in seconds.
func (p *Pane) Moment() float64 {
	if p.player == nil {
		return 0
	}
	return p.player.Position().Seconds()
}

// Stop pauses the sound.
func (p *Pane) Stop() {
	if p.player != nil && p.player.State() == player.Playing {
		p.player.Pause()
		p.showState()
	}
}

// showState shows the state of the player, and follows its position while it plays.
func (p *Pane) showState() {
	if p.player == nil {
		return
	}
	state := p.player.State()
	p.state = state
	p.header.setPlaying(state == player.Playing)
	switch err := p.player.Err(); {
	case state == player.Failed && err != nil:
		if p.pictureLength > 0 {
			p.fault = present.Problem(err)
			p.silently(p.player.Position())
			p.player.Play()
			p.showState()
			return
		}
		p.say(present.Problem(err), true)
	case p.fault != "":
		p.say(p.fault, true)
	case p.notice.Visible():
		p.notice.Hide()
		p.refresh()
	}
	p.progress.Stop()
	p.tick()
	if state == player.Playing {
		p.progress.Start()
	}
	if p.OnState != nil {
		p.OnState()
	}
}

// tick shows the player's position, if it changed.
func (p *Pane) tick() {
	if p.player == nil {
		return
	}
	p.showMoment(p.player.Position().Seconds())
	if p.player.State() != p.state { // it came to its end
		p.showState()
	}
}

func (p *Pane) showMoment(seconds float64) {
	p.header.setTime(seconds, p.length)
	changed := p.wave.Moment() != seconds
	p.wave.SetMoment(seconds)
	p.lanes.SetMoment(seconds)
	if changed && p.OnMoment != nil {
		p.OnMoment(seconds)
	}
}

// Seek goes to a moment in seconds.
func (p *Pane) Seek(seconds float64) { p.seek(seconds) }

func (p *Pane) seek(seconds float64) {
	if p.player == nil {
		p.sought = max(seconds, 0)
		return
	}
	seconds = min(max(seconds, 0), p.length)
	p.player.Seek(time.Duration(seconds * float64(time.Second)))
	p.showMoment(seconds)
}

// choose goes to a part and shows what was reported of it.
func (p *Pane) choose(lane, i int) {
	chosen := p.timeline.Lanes[lane].Spans[i]
	p.chosen = &chosen
	p.showSource(SourceOf(chosen))
	if p.looping {
		p.applyLoop()
	}
	p.seek(chosen.Start)
	p.refresh()
}

// Choose chooses a part, by its place in the timeline.
func (p *Pane) Choose(lane, i int) {
	p.lanes.Choose(lane, i)
	p.choose(lane, i)
}

func (p *Pane) goToWorst() {
	if p.lead != nil {
		p.OnLead()
		return
	}
	if w := p.timeline.Worst; w != nil {
		p.Choose(w.Lane, w.Span)
	}
}

// SetPart has a part that is chosen elsewhere, in seconds, gone round in place of the sound's.
func (p *Pane) SetPart(from, to float64) {
	p.chosen = &present.Span{Start: from, End: to}
	if p.looping {
		p.applyLoop()
	}
}

func (p *Pane) toggleLoop() {
	if p.player == nil {
		return
	}
	p.looping = !p.looping
	p.header.loop.Set(i18n.T("Loop part"), p.looping)
	p.applyLoop()
}

// applyLoop loops the chosen part, or the whole if none is chosen.
func (p *Pane) applyLoop() {
	var from, to float64
	whole := true
	if p.looping {
		to = p.length
		if c := p.chosen; c != nil && c.End > c.Start && c.Start < p.length {
			from, to, whole = c.Start, min(c.End, p.length), false
		}
	}
	p.player.Loop(time.Duration(from*float64(time.Second)), time.Duration(to*float64(time.Second)))
	if whole {
		p.wave.SetLoop(0, 0)
		p.header.loop.SetToolTip(i18n.T(wholeLoop))
		return
	}
	p.wave.SetLoop(from, to)
	p.header.loop.SetToolTip(i18n.F("Looping %s–%s (L)", present.Clock(from), present.Clock(to)))
}

func (p *Pane) setVolume(percent float64) {
	p.volume = percent / 100
	p.muted = false
	p.applyVolume()
}

func (p *Pane) toggleMute() {
	p.muted = !p.muted
	p.applyVolume()
}

func (p *Pane) applyVolume() {
	p.header.setMuted(p.muted)
	if p.player != nil {
		p.player.SetVolume(p.loudness())
	}
}

func (p *Pane) loudness() float64 {
	if p.muted {
		return 0
	}
	return p.volume
}

// loadPeaks reads the recording for its waveform, which grows meanwhile.
func (p *Pane) loadPeaks() {
	s := p.session
	var waiting atomic.Bool // a closure that draws waits for the UI thread
	draw := func(peaks *sound.Peaks) {
		if p.session != s {
			return
		}
		if length := p.sound.Duration().Seconds(); length != p.length {
			p.length = length // the first value was an estimate
			p.setAxis()
			p.header.setTime(p.wave.Moment(), p.length)
		}
		p.wave.SetColumns(columnsOf(peaks, p.length))
	}
	p.cancelPeaks = p.Workers.Do(func(ctx context.Context) func() {
		recording, done, ok := s.use()
		if !ok {
			return nil
		}
		defer done()
		peaks, err := recording.Peaks(ctx, func(_ float64, peaks *sound.Peaks) {
			if waiting.CompareAndSwap(false, true) {
				p.UI(func() {
					waiting.Store(false)
					draw(peaks)
				})
			}
		})
		return func() {
			if peaks != nil {
				draw(peaks)
			}
			if err != nil {
				p.fault = i18n.F("The waveform is not complete. %s", present.Problem(err))
				p.showState()
			}
		}
	})
}

// columnsOf returns a function that fills columns from peaks, which may still grow.
func columnsOf(peaks *sound.Peaks, length float64) func([]chart.Column) {
	return func(columns []chart.Column) {
		read := make([]sound.Column, len(columns))
		peaks.Columns(read, 0, time.Duration(length*float64(time.Second)))
		for i, c := range read {
			columns[i] = chart.Column{Low: c.Low, High: c.High, Known: c.Known}
		}
	}
}

// TypedRune handles a key of one character, and reports whether it does anything.
func (p *Pane) TypedRune(r rune) bool {
	switch r {
	case 'l', 'L':
		p.toggleLoop()
	case 'w', 'W':
		p.goToWorst()
	case 'm', 'M':
		p.toggleMute()
	default:
		return false
	}
	return true
}

// TypedKey handles a key without a character, and reports whether it does anything.
func (p *Pane) TypedKey(e *fyne.KeyEvent) bool {
	if p.player == nil {
		return false
	}
	step := seekStep
	if p.shifted() {
		step = seekStepLong
	}
	switch e.Name {
	case fyne.KeySpace:
		p.toggle()
	case fyne.KeyLeft:
		p.seek(p.wave.Moment() - step)
	case fyne.KeyRight:
		p.seek(p.wave.Moment() + step)
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
		{Keys: "W", Does: i18n.T("Go to the strongest part that was reported")},
		{Keys: "L", Does: i18n.T("Loop the chosen part, or the whole")},
		{Keys: "M", Does: i18n.T("Turn the sound on or off")},
	}
}

// session is the sound of one result while it is shown: the open file, the recording and its player. A worker opens it and the UI thread ends it, in
// either order, without leaving anything open.
type session struct {
	mu     sync.Mutex
	ended  bool
	using  sync.WaitGroup // workers that read the recording
	file   *os.File
	sound  *sound.Recording
	player *player.Player
}

// open opens the recording of a file and takes ownership of both. It fails with context.Canceled if the session has ended meanwhile.
func (s *session) open(ctx context.Context, file *os.File, options player.Options) (*sound.Recording, *player.Player, error) {
	opened, err := sound.Open(ctx, file.Name())
	if err != nil {
		file.Close() //nolint:errcheck,gosec // only read from
		return nil, nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.ended {
		opened.Close() //nolint:errcheck,gosec // nobody waits for what it has to say
		file.Close()   //nolint:errcheck,gosec // only read from
		return nil, nil, context.Canceled
	}
	s.file, s.sound, s.player = file, opened, player.NewPlayer(opened, options)
	return s.sound, s.player, nil
}

// use keeps the recording open until done is called; ok is false once the session has ended.
func (s *session) use() (opened *sound.Recording, done func(), ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.ended || s.sound == nil {
		return nil, nil, false
	}
	s.using.Add(1)
	return s.sound, s.using.Done, true
}

// end closes everything once no worker uses it. It waits, so it must not run on the UI thread.
func (s *session) end() {
	s.mu.Lock()
	s.ended = true
	s.mu.Unlock()
	s.using.Wait()
	if s.player != nil {
		s.player.Close()
	}
	if s.sound != nil {
		s.sound.Close() //nolint:errcheck,gosec // nobody waits for what it has to say
	}
	if s.file != nil {
		s.file.Close() //nolint:errcheck,gosec // only read from
	}
}
