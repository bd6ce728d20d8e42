package facts_test

import (
	"slices"
	"strings"
	"testing"

	"assay/client/media/facts"
)

// inEachOther are boxes of the given kinds, each in the one before, round a content.
func inEachOther(kinds []string, content string) string {
	size := 8*len(kinds) + len(content)
	var b strings.Builder
	for _, kind := range kinds {
		b.WriteString(be32(size) + kind)
		size -= 8
	}
	return b.String() + content
}

func hasField(f facts.Facts, key, value string) bool {
	return slices.ContainsFunc(f.Embedded, func(field facts.Field) bool { return field.Key == key && strings.Contains(field.Value, value) })
}

func TestBoxesOfAClipInBoxesOfTheirKind(t *testing.T) {
	const clip = "\x00\x00\x00\x10ftypisom\x00\x00\x00\x00"
	// A stack of a gigabyte, which Go allows, overflows at some 3 million: a program does not survive that.
	const depth = 3_000_000
	for _, kinds := range [][]string{{"moov"}, {"moov", "trak"}, {"moov", "trak", "mdia"}} {
		t.Run(strings.Join(kinds, " in "), func(t *testing.T) {
			f := read(t, []byte(clip+inEachOther(slices.Repeat(kinds, depth/len(kinds)), "")), "a.mp4")
			if !hasField(f, "MP4 data of moov", "bytes") {
				t.Errorf("says:\n%s", values(f))
			}
		})
	}
	t.Run("what stands in a misplaced track is named as a program's own data", func(t *testing.T) {
		f := read(t, []byte(clip+isoBox("moov", "")+isoBox("trak", isoBox("udta", "Jane Doe, Berlin"))), "a.mp4")
		if !hasField(f, "MP4 data of trak", "Jane Doe, Berlin") {
			t.Errorf("says:\n%s", values(f))
		}
	})
}
