package viewer

import (
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/test"

	"assay/client"
	"assay/client/assert"
	"assay/client/i18n"
	"assay/client/i18n/i18ntest"
	"assay/client/nearly"
	"assay/client/submission"
	"assay/client/verdict"
	"assay/gui/e2e/scenes"
	"assay/gui/guitest"
	"assay/gui/look"
	"assay/gui/present"
)

func TestTheViewerReadsOnWorkers(t *testing.T) {
	t.Run("and shows nothing of another result meanwhile", func(t *testing.T) {
		c := samples(t)
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
		d.Until("the last asked for is shown", func() bool { return d.body.Visible() })
		if d.shown.ID != "half.jpg" {
			t.Errorf("%q is shown", d.shown.ID)
		}
	})
	t.Run("and says when it can't", func(t *testing.T) {
		c := samples(t)
		c.fail = errors.New("the disk is gone")
		d := setup(t, c, wideSize)
		d.Show("fake.jpg")
		d.UntilWords("the disk is gone")
		if d.body.Visible() {
			t.Error("something is shown beside")
		}
	})
	t.Run("and keeps a note", func(t *testing.T) {
		d := setup(t, samples(t), wideSize)
		d.see("fake.jpg")
		d.saveNote("from the agency")
		d.Until("it is kept", func() bool {
			d.source.mu.Lock()
			defer d.source.mu.Unlock()
			return d.source.notes["fake.jpg"] != ""
		})
	})
}

func TestTheCards(t *testing.T) {
	t.Run("R15 the ensemble is large, from the answer", func(t *testing.T) {
		d := setup(t, samples(t), wideSize)
		d.see("fake.jpg")
		d.WantTexts(verdict.Say(client.Fake).Headline, "88")
	})
	t.Run("R18 a provisional verdict is said as one and has no verdict's colour", func(t *testing.T) {
		d := setup(t, samples(t), wideSize)
		d.see("half.jpg")
		d.WantWords("Provisional: ", "provisional, 1 of 2 models finished")
		if got := look.MarkSoftColor(look.Mark(d.shown.Verdict.Mark)); got == look.MarkSoftColor(look.MarkFake) {
			t.Error("it has FAKE's colour")
		}
	})
	t.Run("R4 a clip's sound has its own beside the clip's", func(t *testing.T) {
		d := setup(t, samples(t), wideSize)
		d.see("press.mp4")
		d.Until("the sound's card is there", func() bool { return d.cards.side.card.Visible() })
		d.WantTexts("Picture: no sign of manipulation found by these models", "Voice: likely manipulated or AI-generated")
		if rows := guitest.BarRows(d.pages.models.sound.bars); !d.pages.models.sound.column.Visible() || len(rows) != 1 || !strings.HasPrefix(rows[0], "everest-aud: ") {
			t.Errorf("its bars: %q", rows)
		}
		d.see("fake.jpg")
		if d.cards.side.card.Visible() || d.pages.models.sound.column.Visible() {
			t.Error("another result keeps it")
		}
	})
	t.Run("R4 without showAudioResult there is none, whatever audioRequestId says", func(t *testing.T) {
		d := setup(t, samples(t), wideSize)
		d.see("mute.mp4")
		if d.shown.HasSound || d.cards.side.card.Visible() {
			t.Error("there is one")
		}
	})
	t.Run("a click on the score tells its field, and a second one shows it among the data", func(t *testing.T) {
		d := setup(t, samples(t), wideSize)
		d.see("fake.jpg")
		d.cards.main.scale.OnTapped()
		d.WantTexts("resultsSummary.metadata.finalScore = 88")
		d.cards.main.scale.OnTapped()
		if d.data.field != "resultsSummary.metadata.finalScore" || d.data.shown != "fake.jpg" {
			t.Errorf("the data shows %q of %q", d.data.field, d.data.shown)
		}
	})
}

func TestThePages(t *testing.T) {
	t.Run("stand beside the medium where there is room, and fold", func(t *testing.T) {
		d := setup(t, samples(t), wideSize)
		d.see("fake.jpg")
		if got := strings.Join(d.pages.tabs.Options(), " "); got != "Models Details Data History" || !d.pages.mediumShown() || !d.pages.panelShown() {
			t.Errorf("%s; medium %v, panel %v", got, d.pages.mediumShown(), d.pages.panelShown())
		}
		for i, pane := range []*notedPane{1: d.details, 2: d.data} {
			if pane == nil {
				continue
			}
			d.pages.tabs.Select(i)
			if pane.shown != "fake.jpg" || !d.pages.mediumShown() {
				t.Errorf("page %d of %q; medium %v", i, pane.shown, d.pages.mediumShown())
			}
		}
		var kept []bool
		d.OnFold = func(folded bool) { kept = append(kept, folded) }
		width := d.picture.root.Size().Width
		if !d.TypedRune('p') || d.pages.panelShown() || d.picture.root.Size().Width <= width {
			t.Errorf("the panel is shown: %v; the medium is %v wide, and %v before", d.pages.panelShown(), d.picture.root.Size().Width, width)
		}
		d.see("other.jpg")
		if d.pages.panelShown() {
			t.Error("another result unfolds it")
		}
		d.reveal("models[0]")
		if !d.pages.panelShown() || d.data.field != "models[0]" {
			t.Error("what is asked for among the data is not shown")
		}
		assert.Equal(t, []bool{true}, kept)
	})
	t.Run("take the medium's place in a narrow window, once they are asked for", func(t *testing.T) {
		d := setup(t, samples(t), narrowSize)
		d.see("fake.jpg")
		if !d.pages.mediumShown() || d.pages.panelShown() {
			t.Errorf("medium %v, panel %v", d.pages.mediumShown(), d.pages.panelShown())
		}
		d.TypedRune('p')
		if d.pages.mediumShown() || !d.pages.panelShown() {
			t.Error("the models are not in its place")
		}
		d.TypedRune('p')
		if !d.pages.mediumShown() || d.pages.panelShown() {
			t.Error("the medium is not back")
		}
	})
	t.Run("leave the medium half of a window of the usual size", func(t *testing.T) {
		d := setup(t, samples(t), wideSize)
		d.see("fake.jpg")
		if size := d.picture.root.Size(); size.Width < 510 || size.Height < 480 {
			t.Errorf("it has %v", size)
		}
	})
	t.Run("that are open show the next result too, the others when they are opened", func(t *testing.T) {
		d := setup(t, samples(t), wideSize)
		d.see("fake.jpg")
		d.pages.tabs.Select(1)
		d.see("other.jpg")
		if d.details.shown != "other.jpg" || d.data.shown != "" {
			t.Errorf("details of %q, data of %q", d.details.shown, d.data.shown)
		}
	})
	t.Run("a row's click shows where its numbers stand", func(t *testing.T) {
		d := setup(t, samples(t), wideSize)
		d.see("fake.jpg")
		d.pages.models.main.bars.OnTapped(0)
		d.WantTexts("models[0].normalizedPredictionNumber = 93")
		test.Tap(d.pages.models.main.inData)
		if d.data.field != "models[0].normalizedPredictionNumber" {
			t.Errorf("the data shows %q", d.data.field)
		}
	})
	t.Run("R10 rolling averages and final scores have bars of their own, below the model's, on the same scale", func(t *testing.T) {
		d := setup(t, samples(t), wideSize)
		d.see("rolling.mp4")
		rows, _ := charted(d.shown.Bars)
		var got []string
		for _, row := range rows {
			got = append(got, fmt.Sprint(row.Name, " ", *row.Value, " ", row.ValueText, " ", row.Further))
		}
		want := []string{"erie 93.2 93 false", "rolling average 104.5 104.5 true", "final score 0 0 true", "tahoe 80 80 false"}
		assert.Equal(t, want, got)
		assert.Equal(t, []string{"erie: 93", "rolling average: 104.5", "final score: 0", "tahoe: 80"}, guitest.BarRows(d.pages.models.main.bars))
		d.pages.models.main.bars.OnTapped(3)
		d.WantTexts("models[1].finalScore = 80")
	})
	t.Run("without a model say so", func(t *testing.T) {
		d := setup(t, samples(t), wideSize)
		d.see("other.jpg")
		d.WantTexts("No model has reported.")
	})
	t.Run("history is read on workers", func(t *testing.T) {
		d := setup(t, samples(t), wideSize)
		d.see("fake.jpg")
		d.pages.tabs.Select(3)
		h := d.pages.panels[historyPage].(*historyPanel)
		d.Until("it is shown", func() bool { return len(h.rows.Objects) > 0 })
	})
}

func TestTheMedia(t *testing.T) {
	t.Run("another medium clears the one before", func(t *testing.T) {
		d := setup(t, samples(t), wideSize)
		d.see("fake.jpg")
		d.see("press.mp4")
		if d.picture.cleared != 1 || d.clip.shown != "press.mp4" {
			t.Errorf("cleared %d times, the clip's pane shows %q", d.picture.cleared, d.clip.shown)
		}
	})
	t.Run("R3 of an unknown one there is no preview, and the rest works", func(t *testing.T) {
		d := setup(t, samples(t), wideSize)
		d.see("odd.bin")
		d.WantTexts(i18n.T("There is no preview for this kind of file. What the models said is beside it."), verdict.Say(client.Fake).Headline)
	})
	t.Run("get the preview that was chosen, also those made later", func(t *testing.T) {
		d := setup(t, samples(t), wideSize)
		d.SetPreview(present.CarefulOff)
		d.see("fake.jpg")
		d.see("press.mp4")
		d.SetPreview(present.CarefulAll)
		if d.clip.preview != present.PreviewBlurred {
			t.Errorf("the clip in front: %q", d.clip.preview)
		}
		d.see("fake.jpg")
		if d.picture.preview != present.PreviewBlurred || d.clip.preview != present.PreviewBlurred {
			t.Errorf("%q, %q", d.picture.preview, d.clip.preview)
		}
	})
	t.Run("take keys first, then the bar for feedback", func(t *testing.T) {
		d := setup(t, samples(t), wideSize)
		if d.TypedRune('o') {
			t.Error("a key stands for something although nothing is shown")
		}
		d.see("fake.jpg")
		if !d.TypedRune('o') || !d.TypedRune('q') || d.TypedRune('z') || d.picture.typed != "o" || d.bar.typed != "q" {
			t.Errorf("%q, %q", d.picture.typed, d.bar.typed)
		}
		if got := d.Shortcuts(); len(got) != 4 {
			t.Errorf("%+v", got)
		}
	})
}

func TestViewerNote(t *testing.T) {
	test.NewTempApp(t)
	var saved []string
	n := newViewerNote(func(note string) { saved = append(saved, note) })
	window := test.NewTempWindow(t, container.NewStack(n.text, n.field))
	t.Run("without one there is only the way to add one", func(t *testing.T) {
		if n.text.Visible() || n.button.ToolTip() != "Add a note…" {
			t.Errorf("text visible %v, button %q", n.text.Visible(), n.button.ToolTip())
		}
	})
	t.Run("Enter keeps what is written, without the space around it", func(t *testing.T) {
		n.edit()
		if window.Canvas().Focused() != n.field {
			t.Error("the field has not the focus")
		}
		test.Type(n.field, "  from the agency ")
		n.field.TypedKey(&fyne.KeyEvent{Name: fyne.KeyReturn})
		if len(saved) != 1 || saved[0] != "from the agency" || n.text.Text() != "Note: from the agency" || n.field.Visible() {
			t.Errorf("saved %q, shown %q", saved, n.text.Text())
		}
	})
	t.Run("Esc keeps the one before", func(t *testing.T) {
		n.edit()
		n.field.SetText("something else")
		n.field.TypedKey(&fyne.KeyEvent{Name: fyne.KeyEscape})
		if len(saved) != 1 || n.text.Text() != "Note: from the agency" || n.field.Visible() {
			t.Errorf("saved %q, shown %q", saved, n.text.Text())
		}
	})
	t.Run("an overlong one is cut between characters", func(t *testing.T) {
		n.written(strings.Repeat("ü", LongestNote+1))
		if got := []rune(saved[len(saved)-1]); len(got) != LongestNote || got[LongestNote-1] != 'ü' {
			t.Errorf("%d characters", len(got))
		}
	})
	t.Run("an empty one removes it", func(t *testing.T) {
		n.edit()
		n.field.SetText("")
		n.field.TypedKey(&fyne.KeyEvent{Name: fyne.KeyReturn})
		if saved[len(saved)-1] != "" || n.text.Visible() {
			t.Errorf("saved %q", saved[len(saved)-1])
		}
	})
}

func TestThatACopyWasAnalysedStandsInTheHead(t *testing.T) {
	c := samples(t)
	copied := c.subs["fake.jpg"]
	copied.Copy = submission.Copy{SHA256: "ab", Format: "JPEG", Metadata: true}
	c.subs["fake.jpg"] = copied
	d := setup(t, c, wideSize)
	d.see("fake.jpg")
	d.WantTexts("A copy was analysed")
	test.Tap(d.head.copied)
	assert.Equal(t, "fake.jpg", d.details.shown) // both hashes are there
	d.see("other.jpg")
	d.WantNoWords("A copy was analysed")
}

func TestWhatAWatchedFolderBroughtIsCoveredUntilThePersonChoseOtherwiseForAll(t *testing.T) {
	c := samples(t)
	watched := c.subs["other.jpg"]
	watched.Source = submission.Watched
	c.subs["other.jpg"] = watched
	d := setup(t, c, wideSize)
	for _, id := range []string{"other.jpg", "fake.jpg", "other.jpg"} {
		d.see(id)
		want := present.PreviewPlain
		if id == "other.jpg" {
			want = present.PreviewBlurred
		}
		if d.picture.preview != want || d.picture.previewAtShow != want {
			t.Errorf("%s: %q, and %q as it came", id, d.picture.preview, d.picture.previewAtShow)
		}
	}
	d.SetPreview(present.CarefulOff)
	if d.picture.preview != present.PreviewPlain {
		t.Errorf("chosen: %q", d.picture.preview)
	}
}

// TestEverythingIsTranslated shows the viewer in the pseudo language, in which a word that was forgotten stands out.
func TestEverythingIsTranslated(t *testing.T) {
	if testing.Short() {
		t.Skip("it only builds what it reads")
	}
	i18ntest.Pseudo(t)
	sent := []string{"fake.jpg", "half.jpg", "press.mp4", "rolling.mp4", "odd.bin", "everest-aud", "erie", "tahoe", "oak", "vid", "Suspicious: needs a human look",
		"r-fake.jpg", "models", "normalizedPredictionNumber", "finalScore", "rollingAvgNumber", "resultsSummary.metadata"}
	from := samples(t)
	from.near = map[string][]present.Near{"fake.jpg": nears("2026-11-03", nearly.Picture, nearly.Clip), "press.mp4": nears("2026-11-03", nearly.HasFrame)}
	d := setup(t, from, wideSize)
	guitest.CheckTranslated(t, d.Object())
	for _, id := range []string{"fake.jpg", "half.jpg", "press.mp4", "rolling.mp4", "odd.bin"} {
		d.see(id)
		if id == "press.mp4" {
			d.Until("its sound is there", func() bool { return d.cards.side.card.Visible() })
		}
		d.cards.main.scale.OnTapped()
		guitest.CheckTranslated(t, d.Object(), sent...)
		d.pages.open(historyPage)
		d.Until("the history is there", func() bool { return len(d.pages.panels[historyPage].(*historyPanel).rows.Objects) > 0 })
		guitest.CheckTranslated(t, d.Object(), sent...)
		d.pages.open(modelsPage)
		if len(d.shown.Bars) > 0 {
			d.pages.models.main.choose(0)
			guitest.CheckTranslated(t, d.Object(), sent...)
		}
	}
	d.Show("nothing")
	d.Until("it is not there", func() bool { return d.unread.Visible() })
	d.Resize(narrowSize)
	guitest.CheckTranslated(t, d.Object(), sent...)
}

// TestGallery paints the viewer round empty panes, with each scene that the tour shows, into the folder that ASSAY_GALLERY names: to be
// looked at.
func TestGallery(t *testing.T) {
	if guitest.GalleryFolder() == "" {
		t.Skip("ASSAY_GALLERY names no folder")
	}
	all, err := scenes.Answers(t.Context(), filepath.Join("..", "..", "testdata", "pictures"))
	assert.NoError(t, err)
	from := samples(t)
	from.near = map[string][]present.Near{}
	for i, s := range all {
		if i%2 == 0 {
			from.near[s.Key] = nears("harbour-crop.png", []nearly.Likeness{nearly.Picture, nearly.Clip, nearly.Recording}[:1+i%3]...)
		}
		a := s.Answer
		a.ShowAudioResult = s.Sound != nil
		from.subs[s.Key] = answered(t, s, a)
		if s.Sound != nil {
			from.sound[s.Key] = answered(t, s, s.Sound.Answer)
		}
	}
	for _, s := range all {
		for _, mode := range []look.Mode{look.ModeLight, look.ModeDark} {
			for name, size := range map[string]fyne.Size{"wide": wideSize, "narrow": narrowSize} {
				t.Run(s.Key+" "+name+" "+string(mode), func(t *testing.T) {
					i18ntest.FromEnvironment(t)
					d := setup(t, from, size)
					fyne.CurrentApp().Settings().SetTheme(look.New(mode))
					d.see(s.Key)
					if s.Sound != nil {
						d.Until("its sound is there", func() bool { return d.cards.side.card.Visible() })
					}
					guitest.Keep(t, d.Window, "viewer-"+s.Key+"-"+name+"-"+string(mode))
				})
			}
		}
	}
}

// answered is a submission of a scene's file with an answer.
func answered(t *testing.T, s *scenes.Scene, a scenes.Answer) submission.Submission {
	t.Helper()
	text, err := json.Marshal(a)
	assert.NoError(t, err)
	of := sub(t, s.Key, string(text))
	of.Name = s.Name
	return of
}
