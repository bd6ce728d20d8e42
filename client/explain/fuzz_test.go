package explain_test

import (
	"errors"
	"strings"
	"testing"
	"unicode/utf8"

	"assay/client/explain"
)

// FuzzRead holds that a page of any bytes gives clean text, and runs that fit it.
func FuzzRead(f *testing.F) {
	for _, seed := range []string{
		"<p>a <mark class=x title='80 of 100'>b</mark> <b>c</b>", "<table><tr><td>a<td>b<tr></table><ul><li>c", "<style>.x{background:red;white-space:pre}</style><div class=x>a\nb",
		"<svg><p>a</svg><script>b</script", "\xff\xfe<\x00p\x00", "<meta charset=gbk>\x81\x30", "<h2>Legend</h2><span data-score=1%>a", "<a href='//x?y'>&#x202e;</a><img alt=a>",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		limits := explain.Limits{Bytes: 1 << 16, Text: 4 << 10, Blocks: 50, Marks: 20, Depth: 12}
		page, err := explain.Read(t.Context(), data, limits)
		if errors.Is(err, explain.ErrNoText) {
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		size := 0
		for _, b := range page.Blocks {
			size += len(b.Text)
			if !utf8.ValidString(b.Text) || explain.Clean(b.Text) != b.Text || strings.TrimSpace(b.Text) == "" {
				t.Fatalf("block %q", b.Text)
			}
			at := 0
			for _, r := range b.Runs {
				if r.Start < at || r.End <= r.Start || r.End > len(b.Text) || r.Mark >= len(page.Marks) || r.Mark < -1 {
					t.Fatalf("run %+v of %q", r, b.Text)
				}
				if !utf8.ValidString(b.Text[r.Start:r.End]) {
					t.Fatalf("run %+v cuts a character of %q", r, b.Text)
				}
				at = r.End
			}
		}
		if size > limits.Text || len(page.Blocks) > limits.Blocks || len(page.Marks) > limits.Marks {
			t.Fatalf("%d bytes, %d blocks, %d marks", size, len(page.Blocks), len(page.Marks))
		}
	})
}
