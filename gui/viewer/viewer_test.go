package viewer

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"fyne.io/fyne/v2/test"
	"github.com/google/go-cmp/cmp"

	"assay/gui/look"
	"assay/gui/present"
)

func TestTheViewerReadsOnWorkers(t *testing.T) {
	t.Run("and shows nothing of another result meanwhile", func(t *testing.T) {
		c := files(t)
		c.hold = make(chan struct{}, 10)
		d := setup(t, c, wideSize)
		c.hold <- struct{}{}
		d.see("fake.jpg")
		d.Show("other.jpg")
		if d.body.Visible() {
			t.Error("the verdict of another stands there")
		}
		d.Show("half.jpg")
		c.hold <- struct{}{}
		c.hold <- struct{}{} // the reading that was cancelled may take one
		d.pump("the last asked for is shown", func() bool { return d.body.Visible() })
		if d.shown.ID != "half.jpg" {
			t.Errorf("%q is shown", d.shown.ID)
		}
	})
	t.Run("and says when it can't", func(t *testing.T) {
		c := files(t)
		c.fail = errors.New("the disk is gone")
		d := setup(t, c, wideSize)
		d.Show("fake.jpg")
		d.pump("it is said", func() bool { return d.unread.Visible() })
		if got := d.unread.Text(); !strings.Contains(got, "the disk is gone") || d.body.Visible() {
			t.Errorf("it says %q", got)
		}
	})
	t.Run("and keeps a note", func(t *testing.T) {
		d := setup(t, files(t), wideSize)
		d.see("fake.jpg")
		d.saveNote("from the agency")
		d.pump("it is kept", func() bool {
			d.cabinet.mu.Lock()
			defer d.cabinet.mu.Unlock()
			return d.cabinet.notes["fake.jpg"] != ""
		})
	})
}

func TestTheCards(t *testing.T) {
	t.Run("R15 the ensemble is large, from the answer", func(t *testing.T) {
		d := setup(t, files(t), wideSize)
		d.see("fake.jpg")
		if d.cards.main.headline.Text() != "Likely manipulated or AI-generated" || d.cards.main.shown.Verdict.Score.Text() != "88" {
			t.Errorf("%q, %+v", d.cards.main.headline.Text(), d.cards.main.shown.Verdict.Score)
		}
	})
	t.Run("R18 a provisional verdict is said as one and has no verdict's colour", func(t *testing.T) {
		d := setup(t, files(t), wideSize)
		d.see("half.jpg")
		if !strings.HasPrefix(d.cards.main.headline.Text(), "Provisional: ") || !strings.HasPrefix(d.cards.main.agreement.Text(), "provisional, 1 of 2 models finished") {
			t.Errorf("%q, %q", d.cards.main.headline.Text(), d.cards.main.agreement.Text())
		}
		if got := look.MarkSoftColor(look.Mark(d.shown.Verdict.Mark)); got == look.MarkSoftColor(look.MarkFake) {
			t.Error("it has FAKE's colour")
		}
	})
	t.Run("R4 a clip's sound has its own beside the clip's", func(t *testing.T) {
		d := setup(t, files(t), wideSize)
		d.see("press.mp4")
		d.pump("the sound's card is there", func() bool { return d.cards.side.card.Visible() })
		if d.cards.main.headline.Text() != "Picture: no sign of manipulation found by these models" || d.cards.side.headline.Text() != "Voice: likely manipulated or AI-generated" {
			t.Errorf("%q beside %q", d.cards.main.headline.Text(), d.cards.side.headline.Text())
		}
		if rows := d.pages.models.sound.bars.Bars(); !d.pages.models.sound.column.Visible() || len(rows) != 1 || rows[0].Name != "everest-aud" {
			t.Errorf("its bars: %+v", rows)
		}
		d.see("fake.jpg")
		if d.cards.side.card.Visible() || d.pages.models.sound.column.Visible() {
			t.Error("another result keeps it")
		}
	})
	t.Run("R4 without showAudioResult there is none, whatever audioRequestId says", func(t *testing.T) {
		d := setup(t, files(t), wideSize)
		d.see("mute.mp4")
		if d.shown.HasSound || d.cards.side.card.Visible() {
			t.Error("there is one")
		}
	})
	t.Run("a click on the score tells its field, and a second one shows it among the data", func(t *testing.T) {
		d := setup(t, files(t), wideSize)
		d.see("fake.jpg")
		d.cards.main.scale.OnTapped()
		if got := d.cards.main.source.Text(); got != "resultsSummary.metadata.finalScore = 88" || !d.cards.main.source.Visible() {
			t.Errorf("%q", got)
		}
		d.cards.main.scale.OnTapped()
		if d.data.field != "resultsSummary.metadata.finalScore" || d.data.shown != "fake.jpg" {
			t.Errorf("the data shows %q of %q", d.data.field, d.data.shown)
		}
	})
}

func TestThePages(t *testing.T) {
	t.Run("stand beside the medium where there is room", func(t *testing.T) {
		d := setup(t, files(t), wideSize)
		d.see("fake.jpg")
		if got := strings.Join(d.pages.tabs.Names(), " "); got != "Models Details Data History" || !d.pages.mediumShown() || !d.pages.panel.Visible() {
			t.Errorf("%s; medium %v, page %v", got, d.pages.mediumShown(), d.pages.panel.Visible())
		}
		d.pages.tabs.Select(1)
		if d.details.shown != "fake.jpg" || !d.pages.mediumShown() {
			t.Errorf("details of %q; medium %v", d.details.shown, d.pages.mediumShown())
		}
		d.pages.tabs.Select(2)
		if d.data.shown != "fake.jpg" || d.pages.mediumShown() {
			t.Errorf("data of %q; medium %v", d.data.shown, d.pages.mediumShown())
		}
	})
	t.Run("take the medium's place in a narrow window, where it has a tab of its own", func(t *testing.T) {
		d := setup(t, files(t), narrowSize)
		d.see("fake.jpg")
		if got := strings.Join(d.pages.tabs.Names(), " "); got != "Picture Models Details Data History" || !d.pages.mediumShown() || d.pages.panel.Visible() {
			t.Errorf("%s; medium %v, page %v", got, d.pages.mediumShown(), d.pages.panel.Visible())
		}
		d.pages.tabs.Select(1)
		if d.pages.mediumShown() || !d.pages.panel.Visible() {
			t.Error("the models are not in its place")
		}
	})
	t.Run("that are open show the next result too, the others when they are opened", func(t *testing.T) {
		d := setup(t, files(t), wideSize)
		d.see("fake.jpg")
		d.pages.tabs.Select(1)
		d.see("other.jpg")
		if d.details.shown != "other.jpg" || d.data.shown != "" {
			t.Errorf("details of %q, data of %q", d.details.shown, d.data.shown)
		}
	})
	t.Run("a row's click shows where its numbers stand", func(t *testing.T) {
		d := setup(t, files(t), wideSize)
		d.see("fake.jpg")
		d.pages.models.main.bars.OnTapped(0)
		if got := d.pages.models.main.source.Text(); got != "models[0].normalizedPredictionNumber = 93" {
			t.Errorf("%q", got)
		}
		test.Tap(d.pages.models.main.inData)
		if d.data.field != "models[0].normalizedPredictionNumber" {
			t.Errorf("the data shows %q", d.data.field)
		}
	})
	t.Run("R10 rolling averages and final scores have bars of their own, below the model's, on the same scale", func(t *testing.T) {
		d := setup(t, files(t), wideSize)
		d.see("rolling.mp4")
		var got []string
		for _, row := range d.pages.models.main.bars.Bars() {
			got = append(got, fmt.Sprint(row.Name, " ", *row.Value, " ", row.ValueText, " ", row.Further))
		}
		want := []string{"erie 93.2 93 false", "rolling average 104.5 104.5 true", "final score 0 0 true", "tahoe 80 80 false"}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Error(diff)
		}
		d.pages.models.main.bars.OnTapped(3)
		if got := d.pages.models.main.source.Text(); got != "models[1].finalScore = 80" {
			t.Errorf("the last row tells %q", got)
		}
	})
	t.Run("without a model say so", func(t *testing.T) {
		d := setup(t, files(t), wideSize)
		d.see("other.jpg")
		if got := d.pages.models.main.source.Text(); got != "No model has reported." {
			t.Errorf("%q", got)
		}
	})
	t.Run("history is read on workers", func(t *testing.T) {
		d := setup(t, files(t), wideSize)
		d.see("fake.jpg")
		d.pages.tabs.Select(3)
		h := d.pages.panels[historyPage].(*historyPanel)
		d.pump("it is shown", func() bool { return len(h.rows.Objects) > 0 })
	})
}

func TestTheMedia(t *testing.T) {
	t.Run("another medium clears the one before", func(t *testing.T) {
		d := setup(t, files(t), wideSize)
		d.see("fake.jpg")
		d.see("press.mp4")
		if d.picture.cleared != 1 || d.clip.shown != "press.mp4" {
			t.Errorf("cleared %d times, the clip's pane shows %q", d.picture.cleared, d.clip.shown)
		}
	})
	t.Run("R3 of an unknown one there is no preview, and the rest works", func(t *testing.T) {
		d := setup(t, files(t), wideSize)
		d.see("odd.bin")
		if _, ok := d.Medium().(*noPreview); !ok || d.cards.main.headline.Text() == "" {
			t.Errorf("%T", d.Medium())
		}
	})
	t.Run("get the preview that was chosen, also those made later", func(t *testing.T) {
		d := setup(t, files(t), wideSize)
		d.SetPreview(present.PreviewChoice{Made: true, Preview: present.PreviewGrey})
		d.see("fake.jpg")
		d.see("press.mp4")
		d.SetPreview(present.PreviewChoice{Made: true, Preview: present.PreviewBlurred})
		if d.clip.preview != present.PreviewBlurred {
			t.Errorf("the clip in front: %q", d.clip.preview)
		}
		d.see("fake.jpg")
		if d.picture.preview != present.PreviewBlurred || d.clip.preview != present.PreviewBlurred {
			t.Errorf("%q, %q", d.picture.preview, d.clip.preview)
		}
	})
	t.Run("take keys first, then the bar for feedback", func(t *testing.T) {
		d := setup(t, files(t), wideSize)
		if d.TypedRune('o') {
			t.Error("a key stands for something although nothing is shown")
		}
		d.see("fake.jpg")
		if !d.TypedRune('o') || !d.TypedRune('f') || d.TypedRune('z') || d.picture.typed != "o" || d.bar.typed != "f" {
			t.Errorf("%q, %q", d.picture.typed, d.bar.typed)
		}
		if got := d.Shortcuts(); len(got) != 2 {
			t.Errorf("%+v", got)
		}
	})
}
