package guitest

import (
	"bytes"
	"context"
	"image"
	"image/png"
	"net"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"assay/client/media/sound/soundtest"
	"assay/gui/player"
)

// File writes a file into a new temporary folder.
func File(t testing.TB, name string, content []byte) (path string) {
	t.Helper()
	path = filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, content, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// Recording writes a swelling tone of some seconds, at a rate in hertz.
func Recording(t testing.TB, seconds float64, rate int) (path string) {
	t.Helper()
	return File(t, "sound.wav", soundtest.Mono(rate, soundtest.Swelling(rate, seconds)...))
}

// PNG encodes a picture.
func PNG(t testing.TB, img image.Image) []byte {
	t.Helper()
	var data bytes.Buffer
	quick := png.Encoder{CompressionLevel: png.NoCompression}
	if err := quick.Encode(&data, img); err != nil {
		t.Fatal(err)
	}
	return data.Bytes()
}

// Listener listens at a loopback address, closes each connection, and counts them. It ends with the test.
func Listener(t testing.TB) (address string, connections func() int) {
	t.Helper()
	listener, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	came, ended := make(chan struct{}, 1000), make(chan struct{})
	go func() {
		defer close(ended)
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			came <- struct{}{}
			_ = conn.Close()
		}
	}()
	t.Cleanup(func() {
		_ = listener.Close()
		<-ended
	})
	return "http://" + listener.Addr().String(), func() int { return len(came) }
}

// Output is a player.Output without a sound device.
type Output struct {
	mu      sync.Mutex
	err     error
	opened  int
	playing bool
	fill    player.Fill
}

// Fail makes opening it fail with err, or succeed again if err is nil.
func (o *Output) Fail(err error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.err = err
}

// Opened is how often it was opened.
func (o *Output) Opened() int {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.opened
}

// Playing reports whether a voice plays.
func (o *Output) Playing() bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.playing
}

// Next takes frames from the voice, as a device would, and returns the largest sample among them. Frames that were not ready are silence.
func (o *Output) Next(frames int) (loudest float32) {
	o.mu.Lock()
	fill := o.fill
	o.mu.Unlock()
	if fill == nil {
		return 0
	}
	taken := make([][2]float32, frames)
	fill(taken)
	for _, f := range taken {
		loudest = max(loudest, f[0], f[1])
	}
	return loudest
}

// Rate implements player.Output.
func (o *Output) Rate() int { return 44100 }

// Open implements player.Output.
func (o *Output) Open(_ context.Context, fill player.Fill) (player.Voice, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.err != nil {
		return nil, o.err
	}
	o.opened++
	o.fill = fill
	return voice{o}, nil
}

type voice struct{ output *Output }

func (v voice) set(playing bool) {
	v.output.mu.Lock()
	defer v.output.mu.Unlock()
	v.output.playing = playing
}

func (v voice) Play()         { v.set(true) }
func (v voice) Pause()        { v.set(false) }
func (v voice) Discard()      {}
func (v voice) Buffered() int { return 0 }
func (v voice) Err() error    { return nil }
func (v voice) Close() error  { v.set(false); return nil }
