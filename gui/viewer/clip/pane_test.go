package clip

import (
	"os"
	"strings"
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	"assay/client/assert"
	"assay/client/i18n/i18ntest"
	"assay/client/verdict"
	"assay/gui/chart"
	"assay/gui/guitest"
	"assay/gui/player"
	"assay/gui/present"
	"assay/gui/viewer/recording"
)

const picturesData = `{"scenes":[{"start":0,"end":9,"score":4,"decision":"AUTHENTIC"},{"start":15,"end":30,"score":5,"decision":"SUSPICIOUS"}],
	"frames":[{"time":2.5,"score":3},{"time":12,"score":88.25,"decision":"FAKE"},{"time":20,"score":0.5}],
	"tubes":[{"start":3,"end":8,"decision":"ARTIFICIAL"},{"region":7},{"region":8}]}`

const voiceData = `{"chunks":[{"start":0,"end":3,"decision":"AUTHENTIC","score":9},{"start":6,"end":9,"decision":"ARTIFICIAL","score":97}]}`

// whole is a fixture in which a clip with everything was opened.
func whole(t *testing.T) *fixture {
	t.Helper()
	d := setup(t)
	d.source.thumbnail, d.source.sound = thumbnailFile(t), guitest.Recording(t, 20, 8000)
	d.source.data, d.source.soundData, d.source.soundOf = picturesData, voiceData, &present.Viewer{ID: "the voice"}
	d.show("a")
	d.Until("all of it", func() bool {
		return d.pane.sound.Length() > 0 && len(d.lanes()) > 0 && d.soundParts() != "" && d.pane.stillAt == 0 && d.pane.fetching < 0
	})
	d.frames.forgetAsked()
	return d
}

func (d *fixture) key(name fyne.KeyName) bool { return d.pane.TypedKey(&fyne.KeyEvent{Name: name}) }

func (d *fixture) untilFrame(at float64) {
	d.T.Helper()
	d.Until("the frame at "+present.Clock(at), func() bool { return d.pane.stillAt == at })
}

// soundParts are the rows of the sound's parts as a screen reader has them, "" for none.
func (d *fixture) soundParts() string {
	return inside[*chart.Lanes](d.pane.sound, 0).AccessibilityLabel()
}

// lanes are the rows of parts, where they are shown.
func (d *fixture) lanes() []chart.Lane {
	lanes := recording.LanesOf(d.pane.timeline, d.pane.shown.Verdict.Provisional)
	if len(lanes) == 0 || !strings.HasPrefix(d.pane.lanes.AccessibilityLabel(), lanes[0].Title) {
		return nil
	}
	return lanes
}

func TestPaneShowsAClip(t *testing.T) {
	t.Run("the thumbnail until there is the first frame, then the frame of the moment that was sought", func(t *testing.T) {
		d := setup(t)
		d.source.thumbnail, d.source.data = thumbnailFile(t), picturesData
		d.frames.holding = make(chan struct{})
		d.show("a")
		d.Until("the thumbnail", func() bool { return red(d.pane.frame.picture) == 250 && len(d.lanes()) > 0 })
		d.WantTexts("The service's thumbnail")
		close(d.frames.holding)
		d.untilFrame(0)
		if red(d.pane.frame.picture) != 0 {
			t.Errorf("red %d", red(d.pane.frame.picture))
		}
		d.WantNoWords("thumbnail")
		d.pane.lanes.OnTapped(1, 1)
		d.untilFrame(12)
		if red(d.pane.frame.picture) != 120 {
			t.Errorf("red %d", red(d.pane.frame.picture))
		}
		d.UntilWords("The sound can't be played.")
		d.WantWords("00:12.0") // it stays where the person went, whenever the sound is open or given up
	})
	t.Run("A8 lanes of scenes, frames and tubes that tell a time; the others are counted", func(t *testing.T) {
		d := whole(t)
		got := map[string]int{}
		for _, lane := range d.lanes() {
			got[strings.Fields(strings.TrimSuffix(lane.Title, ","))[0]] = len(lane.Spans)
		}
		assert.Equal(t, map[string]int{"Scenes": 2, "Frames": 3, "Tubes": 1}, got)
		d.WantTexts("In the data, but without a time to show them at: 2 tubes.")
	})
	t.Run("R4 the sound's own parts stand above the picture's, whose worst is offered first", func(t *testing.T) {
		d := whole(t)
		lanes := inside[*chart.Lanes](d.pane.sound, 0)
		lanes.FocusGained()
		lanes.TypedKey(&fyne.KeyEvent{Name: fyne.KeyEnd})
		if second := d.soundParts(); !strings.Contains(second, "Likely manipulated · 97\nchunks[1].") {
			t.Errorf("%q", second)
		}
		lanes.FocusLost()
		d.WantTexts("Strongest frame 00:12")
	})
	t.Run("the parts of the sound are told, and gone to", func(t *testing.T) {
		d := whole(t)
		var told present.Timeline
		d.pane.OnVoice(func(t present.Timeline) { told = t })
		assert.Equal(t, []int{1, 0}, told.Lanes[0].Strongest())
		d.pane.ChooseVoice(0, 1)
		d.untilFrame(6)
		d.WantWords("chunks[1].score = 97")
		d.show("b")
		assert.True(t, len(told.Lanes) == 0, "of another clip, those of the one before are told")
	})
	t.Run("R4 without a result of its own, the sound plays and bears no parts, which is said", func(t *testing.T) {
		d := setup(t)
		d.source.sound, d.source.data, d.source.soundData = guitest.Recording(t, 5, 8000), picturesData, voiceData
		d.show("a")
		d.UntilWords("no separate result for its sound")
		d.Until("the sound", func() bool { return d.pane.sound.Length() > 0 })
		if parts := d.soundParts(); parts != "" {
			t.Errorf("parts: %q", parts)
		}
	})
	t.Run("R4 a result that comes later is taken up", func(t *testing.T) {
		d := setup(t)
		d.source.sound, d.source.soundData = guitest.Recording(t, 5, 8000), voiceData
		d.show("a")
		d.UntilWords("no separate result for its sound")
		d.source.soundOf = &present.Viewer{ID: "the voice"}
		d.show("a")
		d.Until("its parts", func() bool { return d.soundParts() != "" })
	})
	t.Run("what came by and by stands below each other, whole, in the window that is there", func(t *testing.T) {
		d := whole(t)
		d.pane.TypedRune('w')
		d.untilFrame(12)
		top := func(o fyne.CanvasObject) float32 {
			return fyne.CurrentApp().Driver().AbsolutePositionForObject(o).Y
		}
		wave, voice, lanes := inside[*chart.Waveform](d.pane.sound, 0), inside[*chart.Lanes](d.pane.sound, 0), d.pane.lanes
		if top(wave)+wave.Size().Height > top(voice) || top(voice)+voice.Size().Height > top(lanes) || lanes.Size().Height < lanes.MinSize().Height {
			t.Errorf("waveform at %v, %v high; the voice's lanes at %v, %v high; the picture's at %v", top(wave), wave.Size().Height, top(voice), voice.Size().Height, top(lanes))
		}
		if wave.Size().Width != lanes.Size().Width-chart.Gutter() || wave.Size().Width < 400 {
			t.Errorf("%v and %v wide", wave.Size().Width, lanes.Size().Width)
		}
	})
	t.Run("a clip without sound says so, and plays by the clock to its end", func(t *testing.T) {
		d := setup(t)
		d.frames.info.HasSound, d.frames.info.Duration, d.frames.info.FrameRate = false, time.Second, 10
		d.show("a")
		d.UntilWords("This clip has no sound.")
		d.key(fyne.KeySpace)
		if !d.pane.sound.Playing() {
			t.Fatal("it doesn't play")
		}
		seen := map[float64]bool{}
		d.Until("the end", func() bool {
			d.pane.follow(d.pane.sound.Moment()) // as at each frame of the screen
			if d.pane.stillAt >= 0 {
				seen[d.pane.stillAt] = true
			}
			return !d.pane.sound.Playing()
		})
		if len(seen) < 4 || d.pane.moment < 0.9 || d.output.Opened() != 0 {
			t.Errorf("%d frames were seen, at %v; the output was opened %d times", len(seen), d.pane.moment, d.output.Opened())
		}
	})
	t.Run("a computer without sound plays the picture, and says that nothing is heard", func(t *testing.T) {
		d := whole(t)
		d.output.Fail(&player.Silent{Why: "it has no device"})
		d.key(fyne.KeySpace)
		d.UntilWords("This computer can't play sound")
		d.Until("frames", func() bool {
			d.pane.follow(d.pane.sound.Moment())
			return d.pane.stillAt > 0.2
		})
	})
	t.Run("what is provisional bears no verdict's colour", func(t *testing.T) {
		d := setup(t)
		d.source.data = picturesData
		d.pane.Show(present.Viewer{ID: "a", Verdict: verdict.Verdict{Provisional: true}})
		d.Until("the lanes", func() bool { return len(d.lanes()) > 0 })
		for _, lane := range d.lanes() {
			for _, s := range lane.Spans {
				if s.Mark != "" {
					t.Errorf("%+v", s)
				}
			}
		}
	})
}

func TestPaneSeeks(t *testing.T) {
	t.Run("a part that is tapped: the frame, the sound, and the field with its value as sent", func(t *testing.T) {
		d := whole(t)
		d.pane.lanes.OnTapped(1, 1)
		d.untilFrame(12)
		if at := inside[*chart.Waveform](d.pane.sound, 0).Moment(); at != 12 {
			t.Errorf("the sound is at %v", at)
		}
		d.WantWords("frames[1].score = 88.25")
	})
	t.Run("the waveform takes the picture along", func(t *testing.T) {
		d := whole(t)
		inside[*chart.Waveform](d.pane.sound, 0).OnSeek(7)
		d.untilFrame(7)
		if d.pane.moment != 7 {
			t.Errorf("at %v", d.pane.moment)
		}
	})
	t.Run("keys: a second, frame by frame, the worst", func(t *testing.T) {
		d := whole(t)
		d.pane.info.FrameRate = 10
		want := func(at float64) {
			t.Helper()
			if got := d.pane.moment; got < at-0.01 || got > at+0.01 {
				t.Errorf("at %v, want %v", got, at)
			}
		}
		d.key(fyne.KeyRight)
		want(1)
		d.pane.TypedRune('.')
		want(1.1)
		d.pane.TypedRune('.')
		want(1.2)
		d.untilFrame(1.2)
		d.WantWords("frame 12")
		d.pane.TypedRune(',')
		want(1.1)
		d.key(fyne.KeyLeft)
		d.pane.TypedRune(',')
		d.pane.TypedRune(',') // there is none before the first
		want(0)
		d.pane.TypedRune('w')
		want(12)
		d.untilFrame(12)
	})
	t.Run("keys seek without sound too", func(t *testing.T) {
		d := setup(t)
		d.show("a")
		d.Until("a frame", func() bool { return d.pane.frame.picture != nil })
		d.key(fyne.KeyRight)
		d.untilFrame(1)
		d.key(fyne.KeyLeft)
		d.key(fyne.KeyLeft)
		d.untilFrame(0)
		if d.key(fyne.KeyUp) || d.pane.TypedRune('j') {
			t.Error("a key of the list is taken")
		}
	})
	t.Run("nothing plays by itself", func(t *testing.T) {
		d := whole(t)
		d.pane.TypedRune('w')
		d.untilFrame(12)
		if d.output.Opened() != 0 {
			t.Error("the output was opened")
		}
	})
}

func TestPaneFetchesFrames(t *testing.T) {
	t.Run("one that is no longer wanted is given up", func(t *testing.T) {
		d := whole(t)
		d.frames.holding = make(chan struct{})
		d.pane.lanes.OnTapped(1, 1)
		<-d.frames.begun
		d.pane.lanes.OnTapped(1, 2)
		close(d.frames.holding)
		d.untilFrame(20)
		if d.frames.given != 1 {
			t.Errorf("%d were taken", d.frames.given)
		}
	})
	t.Run("while the sound plays they follow, and each is let finish", func(t *testing.T) {
		d := whole(t)
		d.frames.holding = make(chan struct{})
		for _, at := range []float64{0.6, 0.8, 1.0, 1.4} {
			d.pane.follow(at)
		}
		close(d.frames.holding)
		d.untilFrame(1.4)
		assert.Equal(t, []time.Duration{600 * time.Millisecond, 1400 * time.Millisecond}, d.frames.times())
		d.pane.follow(1.6)
		if n := len(d.frames.times()); n != 2 {
			t.Errorf("%d frames: one came for less than half a second", n)
		}
	})
	t.Run("while the sound plays, every frame is shown at its moment, and none is left when it stops", func(t *testing.T) {
		d := whole(t)
		d.Until("the sound", func() bool { return d.pane.sound.Length() > 0 })
		d.key(fyne.KeySpace)
		seen := map[float64]bool{}
		d.Until("a second and a half of frames", func() bool {
			d.output.Next(400)
			if p := d.pane; p.sound.Playing() {
				at := p.sound.Moment()
				p.follow(at) // as at each frame of the screen
				if p.stillAt > at+2*early {
					t.Fatalf("the frame at %v is seen when %v is heard", p.stillAt, at)
				}
			}
			if d.pane.stillAt >= 0 {
				seen[d.pane.stillAt] = true
			}
			return d.pane.stillAt >= 1.5
		})
		if len(seen) < 5 {
			t.Errorf("%d different frames were seen", len(seen))
		}
		if d.pane.lanes.Moment() != d.pane.moment || d.pane.moment < 1.4 {
			t.Errorf("the lanes are at %v, the picture at %v", d.pane.lanes.Moment(), d.pane.moment)
		}
		d.pane.Clear()
		d.pane.rolls.Wait()
		if n := d.frames.playing.Load(); n != 0 {
			t.Errorf("%d runs of ffmpeg are left", n)
		}
	})
	t.Run("another clip gives up all of the one before", func(t *testing.T) {
		d := whole(t)
		d.frames.holding = make(chan struct{})
		d.pane.lanes.OnTapped(1, 1)
		d.source.thumbnail = ""
		d.show("b")
		close(d.frames.holding)
		d.untilFrame(0)
		d.WantNoWords("frames[1]")
		if d.pane.moment != 0 {
			t.Errorf("at %v", d.pane.moment)
		}
	})
}

func TestPanePreviews(t *testing.T) {
	t.Run("rule 16: without colours or blurred, as long as that is chosen, and it is said", func(t *testing.T) {
		d := setup(t)
		d.source.thumbnail, d.frames.holding = thumbnailFile(t), make(chan struct{}) // no frame comes
		d.pane.SetPreview(present.PreviewGrey)
		d.show("a")
		d.Until("the thumbnail", func() bool { return d.pane.frame.picture != nil })
		r, g, b, _ := d.pane.frame.picture.At(80, 40).RGBA()
		if r != g || g != b {
			t.Errorf("%d %d %d", r, g, b)
		}
		d.WantTexts("The service's thumbnail, shown without colours")
		d.pane.SetPreview(present.PreviewPlain)
		d.Until("its colours", func() bool { return red(d.pane.frame.picture) == 250 })
		d.pane.SetPreview(present.PreviewBlurred)
		if d.pane.frame.picture != nil {
			t.Error("it is seen as it is until it is blurred")
		}
		d.Until("it is blurred", func() bool { return d.pane.frame.picture != nil })
		d.WantTexts("The service's thumbnail, shown blurred")
	})
	t.Run("the person may see it as it is", func(t *testing.T) {
		d := setup(t)
		var chosen []present.Preview
		d.pane.OnPreview = func(p present.Preview) {
			chosen = append(chosen, p)
			d.pane.SetPreview(p) // as the window does
		}
		d.show("a")
		if d.pane.plain.Visible() {
			t.Error("it is offered although it is so")
		}
		d.pane.SetPreview(present.PreviewGrey)
		if !d.pane.plain.Visible() || len(chosen) != 0 {
			t.Errorf("it is not offered; chosen %q", chosen)
		}
		test.Tap(d.pane.plain)
		if d.pane.plain.Visible() || len(chosen) != 1 || chosen[0] != present.PreviewPlain {
			t.Errorf("chosen %q", chosen)
		}
	})
	t.Run("a frame that was fetched under another preview is never shown as it is", func(t *testing.T) {
		d := setup(t)
		d.frames.holding = make(chan struct{})
		d.show("a")
		d.Until("it is read", func() bool { return d.pane.info != nil })
		d.pane.SetPreview(present.PreviewGrey)
		close(d.frames.holding)
		d.Until("the frame", func() bool { return d.pane.frame.picture != nil })
		if r, g, _, _ := d.pane.frame.picture.At(120, 40).RGBA(); r != g {
			t.Error("it has its colours")
		}
	})
}

func TestPaneSaysWhatIsWrongAndTheRestWorks(t *testing.T) {
	t.Run("without ffmpeg: the thumbnail, the lanes, and the system's player", func(t *testing.T) {
		d := setup(t)
		d.source.thumbnail, d.source.data = thumbnailFile(t), picturesData
		d.frames.err = guitest.Sentence("Assay takes frames through ffmpeg, which is not installed on this computer.")
		d.show("a")
		d.Until("it is said", func() bool {
			return d.pane.notice.Visible() && d.pane.frame.picture != nil && len(d.lanes()) > 0
		})
		d.WantWords("No frames can be shown. Assay takes frames through ffmpeg")
		d.pane.lanes.OnTapped(0, 1)
		d.WantWords("scenes[1].score = 5")
		d.pane.player.Tapped(nil)
		assert.Equal(t, []string{"a"}, d.players)
	})
	t.Run("A6 neither thumbnail nor original: a placeholder, and why", func(t *testing.T) {
		d := setup(t)
		d.source.originalErr = guitest.Sentence("The service has deleted its copy, under its retention rules.")
		d.show("a")
		d.Until("it is said", func() bool { return d.pane.notice.Visible() && d.pane.frame.note == "No picture of this clip" })
		d.WantWords("deleted its copy")
		if d.pane.frame.picture != nil {
			t.Error("there is a picture")
		}
	})
	t.Run("a broken thumbnail is said until there is a frame", func(t *testing.T) {
		d := setup(t)
		d.source.thumbnail = guitest.File(t, "thumbnail.png", []byte("no picture"))
		d.frames.err = os.ErrNotExist
		d.show("a")
		d.UntilWords("The thumbnail can't be shown. ")
	})
	for text, want := range map[string]string{
		"":                             "Nothing was reported of single scenes or frames of this clip.",
		`{"scenes":"many","frames":7}`: "Nothing was reported of single scenes or frames of this clip.",
		`[1]`:                          "What was reported of the parts can't be shown. ",
		`{"scenes":[{"start":1}]}`:     "In the data, but without a time to show them at: 1 scene.",
	} {
		t.Run("A8 an aggregation JSON of unexpected shape or none: "+text, func(t *testing.T) {
			d := setup(t)
			d.source.data = text
			d.show("a")
			d.UntilWords(want)
		})
	}
}

// TestEverythingIsTranslated shows the pane in the pseudo language, in which a word that was forgotten stands out.
func TestEverythingIsTranslated(t *testing.T) {
	if testing.Short() {
		t.Skip("it only builds what it reads")
	}
	i18ntest.Pseudo(t)
	sent := []string{"ARTIFICIAL", "SUSPICIOUS", "AUTHENTIC", "FAKE", "REASON", "chunks", "svc", "scenes", "frames", "tubes", "decision", "scores", "score", "REQUEST"}
	d := setup(t)
	d.source.thumbnail, d.frames.holding = thumbnailFile(t), make(chan struct{})
	d.source.sound = guitest.Recording(t, 3, 8000)
	d.source.data = `{"scenes":[{"start":1,"end":4,"decision":"FAKE"}],"frames":[{"timestamp":2,"decision":"SUSPICIOUS"},{"decision":"FAKE"}]}`
	d.show("1")
	guitest.CheckTranslated(t, d.pane.Object(), sent...)
	d.Until("all of it", func() bool {
		return d.pane.sound.Length() > 0 && len(d.lanes()) > 0 && d.pane.caption.Text() != "" && d.pane.info != nil
	})
	guitest.CheckTranslated(t, d.pane.Object(), sent...)
	thumbnail := d.pane.caption.Text()
	close(d.frames.holding)
	d.pane.lanes.OnTapped(0, 0)
	d.Until("a frame", func() bool { return d.pane.caption.Text() != thumbnail })
	for _, preview := range []present.Preview{present.PreviewGrey, present.PreviewBlurred} {
		d.pane.SetPreview(preview)
		guitest.CheckTranslated(t, d.pane.Object(), sent...)
	}
	for _, s := range d.pane.Shortcuts() {
		guitest.CheckTextsTranslated(t, []string{s.Keys, s.Does})
	}
	d.frames.info.HasSound, d.frames.err = false, guitest.Sentence("REASON")
	d.source.thumbnail, d.source.data = "", ""
	d.show("2")
	d.Until("it is said", func() bool { return d.pane.notice.Visible() })
	guitest.CheckTranslated(t, d.pane.Object(), sent...)
}

func TestTheFrameFillsTheWindow(t *testing.T) {
	d := setup(t)
	d.show("a")
	d.Until("the clip was read", func() bool { return d.pane.info != nil && d.pane.sound.Length() > 0 || d.pane.mute })
	before := d.pane.frame.Size()
	var over []bool
	foot := d.pane.SetFull(true, func(inside bool) { over = append(over, inside) })
	if got := d.pane.frame.Size(); got != d.pane.root.Size() || got.Height <= before.Height {
		t.Errorf("the frame has %v of %v", got, d.pane.root.Size())
	}
	if guitest.ButtonIn(foot, "One frame forward (.)") == nil {
		t.Error("the foot has no controls")
	}
	d.pane.frame.MouseMoved(nil)
	d.pane.frame.MouseOut()
	if len(over) != 2 || !over[0] || over[1] {
		t.Errorf("the pointer is told as %v", over)
	}
	d.pane.TypedRune('.')
	if d.pane.moment == 0 {
		t.Error("its keys do nothing")
	}
	if d.pane.SetFull(false, nil) != nil || d.pane.frame.Size() != before {
		t.Errorf("afterwards the frame has %v, not %v", d.pane.frame.Size(), before)
	}
}
