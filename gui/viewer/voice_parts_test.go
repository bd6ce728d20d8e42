package viewer

import (
	"slices"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	"assay/client"
	"assay/client/assert"
	"assay/gui/guitest"
	"assay/gui/present"
)

// voicedPane is a clip of whose voice parts were reported.
type voicedPane struct {
	*notedPane
	told   func(present.Timeline)
	chosen []int
}

func (v *voicedPane) OnVoice(told func(present.Timeline)) { v.told = told }
func (v *voicedPane) ChooseVoice(_, i int)                { v.chosen = append(v.chosen, i) }

func TestThePartsOfAVoiceAreListedTheStrongestFirst(t *testing.T) {
	d := setup(t, samples(t), wideSize)
	clip := &voicedPane{notedPane: d.clip}
	d.Media[present.Clip] = func() Pane { return clip }
	d.see("press.mp4")
	d.WantNoWords("Voice parts")
	answer, err := client.ReadAggregation([]byte(`{"chunks":[{"start":0,"end":3,"decision":"AUTHENTIC","score":99},{"start":3,"end":6,"decision":"ARTIFICIAL","score":88},
		{"start":6,"end":9,"decision":"ARTIFICIAL"},{"start":9,"end":12,"decision":"ARTIFICIAL","score":97},{"start":12,"end":15,"decision":"SUSPICIOUS","score":55},
		{"start":15,"end":18,"decision":"AUTHENTIC","score":7},{"start":18,"end":21,"decision":"AUTHENTIC","score":0},{"start":21,"end":24,"decision":"AUTHENTIC","score":8},{"start":24,"end":27}]}`))
	assert.NoError(t, err)
	clip.told(present.TimelineOf(answer))
	d.WantTexts("Voice parts, strongest first", "00:09.0–00:12.0", "97", "and 2 more")
	var said []string
	var rows []*partRow
	guitest.Walk(d.Object(), func(o fyne.CanvasObject) bool {
		if row, ok := o.(*partRow); ok {
			said, rows = append(said, row.AccessibilityLabel()), append(rows, row)
		}
		return true
	})
	assert.Equal(t, []string{"00:09.0–00:12.0 · Likely manipulated · 97", "00:03.0–00:06.0 · Likely manipulated · 88", "00:06.0–00:09.0 · Likely manipulated",
		"00:12.0–00:15.0 · Suspicious · 55", "00:00.0–00:03.0 · No sign found · 99", "00:21.0–00:24.0 · No sign found · 8"}, said)
	test.Tap(rows[0])
	test.Tap(rows[2])
	assert.True(t, slices.Equal(clip.chosen, []int{3, 2}), "it goes to %v", clip.chosen)

	clip.told(present.Timeline{})
	d.WantNoWords("Voice parts")
}
