// Package soundprint makes fingerprints of recordings, with chromaprint's fpcalc where it is installed, and finds those that sound nearly the same. It
// imports client/ffmpeg and client/media/sound. Its functions decode and run another program: call them on a worker.
package soundprint

import (
	"context"
	"encoding/binary"
	"errors"

	"io"
	"math/bits"

	"assay/client/ffmpeg"
	"assay/client/media/sound"
)

// Print is a recording's fingerprint: a number for every eighth of a second of its first two minutes.
type Print []uint32

const (
	// Limit is the share of bits, of those compared, in which two prints may differ to be near: see README.md. Half of them differ by chance.
	Limit = 0.25
	// shortest is how many numbers of two prints must lie on each other: those of ten seconds, of which the last two and a half have none.
	shortest        = 60
	shortestSeconds = 10
	// varied is how many different numbers a print must have, so that silence and a steady tone, which are near to each other, say nothing.
	varied = 40
)

// Of returns the print of the recording in a file; one that is too short or too even to say something has an empty print. Its errors are those of
// sound.Open and of ffmpeg.Fpcalc.
func Of(ctx context.Context, tool ffmpeg.Fpcalc, path string) (Print, error) {
	recording, err := sound.Open(ctx, path)
	if err != nil {
		return nil, err
	}
	defer recording.Close() //nolint:errcheck // only read from
	stream, err := recording.Stream(ctx, 0)
	if err != nil {
		return nil, err
	}
	most := int64(ffmpeg.LongestFingerprint.Seconds()) * int64(recording.Rate())
	source := &mono{stream: stream, left: most}
	numbers, err := tool.Fingerprint(ctx, source, recording.Rate())
	switch {
	case source.failed != nil:
		return nil, source.failed
	case source.ended && most-source.left < shortestSeconds*int64(recording.Rate()):
		return nil, nil // it is too short, whatever fpcalc makes of it
	case err != nil:
		return nil, err
	}
	if different := map[uint32]bool{}; len(numbers) >= shortest {
		for _, n := range numbers {
			different[n] = true
		}
		if len(different) >= varied {
			return numbers, nil
		}
	}
	return nil, nil
}

// mono reads the first samples of a recording as one channel of 16 bits.
type mono struct {
	stream sound.Stream
	left   int64 // samples
	block  [2048][2]float64
	bytes  []byte // converted and not read yet
	ended  bool   // the recording was read to its end
	failed error
}

// Read implements io.Reader.
func (m *mono) Read(p []byte) (int, error) {
	for len(m.bytes) == 0 {
		if m.left <= 0 {
			return 0, io.EOF
		}
		n, err := m.stream.Read(m.block[:min(m.left, int64(len(m.block)))])
		if err != nil {
			if m.ended = sound.Ended(err); !m.ended {
				m.failed = err
			}
			return 0, io.EOF
		}
		m.left -= int64(n)
		for _, sample := range m.block[:n] {
			m.bytes = binary.LittleEndian.AppendUint16(m.bytes, uint16(int16((sample[0]+sample[1])/2*32767)))
		}
	}
	n := copy(p, m.bytes)
	m.bytes = m.bytes[n:]
	return n, nil
}

// Bytes are a print as it is kept.
func (p Print) Bytes() []byte {
	b := make([]byte, 0, 4*len(p))
	for _, n := range p {
		b = binary.BigEndian.AppendUint32(b, n)
	}
	return b
}

// FromBytes is the inverse of Bytes.
func FromBytes(b []byte) (Print, error) {
	if len(b)%4 != 0 {
		return nil, errors.New("a sound's fingerprint breaks off")
	}
	p := make(Print, len(b)/4)
	for i := range p {
		p[i] = binary.BigEndian.Uint32(b[4*i:])
	}
	return p, nil
}

// Finder compares one print with many.
type Finder struct {
	print  Print
	places map[uint32][]int32 // where the print has a number, without its lowest bits, which change first
	votes  []int32
}

// dropped are the lowest bits, of 32, by which a place where two prints may lie on each other is not found.
const dropped = 12

// mostPlaces is how often a number may occur to count for that.
const mostPlaces = 16

// NewFinder prepares a print for comparing. A finder is for one goroutine at a time.
func NewFinder(p Print) *Finder {
	f := &Finder{print: p, places: map[uint32][]int32{}}
	for i, n := range p {
		f.places[n>>dropped] = append(f.places[n>>dropped], int32(i))
	}
	return f
}

// Differs is the share of bits in which another print differs where the two lie on each other best, 0 to 1. ok is false where they have no ten seconds with
// anything in common.
func (f *Finder) Differs(other Print) (share float64, ok bool) {
	if len(f.print) < shortest || len(other) < shortest {
		return 0, false
	}
	f.votes = append(f.votes[:0], make([]int32, len(f.print)+len(other))...)
	for j, n := range other {
		if at := f.places[n>>dropped]; len(at) <= mostPlaces {
			for _, i := range at {
				f.votes[int(i)-j+len(other)-1]++
			}
		}
	}
	share = 1
	for range candidates {
		best := 0
		for offset, votes := range f.votes {
			if votes > f.votes[best] {
				best = offset
			}
		}
		if f.votes[best] == 0 {
			break
		}
		f.votes[best] = 0
		if s, long := f.print.differs(other, best-len(other)+1); long {
			share, ok = min(share, s), true
		}
	}
	return share, ok
}

// candidates is how many places are tried, those with most in common first.
const candidates = 4

// differs compares two prints where other begins offset numbers after the beginning of p, or before it.
func (p Print) differs(other Print, offset int) (share float64, long bool) {
	from, to := max(0, offset), min(len(p), offset+len(other))
	if to-from < shortest {
		return 0, false
	}
	count := 0
	for i := from; i < to; i++ {
		count += bits.OnesCount32(p[i] ^ other[i-offset])
	}
	return float64(count) / float64(32*(to-from)), true
}
