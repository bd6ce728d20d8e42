package custody_test

import (
	"bytes"
	"crypto/ed25519"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/mod/sumdb/note"

	"assay/client/custody"
	"assay/client/media/mediatest"
)

const origin = "assay/0011223344556677"

var (
	ownKey   = ed25519.NewKeyFromSeed(bytes.Repeat([]byte{7}, ed25519.SeedSize))
	otherKey = ed25519.NewKeyFromSeed(bytes.Repeat([]byte{8}, ed25519.SeedSize))
	signedAt = time.Date(2026, time.November, 22, 23, 0, 5, 0, time.UTC)
)

func public(key ed25519.PrivateKey) ed25519.PublicKey { return key.Public().(ed25519.PublicKey) }

// grownLog is a log with the nodes of its tree and a checkpoint at each size.
type grownLog struct {
	entries     []custody.Entry
	leaves      []custody.Leaf
	kept        [][]custody.Hash
	checkpoints []custody.Checkpoint       // of no entry, one, and so on
	signed      []custody.SignedCheckpoint // likewise
}

func grow(t testing.TB, n int) (l grownLog) {
	t.Helper()
	l.entries, l.leaves = logOf(t, n)
	var tree custody.Tree
	for i := range n + 1 {
		c := custody.Checkpoint{Origin: origin, Size: tree.Size(), Root: tree.Root(), At: signedAt}
		text, err := c.Sign(ownKey)
		if err != nil {
			t.Fatal(err)
		}
		l.checkpoints = append(l.checkpoints, c)
		l.signed = append(l.signed, custody.SignedCheckpoint{Size: c.Size, Note: text, Key: public(ownKey)})
		if i < n {
			l.kept = append(l.kept, tree.Append(l.entries[i].Leaf()))
		}
	}
	return l
}

func (l grownLog) nodes() custody.Nodes { return nodesOf(l.kept) }

func TestCheckpoint(t *testing.T) {
	l := grow(t, 3)
	text := l.signed[3].Note
	want := "assay/0011223344556677\n3\n" + l.checkpoints[3].Root.String() + "\n2026-11-22T23:00:05Z\n\n— assay/0011223344556677 "
	if !strings.HasPrefix(string(text), want) {
		t.Errorf("%s", text)
	}
	c, err := custody.OpenCheckpoint(text, origin, public(ownKey))
	if err != nil || c != l.checkpoints[3] {
		t.Errorf("%+v, %v", c, err)
	}
	t.Run("is a note that others can open", func(t *testing.T) {
		vkey, err := custody.VerifierKey(origin, public(ownKey))
		if err != nil {
			t.Fatal(err)
		}
		v, err := note.NewVerifier(vkey)
		if err != nil {
			t.Fatal(err)
		}
		if n, err := note.Open(text, note.VerifierList(v)); err != nil || len(n.Sigs) != 1 {
			t.Error(err)
		}
	})
	refused := func(what string, text []byte, origin string, key ed25519.PublicKey) {
		t.Helper()
		if c, err := custody.OpenCheckpoint(text, origin, key); !errors.Is(err, custody.ErrCheckpoint) || c != (custody.Checkpoint{}) {
			t.Errorf("%s: %+v, %v", what, c, err)
		}
	}
	refused("another key", text, origin, public(otherKey))
	refused("no key", text, origin, nil)
	refused("another log", text, "assay/other", public(ownKey))
	refused("a name that is none", text, "assay other", public(ownKey))
	t.Run("every changed byte is found", func(*testing.T) {
		for i := range text {
			for bit := range 8 {
				other := bytes.Clone(text)
				other[i] ^= 1 << bit
				refused(fmt.Sprintf("byte %d", i), other, origin, public(ownKey))
			}
			refused("cut", text[:i], origin, public(ownKey))
			refused("a byte more", slices.Insert(bytes.Clone(text), i, text[i]), origin, public(ownKey))
		}
		refused("a line more", append(bytes.Clone(text), '\n'), origin, public(ownKey))
	})
	t.Run("what else was signed with the key is none", func(t *testing.T) {
		vkey, _ := custody.VerifierKey(origin, public(ownKey))
		for _, body := range []string{"assay/other\n3\n%s\n2026-11-22T23:00:05Z\n", origin + "\n03\n%s\n2026-11-22T23:00:05Z\n", origin + "\n-3\n%s\n2026-11-22T23:00:05Z\n",
			origin + "\n3\n%s\n2026-11-22T23:00:05+00:00\n", origin + "\n3\n%s\n", origin + "\n3\n%s\n2026-11-22T23:00:05Z\nmore\n", origin + "\n3\nshort\n2026-11-22T23:00:05Z\n"} {
			if strings.Contains(body, "%s") {
				body = fmt.Sprintf(body, l.checkpoints[3].Root)
			}
			text, err := note.Sign(&note.Note{Text: body}, testSigner{vkey, ownKey})
			if err != nil {
				t.Fatal(err)
			}
			refused(body, text, origin, public(ownKey))
		}
	})
}

// testSigner signs whatever it is given.
type testSigner struct {
	vkey string
	key  ed25519.PrivateKey
}

func (s testSigner) verifier() note.Verifier {
	v, err := note.NewVerifier(s.vkey)
	if err != nil {
		panic(err)
	}
	return v
}
func (s testSigner) Name() string                     { return s.verifier().Name() }
func (s testSigner) KeyHash() uint32                  { return s.verifier().KeyHash() }
func (s testSigner) Sign(text []byte) ([]byte, error) { return ed25519.Sign(s.key, text), nil }

func TestCheckLooksAtTheCheckpoints(t *testing.T) {
	l := grow(t, 9)
	all := func(sizes ...int) (signed []custody.SignedCheckpoint) {
		for _, size := range sizes {
			signed = append(signed, l.signed[size])
		}
		return signed
	}
	run := func(t *testing.T, entries, leaves int, checkpoints []custody.SignedCheckpoint) custody.Report {
		t.Helper()
		report, err := custody.Check(custody.Log{Origin: origin, Entries: each(l.entries[:entries], nil), Leaves: each(l.leaves[:leaves], nil), Checkpoints: checkpoints})
		if err != nil {
			t.Fatal(err)
		}
		return report
	}
	vkey, _ := custody.VerifierKey(origin, public(ownKey))
	if r := run(t, 9, 9, all(2, 5, 8)); r.Err() != nil || r.Checkpoints != 3 || *r.Signed != (custody.Signed{Entries: 8, At: signedAt, Key: vkey}) {
		t.Errorf("%+v", r)
	}
	if r := run(t, 9, 9, nil); r.Err() != nil || r.Signed != nil {
		t.Errorf("%+v", r)
	}
	other := grow(t, 9)
	other.checkpoints[5].Root[3] ^= 1
	forged, err := other.checkpoints[5].Sign(ownKey)
	if err != nil {
		t.Fatal(err)
	}
	anchored := func(at, entries int) custody.Report {
		r, err := custody.Check(custody.Log{Origin: origin, Entries: each(l.entries[:entries], nil), Leaves: each(l.leaves[:entries], nil),
			Anchor: custody.Anchor{Size: l.checkpoints[at].Size, Root: l.checkpoints[at].Root}})
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	for at := range 10 {
		for entries := range 10 {
			r := anchored(at, entries)
			if entries >= at && r.Err() != nil || entries < at && !slices.Equal(r.Findings, []custody.Finding{{Change: custody.LogRewritten, Entry: int64(at)}}) {
				t.Errorf("an anchor at %d of %d: %+v", at, entries, r)
			}
		}
	}
	for name, c := range map[string]struct {
		entries     int
		checkpoints []custody.SignedCheckpoint
		want        custody.Finding
	}{
		"the log was cut with its hashes": {7, all(2, 5, 8), custody.Finding{Change: custody.LogRewritten, Entry: 8}},
		"a checkpoint of another log":     {9, []custody.SignedCheckpoint{{Size: 5, Note: forged, Key: public(ownKey)}}, custody.Finding{Change: custody.LogRewritten, Entry: 5}},
		"another key beside it":           {9, []custody.SignedCheckpoint{{Size: 5, Note: l.signed[5].Note, Key: public(otherKey)}}, custody.Finding{Change: custody.CheckpointChanged, Entry: 5}},
		"another size beside it":          {9, []custody.SignedCheckpoint{{Size: 4, Note: l.signed[5].Note, Key: public(ownKey)}}, custody.Finding{Change: custody.CheckpointChanged, Entry: 4}},
		"nothing that can be read":        {9, []custody.SignedCheckpoint{{}}, custody.Finding{Change: custody.CheckpointChanged}},
	} {
		t.Run(name, func(t *testing.T) {
			if r := run(t, c.entries, c.entries, c.checkpoints); !slices.Equal(r.Findings, []custody.Finding{c.want}) {
				t.Errorf("%+v", r)
			}
		})
	}
}

func TestExtend(t *testing.T) {
	l := grow(t, 12)
	for before := range 13 {
		for now := range 13 {
			signed, err := custody.Extend(&l.signed[before], custody.Anchor{}, l.checkpoints[now], l.nodes(), otherKey)
			var rewritten *custody.Rewritten
			switch {
			case now < before:
				if !errors.As(err, &rewritten) || rewritten.Size != int64(before) || signed != nil {
					t.Errorf("from %d to %d: %v", before, now, err)
				}
			case now == before:
				if err != nil || signed != nil {
					t.Errorf("from %d to %d: %v, %v", before, now, signed, err)
				}
			default:
				if err != nil || signed.Size != int64(now) || !bytes.Equal(signed.Key, public(otherKey)) {
					t.Errorf("from %d to %d: %v, %v", before, now, signed, err)
				}
			}
		}
	}
	if signed, err := custody.Extend(nil, custody.Anchor{}, l.checkpoints[0], l.nodes(), ownKey); signed != nil || err != nil {
		t.Error("an empty log was signed", err)
	}
	if signed, err := custody.Extend(nil, custody.Anchor{}, l.checkpoints[7], l.nodes(), ownKey); err != nil || !bytes.Equal(signed.Note, l.signed[7].Note) {
		t.Error(err)
	}
	for name, change := range map[string]func(*custody.SignedCheckpoint, *custody.Checkpoint){
		"the log was written again":       func(_ *custody.SignedCheckpoint, now *custody.Checkpoint) { now.Root[0] ^= 1 },
		"the last checkpoint was changed": func(last *custody.SignedCheckpoint, _ *custody.Checkpoint) { last.Note[40] ^= 1 },
		"of the same size": func(last *custody.SignedCheckpoint, now *custody.Checkpoint) {
			now.Size, now.Root = last.Size, custody.Hash{}
		},
	} {
		last, now := l.signed[7], l.checkpoints[11]
		last.Note = bytes.Clone(last.Note)
		change(&last, &now)
		var rewritten *custody.Rewritten
		if signed, err := custody.Extend(&last, custody.Anchor{}, now, l.nodes(), ownKey); !errors.As(err, &rewritten) || signed != nil {
			t.Errorf("%s: %v, %v", name, signed, err)
		}
	}
	t.Run("from an anchor, whatever checkpoints are left", func(t *testing.T) {
		for at := range 13 {
			anchor, err := custody.ParseAnchor(custody.Anchor{Size: l.checkpoints[at].Size, Root: l.checkpoints[at].Root}.String())
			if err != nil {
				t.Fatal(err)
			}
			other := anchor
			other.Root[5] ^= 1
			for now := 1; now < 13; now++ {
				_, err := custody.Extend(nil, anchor, l.checkpoints[now], l.nodes(), ownKey)
				_, err2 := custody.Extend(nil, other, l.checkpoints[now], l.nodes(), ownKey)
				if (err != nil) != (now < at) || err2 == nil && at > 0 {
					t.Errorf("from %d to %d: %v, %v", at, now, err, err2)
				}
			}
		}
		for _, text := range []string{"7", "7 ", "x " + l.checkpoints[7].Root.String(), "07 " + l.checkpoints[7].Root.String(), "7 " + l.checkpoints[7].Root.String() + "\n"} {
			if a, err := custody.ParseAnchor(text); !errors.Is(err, custody.ErrCheckpoint) || a != (custody.Anchor{}) {
				t.Errorf("%q: %v, %v", text, a, err)
			}
		}
	})
	failing := errors.New("the disk")
	if _, err := custody.Extend(&l.signed[7], custody.Anchor{}, l.checkpoints[11], func(int64, int) (custody.Hash, error) { return custody.Hash{}, failing }, ownKey); !errors.Is(err, failing) {
		t.Error(err)
	}
}

func TestProofs(t *testing.T) {
	const size = 21
	l := grow(t, size)
	prove := func(leaf, size int) custody.InclusionProof {
		p, err := custody.ProveInclusion(int64(leaf), l.signed[size], l.nodes())
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	t.Run("of every entry in every log, and of no other entry", func(t *testing.T) {
		for n := 1; n <= size; n++ {
			for leaf := range n {
				p, err := custody.ParseInclusionProof(prove(leaf, n).Marshal())
				if err != nil {
					t.Fatal(err)
				}
				for i, e := range l.entries {
					if err := p.Verify(e.Text(), origin, public(ownKey)); (err == nil) != (i == leaf) || err != nil && !errors.Is(err, custody.ErrProof) {
						t.Errorf("entry %d of %d by the proof of %d: %v", i, n, leaf, err)
					}
				}
			}
			if _, err := custody.ProveInclusion(int64(n), l.signed[n], l.nodes()); err == nil {
				t.Error("an entry was proved that is not there")
			}
		}
	})
	t.Run("of one entry tell nothing of the others", func(t *testing.T) {
		shown := prove(8, size).Marshal()
		for i, e := range l.entries {
			if i == 8 {
				continue
			}
			leaf := e.Leaf()
			for what, part := range map[string][]byte{"text": e.Text(), "submission and event": []byte(e.Submission + "\n"), "facts": e.Facts, "hash": []byte(e.Hash)} {
				if bytes.Contains(shown, part) {
					t.Errorf("the proof has the %s of entry %d", what, i)
				}
			}
			if i != 9 && bytes.Contains(shown, []byte(leaf.String())) { // the neighbour's leaf, a hash, is part of the way up
				t.Errorf("the proof has the leaf of entry %d", i)
			}
		}
		if bytes.Contains(shown, l.entries[9].Text()[:20]) || len(shown) > 800 {
			t.Errorf("%s", shown)
		}
	})
	t.Run("that a log only grew", func(t *testing.T) {
		for before := range size + 1 {
			for now := before; now <= size; now++ {
				p, err := custody.ProveConsistency(int64(before), int64(now), l.nodes())
				if err != nil {
					t.Fatal(err)
				}
				p, from, signed, err := custody.ParseConsistencyProof(p.Marshal(int64(before), l.signed[now].Note))
				if err != nil || from != int64(before) || !bytes.Equal(signed, l.signed[now].Note) {
					t.Fatal(err)
				}
				if err := p.Verify(l.checkpoints[before], l.checkpoints[now]); err != nil {
					t.Errorf("from %d to %d: %v", before, now, err)
				}
				if before == 0 {
					continue
				}
				for _, change := range []func(before, now *custody.Checkpoint){
					func(before, _ *custody.Checkpoint) { before.Root[9] ^= 1 }, func(_, now *custody.Checkpoint) { now.Root[9] ^= 1 },
					func(before, _ *custody.Checkpoint) { before.Origin = "assay/other" },
				} {
					one, two := l.checkpoints[before], l.checkpoints[now]
					change(&one, &two)
					if err := p.Verify(one, two); !errors.Is(err, custody.ErrProof) {
						t.Errorf("from %d to %d, changed: %v", before, now, err)
					}
				}
			}
		}
	})
	t.Run("every changed byte of one is found", func(t *testing.T) {
		text := prove(8, size).Marshal()
		for i := range text {
			for bit := range 8 {
				other := bytes.Clone(text)
				other[i] ^= 1 << bit
				p, err := custody.ParseInclusionProof(other)
				if err == nil {
					err = p.Verify(l.entries[8].Text(), origin, public(ownKey))
				}
				if err == nil {
					t.Errorf("byte %d, bit %d: %s", i, bit, other)
				}
			}
		}
	})
}

// TestPythonChecksTheProofs has another implementation check them, with another program's library.
func TestPythonChecksTheProofs(t *testing.T) {
	python := mediatest.Program(t, "python3")
	l := grow(t, 13)
	folder := t.TempDir()
	arguments := []string{"check_proof.py"}
	var want []string
	ask := func(proof, other []byte, says string) {
		for name, content := range map[string][]byte{"proof": proof, "other": other} {
			if err := os.WriteFile(filepath.Join(folder, fmt.Sprint(name, len(want))), content, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		arguments = append(arguments, filepath.Join(folder, fmt.Sprint("proof", len(want))), filepath.Join(folder, fmt.Sprint("other", len(want))))
		want = append(want, says)
	}
	for now := 1; now <= 13; now++ {
		for leaf := range now {
			p, err := custody.ProveInclusion(int64(leaf), l.signed[now], l.nodes())
			if err != nil {
				t.Fatal(err)
			}
			ask(p.Marshal(), l.entries[leaf].Text(), fmt.Sprintf("entry %d is in the log %s of %d entries", leaf+1, origin, now))
			ask(p.Marshal(), l.entries[(leaf+1)%13].Text(), "NOT PROVED: the entry is not in the log")
			before := leaf + 1
			g, err := custody.ProveConsistency(int64(before), int64(now), l.nodes())
			if err != nil {
				t.Fatal(err)
			}
			ask(g.Marshal(int64(before), l.signed[now].Note), l.signed[before].Note, fmt.Sprintf("the log %s of %d entries begins with the one of %d", origin, now, before))
			forged := l.checkpoints[before]
			forged.Root[0] ^= 1
			text, err := forged.Sign(ownKey)
			if err != nil {
				t.Fatal(err)
			}
			ask(g.Marshal(int64(before), l.signed[now].Note), text, "NOT PROVED: the log was written again")
		}
	}
	output, err := exec.CommandContext(t.Context(), python, arguments...).CombinedOutput() //nolint:gosec // our own
	if got := strings.Split(strings.TrimSpace(string(output)), "\n"); !slices.Equal(got, want) || err == nil {
		for i := range min(len(got), len(want)) {
			if got[i] != want[i] {
				t.Errorf("%q, want %q", got[i], want[i])
			}
		}
		t.Errorf("%d lines, want %d: %v", len(got), len(want), err)
	}
}

func FuzzProofs(f *testing.F) {
	l := grow(f, 11)
	for _, leaf := range []int64{0, 5, 10} {
		p, err := custody.ProveInclusion(leaf, l.signed[11], l.nodes())
		if err != nil {
			f.Fatal(err)
		}
		f.Add(p.Marshal())
	}
	p, err := custody.ProveConsistency(6, 11, l.nodes())
	if err != nil {
		f.Fatal(err)
	}
	f.Add(p.Marshal(6, l.signed[11].Note))
	f.Add(l.signed[11].Note)
	f.Fuzz(func(t *testing.T, text []byte) {
		if p, err := custody.ParseInclusionProof(text); err == nil {
			if !bytes.Equal(p.Marshal(), text) {
				t.Errorf("%q is read as %q", text, p.Marshal())
			}
			for i, e := range l.entries {
				if p.Verify(e.Text(), origin, public(ownKey)) == nil && p.Leaf != int64(i) {
					t.Errorf("%q proves entry %d", text, i)
				}
			}
		}
		if p, before, signed, err := custody.ParseConsistencyProof(text); err == nil && !bytes.Equal(p.Marshal(before, signed), text) {
			t.Errorf("%q is read as %q", text, p.Marshal(before, signed))
		}
		if c, err := custody.OpenCheckpoint(text, origin, public(ownKey)); err == nil && c != l.checkpoints[c.Size] {
			t.Errorf("%q is taken for a checkpoint", text)
		}
	})
}
