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
	contents map[string]int // by SHA-256: how many telling frames the content has; 0: a picture, a recording, or none
	pictures pdq.Index
	of       []entry // by the number of its hash in pictures
	sounds   []heard
}

type entry struct {
	content string
	frame   bool
}

type heard struct {
	content string
	print   soundprint.Print
}

// has reports whether it was made of a content, or found that none can be.
func (x *index) has(content string) bool {
	x.mu.RLock()
	defer x.mu.RUnlock()
	_, known := x.contents[content]
	return known
}

// add adds a fingerprint of a content. Damaged ones, and those that say too little, are left out.
func (x *index) add(content string, f store.Fingerprint) {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.contents == nil {
		x.contents = map[string]int{}
	}
	if _, known := x.contents[content]; !known {
		x.contents[content] = 0
	}
	switch hashes, sound := read(f); {
	case len(hashes) > 0:
		x.pictures.Add(hashes[pdq.AsItIs])
		frame := f.Kind == store.FrameFingerprint
		x.of = append(x.of, entry{content: content, frame: frame})
		if frame {
			x.contents[content]++
		}
	case len(sound) > 0:
		x.sounds = append(x.sounds, heard{content, sound})
	}
}

// read decodes a fingerprint: the hashes of a picture in each orientation, or a print.
func read(f store.Fingerprint) (hashes []pdq.Hash, sound soundprint.Print) {
	switch f.Kind {
	case store.PictureFingerprint, store.FrameFingerprint:
		if f.Quality < pdq.MinQuality || len(f.Bits) != pdq.Orientations*pdq.Size {
			return nil, nil
		}
		for part := range slices.Chunk(f.Bits, pdq.Size) {
			h, err := pdq.FromBytes(part)
			if err != nil {
				return nil, nil
			}
			hashes = append(hashes, h)
		}
	case store.SoundFingerprint:
		sound, _ = soundprint.FromBytes(f.Bits) // a damaged one is like none
	}
	return hashes, sound
}

// written encodes what PDQ says of a picture.
func written(p pdq.Picture, kind store.FingerprintKind, place int) store.Fingerprint {
	f := store.Fingerprint{Kind: kind, Place: place, Quality: p.Quality}
	for _, h := range p.Hashes {
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
		hashes, sound := read(f)
		if len(hashes) > 0 {
			seen := map[string]bool{}
			x.look(hashes, f.Kind == store.FrameFingerprint, func(n near) {
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
		if n.like == Clip && float64(common[n.content]) < commonFrames*float64(min(telling, x.contents[n.content])) {
			continue
		}
		nearest = append(nearest, n)
	}
	slices.SortFunc(nearest, func(a, b near) int {
		return cmp.Or(cmp.Compare(a.distance, b.distance), cmp.Compare(a.content, b.content))
	})
	return nearest
}

// look looks for pictures and frames like one with these hashes.
func (x *index) look(hashes []pdq.Hash, frame bool, found func(near)) {
	for o, h := range hashes {
		x.pictures.Near(h, pdq.DefaultLimit, func(number, distance int) {
			other := x.of[number]
			found(near{
				content: other.content, like: likeness(frame, other.frame), oriented: pdq.Orientation(o) != pdq.AsItIs, distance: float64(distance) / (8 * pdq.Size),
			})
		})
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
