package watch

import (
	"slices"
	"testing"
)

func TestBatch(t *testing.T) {
	b := newBatch()
	for _, h := range []hint{
		{"a", changed}, {"b", changed}, {"a", changed}, {"a", closed}, {"b", changed}, {"a", changed}, {"a", changed}, {"", overflow}, {"", overflow},
	} {
		b.put(h)
	}
	var got []hint
	b.flush(func(h hint) { got = append(got, h) })
	want := []hint{{"a", changed}, {"b", changed}, {"a", closed}, {"a", changed}, {"", overflow}}
	if !slices.Equal(got, want) {
		t.Errorf("%v, not %v: what was said of a path last is not said again, all else is, in its order", got, want)
	}
	b.put(hint{"a", changed})
	if len(b.hints) != 1 {
		t.Error("what was handed on is left out of the next batch")
	}
}
