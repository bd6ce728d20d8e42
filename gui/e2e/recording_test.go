//go:build e2e && linux

package e2e

import (
	"image"
	"testing"
	"time"

	"assay/client/assert"
)

// beeps are the tones over the parts of a recording, which the sandbox reports on in parts of as many seconds.
var beeps = []float64{1400, 2000, 2600, 3200}

const partSeconds = 3

// silenceAfter is for what waits in buffers to be played or heard.
const silenceAfter = 500 * time.Millisecond

// listen lets so much be recorded.
func listen(t *testing.T, sound *Heard, long time.Duration) {
	t.Helper()
	assert.NoError(t, sound.Listen(t.Context(), long))
}

// hear waits until a second has been heard since then, which is less than a part has.
func hear(t *testing.T, sound *Heard, since int) {
	t.Helper()
	waitFor(t, patience, "a second is heard", func() bool { return len(Sounding(sound.Since(since))) > soundRate })
}

// A part of a recording is chosen by mouse and played, and it is that part which is heard.
func TestThePartThatIsChosenIsHeard(t *testing.T) {
	desktop := setup(t)
	sound, err := desktop.StartSound(t.Context())
	assert.NoError(t, err)
	v := view(t, desktop, writeFile(t, "interview.wav", Voice(partSeconds, beeps...)))
	parts := v.shot.Parts()
	if len(parts) != len(beeps) {
		t.Fatalf("the strip shows %d parts, want %d: %v", len(parts), len(beeps), parts)
	}
	const chosen = 2
	v.click("2-third-part", middleOf(parts[chosen]))
	if heard := Sounding(sound.Since(0)); len(heard) > 0 {
		t.Errorf("%.2f s were heard before anything was played", float64(len(heard))/soundRate)
	}

	begun := sound.Now()
	v.keys("space")
	hear(t, sound, begun)
	keepNow(t, desktop, v.app.Window, "3-playing")
	v.keys("space")
	keep(t, desktop, v.app.Window, "4-paused")
	listen(t, sound, silenceAfter)
	soundsLike(t, Sounding(sound.Since(begun)), chosen)

	paused := sound.Now()
	listen(t, sound, silenceAfter)
	if heard := Sounding(sound.Since(paused)); len(heard) > 0 {
		t.Errorf("%.2f s were heard after it was paused", float64(len(heard))/soundRate)
	}
}

// soundsLike fails where what was heard over some two seconds is not this part of a voice, or not this part alone.
func soundsLike(t *testing.T, heard []float64, part int) {
	t.Helper()
	if seconds := float64(len(heard)) / soundRate; seconds < 1 || seconds > partSeconds {
		t.Fatalf("%.2f s were heard, want about 2", seconds)
	}
	own := Loudness(heard, beeps[part])
	if own < 0.01 {
		t.Errorf("the tone of the part that is played is not heard: %.4f", own)
	}
	for i, hertz := range beeps {
		if loud := Loudness(heard, hertz); i != part && own < 4*loud {
			t.Errorf("the tone of part %d is heard while part %d is played: %.4f against %.4f", i+1, part+1, loud, own)
		}
	}
}

// Where no sound can come out, that is said, and everything else works.
func TestWithoutASoundCardItSaysSo(t *testing.T) {
	desktop := setup(t)
	assert.NoError(t, desktop.TakeSound())
	v := view(t, desktop, writeFile(t, "interview.wav", Voice(partSeconds, beeps...)))
	parts := v.shot.Parts()
	if len(parts) == 0 {
		t.Fatal("the strip shows no parts")
	}
	began := time.Now()
	v.keys("space")
	// The notice takes room from the waveform, which a player's line does not.
	said, err := v.app.Window.Differs(t.Context(), v.shot, 0.02)
	if err != nil {
		t.Fatal("nothing shows that there is no sound:", err)
	}
	if took := time.Since(began); took > 4*time.Second {
		t.Errorf("it took %s until it was said", took)
	}
	if err := desktop.Keep(said, "2-no-sound"); err != nil {
		t.Error(err)
	}
	v.shot = keep(t, desktop, v.app.Window, "3-no-sound-at-rest")
	parts = v.shot.Parts()
	v.click("4-third-part", middleOf(parts[2]))
	v.keys("question")
	sheet, err := v.app.Window.Differs(t.Context(), v.shot, 0.2)
	if err != nil {
		t.Error("the keys do nothing any more:", err)
	}
	if err := desktop.Keep(sheet, "5-keys"); err != nil {
		t.Error(err)
	}
}

// middleOf is the middle of a rectangle.
func middleOf(r image.Rectangle) image.Point { return r.Min.Add(r.Max).Div(2) }
