package heat

// span is what one pixel of a result covers along a side of its source: from one sample to another, the first and the
// last perhaps in part. Where both are the same, first is all there is.
type span struct {
	from, to           int
	first, last, whole uint64 // in 256ths of a sample
}

const (
	spanBits = 8
	spanUnit = 1 << spanBits
)

// spans shares length pixels, from start on, out among count. Each sample of the source stands for ratio pixels.
func spans(start, length, count, ratio int) []span {
	shared := make([]span, count)
	edge := func(i int) int { return start*spanUnit/ratio + length*i*spanUnit/(count*ratio) }
	for i := range shared {
		low := edge(i)
		high := max(edge(i+1), low+1)
		from, to := low>>spanBits, (high-1)>>spanBits
		one := span{from: from, to: to, first: uint64(high - low), whole: uint64(high - low)}
		if from < to {
			one.first, one.last = uint64((from+1)*spanUnit-low), uint64(high-to*spanUnit)
		}
		shared[i] = one
	}
	return shared
}
