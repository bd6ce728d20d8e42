package inbox

import (
	"fmt"
	"testing"

	"fyne.io/fyne/v2"

	"assay/client/submission"
)

// BenchmarkInbox is what a person's screen has to do, over 100 rows and over 10,000: the toolkit's part is in it, the painting not.
func BenchmarkInbox(b *testing.B) {
	for _, n := range []int{100, 10_000} {
		setup := func(b *testing.B) *fixture {
			d := setup(b, fyne.NewSize(1208, 800))
			d.show(everyState(b, n)...)
			return d
		}
		b.Run(fmt.Sprintf("tick of an upload in sight, of %d", n), func(b *testing.B) {
			d := setup(b)
			overall := d.overallNow()
			s := d.all[0]
			for i := 0; b.Loop(); i++ {
				s.Sent = int64(i%30) << 20
				d.Update(nil, []Row{RowOf(s)}, overall)
			}
		})
		b.Run(fmt.Sprintf("tick of one out of sight, of %d", n), func(b *testing.B) {
			d := setup(b)
			overall := d.overallNow()
			s := submission.Submission{ID: d.all[n-1].ID, State: submission.Sending, Size: 1 << 30, Accepted: inboxNow}
			for i := 0; b.Loop(); i++ {
				s.Sent = int64(i%30) << 20
				d.Update(nil, []Row{RowOf(s)}, overall)
			}
		})
		b.Run(fmt.Sprintf("keystroke of a search, of %d", n), func(b *testing.B) {
			d := setup(b)
			search := d.Field("Search")
			for i := 0; b.Loop(); i++ {
				search.SetText("mountains"[:1+i%9])
			}
		})
		b.Run(fmt.Sprintf("jump to another place, of %d", n), func(b *testing.B) {
			d := setup(b)
			for i := 0; b.Loop(); i++ {
				d.table.Reveal(i * 37 % n)
			}
		})
	}
}
