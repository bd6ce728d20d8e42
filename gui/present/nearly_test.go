package present_test

import (
	"testing"
	"time"

	"assay/client"
	"assay/client/assert"
	"assay/client/nearly"
	"assay/client/store"
	"assay/client/verdict"
	"assay/gui/present"
)

func TestWhatIsNearlyTheSame(t *testing.T) {
	at := time.Date(2026, time.November, 3, 12, 0, 0, 0, time.UTC)
	now := at.AddDate(0, 0, 20)
	match := func(like nearly.Likeness, status client.Status, oriented bool) nearly.Match {
		return nearly.Match{Row: store.Row{ID: "id", Name: "crop.png", Status: status, Answered: at}, Like: like, Oriented: oriented}
	}
	all := present.NearsOf([]nearly.Match{
		match(nearly.Picture, client.Fake, false), match(nearly.Picture, client.Contradictory, true), match(nearly.FrameOf, client.Authentic, false),
		match(nearly.HasFrame, client.Suspicious, false), match(nearly.Clip, client.NotApplicable, false), match(nearly.Recording, client.UnableToEvaluate, false),
	}, now)
	assert.Equal(t, []present.Near{
		{ID: "id", Sentence: "Nearly the same as crop.png", Mark: verdict.MarkFake, Words: "Likely manipulated, checked 3 Nov", Compared: true},
		{ID: "id", Sentence: "Nearly the same as crop.png, mirrored or rotated", Mark: verdict.MarkSuspicious, Words: "Contradicts itself, checked 3 Nov", Compared: true},
		{ID: "id", Sentence: "Nearly the same as a frame of crop.png", Mark: verdict.MarkAuthentic, Words: "No sign found, checked 3 Nov"},
		{ID: "id", Sentence: "A frame is nearly the same as crop.png", Mark: verdict.MarkSuspicious, Words: "Suspicious, checked 3 Nov"},
		{ID: "id", Sentence: "Has frames nearly the same as in crop.png", Mark: verdict.MarkNotAssessable, Words: "Not assessable, checked 3 Nov", Compared: true},
		{ID: "id", Sentence: "Sounds nearly the same as crop.png", Mark: verdict.MarkFailed, Words: "Not evaluated, checked 3 Nov", Compared: true},
	}, all)
	t.Run("is said in a line before it is sent", func(t *testing.T) {
		hint := nearly.Hint{Match: match(nearly.Picture, client.Fake, false)}
		assert.Equal(t, present.NearHint{Line: "Nearly the same as crop.png (likely manipulated, checked 3 Nov)", Mark: verdict.MarkFake}, present.NearHintOf(hint, now))
		hint.More, hint.Answered = 3, time.Time{}
		assert.Equal(t, "Nearly the same as crop.png (likely manipulated) and 3 more", present.NearHintOf(hint, now).Line)
	})
	t.Run("names the colleague who shared it, whose file is not here to be compared", func(t *testing.T) {
		shared := func(like nearly.Likeness, oriented bool) present.Near {
			m := match(like, client.Fake, oriented)
			m.By, m.Case = "Rui\nCosta", "case"
			return present.NearsOf([]nearly.Match{m}, now)[0]
		}
		for want, near := range map[string]present.Near{
			"Nearly the same as a picture that Rui Costa shared":                      shared(nearly.Picture, false),
			"Nearly the same as a picture that Rui Costa shared, mirrored or rotated": shared(nearly.Picture, true),
			"Nearly the same as a frame of a clip that Rui Costa shared":              shared(nearly.FrameOf, false),
			"A frame is nearly the same as a picture that Rui Costa shared":           shared(nearly.HasFrame, false),
			"Has frames nearly the same as in a clip that Rui Costa shared":           shared(nearly.Clip, false),
		} {
			assert.Equal(t, present.Near{ID: "id", Sentence: want, Mark: verdict.MarkFake, Words: "Likely manipulated, checked 3 Nov", Case: "case"}, near)
		}
	})
}
