package text

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"assay/gui/present"
)

// evenWidths takes every character to be half as wide as its type is high.
func evenWidths() *widths {
	w := &widths{other: [2]map[rune]float32{{}, {}}}
	for r := range 128 {
		w.ascii[0][r], w.ascii[1][r] = 0.5, 0.5
	}
	for r := rune(0x80); r < 0x700; r++ {
		w.other[0][r], w.other[1][r] = 0.5, 0.5
	}
	return w
}

func TestLinesAreBrokenByTheWidthOfTheirLetters(t *testing.T) {
	w := evenWidths()
	w.ascii[1]['w'] = 0.9
	text := "one two three www www"
	blocks := []present.ProseBlock{{Kind: present.ProseParagraph, Text: text, Runs: []present.ProseRun{{Start: 14, End: 17, Bold: true}}}}
	l := breakLines(t.Context(), blocks, w, face{text: 10, heading: 10}, 2*edge+42)
	var got []string
	for _, line := range l.all {
		got = append(got, text[line.start:line.end])
	}
	if diff := cmp.Diff([]string{"one two", "three", "www", "www"}, got); diff != "" {
		t.Error(diff)
	}
}

func TestPiecesStandFromLeftToRight(t *testing.T) {
	for name, c := range map[string]struct {
		text string
		want []string
	}{
		"left to right":                         {"one (two) 3", []string{"one (two) 3"}},
		"words within a line of the other kind": {"one אבג, דה two", []string{"one ", "דה", " ,", "אבג", " two"}},
		"a line from right to left":             {"אב (גד) 12 ef", []string{"12 ef", " (", "גד", ") ", "אב"}},
		"a point at its end":                    {"אב.", []string{".", "אב"}},
		"a number within":                       {"אב 12 גד", []string{"גד", " ", "12", " ", "אב"}},
	} {
		t.Run(name, func(t *testing.T) {
			b := present.ProseBlock{Text: c.text}
			var got []string
			for _, p := range piecesOf(&b, line{end: len(c.text)}) {
				got = append(got, p.text)
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
	t.Run("marks keep their stretch", func(t *testing.T) {
		b := present.ProseBlock{Text: "אב גד", Runs: []present.ProseRun{{Start: 0, End: 4, Mark: 3}}}
		pieces := piecesOf(&b, line{end: len(b.Text)})
		if last := pieces[len(pieces)-1]; last.text != "אב" || last.mark != 3 || pieces[0].mark != -1 {
			t.Errorf("%+v", pieces)
		}
	})
	t.Run("a line holds its part of a run", func(t *testing.T) {
		b := present.ProseBlock{Text: "one two three", Runs: []present.ProseRun{{Start: 0, End: 7, Mark: 0}, {Start: 8, End: 13, Mark: 1}}}
		var got []string
		for _, p := range piecesOf(&b, line{start: 4, end: 10}) {
			got = append(got, p.text)
		}
		if diff := cmp.Diff([]string{"two", " ", "th"}, got); diff != "" {
			t.Error(diff)
		}
	})
}
