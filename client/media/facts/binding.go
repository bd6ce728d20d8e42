package facts

import (
	"bytes"
	"cmp"
	"hash"
	"slices"
	"strings"

	"assay/client/media/container"
)

// dataHash is the assertion c2pa.hash.data: a hash over the file except some ranges (C2PA specification, 18.5).
type dataHash struct {
	Exclusions []struct {
		Start  int64 `cbor:"start"`
		Length int64 `cbor:"length"`
	} `cbor:"exclusions"`
	Algorithm string `cbor:"alg"`
	Hash      []byte `cbor:"hash"`
}

// mostExclusions bounds how many ranges a hash may leave out.
const mostExclusions = 1_000

// bindings are the assertions that bind a manifest to a file's bytes. Version 1 of the hash over boxes is no longer valid.
var bindings = []string{"c2pa.hash.data", "c2pa.hash.boxes", "c2pa.hash.bmff.v2", "c2pa.hash.bmff.v3", "c2pa.hash.collection.data"}

// verifyBinding checks that the file is the one that was signed.
func (c *Credentials) verifyBinding(src *source, format Format, at store, assertions []*superbox, algorithm string) error {
	var binding *superbox
	kind := ""
	old := false
	for _, a := range assertions {
		label, _, _ := strings.Cut(a.Label, "__")
		old = old || label == "c2pa.hash.bmff"
		if !slices.Contains(bindings, label) {
			continue
		}
		if binding != nil {
			return notConfirmed(reasonSeveral)
		}
		binding, kind = a, label
	}
	switch {
	case binding == nil && old:
		return notConfirmed(reasonKind)
	case binding == nil:
		return notConfirmed(reasonNoBinding)
	case binding.repeats || binding.damaged:
		return notConfirmed(reasonIncomplete)
	}
	switch kind {
	case "c2pa.hash.data":
		return c.verifyData(src, at, binding.Contents["cbor"], algorithm)
	case "c2pa.hash.bmff.v2", "c2pa.hash.bmff.v3":
		if format.boxed() {
			return c.verifyBoxes(src, at, binding.Contents["cbor"], algorithm)
		}
	}
	return notConfirmed(reasonKind)
}

func (c *Credentials) verifyData(src *source, at store, content []byte, algorithm string) error {
	var d dataHash
	if strictCBOR.Unmarshal(content, &d) != nil || len(d.Exclusions) > mostExclusions {
		return notConfirmed(reasonUnreadable)
	}
	kind, ok := hashNamed(d.Algorithm, algorithm)
	if !ok {
		return notConfirmed(reasonUnsupported)
	}
	var left []span
	end := int64(0)
	for _, e := range d.Exclusions {
		if e.Length == 0 {
			continue
		}
		if e.Start < end || e.Length < 0 || e.Length > src.Size() || e.Start > src.Size()-e.Length {
			return notConfirmed(reasonContent)
		}
		end = e.Start + e.Length
		left = append(left, container.Between(e.Start, end))
	}
	h := kind.New()
	at0 := int64(0)
	for _, gap := range append(slices.Clone(left), container.Between(src.Size(), src.Size())) {
		if err := src.hash(h, container.Between(at0, gap.Start)); err != nil {
			return err
		}
		at0 = gap.End
	}
	if !bytes.Equal(h.Sum(nil), d.Hash) {
		return notConfirmed(reasonContent)
	}
	return c.nothingElse(src, left, at.spans)
}

// nothingElse checks that the hash leaves out the credentials only: other bytes there could be anything. Zeros are allowed as padding.
func (c *Credentials) nothingElse(src *source, left, own []span) error {
	own = slices.Clone(own)
	slices.SortFunc(own, func(a, b span) int { return cmp.Compare(a.Start, b.Start) })
	for _, gap := range left {
		at := gap.Start
		for _, o := range own {
			if o.End <= at || o.Start >= gap.End {
				continue
			}
			c.countOutside(src, container.Between(at, max(at, o.Start)))
			at = min(o.End, gap.End)
		}
		c.countOutside(src, container.Between(at, gap.End))
	}
	if c.Outside > 0 {
		return notConfirmed(reasonOutside)
	}
	return nil
}

// countOutside adds the bytes of a span that the signature does not cover to Outside, except zeros.
func (c *Credentials) countOutside(src *source, at span) {
	const step = 1 << 16
	for ; at.Start < at.End; at.Start += step {
		data := src.Bytes(container.Between(at.Start, min(at.End, at.Start+step)), step)
		c.Outside += int64(len(data) - bytes.Count(data, []byte{0}))
		if len(data) == 0 {
			return
		}
	}
}

// hash adds a span of the file to h. Its error is the source's (ctx ended, or the disk failed), or says that the file ends before the span does.
func (s *source) hash(h hash.Hash, at span) error {
	if s.Feed(h, at) {
		return nil
	}
	if err := s.Err(); err != nil {
		return err
	}
	return notConfirmed(reasonContent)
}
