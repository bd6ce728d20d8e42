package player

import (
	"context"
	"errors"
	"time"

	"assay/client/i18n"
)

// tick is how often the position of a playing output is read.
const tick = 20 * time.Millisecond

// direct applies what the player's methods want to the output, watches its progress, and calls the callbacks. It is the only goroutine that uses a
// voice.
func (p *Player) direct() {
	var voice Voice
	sounding := false // whether the voice was started
	discarded := -1   // number of the last jump for which the voice discarded its frames
	defer func() {
		if voice != nil {
			_ = voice.Close() // nobody would see the error
		}
	}()
	for {
		p.mu.Lock()
		closed, playing, held, jumps := p.closed, p.state == Playing, p.queue.held, p.jumps
		ready := p.queue.last || p.queue.size >= queueFrames/4
		p.mu.Unlock()
		if closed {
			return
		}
		if playing && voice == nil {
			opened, err := p.openVoice()
			switch {
			case p.ctx.Err() != nil:
				voice = opened
				return
			case err != nil:
				p.fail(err)
			default:
				voice = opened
			}
			continue // the state may have changed meanwhile
		}
		if voice != nil && playing != sounding {
			if sounding = playing; playing {
				voice.Play()
			} else {
				voice.Pause()
			}
		}
		// What was asked for before a jump is discarded at once; the silence since then, once there is sound.
		if held && voice != nil && (ready || discarded != jumps) {
			voice.Discard()
			discarded = jumps
		}
		if held && ready {
			p.release(jumps)
		}
		ended := false
		if voice != nil && playing {
			var err error
			if ended, err = p.watch(voice); err != nil {
				_ = voice.Close() // it has failed already
				voice, sounding = nil, false
				p.fail(err)
			}
		}
		p.call(ended)
		var later <-chan time.Time
		if playing {
			later = p.options.Clock.After(tick)
		}
		select {
		case <-p.wake:
		case <-later:
		}
	}
}

// openVoice opens the output within patience. The time it takes is not taken from the first sound's: the patience with playing counts from Play.
func (p *Player) openVoice() (Voice, error) {
	ctx, cancel := context.WithCancel(p.ctx)
	defer cancel()
	type result struct {
		voice Voice
		err   error
	}
	opened := make(chan result, 1)
	late := p.options.Clock.After(patience)
	p.running.Go(func() {
		voice, err := p.options.Output.Open(ctx, p.fill)
		opened <- result{voice, err}
	})
	drop := func() { // a voice that comes too late is closed
		p.running.Go(func() {
			if got := <-opened; got.err == nil {
				_ = got.voice.Close() // it never played
			}
		})
	}
	select {
	case got := <-opened:
		if got.err != nil {
			return nil, silent(i18n.T("the sound device can't be opened"), got.err)
		}
		return got.voice, nil
	case <-late:
		drop()
		return nil, silent(i18n.T("the sound device does not answer"), context.DeadlineExceeded)
	case <-p.ctx.Done():
		drop()
		return nil, p.ctx.Err()
	}
}

// silent makes a *Silent of a driver's error, unless it is one already.
func silent(why string, cause error) error {
	var known *Silent
	if errors.As(cause, &known) {
		return cause
	}
	return &Silent{Why: why, Cause: cause}
}

// release lets the queue go on after the output discarded its frames, unless there was another jump.
func (p *Player) release(jumps int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.jumps == jumps {
		p.queue.held = false
	}
}

// watch updates the progress of the output. An error means that it plays nothing.
func (p *Player) watch(voice Voice) (ended bool, err error) {
	if err := voice.Err(); err != nil {
		return false, silent(i18n.T("the sound device has failed"), err)
	}
	now := p.options.Clock.Now() // before what was heard is read: time that passes in between must not count as stillness
	p.mu.Lock()
	asked, jumps := p.queue.asked, p.jumps
	p.mu.Unlock()
	heard := asked - int64(voice.Buffered()) // asked before Buffered: frames that are asked for in between then count as not heard
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.jumps != jumps {
		return false, nil // what was heard was from before the jump
	}
	p.queue.heard(heard)
	if p.played.report(now, heard) >= patience {
		return false, silent(i18n.T("the sound device accepts no sound"), nil)
	}
	switch {
	case !p.queue.drained() || p.state != Playing:
		return false, nil
	case p.decoding != nil && heard >= p.queue.end:
		p.state, p.err, p.changed = Failed, p.decoding, true
		return false, nil
	case heard < p.queue.end:
		return false, nil
	}
	p.state, p.changed = Paused, true
	p.jump(p.recording.Frames())
	return true, nil
}

// fail stops with an error at the current position.
func (p *Player) fail(err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.jump(p.position())
	p.state, p.err, p.changed = Failed, err, true
}

// call calls the callbacks that are due.
func (p *Player) call(ended bool) {
	p.mu.Lock()
	changed := p.changed && !p.closed
	ended = ended && !p.closed
	p.changed = false
	p.mu.Unlock()
	if changed && p.options.OnChange != nil {
		p.options.OnChange()
	}
	if ended && p.options.OnEnd != nil {
		p.options.OnEnd()
	}
}

// fill is the Fill of the voice.
func (p *Player) fill(frames [][2]float32) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed {
		clear(frames)
		return
	}
	p.queue.fill(frames, float32(p.volume))
	p.room.Broadcast()
}
