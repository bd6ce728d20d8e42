//go:build e2e && linux

package e2e

import (
	"image"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"assay/client/assert"
)

// A clip's pictures and its voice are judged side by side, and a scene that is chosen is seen and heard.
func TestASceneThatIsChosenIsSeenAndHeard(t *testing.T) {
	desktop := setup(t)
	sound, err := desktop.StartSound(t.Context())
	assert.NoError(t, err)
	v := view(t, desktop, makeClip(t, desktop))
	err = Until(t.Context(), 30*time.Second, "a card for the pictures and one for the voice are seen", func() (bool, error) {
		var err error
		v.shot, err = v.app.Window.Settled(t.Context())
		return err == nil && len(v.shot.Cards()) == 2, err
	})
	assert.NoError(t, err)
	if err := desktop.Keep(v.shot, "2-two-cards"); err != nil {
		t.Error(err)
	}
	cards := v.shot.Cards()
	if cards[0].Size() != cards[1].Size() || cards[0].Min.Y != cards[1].Min.Y {
		t.Errorf("the cards of pictures and voice are not alike: %v", cards)
	}

	lanes := v.shot.Parts()
	if len(lanes) == 0 {
		t.Fatal("no parts of the clip are seen")
	}
	v.wheel("3-lanes", middleOf(lanes[0]), wheelDown, 4)
	lanes = v.shot.Parts()
	if len(lanes) == 0 {
		t.Fatal("no scenes are seen")
	}
	scene := slices.MaxFunc(lanes, func(a, b image.Rectangle) int { // the last of the lowest lane
		return (a.Max.Y-b.Max.Y)*1000 + a.Max.X - b.Max.X
	})
	before, frame := v.shot, v.shot.Photo()
	v.click("4-last-scene", middleOf(scene))
	err = Until(t.Context(), 10*time.Second, "another frame is seen", func() (bool, error) {
		var err error
		v.shot, err = v.app.Window.Settled(t.Context())
		return err == nil && v.shot.ChangedIn(frame, before) > 0.3, err
	})
	assert.NoError(t, err)
	if err := desktop.Keep(v.shot, "5-frame"); err != nil {
		t.Error(err)
	}
	if heard := Sounding(sound.Since(0)); len(heard) > 0 {
		t.Errorf("%.2f s were heard before anything was played", float64(len(heard))/soundRate)
	}
	begun := sound.Now()
	v.keys("space")
	hear(t, sound, begun)
	v.keys("space")
	keep(t, desktop, v.app.Window, "6-paused")
	listen(t, sound, silenceAfter)
	soundsLike(t, Sounding(sound.Since(begun)), 2)
}

// makeClip makes a clip of three scenes that look different, over the parts of a voice.
func makeClip(t *testing.T, desktop *Desktop) string {
	t.Helper()
	voice := writeFile(t, "voice.wav", Voice(partSeconds, beeps...))
	clip := filepath.Join(t.TempDir(), "clip.mp4")
	const size = "size=640x360:rate=25"
	_, err := desktop.Run(t.Context(), "ffmpeg", "-v", "error", "-f", "lavfi", "-i", "smptebars="+size+":duration=3",
		"-f", "lavfi", "-i", "testsrc2="+size+":duration=3", "-f", "lavfi", "-i", "mandelbrot="+size, "-i", voice,
		"-filter_complex", "[2]trim=duration=3[m];[0][1][m]concat=n=3:v=1:a=0[v]", "-map", "[v]", "-map", "3:a", "-t", "9",
		"-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt", "yuv420p", "-c:a", "aac", clip)
	assert.NoError(t, err)
	return clip
}
