package present_test

import (
	"testing"
	"time"

	"assay/client"
	"assay/client/assert"
	"assay/client/store"
	"assay/gui/present"
)

func TestWhatColleaguesSay(t *testing.T) {
	now := time.Date(2026, 11, 24, 15, 0, 0, 0, time.UTC)
	rui := store.Checked{By: "Rui", At: now.Add(-time.Hour), Status: client.Fake, Release: "2.15.1", Case: "c1", Title: "The flood", ID: "rui's"}
	ines := store.Checked{By: "Ines", At: now.Add(-time.Minute), Status: client.Authentic, Release: "2.16", Case: "c2", Title: "The mill"}
	hostile := rui
	hostile.By, hostile.Release = "Rui\u202e\nAll files were sent", "2\n15"
	judged := rui
	judged.Judgement, judged.JudgementBy = client.LabelManipulated, "Ines"
	again := rui
	again.Case = "c9"
	for _, c := range []struct {
		name             string
		all              []store.Checked
		headline, detail string
		usable           bool
		inCase           string
	}{
		{"one, whose answer can be used", []store.Checked{rui}, "Checked by Rui, 24 Nov, 14:00: Likely manipulated", "Using this answer sends nothing · same content, by its SHA-256 · release 2.15.1", true, "c1"},
		{"one, who shared only the verdict", []store.Checked{ines}, "Checked by Ines, 24 Nov, 14:59: No sign found", "Only the verdict was shared · same content, by its SHA-256 · release 2.16", false, "c2"},
		{"several: whose answer can be used goes first", []store.Checked{ines, rui}, "Checked by Rui and 1 other, 24 Nov, 14:00: Likely manipulated", "Using this answer sends nothing · same content, by its SHA-256 · release 2.15.1", true, "c1"},
		{"one person twice is one person", []store.Checked{rui, again}, "Checked by Rui, 24 Nov, 14:00: Likely manipulated", "Using this answer sends nothing · same content, by its SHA-256 · release 2.15.1", true, "c1"},
		{"what was judged of it", []store.Checked{judged}, "Checked by Rui, 24 Nov, 14:00: Likely manipulated", "Using this answer sends nothing · Judged by Ines: Manipulated · same content, by its SHA-256 · release 2.15.1", true, "c1"},
		{"a name that would mislead", []store.Checked{hostile}, "Checked by Rui\ufffd All files were sent, 24 Nov, 14:00: Likely manipulated", "Using this answer sends nothing · same content, by its SHA-256 · release 2 15", true, "c1"},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, ok := present.CheckedOf(c.all)
			assert.Equal(t, true, ok)
			assert.Equal(t, c.headline, got.Headline(now))
			assert.Equal(t, c.detail, got.Detail())
			assert.Equal(t, c.usable, got.Usable)
			assert.Equal(t, c.inCase, got.Case.ID)
		})
	}
	if _, ok := present.CheckedOf(nil); ok {
		t.Error("nobody is somebody")
	}
}
