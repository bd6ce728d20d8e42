package strip

import (
	"encoding/binary"
	"slices"

	"assay/client/media/container"
)

// namedByFormat are the kinds of picture descriptions whose decoders ignore the name of the program that made them, so that it can be removed.
var namedByFormat = []string{"avc1", "avc3", "hvc1", "hev1", "av01", "vp08", "vp09", "mp4v", "dvh1", "dvhe", "apch", "apcn", "apcs", "apco", "ap4h", "ap4x", "jpeg"}

// metadataBoxes are boxes within a description that are metadata and not needed for playing.
var metadataBoxes = []string{"udta", "meta", "uuid", "name"}

// descriptions reads the sample descriptions, which say how samples are decoded, and removes the metadata in them.
func (m *movie) descriptions(b container.Block, table *sampleTable) error {
	const header = 8 // version, flags, count
	whole := m.src.Boxes(container.Between(b.Content.Start+header, b.Content.End), func(b container.Block) bool {
		if table.sound {
			m.soundDescription(b, table)
		} else {
			m.pictureDescription(b)
		}
		return true
	})
	if !whole && m.src.Err() == nil && !m.endsInZeros(container.Between(b.Content.Start+header, b.Content.End)) {
		return ErrDamaged
	}
	return nil
}

func (m *movie) pictureDescription(b container.Block) {
	const maker, makerLength, name, nameLength, fields = 12, 4, 42, 32, 78
	if b.Content.Length() < fields {
		return
	}
	if slices.Contains(namedByFormat, b.Kind) {
		m.zero(container.Between(b.Content.Start+maker, b.Content.Start+maker+makerLength))
		m.zero(container.Between(b.Content.Start+name, b.Content.Start+name+nameLength))
	}
	m.blankMetadata(container.Between(b.Content.Start+fields, b.Content.End))
}

// sampleBytes are the bytes of one sample of a channel, by the kind of sound; 0 where the description states the number of bits.
var sampleBytes = map[string]int64{"sowt": 0, "twos": 0, "raw ": 0, "ulaw": 1, "alaw": 1, "in24": 3, "in32": 4, "fl32": 4, "fl64": 8}

// soundDescription also determines how many bytes a sample takes, or takes at most.
func (m *movie) soundDescription(b container.Block, table *sampleTable) {
	const fields, version1, version2 = 28, 16, 36
	head, ok := m.src.Head(b.Content.Start, fields)
	if !ok || b.Content.Length() < fields {
		return
	}
	version, channels, bits := binary.BigEndian.Uint16(head[8:]), int64(binary.BigEndian.Uint16(head[16:])), int64(binary.BigEndian.Uint16(head[18:]))
	table.descriptions++
	if each, known := sampleBytes[b.Kind]; known {
		table.widest, table.exact = max(table.widest, channels*max(each, (bits+7)/8)), true
	} else {
		const widest = 8
		table.widest = max(table.widest, channels*max(widest, (bits+7)/8))
	}
	behind := b.Content.Start + fields
	switch version {
	case 1:
		if more, ok := m.src.Head(behind, version1); ok {
			table.widest = max(table.widest, int64(binary.BigEndian.Uint32(more[8:])))
		}
		behind += version1
	case 2:
		if more, ok := m.src.Head(behind, version2); ok {
			table.widest = max(table.widest, int64(binary.BigEndian.Uint32(more[28:])), int64(binary.BigEndian.Uint32(more[12:]))*8)
		}
		behind += version2
	}
	m.blankMetadata(container.Between(behind, b.Content.End))
}

func (m *movie) blankMetadata(in container.Span) {
	m.src.Boxes(in, func(b container.Block) bool {
		if slices.Contains(metadataBoxes, b.Kind) {
			m.free(b)
		}
		return true
	})
}
