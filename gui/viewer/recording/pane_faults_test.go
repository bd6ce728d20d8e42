package recording

import (
	"os"
	"strings"
	"testing"

	"fyne.io/fyne/v2"

	"assay/client"
	"assay/client/assert"
	"assay/client/i18n"
	"assay/client/media/sound"
	"assay/gui/chart"
	"assay/gui/guitest"
	"assay/gui/player"
	"assay/gui/present"
)

func TestPaneSaysWhatIsWrongAndTheRestWorks(t *testing.T) {
	for name, tt := range map[string]struct {
		err    error
		broken bool
		says   string
		offers bool // the system's player
	}{
		"no ffmpeg":                   {err: &sound.NeedsFFmpeg{Format: "AAC"}, says: "AAC recordings with ffmpeg", offers: true},
		"a broken file":               {broken: true, says: "The sound can't be played. ", offers: true},
		"A6 the original was removed": {err: guitest.Sentence("The service has deleted its copy, under its retention rules."), says: "deleted its copy"},
		"no file":                     {err: os.ErrNotExist, says: "no longer where it was"},
	} {
		t.Run(name, func(t *testing.T) {
			d := setup(t)
			d.source.fails["a"], d.source.data["a"] = tt.err, parts
			if tt.broken {
				d.source.sounds["a"] = guitest.File(t, "broken.wav", []byte("RIFF and nothing more"))
			}
			d.show("a")
			d.Until("it is said", func() bool { return d.pane.notice.Visible() })
			d.Until("the parts", func() bool { return len(d.lanes()) > 0 })
			d.WantWords(tt.says)
			if d.pane.notice.Action().Visible() != tt.offers {
				t.Errorf("the system's player: %v", !tt.offers)
			}
			if tt.offers {
				d.pane.notice.Action().Tapped(nil)
				assert.Equal(t, []string{"a"}, d.players)
			}
			if !d.pane.header.play.Disabled() {
				t.Error("it can be played")
			}
			d.pane.TypedRune('w') // which still says what was reported
			d.WantWords("97.25")
		})
	}
	t.Run("what the network kept away can be tried again", func(t *testing.T) {
		d := setup(t)
		d.source.fails["a"] = &client.Error{Kind: client.KindNetwork, Message: i18n.Verbatim("The service could not be reached.")}
		d.show("a")
		d.Until("it is said", func() bool { return d.pane.notice.Visible() })
		if !d.pane.notice.Action().Visible() {
			t.Fatal("there is no way to try again")
		}
		delete(d.source.fails, "a")
		d.source.sounds["a"] = guitest.Recording(t, 1, 8000)
		d.pane.notice.Action().Tapped(nil)
		d.Until("it can be played", func() bool { return !d.pane.header.play.Disabled() && !d.pane.notice.Visible() })
	})
	t.Run("no device: said in place, and playing again tries again", func(t *testing.T) {
		d := played(t)
		d.output.Fail(&player.Silent{Why: "there is no device"})
		d.key(fyne.KeySpace)
		d.Until("it is said", func() bool { return d.pane.notice.Visible() })
		d.WantWords("there is no device")
		d.output.Fail(nil)
		d.key(fyne.KeySpace)
		d.Until("it plays", func() bool { return d.output.Playing() })
		d.Until("the notice goes", func() bool { return !d.pane.notice.Visible() })
	})
	t.Run("nothing was reported of parts: the waveform works alone", func(t *testing.T) {
		d := setup(t)
		d.source.sounds["a"] = guitest.Recording(t, 2, 8000)
		d.show("a")
		d.UntilWords("Nothing was reported of single parts of this recording.")
		d.Until("the sound", func() bool { return d.pane.Length() > 0 })
		d.WantNoWords("Strongest part")
		if len(guitest.InSight[*chart.Lanes](d.Top())) > 0 {
			t.Error("there are parts")
		}
		d.pane.Seek(1)
		d.wantMoment(1)
	})
	t.Run("A8 an aggregation JSON of unexpected shape: what is known is drawn, the rest counted", func(t *testing.T) {
		d := setup(t)
		d.source.sounds["a"] = guitest.Recording(t, 2, 8000)
		d.source.data["a"] = `{"chunks":[3,{"from":0,"to":1,"score":{"v":3}},{"start":"soon"},[]],"languages":7,"models":[]}`
		d.show("a")
		d.ready()
		d.WantTexts("In the data, but without a time to show them at: 3 parts of the sound.")
		if spans := d.lanes()[0].Spans; len(spans) != 1 || spans[0].Texts[0] != "no decision reported" {
			t.Errorf("%+v", spans)
		}
	})
	t.Run("A8 what is no JSON is said, and the sound plays", func(t *testing.T) {
		d := setup(t)
		d.source.sounds["a"], d.source.data["a"] = guitest.Recording(t, 2, 8000), "<html>"
		d.show("a")
		d.UntilWords("What was reported of the parts can't be shown. ")
		d.Until("the sound can be played", func() bool { return !d.pane.header.play.Disabled() })
	})
	t.Run("parts beyond the file's end are said, and the axis stays the file's", func(t *testing.T) {
		d := setup(t)
		d.source.sounds["a"], d.source.data["a"] = guitest.Recording(t, 7, 8000), parts
		d.show("a")
		d.ready()
		d.WantWords("after the end of the file")
		if label := d.pane.wave.AccessibilityLabel(); !strings.HasSuffix(label, present.Clock(7)) {
			t.Errorf("the waveform ends elsewhere: %q", label)
		}
	})
}

func TestPaneShowsAnother(t *testing.T) {
	t.Run("what was under way is cancelled, and what it opened is closed", func(t *testing.T) {
		d := setup(t)
		d.source.sounds["slow"], d.source.sounds["a"] = guitest.Recording(t, 2, 8000), guitest.Recording(t, 5, 8000)
		d.source.hold["slow"] = make(chan struct{})
		d.show("slow")
		d.show("a")
		d.Until("the other", func() bool { return d.pane.Length() == 5 })
		close(d.source.hold["slow"])
		d.pane.Close()
		if n := d.source.stillOpen(); n != 0 {
			t.Errorf("%d files are left open", n)
		}
	})
	t.Run("the sound of the one before stops", func(t *testing.T) {
		d := played(t)
		d.key(fyne.KeySpace)
		d.Until("it plays", func() bool { return d.output.Playing() })
		before := d.pane.player
		d.source.sounds["b"] = guitest.Recording(t, 3, 8000)
		d.show("b")
		if before.State() == player.Playing {
			t.Error("it goes on")
		}
		d.Until("the other", func() bool { return d.pane.Length() == 3 })
		if d.pane.player.State() != player.Paused || strings.Contains(d.Words(), "chunks[") || len(d.lanes()) != 0 && d.pane.header.toWorst.Visible() {
			t.Error("something of the first is left")
		}
	})
	t.Run("the same again changes nothing that plays", func(t *testing.T) {
		d := played(t)
		d.pane.Seek(4)
		before := d.pane.player
		d.show("a")
		if d.pane.player != before || d.pane.wave.Moment() != 4 {
			t.Error("it began anew")
		}
	})
	t.Run("cleared, it shows nothing and holds nothing", func(t *testing.T) {
		d := played(t)
		d.Until("the waveform", func() bool { return d.known() > 0.99 })
		d.pane.Close()
		if d.pane.Length() != 0 || len(d.lanes()) != 0 || d.known() != 0 || d.pane.TypedRune('l') && d.pane.header.loop.On() || d.source.stillOpen() != 0 {
			t.Errorf("something is left: %d files", d.source.stillOpen())
		}
		d.pane.Clear()
		d.show("a")
		d.ready()
	})
}
