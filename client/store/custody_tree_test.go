package store_test

import (
	"bufio"
	"context"
	"database/sql"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"
	"time"

	"assay/client/custody"
	"assay/client/store"
	"assay/client/submission"
)

// unbuilt is a folder with a log of so many entries as an Assay without a tree left it.
func unbuilt(t testing.TB, entries int) (folder string) {
	t.Helper()
	folder = t.TempDir()
	s, err := store.Open(context.Background(), folder, store.Options{Now: func() time.Time { return noon }})
	must(t, err)
	for made := 0; made < entries; {
		var subs []submission.Submission
		for ; made < entries && len(subs) < 5000; made++ {
			subs = append(subs, waiting(fmt.Sprint("sub", made)))
		}
		if _, err := s.Add(context.Background(), subs); err != nil {
			t.Fatal(err)
		}
	}
	must(t, s.Close())
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
	must(t, err)
	must(t, database.Close())
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
		must(t, s.VerifyCustody(t.Context()))
		add(t, s, waiting("added later"))
		report, err := s.CheckCustody(t.Context())
		must(t, err)
		if leaves, broken := built(t, folder); report.Entries != entries+2 || leaves != entries+2 || broken != 0 {
			t.Errorf("%d entries, %d leaves, the first that did not fit is %d", report.Entries, leaves, broken)
		}
	})
	t.Run("where it was changed, it is not repaired, and that is kept", func(t *testing.T) {
		folder := unbuilt(t, entries)
		query(t, folder, nil, "UPDATE custody SET deed = 'rejected' WHERE seq = 2100")
		query(t, folder, nil, "DELETE FROM custody WHERE seq = 3000")
		s := open(t, folder, store.Options{})
		report, err := s.CheckCustody(t.Context())
		must(t, err)
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
		must(t, err)
		_, _ = fmt.Println("open")
		must(t, s.VerifyCustody(t.Context()))
		return
	}
	const entries = 16_000
	folder := unbuilt(t, entries)
	begun, starts := 0, 0
	for broken := -1; broken < 0; starts++ {
		command := child(t.Context(), "TestKilledWhileTheTreeIsBuilt", folder)
		output, err := command.StdoutPipe()
		must(t, err)
		must(t, command.Start())
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
	report, err := s.CheckCustody(t.Context())
	must(t, err)
	if report.Err() != nil || report.Entries != entries || begun != entries {
		t.Errorf("%d leaves: %+v", begun, report)
	}
}
