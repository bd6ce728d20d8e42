package custody

import (
	"bytes"
	"crypto/ed25519"
	_ "embed"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"golang.org/x/mod/sumdb/tlog"
)

// ProofChecker is a program in Python that checks the proofs without Assay.
//
//go:embed check_proof.py
var ProofChecker []byte

// ErrProof means that a proof is malformed, or proves something else.
var ErrProof = errors.New("this does not prove it")

// InclusionProof proves to whoever has a signed checkpoint that an entry is in the log, without revealing other entries: it has only hashes of subtrees
// that do not contain the entry.
type InclusionProof struct {
	Leaf   int64 // its index, from 0
	Hashes []Hash
	Note   []byte // a signed checkpoint
}

// ProveInclusion proves that a leaf is in the tree of the entries that a checkpoint covers.
func ProveInclusion(leaf int64, checkpoint SignedCheckpoint, nodes Nodes) (InclusionProof, error) {
	hashes, err := tlog.ProveRecord(checkpoint.Size, leaf, nodes)
	return InclusionProof{leaf, hashes, checkpoint.Note}, err
}

// Verify checks the proof for the Text of an entry. Its error is ErrCheckpoint or ErrProof.
func (p InclusionProof) Verify(entry []byte, origin string, key ed25519.PublicKey) error {
	c, err := OpenCheckpoint(p.Note, origin, key)
	if err != nil {
		return err
	}
	if tlog.CheckRecord(p.Hashes, c.Size, c.Root, p.Leaf, tlog.RecordHash(entry)) != nil {
		return ErrProof
	}
	return nil
}

// proofHeader begins a proof of inclusion as a text.
const proofHeader = "c2sp.org/tlog-proof@v1\n"

// longestProof is larger than any proof, in bytes: a hash for each of 63 levels, and a checkpoint.
const longestProof = 64*45 + 100 + longestCheckpoint

// Marshal returns the proof as text, as c2sp.org/tlog-proof defines it.
func (p InclusionProof) Marshal() []byte {
	return fmt.Appendf(nil, "%sindex %d\n%s\n%s", proofHeader, p.Leaf, hashLines(p.Hashes), p.Note)
}

// ParseInclusionProof reads the result of Marshal, and accepts no other spelling. Its error is ErrProof.
func ParseInclusionProof(text []byte) (p InclusionProof, err error) {
	rest, ok := bytes.CutPrefix(text, []byte(proofHeader+"index "))
	index, hashes, signed, err := splitProof(rest)
	p = InclusionProof{index, hashes, signed}
	if !ok || err != nil || !bytes.Equal(p.Marshal(), text) {
		return InclusionProof{}, ErrProof
	}
	return p, nil
}

// ConsistencyProof proves that a log is the beginning of another one, which means that it only grew in between.
type ConsistencyProof []Hash

// ProveConsistency proves that the log of the first before entries is the beginning of the log of the first now entries.
func ProveConsistency(before, now int64, nodes Nodes) (ConsistencyProof, error) {
	if before == 0 {
		return nil, nil // an empty log is the beginning of every log
	}
	proof, err := tlog.ProveTree(now, before, nodes)
	return ConsistencyProof(proof), err
}

// Verify checks the proof for two checkpoints of one log. Its error is ErrProof.
func (p ConsistencyProof) Verify(before, now Checkpoint) error {
	if before.Origin != now.Origin || before.Size == 0 && len(p) > 0 ||
		before.Size > 0 && tlog.CheckTree(tlog.TreeProof(p), now.Size, now.Root, before.Size, before.Root) != nil {
		return ErrProof
	}
	return nil
}

// Marshal returns the proof as text, from the log of so many entries to that of a signed checkpoint, as clients of c2sp.org/tlog-witness send it.
func (p ConsistencyProof) Marshal(before int64, signed []byte) []byte {
	return fmt.Appendf(nil, "old %d\n%s\n%s", before, hashLines(p), signed)
}

// ParseConsistencyProof reads the result of Marshal, and accepts no other spelling. Its error is ErrProof.
func ParseConsistencyProof(text []byte) (p ConsistencyProof, before int64, signed []byte, err error) {
	rest, ok := bytes.CutPrefix(text, []byte("old "))
	before, hashes, signed, err := splitProof(rest)
	if p = hashes; !ok || err != nil || !bytes.Equal(p.Marshal(before, signed), text) {
		return nil, 0, nil, ErrProof
	}
	return p, before, signed, nil
}

func hashLines(hashes []Hash) string {
	var lines strings.Builder
	for _, hash := range hashes {
		lines.WriteString(hash.String() + "\n")
	}
	return lines.String()
}

// splitProof reads a number, lines of hashes, and after an empty line the signed checkpoint.
func splitProof(text []byte) (number int64, hashes []Hash, signed []byte, err error) {
	head, signed, ok := bytes.Cut(text, []byte("\n\n"))
	if !ok || len(text) > longestProof {
		return 0, nil, nil, ErrProof
	}
	lines := strings.Split(string(head), "\n")
	if number, err = strconv.ParseInt(lines[0], 10, 64); err != nil || number < 0 {
		return 0, nil, nil, ErrProof
	}
	for _, line := range lines[1:] {
		hash, err := tlog.ParseHash(line)
		if err != nil {
			return 0, nil, nil, ErrProof
		}
		hashes = append(hashes, hash)
	}
	return number, hashes, signed, nil
}
