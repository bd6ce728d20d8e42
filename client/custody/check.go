package custody

import (
	"bytes"
	"iter"
	"slices"
	"time"
)

// Leaf is the part of the tree that is stored with an entry.
type Leaf struct {
	Seq    int64  // of the entry
	Hashes []byte // the result of Tree.Append, concatenated
}

// Joined concatenates hashes, as Leaf.Hashes has them.
func Joined(hashes []Hash) []byte {
	joined := make([]byte, 0, len(hashes)*HashSize)
	for _, hash := range hashes {
		joined = append(joined, hash[:]...)
	}
	return joined
}

// Change is a kind of change to a log.
type Change string

// The changes. A check that is written as JSON uses these words.
const (
	EntryChanged Change = "entry changed"   // its hash does not match, or it does not follow the one before
	EntryRemoved Change = "entry removed"   // the tree has it, and the log does not
	EntryForeign Change = "entry not known" // the log has it, and the tree has none or another in its place
	TreeChanged  Change = "tree changed"    // the tree's hashes do not match its entries

	CheckpointChanged Change = "checkpoint changed" // its signature does not match, or it is for another log
	LogRewritten      Change = "log rewritten"      // the tree differs from the one that a checkpoint was signed for
)

// Finding is a place where a log is not as it was written.
type Finding struct {
	Change Change `json:"change"`
	Entry  int64  `json:"entry"` // Seq of the entry; of a checkpoint, how many entries it covers
}

// Report is the result of checking a whole log.
type Report struct {
	Origin   string    `json:"origin"`             // the log's name
	Entries  int64     `json:"entries"`            // how many there are
	Findings []Finding `json:"findings,omitempty"` // the first ones, in the order of the log; empty for an intact log
	More     int64     `json:"more,omitempty"`     // how many findings are not in Findings

	Checkpoints int64   `json:"checkpoints"`      // how many are as they were signed, and match the log
	Signed      *Signed `json:"signed,omitempty"` // the last checkpoint
	// Before is the first entry that did not fit the chain any more when the tree was built; 0: all did.
	Before int64 `json:"changedBeforeTree,omitempty"`
}

// Signed describes the last checkpoint.
type Signed struct {
	Entries int64     `json:"entries"` // how many entries it covers, from the first on
	At      time.Time `json:"at"`
	Key     string    `json:"key"` // VerifierKey of the key that signed it
}

// mostFindings bounds the findings in a report: a log that was replaced has as many as entries.
const mostFindings = 100

func (r *Report) add(f Finding) {
	if len(r.Findings) == mostFindings {
		r.More++
		return
	}
	r.Findings = append(r.Findings, f)
}

// Err returns a *Broken with the first entry that has a finding, nil for an intact log.
func (r *Report) Err() error {
	if len(r.Findings) == 0 {
		return nil
	}
	return &Broken{r.Findings[0].Entry}
}

// Log is a whole log as it is stored.
type Log struct {
	Origin string
	// Entries and Leaves are in the order of their Seq. Fields of an entry that can't be read are left empty, so that its hash does not match.
	Entries     iter.Seq2[Entry, error]
	Leaves      iter.Seq2[Leaf, error]
	Checkpoints []SignedCheckpoint // the smallest first
	Anchor      Anchor
}

// Check reads a whole log. Its error comes from the sequences; changes in the log are in the Report.
func Check(log Log) (r Report, err error) {
	c := checker{Report: Report{Origin: log.Origin}, checkpoints: log.Checkpoints, anchor: log.Anchor}
	if err = c.walk(log); err == nil {
		for _, left := range c.checkpoints { // these cover more entries than there are
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
	tree        Tree               // of the leaves as they are stored
	checkpoints []SignedCheckpoint // those that were not reached yet
	anchor      Anchor
}

// addRewritten is add, unless the same finding is there.
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

// addLeaf adds a leaf to the tree as it was stored.
func (r *checker) addLeaf(leaf Leaf) {
	var hash Hash
	copy(hash[:], leaf.Hashes)
	if kept := Joined(r.tree.Append(hash)); !slices.Equal(kept, leaf.Hashes) {
		r.add(Finding{TreeChanged, leaf.Seq})
	}
	r.openCheckpoints()
}

// openCheckpoints checks the checkpoints that cover the entries read so far.
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
