package store

import (
	"context"
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

// CheckCustody checks the whole custody log: the chain of its entries, and its tree. It sees the log as it is when it begins, and waits for the tree
// to be built.
func (s *Store) CheckCustody(ctx context.Context) (custody.Report, error) {
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
	report, err := custody.Check(
		inOrder(ctx, seen, selectEntry+"WHERE seq > ? ORDER BY seq LIMIT ?", func(row scanner) (custody.Entry, int64) {
			e, _ := readEntry(row) // what can't be read does not fit
			return e, e.Seq
		}),
		inOrder(ctx, seen, "SELECT leaf, seq, hashes FROM custody_tree WHERE leaf > ? ORDER BY leaf LIMIT ?", func(row scanner) (leaf custody.Leaf, at int64) {
			_ = row.Scan(&at, &leaf.Seq, &leaf.Hashes) // likewise
			return leaf, at
		}),
	)
	return report, s.read(op, err)
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
