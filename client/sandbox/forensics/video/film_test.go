package video

import (
	"bytes"
	"image"
	"math"
	"math/rand/v2"
	"testing"

	"assay/client/sandbox/forensics"
)

const filmWidth, filmHeight = 96, 64

// footage makes raw frames of a scene: waves that move on with time, under a fresh
// grain of a standard deviation. The same scene, time and grain give other grain
// each time.
type footage struct {
	chance *rand.Rand
	b      bytes.Buffer
}

func newFootage() *footage {
	return &footage{chance: rand.New(rand.NewPCG(7, 7))} // #nosec G404 -- a repeatable scene, no secret
}

// shoot adds n frames of a scene from a time on, a frame moving by pace.
func (f *footage) shoot(scene float64, from, n int, pace, grain float64) {
	for t := from; t < from+n; t++ {
		f.b.Write(f.frame(scene, float64(t)*pace, grain))
	}
}

// hold adds the same frame n times.
func (f *footage) hold(scene float64, at, n int, pace, grain float64) {
	f.b.Write(bytes.Repeat(f.frame(scene, float64(at)*pace, grain), n))
}

func (f *footage) frame(scene, t, grain float64) []byte {
	pixels := make([]byte, 0, filmWidth*filmHeight*3)
	for y := range filmHeight {
		for x := range filmWidth {
			u, v := float64(x)+t, float64(y)-0.31*t
			level := 128 + 40*math.Sin(u/(9+scene))*math.Cos(v/(7+2*scene)) + 12*math.Sin(scene*5+(u*1.7-v)/23) + 55*math.Sin(scene*2.1) + grain*f.chance.NormFloat64()
			b := byte(min(max(level, 0), 255))
			pixels = append(pixels, b, b, b)
		}
	}
	return pixels
}

// developed is the footage as a film of four frames a second.
func (f *footage) developed(t testing.TB) *film {
	t.Helper()
	made := &film{step: 0.25}
	for add := made.adder(filmWidth, filmHeight); f.b.Len() > 0; {
		add(f.b.Next(filmWidth * filmHeight * 3))
	}
	return made
}

func TestFramesAreJudgedByWhatTheyShow(t *testing.T) {
	for name, c := range map[string]struct {
		shoot  func(*footage)
		want   forensics.Status
		scenes int
		sign   string // the row of Data that must not be empty; "" for none of them
	}{
		"one moving scene":               {func(f *footage) { f.shoot(0, 0, 40, 3, 1) }, forensics.Authentic, 1, ""},
		"a slow one":                     {func(f *footage) { f.shoot(0, 0, 40, 0.6, 0.5) }, forensics.Authentic, 1, ""},
		"three scenes":                   {func(f *footage) { f.shoot(0, 0, 16, 3, 1); f.shoot(1, 0, 16, 3, 1); f.shoot(2, 50, 16, 3, 2) }, forensics.Authentic, 3, ""},
		"a still at the end":             {func(f *footage) { f.shoot(0, 0, 30, 3, 1); f.hold(0, 30, 8, 3, 1) }, forensics.Authentic, 1, ""},
		"a frozen stretch":               {func(f *footage) { f.shoot(0, 0, 16, 3, 1); f.hold(0, 16, 6, 3, 1); f.shoot(0, 17, 16, 3, 1) }, forensics.Suspicious, 1, "frozen"},
		"frames that come a second time": {func(f *footage) { f.shoot(0, 0, 20, 3, 0.3); f.shoot(0, 8, 12, 3, 0.3); f.shoot(0, 20, 10, 3, 0.3) }, forensics.Suspicious, -1, "repeated"},
		"another grain within a scene":   {func(f *footage) { f.shoot(0, 0, 16, 3, 0.4); f.shoot(0, 16, 16, 3, 4) }, forensics.Suspicious, 1, "grain_jumps"},
		"another grain behind a cut":     {func(f *footage) { f.shoot(0, 0, 16, 3, 0.4); f.shoot(1, 0, 16, 3, 4) }, forensics.Authentic, 2, ""},
		"a still picture":                {func(f *footage) { f.hold(0, 0, 40, 3, 1) }, forensics.NotApplicable, 1, ""},
		"slides":                         {func(f *footage) { f.hold(0, 0, 20, 3, 1); f.hold(1, 0, 20, 3, 1) }, forensics.NotApplicable, 2, ""},
		"too few frames":                 {func(f *footage) { f.shoot(0, 0, 7, 3, 1) }, forensics.NotApplicable, 1, ""},
	} {
		t.Run(name, func(t *testing.T) {
			f := newFootage()
			c.shoot(f)
			film := f.developed(t)
			m, scenes, frames := judgeFilm(film)
			if m.Status != c.want {
				t.Errorf("%s, want %s: %v", m.Status, c.want, m.Data)
			}
			if len(frames) != len(film.frames) || c.scenes >= 0 && len(scenes) != c.scenes {
				t.Errorf("%d frames of %d, %d scenes, want %d", len(frames), len(film.frames), len(scenes), c.scenes)
			}
			for _, sign := range []string{"frozen", "repeated", "grain_jumps"} {
				rows, _ := m.Data[sign].([]map[string]any)
				if (len(rows) > 0) != (sign == c.sign) {
					t.Errorf("%s: %v", sign, rows)
				}
			}
			for _, frame := range frames {
				if (frame.Score == nil) != (frame.Decision == "") || m.Status == forensics.NotApplicable && frame.Score != nil {
					t.Errorf("frame %+v of a clip that is %s", frame, m.Status)
				}
			}
		})
	}
}

func TestAFrozenStretchIsFramedInTime(t *testing.T) {
	f := newFootage()
	f.shoot(0, 0, 16, 3, 1)
	f.hold(0, 16, 6, 3, 1)
	f.shoot(0, 17, 16, 3, 1)
	m, _, frames := judgeFilm(f.developed(t))
	rows, _ := m.Data["frozen"].([]map[string]any)
	if len(rows) != 1 || rows[0]["start"] != 4.0 || rows[0]["end"] != 5.5 {
		t.Errorf("frozen %v, want 4 to 5.5 s", rows)
	}
	for _, frame := range frames {
		if in := frame.Time >= 4 && frame.Time < 5.5; in != (*frame.Score > forensics.SuspiciousFrom) {
			t.Errorf("frame at %v s scores %v", frame.Time, *frame.Score)
		}
	}
}

func TestTheGrainOfAFrameIsMeasuredInLevels(t *testing.T) {
	f := newFootage()
	f.shoot(0, 0, 1, 3, 5)
	if got := f.developed(t).frames[0].noise; got < 4 || got > 6 {
		t.Errorf("grain %v, want about 5", got)
	}
}

func TestTheThumbnailIsTheFirstFrameThatShowsSomething(t *testing.T) {
	f := newFootage()
	f.b.Write(make([]byte, filmWidth*filmHeight*3))
	f.shoot(0, 0, 3, 3, 0)
	made := f.developed(t)
	m, ok := made.thumbnail.(*image.NRGBA)
	if !ok || m.Pix[0] == 0 || m.Pix[3] != 0xff || m.Rect.Dx() != filmWidth {
		t.Errorf("thumbnail %T, want the second frame", made.thumbnail)
	}
}

func TestFramesAreBounded(t *testing.T) {
	for name, c := range map[string]struct {
		facts facts
		w, h  int
		step  float64
	}{
		"a short clip":                  {facts{width: 320, height: 180, seconds: 10, picture: &track{samples: 250, seconds: 10}}, 320, 180, 0.25},
		"a long one":                    {facts{width: 3840, height: 2160, seconds: 4800, picture: &track{}}, 640, 360, 10},
		"upright":                       {facts{width: 1080, height: 1920, seconds: 1, picture: &track{}}, 360, 640, 0.25},
		"of one frame a second":         {facts{width: 640, height: 360, seconds: 60, picture: &track{samples: 60, seconds: 60}}, 640, 360, 1},
		"a strip":                       {facts{width: 16_000, height: 1, seconds: 1, picture: &track{}}, 640, 16, 0.25},
		"of a length that nobody knows": {facts{width: 640, height: 360, picture: &track{}}, 640, 360, 0.5},
	} {
		t.Run(name, func(t *testing.T) {
			if w, h, step := filmLayout(&c.facts); w != c.w || h != c.h || step != c.step {
				t.Errorf("%d × %d every %v s, want %d × %d every %v s", w, h, step, c.w, c.h, c.step)
			}
		})
	}
}
