package bundle

import (
	"bytes"
	"crypto/ed25519"
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"assay/client/custody"
)

// numberOf is the number that a file in a folder is named for: 12 of data/custody/12.entry. It returns false for another file.
func numberOf(name, folder, ending string) (int64, bool) {
	rest, in := strings.CutPrefix(name, folder)
	text, of := strings.CutSuffix(rest, ending)
	number, err := strconv.ParseInt(text, 10, 64)
	return number, in && of && err == nil && number > 0 && strconv.FormatInt(number, 10) == text
}

// checkCustody checks the entries of the custody log: that each is what was hashed, follows the one before, where that is there, and is proved by its
// proof, if it has one.
func (v *verifier) checkCustody() {
	entries := map[int64]custody.Entry{}
	var numbers []int64
	for name, text := range v.kept {
		number, is := numberOf(name, CustodyFolder, EntryEnding)
		if !is {
			continue
		}
		entry, err := custody.ParseText(text)
		if err != nil || entry.Seq != number {
			v.add(finding(ProofChanged, name))
			continue
		}
		entries[number], numbers = entry, append(numbers, number)
	}
	slices.Sort(numbers)
	v.entries = entries
	v.checkEntryLines(len(numbers))
	origin, key, signed := v.logKey()
	for _, number := range numbers {
		entry := entries[number]
		name := CustodyFolder + strconv.FormatInt(number, 10)
		if before, there := entries[number-1]; there && before.Hash != entry.Previous {
			v.add(finding(ProofChanged, name+EntryEnding))
			continue
		}
		text, proved := v.kept[name+ProofEnding]
		switch {
		case !proved:
			v.Unproved++
		case !signed || !proves(text, entry, origin, key):
			v.add(finding(ProofChanged, name+ProofEnding))
		default:
			v.Proofs++
		}
	}
	for name := range v.kept {
		if number, is := numberOf(name, CustodyFolder, ProofEnding); is && entries[number].Hash == "" {
			v.add(finding(ProofChanged, name))
		}
	}
}

// logKey is the public key of the custody log, and the log's name; signed is whether there is one.
func (v *verifier) logKey() (origin string, key ed25519.PublicKey, signed bool) {
	text, there := v.kept[LogKeyFile]
	if !there {
		return "", nil, false
	}
	line, ended := strings.CutSuffix(string(text), "\n")
	origin, key, err := custody.ParseVerifierKey(line)
	if !ended || err != nil {
		v.add(finding(ProofChanged, LogKeyFile))
		return "", nil, false
	}
	return origin, key, true
}

// proves reports whether a proof is one of an entry.
func proves(text []byte, entry custody.Entry, origin string, key ed25519.PublicKey) bool {
	proof, err := custody.ParseInclusionProof(text)
	return err == nil && proof.Leaf == entry.Seq-1 && proof.Verify(entry.Text(), origin, key) == nil
}

// checkEntryLines compares the list of entries that programs read with the bytes that were hashed, of which there are so many.
func (v *verifier) checkEntryLines(number int) {
	lines := 0
	for line := range bytes.Lines(v.kept[EntriesFile]) {
		lines++
		var listed custody.Entry
		err := json.Unmarshal(line, &listed)
		entry := v.entries[listed.Seq]
		if err != nil || entry.Hash == "" || listed.Hash != entry.Hash || listed.Previous != entry.Previous || listed.Event != entry.Event ||
			listed.Submission != entry.Submission || !listed.At.Equal(entry.At) || !sameJSON(listed.Facts, entry.Facts) {
			v.add(finding(ProofChanged, EntriesFile))
			return
		}
	}
	if lines != number {
		v.add(finding(ProofChanged, EntriesFile))
	}
}

// sameJSON reports whether two texts are the same JSON, however its characters are escaped.
func sameJSON(a, b []byte) bool {
	var one, other any
	if json.Unmarshal(a, &one) != nil || json.Unmarshal(b, &other) != nil {
		return false
	}
	first, err := json.Marshal(one)
	second, err2 := json.Marshal(other)
	return err == nil && err2 == nil && bytes.Equal(first, second)
}
