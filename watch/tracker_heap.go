package watch

// before says which of two is due first.
func before(a, b *candidate) bool {
	return a.due < b.due || a.due == b.due && a.no < b.no
}

// candidateHeap has the one that is due first on top.
type candidateHeap []*candidate

func (h candidateHeap) Len() int { return len(h) }

func (h candidateHeap) Less(i, j int) bool { return before(h[i], h[j]) }

func (h candidateHeap) Swap(i, j int) {
	h[i], h[j] = h[j], h[i]
	h[i].place, h[j].place = i, j
}

// Push implements heap.Interface.
func (h *candidateHeap) Push(x any) {
	c := x.(*candidate)
	c.place = len(*h)
	*h = append(*h, c)
}

// Pop implements heap.Interface.
func (h *candidateHeap) Pop() any {
	last := len(*h) - 1
	c := (*h)[last]
	(*h)[last] = nil
	*h = (*h)[:last]
	c.place = -1
	return c
}
