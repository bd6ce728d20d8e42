package strip

import (
	"bytes"
	"cmp"
	"compress/zlib"
	"encoding/binary"
	"slices"

	"assay/client/bounded"
	"assay/client/media/container"
)

// longestProfile bounds the bytes of a colour profile.
const longestProfile = 4 << 20

// colourTags are the tags of a colour profile (ICC.1) from which colours are computed.
var colourTags = []string{
	"A2B0", "A2B1", "A2B2", "B2A0", "B2A1", "B2A2", "D2B0", "D2B1", "D2B2", "D2B3", "B2D0", "B2D1", "B2D2", "B2D3", "pre0", "pre1", "pre2", "gamt",
	"rXYZ", "gXYZ", "bXYZ", "rTRC", "gTRC", "bTRC", "kTRC", "wtpt", "bkpt", "chad", "chrm", "lumi", "meas", "view", "tech", "cicp",
	"aarg", "aagg", "aabg",
}

// plainProfile is a colour profile of the same length with the same colours, but without the program, device, serial number and time that
// profiles of screens, and so screenshots, contain. It is nil if profile is invalid.
func plainProfile(profile []byte) []byte {
	const header, magicAt, magic, count, entry, mostTags, kept = 128, 36, "acsp", 4, 12, 200, 8
	if len(profile) < header+count || string(profile[magicAt:magicAt+len(magic)]) != magic || int64(binary.BigEndian.Uint32(profile)) > int64(len(profile)) {
		return nil
	}
	tags := int(binary.BigEndian.Uint32(profile[header:]))
	if tags > mostTags || header+count+tags*entry > len(profile) {
		return nil
	}
	table := header + count + tags*entry
	plain := make([]byte, len(profile))
	copy(plain, profile[:table])
	clear(plain[24:36])  // when it was made
	clear(plain[48:56])  // the device's maker and model
	clear(plain[80:128]) // the creator, and a hash of the profile
	var colours []func()
	for i := range tags {
		at := profile[header+count+i*entry:]
		start, length := int64(binary.BigEndian.Uint32(at[4:])), int64(binary.BigEndian.Uint32(at[8:]))
		end := start + length
		if start < int64(table) || end > int64(len(profile)) || length < kept {
			return nil
		}
		if slices.Contains(colourTags, string(at[:4])) {
			colours = append(colours, func() { copy(plain[start:end], profile[start:end]) })
			continue
		}
		copy(plain[start:start+kept], profile[start:start+4]) // only the type: an empty text
		if localised := string(profile[start : start+4]); localised == "mluc" && length >= 16 {
			plain[start+15] = 12 // the record size of a list with no texts
		}
	}
	for _, keep := range colours { // last, since tags may share their bytes
		keep()
	}
	return plain
}

// jpegProfile collects the segments that contain a JPEG's profile.
type jpegProfile struct {
	segments []jpegProfilePart
}

type jpegProfilePart struct {
	piece  int // of the plan
	number byte
	data   []byte // within the piece's bytes
}

const jpegProfileName = "ICC_PROFILE\x00"

// add plans a segment with a part of the profile, unchanged.
func (j *jpegProfile) add(src *container.Source, b container.Block, p *plan) {
	const header, numbers = 4, 2
	name := int64(len(jpegProfileName))
	if head, ok := src.Head(b.Content.Start, name); !ok || string(head) != jpegProfileName || b.Content.Length() < name+numbers {
		return
	}
	segment := src.Bytes(b.Whole, b.Whole.Length())
	if int64(len(segment)) != b.Whole.Length() {
		return
	}
	data := segment[header+name:]
	p.put(segment...)
	j.segments = append(j.segments, jpegProfilePart{len(p.pieces) - 1, data[0], data[numbers:]})
}

// finish makes the profile plain, or leaves it out if it is invalid.
func (j *jpegProfile) finish(p *plan) {
	slices.SortStableFunc(j.segments, func(a, b jpegProfilePart) int { return cmp.Compare(a.number, b.number) })
	var whole []byte
	for _, s := range j.segments {
		whole = append(whole, s.data...)
	}
	plain := plainProfile(whole)
	for _, s := range j.segments {
		if plain == nil {
			p.pieces[s.piece].bytes = []byte{}
			continue
		}
		plain = plain[copy(s.data, plain):]
	}
}

// pngProfile is a PNG's profile chunk with a plain profile and without its name; nil if the profile is invalid.
func pngProfile(src *container.Source, b container.Block) []byte {
	const method = 1
	_, packed, ok := bytes.Cut(src.Bytes(b.Content, longestProfile), []byte{0})
	if !ok || len(packed) < method {
		return nil
	}
	r, err := zlib.NewReader(bytes.NewReader(packed[method:]))
	if err != nil {
		return nil
	}
	profile, err := bounded.ReadUpTo(r, longestProfile)
	if err != nil {
		return nil
	}
	plain := plainProfile(profile)
	if plain == nil {
		return nil
	}
	out := bytes.NewBufferString("icc\x00\x00")
	w := zlib.NewWriter(out)
	if _, err := w.Write(plain); err != nil || w.Close() != nil {
		return nil
	}
	return pngChunk("iCCP", out.Bytes())
}
