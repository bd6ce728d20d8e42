package screen

import (
	"testing"

	"fyne.io/fyne/v2"

	"assay/client/i18n"
	"assay/client/intake"
	"assay/gui/guitest"
	"assay/gui/look"
	"assay/gui/present"
)

// TestInboxGallery draws the inbox as a person sees it.
func TestInboxGallery(t *testing.T) {
	guitest.Gallery(t, "inbox", 2, []look.Mode{look.ModeLight, look.ModeDark}, []float32{1, 2}, []guitest.Scene[*inboxFixture]{
		{Name: "50", Set: func(*inboxFixture) {}},
		{Name: "selected", Set: func(d *inboxFixture) { d.key(fyne.KeyDown, fyne.KeyDown); d.runes("xjx"); d.key(fyne.KeyDown) }},
		{Name: "all-selected", Set: func(d *inboxFixture) { d.SelectAll() }},
		{Name: "held-one", Set: func(d *inboxFixture) { d.show(append(heldFiles(1), everyState(t, 18)...)...) }},
		{Name: "held-fifty", Set: func(d *inboxFixture) { d.show(heldFiles(50)...) }},
		{Name: "held-mixed", Set: func(d *inboxFixture) { d.table.ScrollTo(23) }},
		{Name: "notices", Set: func(d *inboxFixture) {
			d.queue = intake.QueueStatus{Cause: intake.NoKey, Reason: i18n.Verbatim("The service did not accept the key. Set another one with “assay key set”.")}
			d.show(d.all...)
			d.Say("12 files taken; 3 skipped: hidden or of a type that is not supported.")
		}},
		{Name: "urgent", Set: func(d *inboxFixture) { d.filters.order.Select(1); d.table.ScrollTo(9) }},
		{Name: "nothing", Set: func(d *inboxFixture) { d.filters.search.SetText("harbor") }},
		{Name: "empty", Set: func(d *inboxFixture) { d.show() }},
	}, func(t *testing.T, set func(*inboxFixture), mode look.Mode, size fyne.Size, scale float32) *guitest.Frame {
		d := setupInbox(t, size)
		d.SetMode(mode)
		d.Canvas().(interface{ SetScale(float32) }).SetScale(scale)
		content, rail := guitest.WithRail(d.Object(), 0)
		d.SetContent(content)
		d.show(everyState(t, 50)...)
		set(d)
		rail.SetBadge(0, d.overallNow().Active)
		d.Resize(size)
		d.Until("thumbnails are there", func() bool {
			row := d.table.shown["1/mountains.jpg"]
			return row == nil || d.Thumbs.Get("1/mountains.jpg", present.Picture, row.row.Watched()) != nil
		})
		return d.Frame
	})
}
