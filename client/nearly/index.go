package nearly

import (
	"cmp"

	"slices"
	"sync"

	"assay/client/media/pdq"
	"assay/client/media/soundprint"
	"assay/client/store"
)

// Likeness is in what way two contents are nearly the same.
type Likeness string

// The ways, as they are said of the content that was asked about.
const (
	Picture   Likeness = "picture"   // two pictures
	FrameOf   Likeness = "frame-of"  // it is a picture, the other a clip with a frame like it
	HasFrame  Likeness = "has-frame" // it is a clip with a frame like the other, a picture
	Clip      Likeness = "clip"      // two clips with frames in common
	Recording Likeness = "recording" // two recordings that sound alike
)

// near is a content that is nearly the same as another.
type near struct {
	content  string
	like     Likeness
	oriented bool    // only where one of them is mirrored or rotated
	distance float64 // how far they are from each other, 0 to 1, to put the nearest first
}

// index has the fingerprints of all contents in memory. Any number of goroutines may use it.
type index struct {
	mu       sync.RWMutex
	contents map[string]int32 // by SHA-256: its place in all
	all      []content
	wholes   hashes                 // of pictures and frames as they are
	parts    [len(pdq.Parts)]hashes // of pictures
	sounds   []recording
}

// content is a content that was looked at.
type content struct {
	sha256 string
	frames int // how many of its frames say something; 0: it is a picture, a recording, or nothing was made of it
}

// hashes are hashes, and what each is of.
type hashes struct {
	pdq.Index
	of []int32 // by the hash's number: the place of its content in index.all
}

func (h *hashes) add(of int32, hash pdq.Hash) {
	if hash != (pdq.Hash{}) { // there is too little to see
		h.Add(hash)
		h.of = append(h.of, of)
	}
}

// recording is a recording that was fingerprinted.
type recording struct {
	content string
	print   soundprint.Print
}

// has reports whether it was made of a content, or found that none can be.
func (x *index) has(sha256 string) bool {
	x.mu.RLock()
	defer x.mu.RUnlock()
	_, known := x.contents[sha256]
	return known
}

// add adds a fingerprint of a content. Damaged ones, and those that say too little, are left out.
func (x *index) add(sha256 string, f store.Fingerprint) {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.contents == nil {
		x.contents = map[string]int32{}
	}
	of, known := x.contents[sha256]
	if !known {
		of = int32(len(x.all))
		x.contents[sha256] = of
		x.all = append(x.all, content{sha256: sha256})
	}
	switch p, sound := read(f); {
	case p != nil:
		x.wholes.add(of, p.oriented[pdq.AsItIs])
		for i, h := range p.parts {
			x.parts[i].add(of, h)
		}
		if f.Kind == store.FrameFingerprint {
			x.all[of].frames++
		}
	case len(sound) > 0:
		x.sounds = append(x.sounds, recording{sha256, sound})
	}
}

// pictureHashes are what is kept of a picture or a frame; a hash is zero where there is too little to see.
type pictureHashes struct {
	oriented [pdq.Orientations]pdq.Hash
	parts    [len(pdq.Parts)]pdq.Hash
}

// read decodes a fingerprint. Of one that is damaged, or says too little, there is neither.
func read(f store.Fingerprint) (p *pictureHashes, sound soundprint.Print) {
	switch f.Kind {
	case store.PictureFingerprint, store.FrameFingerprint:
		if f.Quality < pdq.MinQuality || len(f.Bits) < pdq.Orientations*pdq.Size {
			return nil, nil
		}
		p = new(pictureHashes)
		for i, bits := range slices.Collect(slices.Chunk(f.Bits, pdq.Size)) {
			h, err := pdq.FromBytes(bits)
			switch {
			case err != nil:
				return nil, nil
			case i < pdq.Orientations:
				p.oriented[i] = h
			case i-pdq.Orientations < len(p.parts):
				p.parts[i-pdq.Orientations] = h
			}
		}
	case store.SoundFingerprint:
		sound, _ = soundprint.FromBytes(f.Bits) // a damaged one is like none
	}
	return p, sound
}

// written encodes the hashes of a picture, or of a frame, which has no parts.
func written(p pictureHashes, quality int, kind store.FingerprintKind, place int) store.Fingerprint {
	all := p.oriented[:]
	if kind == store.PictureFingerprint {
		all = append(all, p.parts[:]...)
	}
	f := store.Fingerprint{Kind: kind, Place: place, Quality: quality}
	for _, h := range all {
		f.Bits = append(f.Bits, h.Bytes()...)
	}
	return f
}

// commonFrames is the share, of the frames of the clip that has fewer, that two clips must have in common: many clips share a station's mark or a
// countdown.
const commonFrames = 0.25

// near returns the contents that are nearly the same as one with these fingerprints, the nearest first.
func (x *index) near(content string, all []store.Fingerprint) []near {
	x.mu.RLock()
	defer x.mu.RUnlock()
	found := map[string]near{}
	add := func(n near) {
		if before, known := found[n.content]; !known || n.distance < before.distance {
			found[n.content] = n
		}
	}
	common := map[string]int{} // by the content of another clip: how many of the frames have one like it there
	telling := 0
	for _, f := range all {
		p, sound := read(f)
		if p != nil {
			seen := map[string]bool{}
			x.look(p, f.Kind == store.FrameFingerprint, func(n near) {
				if n.content == content {
					return
				}
				add(n)
				if n.like == Clip && !seen[n.content] {
					seen[n.content] = true
					common[n.content]++
				}
			})
			telling++
		}
		if len(sound) > 0 {
			x.listen(content, sound, add)
		}
	}
	nearest := make([]near, 0, len(found))
	for _, n := range found {
		if n.like == Clip && float64(common[n.content]) < commonFrames*float64(min(telling, x.all[x.contents[n.content]].frames)) {
			continue
		}
		nearest = append(nearest, n)
	}
	slices.SortFunc(nearest, func(a, b near) int {
		return cmp.Or(cmp.Compare(a.distance, b.distance), cmp.Compare(a.content, b.content))
	})
	return nearest
}

// look looks for pictures and frames like a picture or a frame: for the whole in any orientation, for wholes of which it is a part, for parts that it
// is the whole of, and for those with a part in common.
func (x *index) look(p *pictureHashes, frame bool, found func(near)) {
	among := func(h pdq.Hash, all *hashes, oriented bool) {
		if h == (pdq.Hash{}) {
			return
		}
		all.Near(h, pdq.DefaultLimit, func(number, distance int) {
			other := x.all[all.of[number]]
			found(near{content: other.sha256, like: likeness(frame, other.frames > 0), oriented: oriented, distance: float64(distance) / (8 * pdq.Size)})
		})
	}
	for o, h := range p.oriented {
		among(h, &x.wholes, pdq.Orientation(o) != pdq.AsItIs)
	}
	for i, part := range p.parts {
		among(p.oriented[pdq.AsItIs], &x.parts[i], false)
		among(part, &x.wholes, false)
		among(part, &x.parts[i], false)
	}
}

func likeness(frame, otherFrame bool) Likeness {
	switch {
	case frame && otherFrame:
		return Clip
	case frame:
		return HasFrame
	case otherFrame:
		return FrameOf
	}
	return Picture
}

// listen looks for recordings like one with this print.
func (x *index) listen(content string, sound soundprint.Print, found func(near)) {
	finder := soundprint.NewFinder(sound)
	for _, other := range x.sounds {
		if other.content == content {
			continue
		}
		if share, ok := finder.Differs(other.print); ok && share <= soundprint.Limit {
			found(near{content: other.content, like: Recording, distance: share})
		}
	}
}
