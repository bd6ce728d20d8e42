package strip

import (
	"encoding/binary"
	"slices"

	"assay/client/media/container"
)

// chunk is a run of samples of one track.
type chunk struct {
	start  int64
	length int64 // an upper bound if guess is set: the chunk also ends where the next one begins
	guess  bool
	keep   bool
}

// sampleTable has the boxes that say where a track's samples are.
type sampleTable struct {
	keep, sound  bool
	offsets      container.Block // stco or co64
	runs         container.Block // stsc
	sizes        container.Block // stsz or stz2
	descriptions int             // number of sound descriptions
	widest       int64           // bytes of one sample of all channels, by its description
	exact        bool            // whether widest is the exact size rather than an upper bound
}

// mostTables bounds the bytes that are read of all sample tables, and mostChunks how many chunks there are.
const (
	mostTables = 64 << 20
	mostChunks = 1 << 20
)

// samples notes a box of the sample table.
func (m *movie) samples(b container.Block, table *sampleTable) error {
	switch b.Kind {
	case "stco", "co64":
		table.offsets = b
	case "stsc":
		table.runs = b
	case "stsz", "stz2":
		table.sizes = b
	case "stsd":
		return m.descriptions(b, table)
	}
	return nil
}

// numbers reads a table's entries: each has so many numbers of 32 bits, and the last four bytes of the header count the entries.
func (m *movie) numbers(b container.Block, header, each int64) ([]byte, error) {
	head, ok := m.src.Head(b.Content.Start, header)
	if !ok {
		return nil, ErrDamaged
	}
	length := int64(binary.BigEndian.Uint32(head[header-4:])) * each
	if b.Content.Length() < header+length {
		return nil, ErrDamaged
	}
	if m.tables += length; m.tables > mostTables {
		return nil, ErrUnusual
	}
	data := m.src.Bytes(container.Between(b.Content.Start+header, b.Content.Start+header+length), length)
	if int64(len(data)) != length {
		return nil, ErrDamaged
	}
	return data, nil
}

// addChunks combines a track's table: the offsets of its chunks, how many samples each has, and the samples' sizes.
func (m *movie) addChunks(table *sampleTable) error {
	if table.offsets.Kind == "" || table.runs.Kind == "" || table.sizes.Kind == "" {
		return ErrDamaged
	}
	wide := int64(4)
	if table.offsets.Kind == "co64" {
		wide = 8
	}
	offsets, err := m.numbers(table.offsets, 8, wide)
	if err != nil {
		return err
	}
	runs, err := m.numbers(table.runs, 8, 12)
	if err != nil {
		return err
	}
	sizes, err := m.sizes(table)
	if err != nil {
		return err
	}
	count := int64(len(offsets)) / wide
	if int64(len(m.chunks))+count > mostChunks {
		return ErrUnusual
	}
	perChunk := int64(0)
	for i := range count {
		for len(runs) > 0 && int64(binary.BigEndian.Uint32(runs)) <= i+1 {
			perChunk, runs = int64(binary.BigEndian.Uint32(runs[4:])), runs[12:]
		}
		one := chunk{keep: table.keep, guess: sizes.guess}
		if wide == 8 {
			one.start = int64(binary.BigEndian.Uint64(offsets[i*wide:])) //nolint:gosec // negative ones are refused
		} else {
			one.start = int64(binary.BigEndian.Uint32(offsets[i*wide:]))
		}
		if one.length = sizes.take(perChunk); one.start < 0 || one.start > m.src.Size() || one.length < 0 {
			return ErrDamaged
		}
		m.chunks = append(m.chunks, one)
	}
	if sizes.left() {
		return ErrDamaged // samples without a place
	}
	return nil
}

// sampleSizes returns the sizes of samples in order.
type sampleSizes struct {
	each  int64  // the size of all, if they have one size
	count int64  // samples left
	table []byte // their sizes otherwise
	bits  int64  // of an entry in table
	at    int64
	guess bool
}

func (m *movie) sizes(table *sampleTable) (*sampleSizes, error) {
	const header = 12
	head, ok := m.src.Head(table.sizes.Content.Start, header)
	if !ok || table.sizes.Content.Length() < header {
		return nil, ErrDamaged
	}
	s := &sampleSizes{count: int64(binary.BigEndian.Uint32(head[8:])), bits: 32}
	if table.sizes.Kind == "stz2" {
		if s.bits = int64(head[7]); s.bits != 4 && s.bits != 8 && s.bits != 16 {
			return nil, ErrDamaged
		}
	} else if each := int64(binary.BigEndian.Uint32(head[4:])); each > 0 {
		// QuickTime may count sound in samples of 1 byte whatever their size; the description then bounds the size.
		s.each, s.guess = max(each, table.widest), table.sound && (!table.exact || table.descriptions != 1)
		return s, nil
	}
	length := (s.count*s.bits + 7) / 8
	if m.tables += length; m.tables > mostTables || table.sizes.Content.Length() < header+length {
		return nil, ErrDamaged
	}
	from := table.sizes.Content.Start + header
	if s.table = m.src.Bytes(container.Between(from, from+length), length); int64(len(s.table)) != length {
		return nil, ErrDamaged
	}
	return s, nil
}

// take returns the length of the next n samples; -1 where there are fewer, or the sum is too large.
func (s *sampleSizes) take(n int64) (length int64) {
	if n > s.count {
		return -1
	}
	s.count -= n
	if s.each > 0 {
		const most = 1 << 40
		if n > most/s.each {
			return -1
		}
		return n * s.each
	}
	for range n {
		switch s.bits {
		case 32:
			length += int64(binary.BigEndian.Uint32(s.table[s.at*4:]))
		case 16:
			length += int64(binary.BigEndian.Uint16(s.table[s.at*2:]))
		case 8:
			length += int64(s.table[s.at])
		case 4:
			length += int64(s.table[s.at/2] >> (4 * (1 - s.at%2)) & 15)
		}
		s.at++
	}
	return length
}

func (s *sampleSizes) left() bool { return s.count > 0 }

// blankBetweenSamples overwrites everything between the samples that belongs to no kept track.
func (m *movie) blankBetweenSamples() error {
	slices.SortStableFunc(m.chunks, func(a, b chunk) int { return int(min(max(a.start-b.start, -1), 1)) })
	next := make([]int64, len(m.chunks)) // where the next chunk after each begins
	for i := len(m.chunks) - 1; i >= 0; i-- {
		switch {
		case i == len(m.chunks)-1:
			next[i] = m.src.Size()
		case m.chunks[i+1].start > m.chunks[i].start:
			next[i] = m.chunks[i+1].start
		default:
			next[i] = next[i+1]
		}
	}
	var kept []container.Span // sorted, without overlaps
	for i, one := range m.chunks {
		if !one.keep || one.length == 0 {
			continue
		}
		end := one.start + one.length
		if one.guess {
			end = min(end, next[i], m.dataEnd(one.start))
		}
		if end > m.dataEnd(one.start) {
			return ErrDamaged // samples outside the boxes for them, or cut short
		}
		if n := len(kept); n > 0 && one.start <= kept[n-1].End {
			kept[n-1].End = max(kept[n-1].End, end)
		} else {
			kept = append(kept, container.Between(one.start, end))
		}
	}
	for _, data := range m.data {
		at := data.Start
		first, _ := slices.BinarySearchFunc(kept, at, func(k container.Span, start int64) int { return int(min(max(k.End-start, -1), 1)) })
		for _, k := range kept[first:] {
			if k.Start >= data.End {
				break
			}
			m.zero(container.Between(at, k.Start))
			at = max(at, k.End)
		}
		m.zero(container.Between(at, data.End))
	}
	return nil
}

// dataEnd is the end of the box for samples that holds an offset; 0 where none does.
func (m *movie) dataEnd(at int64) int64 {
	for _, data := range m.data {
		if at >= data.Start && at < data.End {
			return data.End
		}
	}
	return 0
}
