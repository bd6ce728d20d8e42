package watch

// batch holds hints in their order, without those that repeat what was said of the same path last.
type batch struct {
	hints []hint
	last  map[string]hintKind
}

func newBatch() *batch { return &batch{last: map[string]hintKind{}} }

func (b *batch) put(h hint) {
	if kind, ok := b.last[h.path]; ok && kind == h.kind {
		return
	}
	b.last[h.path] = h.kind
	b.hints = append(b.hints, h)
}

// flush hands them on, and is empty again.
func (b *batch) flush(emit func(hint)) {
	for _, h := range b.hints {
		emit(h)
	}
	clear(b.hints)
	b.hints = b.hints[:0]
	clear(b.last)
}
