package folders

import (
	"testing"

	"fyne.io/fyne/v2"
)

// BenchmarkFolders is what a person's screen has to do with a hundred folders: the toolkit's part is in it, the painting not.
func BenchmarkFolders(b *testing.B) {
	all := manyFolders(100)
	setup := func(b *testing.B) *fixture {
		d := setup(b, fyne.NewSize(1208, 800))
		d.show(all...)
		return d
	}
	rows := make([]Row, len(all))
	for i, f := range all {
		rows[i] = RowOf(f)
	}
	b.Run("a file taken in one of them", func(b *testing.B) {
		d := setup(b)
		for i := 0; b.Loop(); i++ {
			rows[3].LastName = []string{"a.jpg", "b.jpg"}[i%2]
			d.Update(rows)
		}
	})
	b.Run("a file taken in each of them", func(b *testing.B) {
		d := setup(b)
		for i := 0; b.Loop(); i++ {
			for n := range rows {
				rows[n].LastName = []string{"a.jpg", "b.jpg"}[i%2]
			}
			d.Update(rows)
		}
	})
	b.Run("scrolling by a part of a row", func(b *testing.B) {
		d := setup(b)
		for i := 0; b.Loop(); i++ {
			d.table.ScrollToOffset(float32(i * 17 % 7000))
		}
	})
}
