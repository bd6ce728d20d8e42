package facts

import (
	"bytes"
	"encoding/binary"
	"slices"
	"strconv"
	"strings"

	"assay/client/media/container"
)

// boxesHash is the assertion c2pa.hash.bmff, versions 2 and 3 (C2PA specification, 18.6): a hash over the boxes of a clip except some.
type boxesHash struct {
	Exclusions []boxExclusion `cbor:"exclusions"`
	Algorithm  string         `cbor:"alg"`
	Hash       []byte         `cbor:"hash"`
	Merkle     []any          `cbor:"merkle"`
}

// boxExclusion describes boxes that the hash leaves out, whole or in part.
type boxExclusion struct {
	Path   string  `cbor:"xpath"`
	Length *uint64 `cbor:"length"`
	Data   []struct {
		Offset int64  `cbor:"offset"`
		Value  []byte `cbor:"value"`
	} `cbor:"data"`
	Subset []struct {
		Offset int64 `cbor:"offset"`
		Length int64 `cbor:"length"`
	} `cbor:"subset"`
	Version *int64 `cbor:"version"`
	Flags   []byte `cbor:"flags"`
	Exact   *bool  `cbor:"exact"`
}

// verifyBoxes checks a clip that was signed as a whole. A clip that was signed in pieces (Merkle trees) is not checked.
func (c *Credentials) verifyBoxes(src *source, at store, content []byte, algorithm string) error {
	var b boxesHash
	if strictCBOR.Unmarshal(content, &b) != nil || len(b.Exclusions) == 0 || len(b.Exclusions) > mostExclusions {
		return notConfirmed(reasonUnreadable)
	}
	if len(b.Merkle) > 0 || len(b.Hash) == 0 {
		return notConfirmed(reasonKind)
	}
	kind, ok := hashNamed(b.Algorithm, algorithm)
	if !ok {
		return notConfirmed(reasonUnsupported)
	}
	roots, left, whole := src.excluded(b.Exclusions)
	if !whole {
		return notConfirmed(reasonContent)
	}
	h := kind.New()
	for _, root := range roots {
		pieces := without(root.Whole, left)
		if len(pieces) == 0 || pieces[0].Length() <= 0 {
			continue
		}
		// Each box is preceded by its offset in the file, so that it can't be moved.
		h.Write(binary.BigEndian.AppendUint64(nil, uint64(root.Whole.Start)))
		for _, piece := range pieces {
			if err := src.hash(h, piece); err != nil {
				return err
			}
		}
	}
	if !bytes.Equal(h.Sum(nil), b.Hash) {
		return notConfirmed(reasonContent)
	}
	return c.onlyHarmless(src, left, at.spans)
}

// harmless are boxes that a hash may leave out, since they change nothing that is seen or heard. Early versions of the specification also
// required leaving out the tables of offsets, which lets someone rearrange a clip unnoticed.
var harmless = []string{"ftyp", "mfra", "free", "skip", "pssh"}

// onlyHarmless checks that the hash left out only those and the credentials themselves.
func (c *Credentials) onlyHarmless(src *source, left, own []span) error {
	src.Boxes(container.Between(0, src.Size()), func(b block) bool {
		if slices.Contains(harmless, b.Kind) {
			own = append(own, b.Whole)
		}
		if b.Kind == "moov" || b.Kind == "moof" {
			src.Boxes(b.Content, func(b block) bool {
				if slices.Contains(harmless, b.Kind) {
					own = append(own, b.Whole)
				}
				return true
			})
		}
		return true
	})
	return c.nothingElse(src, left, own)
}

// excluded returns the outermost boxes, and the ranges that match an exclusion. whole is false where the boxes don't fill the file.
func (s *source) excluded(exclusions []boxExclusion) (roots []block, left []span, whole bool) {
	deepest := 0
	paths := map[string][]boxExclusion{}
	for _, e := range exclusions {
		plain := withoutNumbers(e.Path)
		paths[plain] = append(paths[plain], e)
		deepest = max(deepest, strings.Count(plain, "/"))
	}
	const mostDepth = 10
	deepest = min(deepest, mostDepth)
	var walk func(in span, plain string, numbered []string) bool
	walk = func(in span, plain string, numbered []string) bool {
		count := map[string]int{}
		return s.Boxes(in, func(b block) bool {
			count[b.Kind]++
			path := plain + "/" + b.Kind
			places := append(slices.Clone(numbered), b.Kind+"["+strconv.Itoa(count[b.Kind])+"]")
			if len(places) == 1 {
				roots = append(roots, b)
			}
			for _, e := range paths[path] {
				if e.matches(s, b, places) {
					left = append(left, e.stretches(b)...)
				}
			}
			if len(places) < deepest && leadsOn(paths, path) {
				walk(b.Content, path, places)
			}
			return len(left) < container.Most && len(roots) < container.Most
		})
	}
	whole = walk(container.Between(0, s.Size()), "", nil)
	slices.SortFunc(left, func(a, b span) int { return int(min(max(a.Start-b.Start, -1), 1)) })
	return roots, left, whole
}

// leadsOn reports whether an exclusion is for a box inside the one at path.
func leadsOn(paths map[string][]boxExclusion, path string) bool {
	for plain := range paths {
		if strings.HasPrefix(plain, path+"/") {
			return true
		}
	}
	return false
}

// withoutNumbers removes the indices from a path: "/moov[1]/pssh" becomes "/moov/pssh".
func withoutNumbers(path string) string {
	nodes := strings.Split(path, "/")
	for i, node := range nodes {
		nodes[i], _, _ = strings.Cut(node, "[")
	}
	return strings.Join(nodes, "/")
}

// matches reports whether an exclusion means a box whose path matches already, indices aside. places is that path, with an index at each node.
func (e boxExclusion) matches(src *source, b block, places []string) bool {
	for i, node := range strings.Split(strings.TrimPrefix(e.Path, "/"), "/") {
		if strings.Contains(node, "[") && (i >= len(places) || places[i] != node) {
			return false
		}
	}
	if e.Length != nil && *e.Length != uint64(b.Whole.Length()) {
		return false
	}
	if e.Version != nil || e.Flags != nil {
		head, ok := src.Head(b.Content.Start, 4)
		if !ok || e.Version != nil && int64(head[0]) != *e.Version {
			return false
		}
		if e.Flags != nil {
			if len(e.Flags) != 3 {
				return false
			}
			for i, want := range e.Flags {
				has := head[1+i]
				if e.Exact != nil && !*e.Exact {
					has &= want
				}
				if has != want {
					return false
				}
			}
		}
	}
	for _, d := range e.Data {
		length := int64(len(d.Value))
		if d.Offset < 0 || d.Offset > b.Whole.Length()-length || length > smallBox {
			return false
		}
		start := b.Whole.Start + d.Offset
		if !bytes.Equal(src.Bytes(container.Between(start, start+length), length), d.Value) {
			return false
		}
	}
	return true
}

// stretches are the ranges of a matching box that the exclusion leaves out.
func (e boxExclusion) stretches(b block) []span {
	if len(e.Subset) == 0 {
		return []span{b.Whole}
	}
	var parts []span
	for _, part := range e.Subset {
		if part.Offset < 0 || part.Length < 0 || part.Offset >= b.Whole.Length() {
			continue
		}
		at := container.Between(b.Whole.Start+part.Offset, b.Whole.End)
		if part.Length > 0 && part.Length < at.Length() {
			at.End = at.Start + part.Length
		}
		parts = append(parts, at)
	}
	return parts
}

// without returns a span minus others, which are sorted.
func without(whole span, left []span) []span {
	var pieces []span
	at := whole.Start
	first, _ := slices.BinarySearchFunc(left, whole.Start, func(l span, start int64) int {
		if l.Start < start {
			return -1
		}
		return 1
	})
	for _, l := range left[first:] {
		if l.Start >= whole.End {
			break
		}
		if l.Start > at {
			pieces = append(pieces, container.Between(at, l.Start))
		}
		at = max(at, l.End)
	}
	if at < whole.End {
		pieces = append(pieces, container.Between(at, whole.End))
	}
	return pieces
}
