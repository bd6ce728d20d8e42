package custody_test

import (
	"encoding/hex"
	"errors"
	"fmt"
	"iter"
	"slices"
	"testing"
	"time"

	"golang.org/x/mod/sumdb/tlog"

	"assay/client/custody"
	"assay/client/submission"
)

// vectors are the leaves that the implementations of RFC 6962 are tested with, and the roots of the trees of the first one, the first two, and so on.
var vectors = struct{ leaves, roots []string }{
	[]string{"", "00", "10", "2021", "3031", "40414243", "5051525354555657", "606162636465666768696a6b6c6d6e6f"},
	[]string{
		"6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d", "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
		"aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77", "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
		"4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4", "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
		"ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c", "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
	},
}

// nodesOf reads what was kept of a tree.
func nodesOf(kept [][]custody.Hash) custody.Nodes {
	return func(leaf int64, level int) (custody.Hash, error) { return kept[leaf][level], nil }
}

func TestTheTreeIsThatOfRFC6962(t *testing.T) {
	var tree custody.Tree
	var kept [][]custody.Hash
	if root := tree.Root(); hex.EncodeToString(root[:]) != "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855" {
		t.Errorf("the empty tree's root is %x", root)
	}
	for i, leaf := range vectors.leaves {
		data, err := hex.DecodeString(leaf)
		if err != nil {
			t.Fatal(err)
		}
		kept = append(kept, tree.Append(tlog.RecordHash(data)))
		again, err := custody.OpenTree(tree.Size(), nodesOf(kept))
		if err != nil {
			t.Fatal(err)
		}
		for _, root := range []custody.Hash{tree.Root(), again.Root()} {
			if hex.EncodeToString(root[:]) != vectors.roots[i] {
				t.Errorf("of %d leaves the root is %x", i+1, root)
			}
		}
		if root, err := tlog.TreeHash(int64(i+1), nodesOf(kept)); err != nil || root != tree.Root() {
			t.Errorf("of %d leaves tlog reads %v, %v", i+1, root, err)
		}
	}
	failing := errors.New("the disk")
	if _, err := custody.OpenTree(5, func(int64, int) (custody.Hash, error) { return custody.Hash{}, failing }); !errors.Is(err, failing) {
		t.Error(err)
	}
}

// log is a log of so many entries, with the leaves of its tree.
func logOf(t testing.TB, n int) (entries []custody.Entry, leaves []custody.Leaf) {
	t.Helper()
	var head custody.Head
	var tree custody.Tree
	for i := range n {
		e, err := head.Next(time.Unix(1_763_800_000, int64(i)), &submission.Submission{ID: fmt.Sprint("s", i%3), Name: "b.jpg"}, custody.Sent, custody.Sums{}, "")
		if err != nil {
			t.Fatal(err)
		}
		head, entries = e.Head(), append(entries, e)
		leaves = append(leaves, custody.Leaf{Seq: e.Seq, Hashes: custody.Joined(tree.Append(e.Leaf()))})
	}
	return entries, leaves
}

// each gives all of them, and then the error, unless that is nil.
func each[T any](all []T, failing error) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		for _, one := range all {
			if !yield(one, nil) {
				return
			}
		}
		if failing != nil {
			var none T
			yield(none, failing)
		}
	}
}

func check(t *testing.T, entries []custody.Entry, leaves []custody.Leaf) custody.Report {
	t.Helper()
	report, err := custody.Check(custody.Log{Entries: each(entries, nil), Leaves: each(leaves, nil)})
	if err != nil {
		t.Fatal(err)
	}
	return report
}

func TestCheck(t *testing.T) {
	entries, leaves := logOf(t, 7)
	other, otherLeaves := logOf(t, 8)
	resealed := slices.Clone(entries) // entry 3 was changed, and all after it written again
	for i, head := 2, entries[1].Head(); i < len(resealed); i++ {
		e := resealed[i]
		if i == 2 {
			e.Event = custody.Refused
		}
		e.Previous = head.Hash
		e.Hash = e.Sum()
		resealed[i], head = e, e.Head()
	}
	finding := func(c custody.Change, entry int64) custody.Finding { return custody.Finding{Change: c, Entry: entry} }
	for name, c := range map[string]struct {
		entries []custody.Entry
		leaves  []custody.Leaf
		want    []custody.Finding
	}{
		"nothing was changed":        {entries, leaves, nil},
		"an empty log":               {nil, nil, nil},
		"the last one was taken out": {entries[:6], leaves, []custody.Finding{finding(custody.EntryRemoved, 7)}},
		"all were taken out":         {nil, leaves[:2], []custody.Finding{finding(custody.EntryRemoved, 1), finding(custody.EntryRemoved, 2)}},
		"one is not in the tree":     {other, leaves, []custody.Finding{finding(custody.EntryForeign, 8)}},
		"one more is in the tree":    {entries, otherLeaves, []custody.Finding{finding(custody.EntryRemoved, 8)}},
		"one in the middle":          {slices.Delete(slices.Clone(entries), 2, 3), leaves, []custody.Finding{finding(custody.EntryRemoved, 3), finding(custody.EntryChanged, 4)}},
		"one of the tree in the middle": {entries, slices.Delete(slices.Clone(leaves), 1, 2), []custody.Finding{finding(custody.EntryForeign, 2),
			finding(custody.TreeChanged, 3), finding(custody.TreeChanged, 4), finding(custody.TreeChanged, 5), finding(custody.TreeChanged, 6), finding(custody.TreeChanged, 7)}},
		"two were exchanged": {[]custody.Entry{entries[1], entries[0]}, leaves[:2], []custody.Finding{finding(custody.EntryRemoved, 1), finding(custody.EntryChanged, 2), finding(custody.EntryChanged, 1)}},
		"the chain was written again": {resealed, leaves, []custody.Finding{finding(custody.EntryForeign, 3), finding(custody.EntryForeign, 4), finding(custody.EntryForeign, 5),
			finding(custody.EntryForeign, 6), finding(custody.EntryForeign, 7)}},
	} {
		t.Run(name, func(t *testing.T) {
			report := check(t, c.entries, c.leaves)
			if !slices.Equal(report.Findings, c.want) || report.Entries != int64(len(c.entries)) || (report.Err() == nil) != (len(c.want) == 0) {
				t.Errorf("%+v", report)
			}
		})
	}
	t.Run("of very many findings it keeps the first", func(t *testing.T) {
		_, leaves := logOf(t, 130)
		if report := check(t, nil, leaves); len(report.Findings) != 100 || report.More != 30 {
			t.Errorf("%d and %d more", len(report.Findings), report.More)
		}
	})
	t.Run("what can't be read ends it", func(t *testing.T) {
		failing := errors.New("the disk")
		if _, err := custody.Check(custody.Log{Entries: each(entries, failing), Leaves: each(leaves, nil)}); !errors.Is(err, failing) {
			t.Error(err)
		}
		for n := range len(leaves) + 1 {
			if _, err := custody.Check(custody.Log{Entries: each(entries, nil), Leaves: each(leaves[:n], failing)}); !errors.Is(err, failing) {
				t.Errorf("after %d leaves: %v", n, err)
			}
		}
	})
}

// TestEveryChangedByteIsFound changes each byte of a log, one at a time.
func TestEveryChangedByteIsFound(t *testing.T) {
	entries, leaves := logOf(t, 6)
	changed := 0
	flip := func(text string, put func(string)) {
		for i := range len(text) {
			for _, with := range []byte{0x01, 0x20, 0x80} {
				other := []byte(text)
				other[i] ^= with
				put(string(other))
				changed++
			}
		}
	}
	for i := range entries {
		e := entries[i]
		found := func(what string, other custody.Entry) {
			t.Helper()
			all := slices.Clone(entries)
			all[i] = other
			if report := check(t, all, leaves); report.Err() == nil {
				t.Errorf("entry %d, %s: %+v", e.Seq, what, other)
			}
		}
		flip(e.Submission, func(s string) { o := e; o.Submission = s; found("submission", o) })
		flip(string(e.Event), func(s string) { o := e; o.Event = custody.Event(s); found("event", o) })
		flip(string(e.Facts), func(s string) { o := e; o.Facts = []byte(s); found("facts", o) })
		flip(e.Previous, func(s string) { o := e; o.Previous = s; found("previous", o) })
		flip(e.Hash, func(s string) { o := e; o.Hash = s; found("hash", o) })
		for bit := range 63 {
			o := e
			o.Seq ^= 1 << bit
			found("seq", o)
			o = e
			o.At = time.Unix(0, e.At.UnixNano()^1<<bit)
			found("time", o)
		}
		leafFound := func(what string, other custody.Leaf) {
			t.Helper()
			all := slices.Clone(leaves)
			all[i] = other
			if report := check(t, entries, all); report.Err() == nil {
				t.Errorf("leaf %d, %s: %+v", i, what, other)
			}
		}
		flip(string(leaves[i].Hashes), func(s string) { leafFound("hashes", custody.Leaf{Seq: leaves[i].Seq, Hashes: []byte(s)}) })
		for n := range len(leaves[i].Hashes) {
			leafFound("cut", custody.Leaf{Seq: leaves[i].Seq, Hashes: leaves[i].Hashes[:n]})
		}
		leafFound("longer", custody.Leaf{Seq: leaves[i].Seq, Hashes: append(slices.Clone(leaves[i].Hashes), 0)})
		for bit := range 63 {
			leafFound("seq", custody.Leaf{Seq: leaves[i].Seq ^ 1<<bit, Hashes: leaves[i].Hashes})
		}
	}
	if changed < 3000 {
		t.Errorf("only %d bytes were changed", changed)
	}
}
