package custody

import (
	"bytes"
	"iter"
	"slices"
	"time"
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

	CheckpointChanged Change = "checkpoint changed" // it is not as it was signed, or not of this log
	LogRewritten      Change = "log rewritten"      // the tree is not the one that a checkpoint was signed of
)

// Finding is a place where a log is not as it was written.
type Finding struct {
	Change Change `json:"change"`
	Entry  int64  `json:"entry"` // Seq of the entry; of a checkpoint, how many entries it covers
}

// Report is what the check of a whole log has found.
type Report struct {
	Origin   string    `json:"origin"`             // what the log is called
	Entries  int64     `json:"entries"`            // that are there
	Findings []Finding `json:"findings,omitempty"` // the first of them, in the order of the log; none: it is intact
	More     int64     `json:"more,omitempty"`     // findings that are not among these

	Checkpoints int64   `json:"checkpoints"`      // that are as they were signed, and fit the log
	Signed      *Signed `json:"signed,omitempty"` // the last of them
	// Before is the first entry that did not fit the chain any more when the tree was built; 0: all did.
	Before int64 `json:"changedBeforeTree,omitempty"`
}

// Signed is what the last checkpoint covers.
type Signed struct {
	Entries int64     `json:"entries"` // from the first on
	At      time.Time `json:"at"`
	Key     string    `json:"key"` // VerifierKey of the one that it was signed with
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

// Log is a whole log as it is kept.
type Log struct {
	Origin string
	// Entries and Leaves are in the order of their Seq. What can't be read of an entry is left empty: it does not fit its hash then.
	Entries     iter.Seq2[Entry, error]
	Leaves      iter.Seq2[Leaf, error]
	Checkpoints []SignedCheckpoint // the smallest first
	Anchor      Anchor
}

// Check walks a whole log. An error is one of the sequences'.
func Check(log Log) (r Report, err error) {
	c := checker{Report: Report{Origin: log.Origin}, checkpoints: log.Checkpoints, anchor: log.Anchor}
	if err = c.walk(log); err == nil {
		for _, left := range c.checkpoints { // of more entries than there are
			c.add(Finding{LogRewritten, left.Size})
		}
		if c.anchor.Size > c.tree.Size() {
			c.addRewritten(c.anchor.Size)
		}
	}
	return c.Report, err
}

type checker struct {
	Report
	tree        Tree               // of the leaves as they are kept
	checkpoints []SignedCheckpoint // that were not come to
	anchor      Anchor
}

// addRewritten is add, where the same was not found yet.
func (r *checker) addRewritten(size int64) {
	if f := (Finding{LogRewritten, size}); !slices.Contains(r.Findings, f) {
		r.add(f)
	}
}

func (r *checker) walk(log Log) (err error) {
	var head Head
	entries, leaves := log.Entries, log.Leaves
	r.openCheckpoints()
	nextLeaf, stop := iter.Pull2(leaves)
	defer stop()
	leaf, err, there := nextLeaf()
	for e, failed := range entries {
		for ; there && err == nil && leaf.Seq < e.Seq; leaf, err, there = nextLeaf() {
			r.addLeaf(leaf)
			r.add(Finding{EntryRemoved, leaf.Seq})
		}
		if failed != nil {
			err = failed
		}
		if err != nil {
			return err
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
			r.addLeaf(leaf)
			leaf, err, there = nextLeaf()
		}
	}
	for ; there && err == nil; leaf, err, there = nextLeaf() {
		r.addLeaf(leaf)
		r.add(Finding{EntryRemoved, leaf.Seq})
	}
	return err
}

// addLeaf takes a leaf into the tree as it was kept.
func (r *checker) addLeaf(leaf Leaf) {
	var hash Hash
	copy(hash[:], leaf.Hashes)
	if kept := Joined(r.tree.Append(hash)); !slices.Equal(kept, leaf.Hashes) {
		r.add(Finding{TreeChanged, leaf.Seq})
	}
	r.openCheckpoints()
}

// openCheckpoints looks at the checkpoints of the tree as far as it was walked.
func (r *checker) openCheckpoints() {
	for ; len(r.checkpoints) > 0 && r.checkpoints[0].Size <= r.tree.Size(); r.checkpoints = r.checkpoints[1:] {
		kept := r.checkpoints[0]
		c, err := kept.open(r.Origin)
		key, err2 := VerifierKey(r.Origin, kept.Key)
		switch {
		case err != nil || err2 != nil:
			r.add(Finding{CheckpointChanged, kept.Size})
		case c.Root != r.tree.Root():
			r.add(Finding{LogRewritten, kept.Size})
		default:
			r.Checkpoints++
			r.Signed = &Signed{Entries: c.Size, At: c.At, Key: key}
		}
	}
	if r.anchor.Size > 0 && r.anchor.Size == r.tree.Size() && r.anchor.Root != r.tree.Root() {
		r.addRewritten(r.anchor.Size)
	}
}
