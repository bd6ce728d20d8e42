package store

import (
	"context"
	"crypto/ed25519"
	"database/sql"
	"errors"
	"iter"
	"math"

	"assay/client/custody"
)

// leavesAtOnce is how many entries are taken into the tree in one transaction, so that nobody waits long for the disk: some 20 ms.
const leavesAtOnce = 2000

// appendLeaf takes an entry into the tree. While that is being built, the entry is left to whoever builds it.
func (t *transaction) appendLeaf(ctx context.Context, e custody.Entry) error {
	if t.tree == nil {
		if built, err := t.number(ctx, "SELECT built FROM custody_log"); err != nil || built == 0 {
			return err
		}
		var err error
		if t.tree, _, err = t.openTree(ctx); err != nil {
			return err
		}
	}
	return t.keepLeaf(ctx, t.tree, e)
}

func (t *transaction) keepLeaf(ctx context.Context, tree *custody.Tree, e custody.Entry) error {
	leaf := tree.Size()
	_, err := t.exec(ctx, "INSERT INTO custody_tree (leaf, seq, hashes) VALUES (?, ?, ?)", leaf, e.Seq, custody.Joined(tree.Append(e.Leaf())))
	return err
}

// openTree reads the tree as far as it was built, and the Seq of its last entry.
func (c *connection) openTree(ctx context.Context) (tree *custody.Tree, last int64, err error) {
	leaf, last := int64(-1), int64(math.MinInt64)
	if _, err := c.one(ctx, []any{&leaf, &last}, "SELECT leaf, seq FROM custody_tree ORDER BY leaf DESC LIMIT 1"); err != nil {
		return nil, 0, err
	}
	tree, err = custody.OpenTree(leaf+1, c.nodes(ctx))
	return tree, last, err
}

// nodes reads the tree's hashes. One that was removed is all zeros: the log goes on, and a check finds it.
func (c *connection) nodes(ctx context.Context) custody.Nodes {
	return func(leaf int64, level int) (hash custody.Hash, err error) {
		var part []byte
		_, err = c.one(ctx, []any{&part}, "SELECT substr(hashes, ?, ?) FROM custody_tree WHERE leaf = ?", level*custody.HashSize+1, custody.HashSize, leaf)
		copy(hash[:], part)
		return hash, err
	}
}

// buildTree takes the entries of before there was a tree into it, and goes on where an earlier run was ended. First of all the chain is
// verified. Where it does not hold, that is kept, and the tree is of the entries as they are.
func (s *Store) buildTree() {
	defer close(s.treeBuilt)
	err := s.growTree()
	if err != nil && s.ctx.Err() == nil {
		s.options.Log.Error("the tree of the custody log could not be built", "error", err)
	}
}

func (s *Store) growTree() error {
	if built, err := s.readers.number(s.ctx, "SELECT built FROM custody_log"); err != nil || built != 0 {
		return err
	}
	broken, err := s.firstBroken(s.ctx)
	if err != nil {
		return err
	}
	if broken > 0 {
		s.options.Log.Error("the custody log was changed before its tree was built", "entry", broken)
	}
	for done := false; !done; {
		err := s.write(s.ctx, "build the custody log's tree", func(ctx context.Context, t *transaction) error {
			tree, last, err := t.openTree(ctx)
			if err != nil {
				return err
			}
			var entries []custody.Entry
			if err := t.each(ctx, func(row scanner) error {
				e, _ := readEntry(row) // as it is
				entries = append(entries, e)
				return nil
			}, selectEntry+"WHERE seq > ? ORDER BY seq LIMIT ?", last, leavesAtOnce); err != nil {
				return err
			}
			for _, e := range entries {
				if err := t.keepLeaf(ctx, tree, e); err != nil {
					return err
				}
			}
			if done = len(entries) < leavesAtOnce; !done {
				return nil
			}
			t.tree = tree
			_, err = t.exec(ctx, "UPDATE custody_log SET built = 1, broken = ?", broken)
			return err
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// firstBroken is the first entry that does not fit the chain, 0 where all do.
func (s *Store) firstBroken(ctx context.Context) (broken int64, err error) {
	var head custody.Head
	err = s.readers.each(ctx, func(row scanner) error {
		e, _ := readEntry(row) // what can't be read does not fit
		if broken == 0 && head.Verify(e) != nil {
			broken = e.Seq
		}
		head = e.Head()
		return nil
	}, selectEntry+"ORDER BY seq")
	return broken, err
}

// CheckCustody checks the whole custody log: the chain of its entries, its tree, its checkpoints, and that it goes on from the anchor. It sees the log as it is when it begins, and waits for the tree
// to be built.
func (s *Store) CheckCustody(ctx context.Context, anchor custody.Anchor) (custody.Report, error) {
	const op = "check the custody log"
	select {
	case <-s.treeBuilt:
	case <-ctx.Done():
		return custody.Report{}, ctx.Err()
	}
	seen, err := s.readers.pool.BeginTx(ctx, nil)
	if err != nil {
		return custody.Report{}, s.read(op, err)
	}
	defer seen.Rollback() //nolint:errcheck // it was only read from
	log := custody.Log{
		Anchor: anchor,
		Entries: inOrder(ctx, seen, selectEntry+"WHERE seq > ? ORDER BY seq LIMIT ?", func(row scanner) (custody.Entry, int64) {
			e, _ := readEntry(row) // what can't be read does not fit
			return e, e.Seq
		}),
		Leaves: inOrder(ctx, seen, "SELECT leaf, seq, hashes FROM custody_tree WHERE leaf > ? ORDER BY leaf LIMIT ?", func(row scanner) (leaf custody.Leaf, at int64) {
			_ = row.Scan(&at, &leaf.Seq, &leaf.Hashes) // likewise
			return leaf, at
		}),
	}
	for c, err := range inOrder(ctx, seen, selectCheckpoint+"WHERE size > ? ORDER BY size LIMIT ?", readCheckpoint) {
		if err != nil {
			return custody.Report{}, s.read(op, err)
		}
		log.Checkpoints = append(log.Checkpoints, c)
	}
	var before int64
	if err := seen.QueryRowContext(ctx, selectLog).Scan(&log.Origin, &before); err != nil && !errors.Is(err, sql.ErrNoRows) {
		return custody.Report{}, s.read(op, err)
	}
	report, err := custody.Check(log)
	report.Before = before
	return report, s.read(op, err)
}

const (
	selectLog        = "SELECT origin, broken FROM custody_log"
	selectCheckpoint = "SELECT size, note, key FROM custody_checkpoints "
)

func readCheckpoint(row scanner) (c custody.SignedCheckpoint, at int64) {
	_ = row.Scan(&c.Size, &c.Note, &c.Key) // what can't be read is not as it was signed
	return c, c.Size
}

// LogStatus says how the custody log stands.
type LogStatus struct {
	Origin  string // what it is called
	Entries int64  // in its tree
	Signed  int64  // of these, as many as the last checkpoint covers
	Broken  int64  // the first one that did not fit the chain when the tree was built; 0: all did
}

// CustodyStatus is how the custody log stands. It waits for the tree to be built.
func (s *Store) CustodyStatus(ctx context.Context) (status LogStatus, err error) {
	select {
	case <-s.treeBuilt:
	case <-ctx.Done():
		return status, ctx.Err()
	}
	_, err = s.readers.one(ctx, []any{&status.Origin, &status.Broken}, selectLog)
	if err == nil {
		_, err = s.readers.one(ctx, []any{&status.Entries, &status.Signed},
			"SELECT coalesce((SELECT max(leaf) + 1 FROM custody_tree), 0), coalesce((SELECT max(size) FROM custody_checkpoints), 0)")
	}
	return status, s.read("read the custody log", err)
}

// SignCustody signs a checkpoint of the custody log as it is now, where there is something that the last one does not cover, and returns the anchor from then
// on. Where the log is not the one that was signed last with more entries since, it signs nothing, and the error is a *custody.Rewritten.
func (s *Store) SignCustody(ctx context.Context, key ed25519.PrivateKey, anchor custody.Anchor) (custody.Anchor, error) {
	var rewritten *custody.Rewritten
	err := s.write(ctx, "sign the custody log", func(ctx context.Context, t *transaction) error {
		tree, _, err := t.openTree(ctx)
		if err != nil {
			return err
		}
		now := custody.Checkpoint{Size: tree.Size(), Root: tree.Root(), At: s.options.Now()}
		var broken int64
		if _, err := t.one(ctx, []any{&now.Origin, &broken}, selectLog); err != nil {
			return err
		}
		var last *custody.SignedCheckpoint
		if err := t.each(ctx, func(row scanner) error {
			c, _ := readCheckpoint(row)
			last = &c
			return nil
		}, selectCheckpoint+"ORDER BY size DESC LIMIT 1"); err != nil {
			return err
		}
		signed, err := custody.Extend(last, anchor, now, t.nodes(ctx), key)
		if errors.As(err, &rewritten) || err != nil || signed == nil {
			return err
		}
		anchor = custody.Anchor{Size: now.Size, Root: now.Root}
		_, err = t.exec(ctx, "INSERT INTO custody_checkpoints (size, note, key) VALUES (?, ?, ?)", signed.Size, signed.Note, signed.Key)
		return err
	})
	if rewritten != nil {
		return anchor, rewritten
	}
	return anchor, err
}

// ProveEntry proves that an entry is in the log that the last signed checkpoint is of. Where that does not cover it, ok is false.
func (s *Store) ProveEntry(ctx context.Context, seq int64) (proof custody.InclusionProof, ok bool, err error) {
	const op = "prove an entry of the custody log"
	var last custody.SignedCheckpoint
	found, err := s.readers.one(ctx, []any{&last.Size, &last.Note, &last.Key}, selectCheckpoint+"ORDER BY size DESC LIMIT 1")
	if err != nil || !found {
		return proof, false, s.read(op, err)
	}
	var leaf int64 // no further than its number: the log may have gaps, where it was changed
	found, err = s.readers.one(ctx, []any{&leaf}, "SELECT leaf FROM custody_tree WHERE leaf < min(?, ?) AND seq = ? ORDER BY leaf DESC LIMIT 1", seq, last.Size, seq)
	if err != nil || !found {
		return proof, false, s.read(op, err)
	}
	proof, err = custody.ProveInclusion(leaf, last, s.readers.nodes(ctx))
	return proof, err == nil, s.read(op, err)
}

// CustodyKey is the custody log's name, and the public key that the last checkpoint was signed with; nil where there is none.
func (s *Store) CustodyKey(ctx context.Context) (origin string, key ed25519.PublicKey, err error) {
	_, err = s.readers.one(ctx, []any{&origin, (*[]byte)(&key)}, "SELECT origin, (SELECT key FROM custody_checkpoints ORDER BY size DESC LIMIT 1) FROM custody_log")
	return origin, key, s.read("read the custody log", err)
}

// ProveGrown proves that the log of so many entries is the beginning of a later one: both are sizes of checkpoints.
func (s *Store) ProveGrown(ctx context.Context, before, now int64) (custody.ConsistencyProof, error) {
	proof, err := custody.ProveConsistency(before, now, s.readers.nodes(ctx))
	return proof, s.read("prove that the custody log only grew", err)
}

// inOrder reads all rows of a query that is asked for the next ones after a place, so that several can be read beside each other.
func inOrder[T any](ctx context.Context, seen *sql.Tx, query string, read func(scanner) (row T, place int64)) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		for place, n := int64(math.MinInt64), leavesAtOnce; n == leavesAtOnce; {
			var all []T
			n = 0
			rows, err := seen.QueryContext(ctx, query, place, leavesAtOnce)
			if err == nil {
				for ; rows.Next(); n++ {
					var row T
					row, place = read(rows)
					all = append(all, row)
				}
				err = errors.Join(rows.Err(), rows.Close())
			}
			for _, row := range all {
				if err == nil && !yield(row, nil) {
					return
				}
			}
			if err != nil {
				var none T
				yield(none, err)
				return
			}
		}
	}
}
