package recording

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"github.com/google/go-cmp/cmp"

	"assay/client"
	"assay/client/assert"
	"assay/client/i18n"
	"assay/client/i18n/i18ntest"
	"assay/client/media/sound/soundtest"
	"assay/client/verdict"
	"assay/gui/chart"
	"assay/gui/guitest"
	"assay/gui/look"
	"assay/gui/player"
	"assay/gui/present"
)

const parts = `{"chunks":[
	{"start":0,"end":3,"decision":"AUTHENTIC","scores":{"svc-aud-ensemble":12.5,"svc-slim-aud":3}},
	{"start":6,"end":9,"decision":"ARTIFICIAL","scores":{"svc-aud-ensemble":97.25,"svc-slim-aud":99}},
	{"start":9,"end":10,"decision":"FAKE","scores":{"svc-aud-ensemble":91}}]}`

// played is a fixture in which ten seconds with parts were opened.
func played(t *testing.T) *fixture {
	t.Helper()
	d := setup(t)
	d.source.sounds["a"], d.source.data["a"] = guitest.Recording(t, 10, 8000), parts
	d.show("a")
	d.ready()
	return d
}

func (d *fixture) ready() {
	d.T.Helper()
	d.Until("sound and parts", func() bool { return d.pane.Length() > 0 && len(d.lanes()) > 0 })
}

func (d *fixture) key(name fyne.KeyName) bool { return d.pane.TypedKey(&fyne.KeyEvent{Name: name}) }

func (d *fixture) wantMoment(want float64) {
	d.T.Helper()
	if got := d.pane.wave.Moment(); got < want-0.01 || got > want+0.01 {
		d.T.Errorf("at %v s, want %v", got, want)
	}
}

// lanes are the rows of parts, where they are shown.
func (d *fixture) lanes() []chart.Lane {
	lanes := LanesOf(d.pane.timeline, d.pane.shown.Verdict.Provisional)
	if len(lanes) == 0 || !strings.HasPrefix(d.pane.lanes.AccessibilityLabel(), lanes[0].Title) {
		return nil
	}
	return lanes
}

func TestPaneShowsARecording(t *testing.T) {
	t.Run("its length, and its waveform once it is read", func(t *testing.T) {
		d := played(t)
		if got := d.timeText(); got != "00:00.0 / 00:10.0" {
			t.Errorf("%q", got)
		}
		d.Until("the waveform", func() bool { return d.known() > 0.99 })
	})
	t.Run("rule 12: the parts that were reported, and nothing between them", func(t *testing.T) {
		d := played(t)
		lane := d.lanes()[0]
		var at [][2]float64
		for _, s := range lane.Spans {
			at = append(at, [2]float64{s.Start, s.End})
		}
		assert.Equal(t, [][2]float64{{0, 3}, {6, 9}, {9, 10}}, at)
		if want := "Audio, as reported per part · hatched: not reported\n"; lane.Title != "Audio" || !strings.HasPrefix(lane.Note, want) {
			t.Errorf("%q, %q", lane.Title, lane.Note)
		}
	})
	t.Run("a number with the word first, and every field in its tip", func(t *testing.T) {
		d := played(t)
		span := d.lanes()[0].Spans[1]
		if diff := cmp.Diff([]string{"Likely manipulated · 97", "97"}, span.Texts); diff != "" || span.Mark != look.MarkFake {
			t.Errorf("%s, %s", span.Mark, diff)
		}
		for _, want := range []string{`chunks[1].decision = "ARTIFICIAL"`, "chunks[1].scores.svc-aud-ensemble = 97.25", "chunks[1].scores.svc-slim-aud = 99"} {
			if !strings.Contains(span.Tip, want) {
				t.Errorf("%q lacks %s", span.Tip, want)
			}
		}
	})
	t.Run("what is provisional bears no verdict's colour", func(t *testing.T) {
		d := setup(t)
		d.source.sounds["a"], d.source.data["a"] = guitest.Recording(t, 10, 8000), parts
		d.pane.Show(present.Viewer{ID: "a", Verdict: verdict.Verdict{Provisional: true}})
		d.ready()
		for _, s := range d.lanes()[0].Spans {
			if s.Mark != look.MarkNone {
				t.Errorf("%+v", s)
			}
		}
		d.pane.Show(present.Viewer{ID: "a"})
		d.Until("the verdict's colours", func() bool { return len(d.lanes()) > 0 && d.lanes()[0].Spans[1].Mark == look.MarkFake })
	})
	t.Run("three hours at once, and hours in every moment", func(t *testing.T) {
		d := setup(t)
		d.source.sounds["long"] = guitest.Recording(t, 3*3600, 1000)
		d.show("long")
		d.Until("it is open", func() bool { return d.pane.Length() > 0 })
		if got := d.timeText(); got != "0:00:00.0 / 3:00:00.0" {
			t.Errorf("%q", got)
		}
		d.pane.Seek(5000)
		d.wantMoment(5000)
		d.Until("the waveform", func() bool { return d.known() > 0.99 })
	})
	t.Run("long names and right-to-left ones are none of its business", func(t *testing.T) {
		d := setup(t)
		d.source.sounds["a"] = guitest.Recording(t, 2, 8000)
		d.source.data["a"] = `{"chunks":[{"start":0,"end":1,"decision":"` + strings.Repeat("مُفَبْرَك ", 40) + `","scores":{"` + strings.Repeat("مدل", 60) + `":5}}]}`
		d.pane.Show(present.Viewer{ID: "a", Name: strings.Repeat("تسجيل ", 100) + ".wav"})
		d.ready()
		d.pane.lanes.OnTapped(0, 0)
		if got := d.pane.Object().MinSize().Width; got > 360 {
			t.Errorf("it asks for a width of %v", got)
		}
	})
}

// known is which share of the waveform's columns, which are three pixels apart, is drawn.
func (d *fixture) known() float64 {
	drawn := guitest.InSight[*canvas.Raster](d.pane.wave)
	if len(drawn) == 0 || !drawn[0].Visible() {
		return 0
	}
	width, height := int(d.pane.wave.Size().Width), int(d.pane.wave.Size().Height)
	img, known := drawn[0].Generator(width, height), 0
	for x := 0; x < width; x += 3 {
		if _, _, _, alpha := img.At(x, height/2).RGBA(); alpha > 0 {
			known++
		}
	}
	return float64(known) / float64((width+2)/3)
}

func TestPaneNeverPlaysByItself(t *testing.T) {
	d := played(t)
	d.pane.Seek(4)
	d.pane.lanes.OnTapped(0, 1)
	d.pane.TypedRune('w')
	d.pane.TypedRune('l')
	d.Until("the waveform", func() bool { return d.known() > 0.99 })
	if d.pane.player.State() != player.Paused || d.output.Opened() != 0 {
		t.Errorf("state %v, the output was opened %d times", d.pane.player.State(), d.output.Opened())
	}
}

func TestPanePlays(t *testing.T) {
	t.Run("space plays and pauses, and the button says which", func(t *testing.T) {
		d := played(t)
		if !d.key(fyne.KeySpace) {
			t.Fatal("space stands for nothing")
		}
		d.Until("it plays", func() bool { return d.output.Playing() })
		if got := d.pane.header.play.ToolTip(); got != "Pause (Space)" {
			t.Errorf("%q", got)
		}
		d.pane.header.play.Tapped(nil)
		d.Until("it pauses", func() bool { return !d.output.Playing() })
		if got := d.pane.header.play.ToolTip(); got != "Play (Space)" {
			t.Errorf("%q", got)
		}
	})
	t.Run("a click, a drag and keys seek", func(t *testing.T) {
		d := played(t)
		width := d.pane.wave.Size().Width
		d.pane.wave.Tapped(&fyne.PointEvent{Position: fyne.NewPos(width/2, 5)})
		d.wantMoment(5)
		if at := d.pane.player.Position(); at < 4990*time.Millisecond || at > 5010*time.Millisecond {
			t.Errorf("the player is at %v", at)
		}
		d.key(fyne.KeyLeft)
		d.wantMoment(4)
		d.shift = true
		d.key(fyne.KeyRight)
		d.wantMoment(10)
		d.key(fyne.KeyLeft)
		d.wantMoment(0)
		if len(d.moments) == 0 || d.moments[0] != 5 {
			t.Error("nobody was told of the moments")
		}
	})
	t.Run("a part that is chosen is sought, and its field and value are shown as sent", func(t *testing.T) {
		d := played(t)
		x := chart.Gutter() + (d.pane.lanes.Size().Width-chart.Gutter())*0.75
		d.pane.lanes.Tapped(&fyne.PointEvent{Position: fyne.NewPos(x, 14)})
		d.wantMoment(6)
		d.WantWords("chunks[1].scores.svc-aud-ensemble = 97.25")
	})
	t.Run("w goes to the worst part, which its button names", func(t *testing.T) {
		d := played(t)
		if got := d.pane.header.worst.Label(); got != "Strongest part 00:06" || !d.pane.header.toWorst.Visible() {
			t.Errorf("%q", got)
		}
		d.pane.TypedRune('w')
		d.wantMoment(6)
		if lane, span, ok := d.pane.lanes.Chosen(); lane != 0 || span != 1 || !ok {
			t.Error("it is not marked")
		}
	})
	t.Run("l goes round the chosen part, and round the whole where none is", func(t *testing.T) {
		d := played(t)
		heard := func(what string, from float64, is func(at time.Duration) bool) {
			t.Helper()
			d.pane.Seek(from)
			d.Until(what, func() bool { d.output.Next(1000); return is(d.pane.player.Position()) })
		}
		d.pane.TypedRune('l')
		if !d.pane.header.loop.On() {
			t.Error("the control does not say so")
		}
		d.key(fyne.KeySpace)
		heard("the end, and then the beginning", 9.8, func(at time.Duration) bool { return at > 0 && at < time.Second })
		d.pane.lanes.OnTapped(0, 1)
		heard("the end of the part, and then its beginning", 8.8, func(at time.Duration) bool {
			if at < 6*time.Second || at > 9*time.Second {
				t.Fatalf("%v is heard, outside of the part", at)
			}
			return at > 6*time.Second && at < 7*time.Second
		})
		second := d.pane.wave.Size().Width / 10
		if !slices.ContainsFunc(guitest.InSight[*canvas.Rectangle](d.pane.wave), func(drawn *canvas.Rectangle) bool {
			return max(drawn.Position().X-6*second, 6*second-drawn.Position().X) < 1 && max(drawn.Size().Width-3*second, 3*second-drawn.Size().Width) < 1
		}) {
			t.Error("the part is not marked in the waveform")
		}
		d.pane.TypedRune('l')
		if d.pane.header.loop.On() {
			t.Error("the control says that it goes on looping")
		}
		heard("what comes after the part", 8.8, func(at time.Duration) bool { return at > 9100*time.Millisecond })
	})
	t.Run("the volume and m", func(t *testing.T) {
		d := setup(t)
		d.source.sounds["loud"] = guitest.File(t, "loud.wav", soundtest.Mono(8000, soundtest.Tone(8000, 400, 10, 1)...))
		d.source.sounds["other"] = d.source.sounds["loud"]
		plays := func(id string) {
			t.Helper()
			d.show(id)
			d.Until("the recording", func() bool { return d.pane.Length() > 0 })
			d.key(fyne.KeySpace)
			d.Until("it plays", func() bool { d.output.Next(100); return d.pane.player.Position() > 0 })
		}
		heard := func(from, to float32) {
			t.Helper()
			d.Until(fmt.Sprintf("a tone of %v to %v", from, to), func() bool { loudest := d.output.Next(1000); return loudest >= from && loudest <= to })
		}
		d.pane.header.volume.SetValue(40)
		plays("loud")
		heard(0.38, 0.42)
		d.pane.TypedRune('m')
		d.pane.Seek(1)
		if got := d.pane.header.mute.AccessibilityLabel(); got != "Sound is off: turn it on (M)" {
			t.Error("the control does not say that it is mute")
		}
		silent := func() {
			t.Helper()
			d.output.Next(1000)
			start := d.pane.player.Position()
			d.Until("half a second has passed", func() bool {
				if loudest := d.output.Next(1000); loudest > 0 {
					t.Fatalf("a sample of %v is heard", loudest)
				}
				return d.pane.player.Position() > start+time.Second/2
			})
		}
		silent()
		plays("other")
		silent()
		d.pane.TypedRune('m')
		heard(0.38, 0.42)
	})
	t.Run("keys that mean nothing are left to others", func(t *testing.T) {
		d := played(t)
		for _, key := range []fyne.KeyName{fyne.KeyUp, fyne.KeyDown, fyne.KeyHome, fyne.KeyEscape} {
			if d.key(key) {
				t.Errorf("%s is taken", key)
			}
		}
		if d.pane.TypedRune('j') || d.pane.TypedRune(' ') {
			t.Error("a character is taken")
		}
		if len(d.pane.Shortcuts()) == 0 {
			t.Error("it names no keys")
		}
	})
}

// TestEverythingIsTranslated shows the pane in the pseudo language, in which a word that was forgotten stands out.
func TestEverythingIsTranslated(t *testing.T) {
	if testing.Short() {
		t.Skip("it only builds what it reads")
	}
	i18ntest.Pseudo(t)
	sent := []string{"ARTIFICIAL", "SUSPICIOUS", "AUTHENTIC", "REASON", "chunks", "svc", "decision", "scores", "score", "svc-aud-ensemble", "svc-slim-aud", "REQUEST"}
	t.Run("a recording and its parts", func(t *testing.T) {
		d := played(t)
		guitest.CheckTranslated(t, d.pane.Object(), sent...)
		d.pane.TypedKey(&fyne.KeyEvent{Name: fyne.KeySpace})
		d.pane.TypedRune('l')
		d.pane.TypedRune('m')
		d.pane.TypedRune('w')
		d.Until("the waveform", func() bool { return d.known() > 0.99 })
		guitest.CheckTranslated(t, d.pane.Object(), sent...)
		for _, s := range d.pane.Shortcuts() {
			guitest.CheckTextsTranslated(t, []string{s.Keys, s.Does})
		}
	})
	t.Run("neither", func(t *testing.T) {
		d := setup(t)
		d.source.fails["none"] = &client.Error{Kind: client.KindNetwork, Message: i18n.Verbatim("REASON")}
		d.show("none")
		guitest.CheckTranslated(t, d.pane.Object(), sent...)
		d.Until("it is said", func() bool { return d.pane.notice.Visible() })
		guitest.CheckTranslated(t, d.pane.Object(), sent...)
	})
}
