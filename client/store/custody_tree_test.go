package store_test

import (
	"bufio"
	"bytes"
	"context"
	"crypto/ed25519"
	"database/sql"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"
	"time"

	"assay/client/assert"

	"github.com/google/uuid"

	"assay/client/custody"
	"assay/client/store"
	"assay/client/submission"
)

// unbuilt is a folder with a log of so many entries as an Assay without a tree left it.
func unbuilt(t testing.TB, entries int) (folder string) {
	t.Helper()
	folder = t.TempDir()
	s, err := store.Open(context.Background(), folder, store.Options{Now: func() time.Time { return noon }})
	assert.NoError(t, err)
	for made := 0; made < entries; {
		var subs []submission.Submission
		for ; made < entries && len(subs) < 5000; made++ {
			subs = append(subs, waiting(fmt.Sprint("sub", made)))
		}
		if _, err := s.Add(context.Background(), subs); err != nil {
			t.Fatal(err)
		}
	}
	assert.NoError(t, s.Close())
	query(t, folder, nil, "DELETE FROM custody_tree")
	query(t, folder, nil, "UPDATE custody_log SET built = 0")
	return folder
}

// query runs SQL on the file beside whoever has it, and reads the first row.
func query(t testing.TB, folder string, into []any, statement string) {
	t.Helper()
	database, err := sql.Open("sqlite", filepath.Join(folder, "assay.db")+"?_pragma=busy_timeout(10000)")
	if err == nil {
		if into == nil {
			_, err = database.ExecContext(context.Background(), statement)
		} else {
			err = database.QueryRowContext(context.Background(), statement).Scan(into...)
		}
	}
	assert.NoError(t, err)
	assert.NoError(t, database.Close())
}

// built is how many leaves the tree has, and the first entry that did not fit when it was built, -1 while that goes on.
func built(t testing.TB, folder string) (leaves, broken int) {
	t.Helper()
	query(t, folder, []any{&leaves, &broken}, "SELECT (SELECT count(*) FROM custody_tree), iif(built, broken, -1) FROM custody_log")
	return leaves, broken
}

func TestALogOfBeforeIsTakenIntoTheTree(t *testing.T) {
	const entries = 4500 // three transactions
	t.Run("as it is, while it goes on", func(t *testing.T) {
		folder := unbuilt(t, entries)
		s := open(t, folder, store.Options{})
		add(t, s, waiting("added meanwhile"))
		assert.NoError(t, s.VerifyCustody(t.Context()))
		add(t, s, waiting("added later"))
		report, err := s.CheckCustody(t.Context(), custody.Anchor{})
		assert.NoError(t, err)
		if leaves, broken := built(t, folder); report.Entries != entries+2 || leaves != entries+2 || broken != 0 {
			t.Errorf("%d entries, %d leaves, the first that did not fit is %d", report.Entries, leaves, broken)
		}
	})
	t.Run("where it was changed, it is not repaired, and that is kept", func(t *testing.T) {
		folder := unbuilt(t, entries)
		query(t, folder, nil, "UPDATE custody SET deed = 'rejected' WHERE seq = 2100")
		query(t, folder, nil, "DELETE FROM custody WHERE seq = 3000")
		s := open(t, folder, store.Options{})
		report, err := s.CheckCustody(t.Context(), custody.Anchor{})
		assert.NoError(t, err)
		same(t, []custody.Finding{{Change: custody.EntryChanged, Entry: 2100}, {Change: custody.EntryChanged, Entry: 3001}}, report.Findings)
		var event string
		query(t, folder, []any{&event}, "SELECT deed FROM custody WHERE seq = 2100")
		if leaves, broken := built(t, folder); leaves != entries-1 || broken != 2100 || event != "rejected" {
			t.Errorf("%d leaves, the first that did not fit is %d, the entry says %q", leaves, broken, event)
		}
	})
}

// TestKilledWhileTheTreeIsBuilt kills the process that builds it, again and again, until it is built.
func TestKilledWhileTheTreeIsBuilt(t *testing.T) {
	if os.Getenv(childFolder) != "" {
		s, err := openChild(t.Context())
		assert.NoError(t, err)
		_, _ = fmt.Fprintln(os.Stdout, "open")
		assert.NoError(t, s.VerifyCustody(t.Context()))
		return
	}
	const entries = 16_000
	folder := unbuilt(t, entries)
	begun, starts := 0, 0
	for broken := -1; broken < 0; starts++ {
		command := child(t.Context(), "TestKilledWhileTheTreeIsBuilt", folder)
		output, err := command.StdoutPipe()
		assert.NoError(t, err)
		assert.NoError(t, command.Start())
		var killing *time.Timer
		for lines := bufio.NewScanner(output); lines.Scan(); {
			if lines.Text() == "open" {
				most := int64(starts+1) * int64(10*time.Millisecond)                                              // the longer it takes, the further each may come
				killing = time.AfterFunc(time.Duration(rand.Int64N(most)), func() { _ = command.Process.Kill() }) //nolint:gosec // any instant
			}
		}
		err = command.Wait()
		if killing == nil || killing.Stop() && err != nil {
			t.Fatal("it ended by itself: ", err)
		}
		leaves, now := built(t, folder)
		if leaves < begun || now < 0 && leaves%2000 != 0 {
			t.Errorf("of %d leaves, %d are left", begun, leaves)
		}
		begun, broken = leaves, now
	}
	t.Logf("it took %d starts", starts)
	s := open(t, folder, store.Options{})
	report, err := s.CheckCustody(t.Context(), custody.Anchor{})
	assert.NoError(t, err)
	if report.Err() != nil || report.Entries != entries || begun != entries {
		t.Errorf("%d leaves: %+v", begun, report)
	}
}

var logKey = ed25519.NewKeyFromSeed(bytes.Repeat([]byte{7}, ed25519.SeedSize))

// checkLog is what a check of the log finds.
func checkLog(t *testing.T, s *store.Store) custody.Report {
	t.Helper()
	report, err := s.CheckCustody(t.Context(), custody.Anchor{})
	assert.NoError(t, err)
	return report
}

// sign signs the log, which has only grown.
func sign(t *testing.T, s *store.Store) custody.Anchor {
	t.Helper()
	anchor, err := s.SignCustody(t.Context(), logKey, custody.Anchor{})
	assert.NoError(t, err)
	return anchor
}

func TestTheLogIsSigned(t *testing.T) {
	folder := t.TempDir()
	now := noon
	o := store.Options{Now: func() time.Time { return now }}
	s, err := store.Open(t.Context(), folder, o)
	assert.NoError(t, err)
	sign(t, s)
	if status, err := s.CustodyStatus(t.Context()); err != nil || status.Entries != 0 || status.Signed != 0 || len(status.Origin) != len("assay/")+16 {
		t.Errorf("an empty log: %+v, %v", status, err)
	}
	add(t, s, waiting("a"), waiting("b"))
	if r := checkLog(t, s); r.Err() != nil || r.Signed != nil {
		t.Errorf("before it was signed: %+v", r)
	}
	sign(t, s)
	now = noon.Add(time.Hour)
	sign(t, s) // nothing new
	if r := checkLog(t, s); r.Err() != nil || r.Checkpoints != 1 || r.Signed.Entries != 2 || !r.Signed.At.Equal(noon.Truncate(time.Second)) {
		t.Errorf("once it was signed: %+v", r)
	}
	add(t, s, waiting("c"), waiting("d"), waiting("e"))
	if _, ok, err := s.ProveEntry(t.Context(), 5); ok || err != nil {
		t.Error("an entry is proved that no checkpoint covers", err)
	}
	sign(t, s)
	add(t, s, waiting("f"))
	assert.NoError(t, s.Close()) // as one that is killed before it signs the last entry
	s, err = store.Open(t.Context(), folder, o)
	assert.NoError(t, err)
	r := checkLog(t, s)
	if r.Err() != nil || r.Entries != 6 || r.Checkpoints != 2 || r.Signed.Entries != 5 {
		t.Errorf("before the rest is signed: %+v", r)
	}
	public := logKey.Public().(ed25519.PublicKey)
	for _, id := range []string{"a", "b", "c", "d", "e"} {
		entries, err := s.Custody(t.Context(), id)
		assert.NoError(t, err)
		proof, ok, err := s.ProveEntry(t.Context(), entries[0].Seq)
		assert.NoError(t, err)
		if !ok || proof.Verify(entries[0].Text(), r.Origin, public) != nil {
			t.Errorf("%s is not proved", id)
		}
	}
	var first, last []byte
	query(t, folder, []any{&first, &last}, "SELECT (SELECT note FROM custody_checkpoints WHERE size = 2), (SELECT note FROM custody_checkpoints WHERE size = 5)")
	grown, err := s.ProveGrown(t.Context(), 2, 5)
	assert.NoError(t, err)
	before, err := custody.OpenCheckpoint(first, r.Origin, public)
	assert.NoError(t, err)
	after, err := custody.OpenCheckpoint(last, r.Origin, public)
	assert.NoError(t, err)
	assert.NoError(t, grown.Verify(before, after))
	assert.NoError(t, s.Close())

	t.Run("whatever is changed of it is found, and it is not signed again", func(t *testing.T) {
		for statement, want := range map[string]struct {
			at     int64
			signed bool // what it is now is still signed: it was changed where the last checkpoint does not look
		}{
			"DELETE FROM custody WHERE seq > 4; DELETE FROM custody_tree WHERE seq > 4":                            {5, false},
			"DELETE FROM custody; DELETE FROM custody_tree":                                                        {2, false},
			"UPDATE custody_checkpoints SET note = CAST(replace(note, 'assay/', 'azsay/') AS BLOB) WHERE size = 5": {5, false},
			"UPDATE custody_checkpoints SET note = CAST(replace(note, 'assay/', 'azsay/') AS BLOB) WHERE size = 2": {2, true},
			"UPDATE custody_checkpoints SET key = zeroblob(32) WHERE size = 5":                                     {5, false},
			"UPDATE custody_checkpoints SET size = 6 WHERE size = 5":                                               {6, false},
			"UPDATE custody_checkpoints SET size = 3 WHERE size = 2":                                               {3, true},
			"UPDATE custody_checkpoints SET note = 7, key = 'x' WHERE size = 2":                                    {2, true},
			"UPDATE custody_log SET origin = 'assay/other'":                                                        {2, false},
			"DELETE FROM custody_log":                                                            {2, false},
			"UPDATE custody_tree SET hashes = zeroblob(32) WHERE leaf = 4":                       {5, false},
			"UPDATE custody_tree SET hashes = zeroblob(32) || substr(hashes, 33) WHERE leaf = 1": {2, true},
		} {
			t.Run(statement, func(t *testing.T) {
				copied := t.TempDir()
				content, err := os.ReadFile(filepath.Join(folder, "assay.db"))
				assert.NoError(t, err)
				assert.NoError(t, os.WriteFile(filepath.Join(copied, "assay.db"), content, 0o600))
				query(t, copied, nil, statement)
				s := open(t, copied, o)
				r := checkLog(t, s)
				if r.Err() == nil || r.Findings[0].Entry != want.at {
					t.Errorf("%+v", r)
				}
				add(t, s, waiting("g"), waiting("h"), waiting("i")) // the log goes on
				_, err = s.SignCustody(t.Context(), logKey, custody.Anchor{})
				var rewritten *custody.Rewritten
				if errors.As(err, &rewritten) == want.signed || err != nil && rewritten == nil {
					t.Errorf("signed again: %v", err)
				}
				if r := checkLog(t, s); r.Err() == nil {
					t.Error("it is not found any more")
				}
			})
		}
	})
}

func TestALogThatIsSetBackIsToldByTheAnchor(t *testing.T) {
	folder := t.TempDir()
	s, err := store.Open(t.Context(), folder, store.Options{})
	assert.NoError(t, err)
	add(t, s, waiting("a"), waiting("b"))
	sign(t, s)
	add(t, s, waiting("c"))
	anchor := sign(t, s)
	if r, err := s.CheckCustody(t.Context(), anchor); err != nil || r.Err() != nil || anchor.Size != 3 {
		t.Errorf("%+v, %v", r, err)
	}
	assert.NoError(t, s.Close())
	tamper(t, folder, "DELETE FROM custody WHERE seq > 2", "DELETE FROM custody_tree WHERE seq > 2", "DELETE FROM custody_checkpoints WHERE size > 2")
	s = open(t, folder, store.Options{})
	assert.NoError(t, s.VerifyCustody(t.Context())) // it can't be seen in the records
	for range 2 {
		r, err := s.CheckCustody(t.Context(), anchor)
		assert.NoError(t, err)
		same(t, []custody.Finding{{Change: custody.LogRewritten, Entry: 3}}, r.Findings)
		var rewritten *custody.Rewritten
		if now, err := s.SignCustody(t.Context(), logKey, anchor); !errors.As(err, &rewritten) || now != anchor {
			t.Errorf("it is signed again: %v", err)
		}
		add(t, s, waiting(uuid.NewString()), waiting(uuid.NewString()))
	}
}
