package chart

import (
	"fmt"
	"image"
	"testing"

	"fyne.io/fyne/v2"

	"assay/client/assert"
	"assay/gui/look"
)

func painter(width int, length float64) lanePainter {
	return lanePainter{img: image.NewNRGBA(image.Rect(0, 0, width, 28)), scale: 1, axis: axis{length, float32(width)}}
}

// TestOfVeryManySpansTheVisibleOnesArePainted has spans that cost minutes where each is painted.
func TestOfVeryManySpansTheVisibleOnesArePainted(t *testing.T) {
	const n, width, length = 100_000, 1200, 4000
	for name, span := range map[string]func(i float64) Span{
		"frames":                         func(i float64) Span { return Span{Start: i / 25, End: i / 25} },
		"one within the other":           func(i float64) Span { return Span{Start: i / 1000, End: length - i/1000} },
		"all at the same place":          func(float64) Span { return Span{Start: 5, End: 3000} },
		"each a little behind another's": func(i float64) Span { return Span{Start: i / 50, End: i/50 + 2000} },
	} {
		t.Run(name, func(t *testing.T) {
			spans := make([]Span, n)
			for i := range spans {
				spans[i] = span(float64(i))
				spans[i].Mark = look.MarkFake
			}
			if seen := painter(width, length).uncovered(spans, byGravity(spans)); len(seen) == 0 || len(seen) > width {
				t.Errorf("%d of %d are painted, on %d columns", len(seen), n, width)
			}
		})
	}
	t.Run("what stands out of another is painted, what is hidden whole is not", func(t *testing.T) {
		spans := []Span{
			{Start: 0, End: 100, Mark: look.MarkAuthentic}, // under the next, wider
			{Start: 10, End: 20, Mark: look.MarkFake},
			{Start: 12, End: 18, Mark: look.MarkAuthentic},  // hidden
			{Start: 15, End: 15, Mark: look.MarkSuspicious}, // hidden
			{Start: 50, End: 50, Mark: look.MarkFake},
			{Start: 200, End: 300, Mark: look.MarkFake}, // beyond the axis
		}
		assert.Equal(t, []int{0, 1, 4}, painter(1000, 100).uncovered(spans, byGravity(spans)))
	})
}

func TestNoTwoLabelsOfTheRulerAreAlike(t *testing.T) {
	for _, length := range []float64{0.4, 1, 2.2, 3, 9, 30, 7200} {
		l := NewLanes()
		l.Clock = func(s, step float64) string {
			if step < 1 {
				return fmt.Sprintf("%.1f s", s)
			}
			return fmt.Sprintf("%.0f s", s)
		}
		l.SetLanes([]Lane{{Title: "scenes", Spans: []Span{{End: length}}}}, length)
		r := newLanesRenderer(l)
		r.Layout(fyne.NewSize(600, 80))
		seen := map[string]bool{}
		for _, label := range r.ruler {
			if seen[label.Text] {
				t.Errorf("%v s: %q stands twice", length, label.Text)
			}
			seen[label.Text] = true
		}
		if len(seen) < 2 {
			t.Errorf("%v s: labels %v", length, seen)
		}
	}
}
