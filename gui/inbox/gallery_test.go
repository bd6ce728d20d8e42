package inbox

import (
	"testing"

	"fyne.io/fyne/v2"

	"assay/client/i18n"
	"assay/client/i18n/i18ntest"
	"assay/client/intake"
	"assay/client/submission"
	"assay/gui/guitest"
	"assay/gui/look"
	"assay/gui/present"
	"assay/gui/screens"
)

// TestInboxGallery draws the inbox as a person sees it.
func TestInboxGallery(t *testing.T) {
	guitest.Gallery(t, "inbox", 2, []look.Mode{look.ModeLight, look.ModeDark}, []float32{1, 2}, []guitest.Scene[*fixture]{
		{Name: "50", Set: func(*fixture) {}},
		{Name: "selected", Set: func(d *fixture) { d.Press(fyne.KeyDown, fyne.KeyDown); d.Type("xjx"); d.Press(fyne.KeyDown) }},
		{Name: "all-selected", Set: func(d *fixture) { d.SelectAll() }},
		{Name: "held-one", Set: func(d *fixture) { d.show(append(heldFiles(1), everyState(t, 18)...)...) }},
		{Name: "held-fifty", Set: func(d *fixture) { d.show(heldFiles(50)...) }},
		{Name: "held-mixed", Set: func(d *fixture) { d.table.ScrollTo(23) }},
		{Name: "checked", Set: func(d *fixture) {
			all := heldFiles(3)
			all[1].Gate = submission.GateAsk
			all[2].Name = "a name of a picture that an agency has sent with all that it knows of it, 2026-11-03 14.02.11.jpg"
			d.showChecked(true, all...)
		}},
		{Name: "notices", Set: func(d *fixture) {
			d.queue = intake.QueueStatus{Cause: intake.NoKey, Reason: i18n.Verbatim("The service did not accept the key. Set another one with “assay key set”.")}
			d.show(d.all...)
			d.Say("12 files added; 3 skipped: hidden or of a type that is not supported.")
		}},
		{Name: "obstacle", Set: func(d *fixture) {
			d.queue = intake.QueueStatus{Cause: intake.NoKey, Reason: i18n.Verbatim("The service did not accept the key. Set another one with “assay key set”.")}
			d.show(waiting("a", "b")...)
		}},
		{Name: "gate", Set: func(d *fixture) {
			d.SetSending(Sending{Files: submission.GateSend})
			d.show(waiting("a", "b")...)
		}},
		{Name: "urgent", Set: func(d *fixture) { d.SelectOption(Sorts()[1].Words()); d.table.ScrollTo(9) }},
		{Name: "nothing", Set: func(d *fixture) { d.Field("Search").SetText("harbor") }},
		{Name: "empty", Set: func(d *fixture) { d.show() }},
	}, func(t *testing.T, set func(*fixture), mode look.Mode, size fyne.Size, scale float32) *guitest.Frame {
		d := setup(t, size)
		d.SetMode(mode)
		d.Canvas().(interface{ SetScale(float32) }).SetScale(scale)
		content, rail := guitest.WithRail(d.Object(), screens.Inbox)
		d.SetContent(content)
		d.show(everyState(t, 50)...)
		set(d)
		rail.SetBadge(0, d.overallNow().NeedsYou)
		d.Resize(size)
		d.Until("thumbnails are there", func() bool {
			row, ok := d.rows.Row("1/mountains.jpg")
			return !ok || d.Thumbs.Get(row.ID, present.Picture, row.Care()) != nil
		})
		return d.Frame
	})
}

// TestInboxIsTranslated shows the inbox in the pseudo language, in which a word that was forgotten stands out.
func TestInboxIsTranslated(t *testing.T) {
	if testing.Short() {
		t.Skip("it takes long, and starts no goroutine that matters")
	}
	i18ntest.Pseudo(t)
	d := setup(t, guitest.Smallest)
	guitest.CheckTranslated(t, d.empty)
	for _, f := range Filters() {
		d.nothing.say(f, "harbour")
		guitest.CheckTranslated(t, d.nothing.object, "harbour")
	}
	guitest.CheckTranslated(t, d.summary.object)
	guitest.CheckTranslated(t, d.filters.object)
	d.queue = intake.QueueStatus{Cause: intake.PausedAll}
	d.show(heldFiles(3)...)
	guitest.CheckTranslated(t, d.Object(), "IMG", "jpg", "Downloads", "harbour")
	guitest.CheckShortcutsTranslated(t, d.Shortcuts())
}
