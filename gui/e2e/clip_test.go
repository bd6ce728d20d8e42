//go:build e2e && linux

package e2e

import (
	"fmt"
	"image"
	"math"
	"path/filepath"
	"slices"
	"strconv"
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
	err = Until(t.Context(), patience, "a card for the pictures and one for the voice are seen", func() (bool, error) {
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
		t.Fatal("no scenes are seen")
	}
	scene := slices.MaxFunc(lanes, func(a, b image.Rectangle) int { // the last of the lowest lane
		return (a.Max.Y-b.Max.Y)*1000 + a.Max.X - b.Max.X
	})
	before, frame := v.shot, v.shot.Photo()
	v.click("3-last-scene", middleOf(scene))
	err = Until(t.Context(), patience, "another frame is seen", func() (bool, error) {
		var err error
		v.shot, err = v.app.Window.Settled(t.Context())
		return err == nil && v.shot.ChangedIn(frame, before) > 0.3, err
	})
	assert.NoError(t, err)
	if err := desktop.Keep(v.shot, "4-frame"); err != nil {
		t.Error(err)
	}
	if heard := Sounding(sound.Since(0)); len(heard) > 0 {
		t.Errorf("%.2f s were heard before anything was played", float64(len(heard))/soundRate)
	}
	begun := sound.Now()
	v.keys("space")
	hear(t, sound, begun)
	v.keys("space")
	keep(t, desktop, v.app.Window, "5-paused")
	listen(t, sound, silenceAfter)
	soundsLike(t, Sounding(sound.Since(begun)), 2)
}

// A clip plays inside the window: its frames change, the line goes on over its lanes with them, and both stop together where it is paused.
func TestAClipPlaysAndItsLanesFollow(t *testing.T) {
	desktop := setup(t)
	sound, err := desktop.StartSound(t.Context())
	assert.NoError(t, err)
	v := view(t, desktop, makeBrighteningClip(t, desktop))
	waitFor(t, 60*time.Second, "the clip's frame and the lanes of its voice are seen", func() bool {
		v.shot, err = v.app.Window.Settled(t.Context())
		return err == nil && len(v.shot.Parts()) >= brightening/partSeconds/2
	})
	if err := desktop.Keep(v.shot, "2-lanes"); err != nil {
		t.Error(err)
	}
	var lanes image.Rectangle
	for _, part := range v.shot.Parts() {
		lanes = lanes.Union(part)
	}
	frame := v.shot.Photo()
	atRest, begun := v.shot, sound.Now()
	if heard := Sounding(sound.Since(0)); len(heard) > 0 {
		t.Errorf("%.2f s were heard before anything was played", float64(len(heard))/soundRate)
	}

	v.keys("space")
	line := 0 // where it stands, in pixels
	for _, name := range []string{"3-playing", "4-playing-on"} {
		before := v.shot
		waitFor(t, 60*time.Second, "frame and lanes go on", func() bool {
			v.shot, err = v.app.Window.Shot(t.Context())
			at := lineOver(v.shot, atRest, lanes)
			return err == nil && at > line+lanes.Dx()/30 && v.shot.ChangedIn(frame, before) > 0.1
		})
		line = lineOver(v.shot, atRest, lanes)
		if err := desktop.Keep(v.shot, name); err != nil {
			t.Error(err)
		}
	}
	hear(t, sound, begun)
	v.keys("space")
	paused := keep(t, desktop, v.app.Window, "5-paused")
	listen(t, sound, silenceAfter)
	since := sound.Now()
	listen(t, sound, 2*silenceAfter)
	v.shot = keep(t, desktop, v.app.Window, "6-still-paused")
	if changed := v.shot.ChangedIn(frame.Union(lanes), paused); changed > 0 {
		t.Errorf("%.2f %% of frame and lanes changed after the clip was paused", 100*changed)
	}
	if heard := Sounding(sound.Since(since)); len(heard) > 0 {
		t.Errorf("%.2f s were heard after the clip was paused", float64(len(heard))/soundRate)
	}

	// The clip tells its moment by how bright its left side is.
	const apart = 0.06 // of its length
	shown := brightnessOf(v.shot, image.Rect(frame.Min.X+frame.Dx()/8, frame.Min.Y+frame.Dy()/4, frame.Min.X+3*frame.Dx()/8, frame.Max.Y-frame.Dy()/4)) / 255
	told := float64(lineOver(v.shot, atRest, lanes)) / float64(lanes.Dx())
	if math.Abs(shown-told) > apart {
		t.Errorf("the frame is of %.2f of the clip, and the line stands at %.2f", shown, told)
	}
}

// brightening is the length of a clip whose left side goes from black to white, in seconds.
const brightening = 36

// makeBrighteningClip makes that clip, with a moving picture at its right, over a voice of many parts.
func makeBrighteningClip(t *testing.T, desktop *Desktop) string {
	t.Helper()
	voice := writeFile(t, "voice.wav", Voice(partSeconds, slices.Concat(beeps, beeps, beeps)...))
	clip := filepath.Join(t.TempDir(), "clip.mp4")
	_, err := desktop.Run(t.Context(), "ffmpeg", "-v", "error", "-f", "lavfi", "-i", fmt.Sprintf("color=white:size=320x360:rate=25:duration=%d", brightening),
		"-f", "lavfi", "-i", "testsrc2=size=320x360:rate=25", "-i", voice,
		"-filter_complex", fmt.Sprintf("[0]fade=in:0:%d[f];[f][1]hstack=shortest=1[v]", 25*brightening), "-map", "[v]", "-map", "2:a", "-t", strconv.Itoa(brightening),
		"-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt", "yuv420p", "-c:a", "aac", clip)
	assert.NoError(t, err)
	return clip
}

// lineOver is how far the line over lanes has come since another picture, in pixels from their left end: the last column that is another one.
func lineOver(shot, before *Shot, lanes image.Rectangle) int {
	for x := lanes.Max.X - 1; x > lanes.Min.X; x-- {
		if shot.ChangedIn(image.Rect(x, lanes.Min.Y, x+1, lanes.Max.Y), before) > 0.5 {
			return x - lanes.Min.X
		}
	}
	return 0
}

// brightnessOf is the mean of an area's channels, 0 black to 255 white.
func brightnessOf(shot *Shot, area image.Rectangle) float64 {
	return (&Shot{Pixels: image.NewRGBA(area)}).Contrast(area, shot, image.Point{})
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
