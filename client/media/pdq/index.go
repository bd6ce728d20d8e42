package pdq

// slots is how many parts of a hash the index looks up. Two hashes that differ in at most 31 bits differ in at most one bit of some part: otherwise all 16
// would differ in two.
const slots = 16

// Index finds hashes that are near to one, much faster than by comparing it with all: for each part of a hash it knows the hashes with that part.
// For 100,000 hashes it takes about 14 MB. The zero value may be used, by one goroutine at a time.
type Index struct {
	hashes []Hash
	first  [slots][]int32 // by the part's value: the last hash that was added with it, 1 for the first one; 0: none
	next   [slots][]int32 // by hash: the one with the same part that was added before it
}

// Len is how many hashes were added.
func (x *Index) Len() int { return len(x.hashes) }

// Add adds a hash. Its number is how many were added before it.
func (x *Index) Add(h Hash) {
	x.hashes = append(x.hashes, h)
	for i := range slots {
		if x.first[i] == nil {
			x.first[i] = make([]int32, 1<<16)
		}
		part := h.slot(i)
		x.next[i] = append(x.next[i], x.first[i][part])
		x.first[i][part] = int32(len(x.hashes))
	}
}

// Near calls found with the number and distance of every hash that differs from h in at most limit bits, each once, in no order.
func (x *Index) Near(h Hash, limit int, found func(number, distance int)) {
	if limit >= 2*slots { // a part may then differ in two bits
		x.scan(h, limit, found)
		return
	}
	if len(x.hashes) == 0 {
		return
	}
	for i := range slots {
		part := h.slot(i)
		x.follow(i, part, h, limit, found)
		for bit := range 16 {
			x.follow(i, part^1<<bit, h, limit, found)
		}
	}
}

// follow looks at the hashes with a part.
func (x *Index) follow(i int, part uint16, h Hash, limit int, found func(number, distance int)) {
	for number := x.first[i][part]; number != 0; number = x.next[i][number-1] {
		other := x.hashes[number-1]
		if d := h.Distance(other); d <= limit && firstNear(h, other) == i {
			found(int(number-1), d)
		}
	}
}

// firstNear is the first part in which two hashes differ in at most one bit, so that a hash with several such parts is found once.
func firstNear(one, other Hash) int {
	for i := range slots {
		if d := one.slot(i) ^ other.slot(i); d&(d-1) == 0 {
			return i
		}
	}
	return slots
}

// scan looks at all hashes.
func (x *Index) scan(h Hash, limit int, found func(number, distance int)) {
	for number, other := range x.hashes {
		if d := h.Distance(other); d <= limit {
			found(number, d)
		}
	}
}
