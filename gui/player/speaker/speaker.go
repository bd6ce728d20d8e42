package speaker

import (
	"context"
	"encoding/binary"
	"io"
	"math"
	"sync"
	"time"

	"github.com/ebitengine/oto/v3"

	"assay/client/i18n"
	"assay/gui/player"
)

const (
	rate = 48000
	// frameBytes is the size of a frame: two channels of 32-bit floats.
	frameBytes = 8
	// latency is how much sound waits in a voice. It delays what is heard of a pause, a jump or a change of volume by at most as much.
	latency = 100 * time.Millisecond
	// period is the length of the device's own buffer.
	period = 50 * time.Millisecond
)

// Speaker is the default sound device. It is opened with the first voice and shared by all speakers until the process ends, as oto allows one context
// only.
type Speaker struct{}

// New returns the speaker. It opens nothing.
func New() *Speaker { return &Speaker{} }

// Rate is 48,000 frames per second.
func (s *Speaker) Rate() int { return rate }

// device is oto's context. It is made on a goroutine of its own, since that may wait for a sound server forever.
var device struct {
	once    sync.Once
	ready   chan struct{} // closed once context or err is set
	context *oto.Context
	err     error
}

func openDevice() {
	device.ready = make(chan struct{})
	go func() { // never ends if the sound server does not answer
		defer close(device.ready)
		context, ready, err := oto.NewContext(&oto.NewContextOptions{SampleRate: rate, ChannelCount: 2, Format: oto.FormatFloat32LE, BufferSize: period})
		if err != nil {
			device.err = err
			return
		}
		<-ready
		device.context, device.err = context, context.Err()
	}()
}

// Open returns a voice. It waits for the device until ctx ends.
func (s *Speaker) Open(ctx context.Context, fill player.Fill) (player.Voice, error) {
	device.once.Do(openDevice)
	select {
	case <-device.ready:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	if device.err != nil {
		return nil, &player.Silent{Why: i18n.T("no sound device was found; start Assay again once there is one"), Cause: device.err}
	}
	v := &voice{reader: &reader{fill: fill}}
	v.player = device.context.NewPlayer(v.reader)
	v.player.SetBufferSize(int(rate*latency/time.Second) * frameBytes)
	return v, nil
}

// voice is one of oto's players.
type voice struct {
	player  *oto.Player
	reader  *reader
	playing bool
}

// Play implements player.Voice.
func (v *voice) Play() {
	v.playing = true
	v.player.Play()
}

// Pause implements player.Voice.
func (v *voice) Pause() {
	v.playing = false
	v.player.Pause()
}

// Discard implements player.Voice.
func (v *voice) Discard() {
	_, _ = v.player.Seek(0, io.SeekStart) // the reader's Seek never fails
}

// Buffered implements player.Voice. oto does not count what the device itself holds, which is its whole buffer while it plays.
func (v *voice) Buffered() int {
	return v.player.BufferedSize()/frameBytes + int(rate*period/time.Second)
}

// Err implements player.Voice.
func (v *voice) Err() error {
	if err := device.context.Err(); err != nil {
		return err
	}
	return v.player.Err()
}

// Close implements player.Voice. oto frees the player once nothing refers to it.
func (v *voice) Close() error {
	v.player.Pause()
	v.reader.stop()
	v.player = nil
	return nil
}

// reader passes frames to oto as bytes.
type reader struct {
	mu     sync.Mutex
	fill   player.Fill // nil after stop
	frames [][2]float32
}

// Read never waits, and never ends before stop.
func (r *reader) Read(p []byte) (int, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	n := len(p) / frameBytes
	if cap(r.frames) < n {
		r.frames = make([][2]float32, n)
	}
	frames := r.frames[:n]
	if r.fill == nil {
		clear(frames)
	} else {
		r.fill(frames)
	}
	for i, f := range frames {
		binary.LittleEndian.PutUint32(p[i*frameBytes:], math.Float32bits(f[0]))
		binary.LittleEndian.PutUint32(p[i*frameBytes+4:], math.Float32bits(f[1]))
	}
	return n * frameBytes, nil
}

// Seek makes oto drop its buffer: what fill returns next belongs to another position.
func (r *reader) Seek(int64, int) (int64, error) { return 0, nil }

func (r *reader) stop() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.fill, r.frames = nil, nil
}
