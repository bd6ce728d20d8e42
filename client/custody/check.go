package custody

import (
	"bytes"
	"iter"
	"slices"
)

// Leaf is what is kept of the tree with an entry.
type Leaf struct {
	Seq    int64  // of the entry
	Hashes []byte // that Tree.Append returned, one after the other
}

// Joined are hashes as a Leaf has them.
func Joined(hashes []Hash) []byte {
	joined := make([]byte, 0, len(hashes)*HashSize)
	for _, hash := range hashes {
		joined = append(joined, hash[:]...)
	}
	return joined
}

// Change is what was changed in a log.
type Change string

// The changes. What is written by a check as JSON has these words.
const (
	EntryChanged Change = "entry changed"   // it is not what its hash says, or does not follow the one before
	EntryRemoved Change = "entry removed"   // the tree has it, and the log does not
	EntryForeign Change = "entry not known" // the log has it, and the tree does not, or has another in its place
	TreeChanged  Change = "tree changed"    // the hashes of the tree are not what their entries say
)

// Finding is a place where a log is not as it was written.
type Finding struct {
	Change Change `json:"change"`
	Entry  int64  `json:"entry,omitempty"` // Seq of the entry
}

// Report is what the check of a whole log has found.
type Report struct {
	Entries  int64     `json:"entries"`            // that are there
	Findings []Finding `json:"findings,omitempty"` // the first of them, in the order of the log; none: it is intact
	More     int64     `json:"more,omitempty"`     // findings that are not among these
}

// mostFindings is how many findings a report has: a log that was exchanged has as many as entries.
const mostFindings = 100

func (r *Report) add(f Finding) {
	if len(r.Findings) == mostFindings {
		r.More++
		return
	}
	r.Findings = append(r.Findings, f)
}

// Err is a *Broken with the first entry at which something was found, nil for an intact log.
func (r *Report) Err() error {
	if len(r.Findings) == 0 {
		return nil
	}
	return &Broken{r.Findings[0].Entry}
}

// Check walks a whole log: its entries and the leaves of its tree, each in the order of its Seq. What can't be read of an entry is left
// empty: it does not fit its hash then. An error is one of the sequences'.
func Check(entries iter.Seq2[Entry, error], leaves iter.Seq2[Leaf, error]) (r Report, err error) {
	var head Head
	var tree Tree
	nextLeaf, stop := iter.Pull2(leaves)
	defer stop()
	leaf, err, there := nextLeaf()
	for e, failed := range entries {
		for ; there && err == nil && leaf.Seq < e.Seq; leaf, err, there = nextLeaf() {
			r.addLeaf(&tree, leaf)
			r.add(Finding{EntryRemoved, leaf.Seq})
		}
		if failed != nil {
			err = failed
		}
		if err != nil {
			return r, err
		}
		r.Entries++
		known := there && leaf.Seq == e.Seq
		hash := e.Leaf()
		switch {
		case head.Verify(e) != nil:
			r.add(Finding{EntryChanged, e.Seq})
		case !known || !bytes.HasPrefix(leaf.Hashes, hash[:]):
			r.add(Finding{EntryForeign, e.Seq})
		}
		head = e.Head()
		if known {
			r.addLeaf(&tree, leaf)
			leaf, err, there = nextLeaf()
		}
	}
	for ; there && err == nil; leaf, err, there = nextLeaf() {
		r.addLeaf(&tree, leaf)
		r.add(Finding{EntryRemoved, leaf.Seq})
	}
	return r, err
}

// addLeaf takes a leaf into the tree as it was kept.
func (r *Report) addLeaf(tree *Tree, leaf Leaf) {
	var hash Hash
	copy(hash[:], leaf.Hashes)
	if kept := Joined(tree.Append(hash)); !slices.Equal(kept, leaf.Hashes) {
		r.add(Finding{TreeChanged, leaf.Seq})
	}
}
