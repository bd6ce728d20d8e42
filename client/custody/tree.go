package custody

import (
	"crypto/sha256"
	"math/bits"

	"golang.org/x/mod/sumdb/tlog"
)

// Hash is a hash of the tree: a SHA-256.
type Hash = tlog.Hash

// HashSize is its size in bytes.
const HashSize = tlog.HashSize

// Leaf is the entry's hash in the tree: the SHA-256 of a zero byte and Text.
func (e Entry) Leaf() Hash { return tlog.RecordHash(e.Text()) }

// Tree is the log as a Merkle tree of RFC 6962, with a leaf for each entry, in the order of the log. In addition to the chain, it can prove
// one entry without revealing the others, and that an earlier state of the log is the beginning of the present one. The zero value is the
// tree of an empty log. Only its right edge is in memory.
type Tree struct {
	size int64
	edge []Hash // of the complete subtrees from left to right, the largest first: one for each bit of size that is set
}

// OpenTree returns the tree of so many leaves, whose hashes it reads.
func OpenTree(size int64, nodes Nodes) (*Tree, error) {
	t := &Tree{size: size}
	for level := bits.Len64(uint64(size)) - 1; level >= 0; level-- { //nolint:gosec // a size is not negative
		if size>>level&1 == 0 {
			continue
		}
		hash, err := nodes(size>>level<<level-1, level)
		if err != nil {
			return nil, err
		}
		t.edge = append(t.edge, hash)
	}
	return t, nil
}

// Size is the number of leaves.
func (t *Tree) Size() int64 { return t.size }

// Append adds a leaf. It returns the hashes to store with it: the leaf's own, and those of the subtrees that it completes, the smallest
// first.
func (t *Tree) Append(leaf Hash) []Hash {
	kept := []Hash{leaf}
	for range bits.TrailingZeros64(uint64(t.size) + 1) { //nolint:gosec // a size is not negative
		last := len(t.edge) - 1
		leaf = tlog.NodeHash(t.edge[last], leaf)
		t.edge = t.edge[:last]
		kept = append(kept, leaf)
	}
	t.edge = append(t.edge, leaf)
	t.size++
	return kept
}

// Root is the hash of the whole tree.
func (t *Tree) Root() Hash {
	if t.size == 0 {
		return sha256.Sum256(nil)
	}
	last := len(t.edge) - 1
	root := t.edge[last]
	for i := last - 1; i >= 0; i-- {
		root = tlog.NodeHash(t.edge[i], root)
	}
	return root
}

// Nodes reads a hash of the tree: the one of a level (0 for leaves) among those that Append returned for a leaf (counted from 0).
type Nodes func(leaf int64, level int) (Hash, error)

// ReadHashes implements tlog.HashReader.
func (n Nodes) ReadHashes(indexes []int64) ([]Hash, error) {
	hashes := make([]Hash, len(indexes))
	for i, index := range indexes {
		level, at := tlog.SplitStoredHashIndex(index)
		var err error
		if hashes[i], err = n((at+1)<<level-1, level); err != nil {
			return nil, err
		}
	}
	return hashes, nil
}
