package facts

import (
	"bytes"
	"crypto"
	_ "crypto/sha256" // the hashes that C2PA allows
	_ "crypto/sha512" // likewise
	"errors"
	"slices"
	"strings"
	"time"

	"assay/client/i18n"
)

// State is the result of checking a file's content credentials (C2PA).
type State int

// The states. None of them says whether the file shows the truth.
const (
	None         State = iota // there are none
	Intact                    // present; signature and content match
	NotConfirmed              // present, but something does not match, is missing or can't be checked here: see Reason
)

// Credentials is what a file's content credentials state, and the result of checking them. Certificates are not checked against a trust list.
type Credentials struct {
	State  State
	Reason string // why State is NotConfirmed, as a sentence
	// NotSearched means that no place for credentials is known in this kind of file.
	NotSearched bool
	// Elsewhere is the URL where, according to the file, its credentials are kept. Nothing is loaded from there.
	Elsewhere string

	Manifest            // the file's own, as stated
	Earlier      int    // number of the ingredients' manifests, which are not checked
	Signer       string // the certificate's name
	Organisation string
	Issuer       string // who issued the certificate
	Valid        [2]time.Time
	Algorithm    string    // of the signature
	Stamped      time.Time // by the time-stamp in the signature, which is not verified; zero for none
	// Outside counts the bytes, zeros excepted, that the signature does not cover and that are not the credentials themselves.
	Outside int64
}

// The reasons why credentials are not confirmed.
const (
	reasonUnreadable  i18n.Key = "They could not be read: they are damaged or incomplete."
	reasonLarge       i18n.Key = "They are too large for Assay."
	reasonIncomplete  i18n.Key = "A part of them is missing or cut short."
	reasonSeveral     i18n.Key = "The file contains more than one set of them, so it is not clear which counts."
	reasonSignature   i18n.Key = "The signature does not match what was signed."
	reasonKey         i18n.Key = "They are signed in a way that can't be checked here."
	reasonAssertion   i18n.Key = "A part of what was signed was changed afterwards."
	reasonUndeclared  i18n.Key = "They contain a part that was not signed."
	reasonContent     i18n.Key = "The file was changed after it was signed."
	reasonNoBinding   i18n.Key = "They don't say which file they belong to."
	reasonKind        i18n.Key = "They are tied to the file in a way that can't be checked here."
	reasonUpdate      i18n.Key = "They are an addition to earlier credentials, which can't be checked here."
	reasonCompressed  i18n.Key = "They are compressed, which can't be checked here."
	reasonElsewhere   i18n.Key = "The file says that they are stored elsewhere. Assay loads nothing from there."
	reasonUnsupported i18n.Key = "They use a kind of hash that can't be checked here."
	reasonOutside     i18n.Key = "The signature leaves out a part of the file, so that part can't be checked."
)

// unconfirmed is an error whose text becomes Credentials.Reason.
type unconfirmed struct{ why i18n.Key }

func (u unconfirmed) Error() string { return string(u.why) }

func notConfirmed(why i18n.Key) error { return unconfirmed{why} }

// readCredentials finds content credentials and checks what can be checked without a network. whole is false where a part of them could
// not be read, so that they may state more.
func readCredentials(src *source) (c Credentials, whole bool) {
	format := src.format()
	if !format.holdsCredentials() {
		return Credentials{NotSearched: true}, true
	}
	var found []store
	for _, s := range src.stores(format) {
		if format != JPEG || s.isC2PA() {
			found = append(found, s)
		}
	}
	if len(found) == 0 {
		if c.Elsewhere = src.elsewhere(format); c.Elsewhere != "" {
			c.State, c.Reason = NotConfirmed, i18n.T(reasonElsewhere)
		}
		return c, true
	}
	defer func() {
		if recover() != nil {
			c.State, c.Reason, whole = NotConfirmed, i18n.T(reasonUnreadable), false
		}
	}()
	err := c.check(src, format, found)
	var not unconfirmed
	switch {
	case err == nil:
		c.State = Intact
		return c, true
	case !errors.As(err, &not):
		not.why = reasonUnreadable
	}
	c.State, c.Reason = NotConfirmed, i18n.T(not.why)
	return c, !slices.Contains([]i18n.Key{reasonUnreadable, reasonLarge, reasonIncomplete, reasonCompressed}, not.why)
}

// elsewhere is the URL where, according to the file's XMP, its credentials are kept; "" for none.
func (s *source) elsewhere(format Format) string {
	packets, _ := s.xmpPackets(format)
	for _, packet := range packets {
		for _, p := range XMP(packet, func(name string) bool { return name == "provenance" }) {
			if strings.HasPrefix(p.Value, "http://") || strings.HasPrefix(p.Value, "https://") {
				return cleanText(p.Value, longestValue)
			}
		}
	}
	return ""
}

// The types of the boxes that hold a manifest (C2PA specification, 11.1.4.2): their first four bytes.
const (
	kindManifest   = "c2ma"
	kindUpdate     = "c2um"
	kindCompressed = "c2cm"
)

// check reads the last manifest and verifies it: nil if it has everything that a manifest must have, and all of it matches.
func (c *Credentials) check(src *source, format Format, found []store) error {
	var manifests []*superbox
	var damaged bool
	for _, s := range found {
		for _, box := range superboxes(s.data) {
			if box.Label == "c2pa" {
				manifests = append(manifests, box.Boxes...)
				damaged = damaged || box.damaged
			}
		}
	}
	if len(manifests) == 0 {
		if found[0].large {
			return notConfirmed(reasonLarge)
		}
		return notConfirmed(reasonUnreadable)
	}
	active := manifests[len(manifests)-1]
	c.Earlier = len(manifests) - 1
	c.Manifest = readManifest(active).clean()
	kind := active.kind[:min(4, len(active.kind))]
	signature, signatureErr := c.readSignature(active)
	switch {
	case kind == kindCompressed:
		return notConfirmed(reasonCompressed)
	case kind == kindUpdate, found[len(found)-1].purpose == "update":
		return notConfirmed(reasonUpdate)
	case len(found) > 1:
		return notConfirmed(reasonSeveral)
	case damaged:
		return notConfirmed(reasonIncomplete)
	case signatureErr != nil:
		return signatureErr
	}
	claimed, err := readClaim(active)
	if err != nil {
		return err
	}
	if err := signature.verify(claimed.raw); err != nil {
		return err
	}
	assertions, err := claimed.verifyAssertions(active)
	if err != nil {
		return err
	}
	return c.verifyBinding(src, format, found[0], assertions, claimed.Algorithm)
}

// clean makes a manifest's texts fit to be shown.
func (m Manifest) clean() Manifest {
	m.Label, m.Title = cleanText(m.Label, longestKey), cleanText(m.Title, longestValue)
	generators := make([]Named, len(m.Generators))
	for i, g := range m.Generators[:min(len(m.Generators), 10)] {
		generators[i] = Named{g.Key, cleanText(g.Value, longestValue)}
	}
	m.Generators = generators
	stated := make([]Action, len(m.Actions))
	for i, a := range m.Actions {
		stated[i] = Action{cleanText(a.Action, longestKey), cleanText(a.SourceType, longestValue), cleanText(a.Agent, longestValue), cleanText(a.When, longestKey)}
	}
	m.Actions = stated
	return m
}

// signedClaim is a manifest's claim with the bytes that were signed.
type signedClaim struct {
	claim
	raw []byte
}

// readClaim finds the only claim of a manifest.
func readClaim(manifest *superbox) (signedClaim, error) {
	var boxes []*superbox
	for _, b := range manifest.Boxes {
		if isClaim(b.Label) {
			boxes = append(boxes, b)
		}
	}
	if len(boxes) != 1 || boxes[0].repeats || boxes[0].damaged {
		return signedClaim{}, notConfirmed(reasonIncomplete)
	}
	c := signedClaim{raw: boxes[0].Contents["cbor"]}
	if len(c.raw) == 0 || strictCBOR.Unmarshal(c.raw, &c.claim) != nil {
		return signedClaim{}, notConfirmed(reasonUnreadable)
	}
	if inManifest(c.Signature, manifest.Label) != "c2pa.signature" {
		return signedClaim{}, notConfirmed(reasonIncomplete)
	}
	return c, nil
}

// inManifest returns the path inside a manifest from a JUMBF URI; "" if the URI points elsewhere.
func inManifest(address, label string) string {
	path, ok := strings.CutPrefix(address, "self#jumbf=")
	if !ok || strings.Contains(path, "..") {
		return ""
	}
	if absolute, ok := strings.CutPrefix(path, "/"); ok {
		if path, ok = strings.CutPrefix(absolute, "c2pa/"+label+"/"); !ok {
			return ""
		}
	}
	return path
}

// verifyAssertions checks the hash of every assertion that the claim lists, and that there is no other assertion. It returns the listed ones.
func (c signedClaim) verifyAssertions(manifest *superbox) ([]*superbox, error) {
	const assertionStore = "c2pa.assertions"
	inside := manifest.only(assertionStore)
	listed := append(append(append([]hashedURI{}, c.All...), c.Created...), c.Gathered...)
	if inside == nil || inside.damaged || len(listed) == 0 || len(listed) > mostBoxes {
		return nil, notConfirmed(reasonIncomplete)
	}
	seen := map[string]bool{}
	var assertions []*superbox
	for _, one := range listed {
		label, ok := strings.CutPrefix(inManifest(one.URL, manifest.Label), assertionStore+"/")
		if !ok {
			return nil, notConfirmed(reasonIncomplete)
		}
		box := inside.only(label)
		if box == nil {
			return nil, notConfirmed(reasonIncomplete)
		}
		hash, ok := hashNamed(one.Algorithm, c.Algorithm)
		if !ok {
			return nil, notConfirmed(reasonUnsupported)
		}
		h := hash.New()
		h.Write(box.raw)
		if !bytes.Equal(h.Sum(nil), one.Hash) {
			return nil, notConfirmed(reasonAssertion)
		}
		if !seen[label] {
			seen[label] = true
			assertions = append(assertions, box)
		}
	}
	for _, box := range inside.Boxes {
		if !seen[box.Label] {
			return nil, notConfirmed(reasonUndeclared)
		}
	}
	return assertions, nil
}

// hashNamed returns the hash for the first name that is not empty, if C2PA allows it (13.1).
func hashNamed(names ...string) (crypto.Hash, bool) {
	for _, name := range names {
		switch name {
		case "":
			continue
		case "sha256":
			return crypto.SHA256, true
		case "sha384":
			return crypto.SHA384, true
		case "sha512":
			return crypto.SHA512, true
		}
		return 0, false
	}
	return 0, false
}
