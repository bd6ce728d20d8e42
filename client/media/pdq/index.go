package pdq

// slots is how many parts of a hash the index looks up. Two hashes that differ in at most 31 bits differ in at most one bit of some part: otherwise all 16
// would differ in two.
const slots = 16

// Index finds hashes that are near to one, much faster than by comparing it with all: for each part of a hash it has lists of the hashes with that part.
// For 100,000 hashes it takes about 14 MB. The zero value may be used: Near by many goroutines at a time, Add by one alone.
type Index struct {
	hashes []Hash
	bits   int            // how many bits of a part choose its list, so that few hashes take little memory
	first  [slots][]int32 // by list: the hash that was added to it last, 1 for the first one; 0: none
	next   [slots][]int32 // by hash: the one that was added to its list before it
}

const (
	fewestBits = 6
	mostBits   = 16
)

// Len is how many hashes were added.
func (x *Index) Len() int { return len(x.hashes) }

// Add adds a hash. Its number is how many were added before it.
func (x *Index) Add(h Hash) {
	x.hashes = append(x.hashes, h)
	if x.bits == 0 || len(x.hashes) > 1<<x.bits && x.bits < mostBits {
		x.grow()
		return
	}
	x.list(len(x.hashes)-1, h)
}

// list adds a hash to its lists.
func (x *Index) list(number int, h Hash) {
	for i := range slots {
		at := x.at(h.slot(i))
		x.next[i] = append(x.next[i], x.first[i][at])
		x.first[i][at] = int32(number + 1)
	}
}

// at is the list of a part.
func (x *Index) at(part uint16) int { return int(part) & (1<<x.bits - 1) }

// grow makes more lists.
func (x *Index) grow() {
	x.bits = min(max(x.bits+2, fewestBits), mostBits)
	for i := range slots {
		x.first[i], x.next[i] = make([]int32, 1<<x.bits), x.next[i][:0]
	}
	for number, h := range x.hashes {
		x.list(number, h)
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
		at := x.at(h.slot(i))
		x.follow(i, at, h, limit, found)
		for bit := range x.bits { // the other bits choose no list
			x.follow(i, at^1<<bit, h, limit, found)
		}
	}
}

// follow looks at the hashes of a list.
func (x *Index) follow(i, at int, h Hash, limit int, found func(number, distance int)) {
	for number := x.first[i][at]; number != 0; number = x.next[i][number-1] {
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
