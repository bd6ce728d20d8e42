package store_test

import (
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"assay/client/assert"
	"assay/client/store"
)

// oldRows are the rows of facts in a file of an earlier version: enough that it takes some pages.
const oldRows = 2000

// oldFile makes the file of the first version in a folder, as that left it.
func oldFile(t *testing.T, folder string) {
	t.Helper()
	assert.NoError(t, os.MkdirAll(folder, 0o700))
	first, err := os.ReadFile(filepath.Join("migrations", "0001.sql"))
	assert.NoError(t, err)
	database, err := sql.Open("sqlite", filepath.Join(folder, "assay.db"))
	assert.NoError(t, err)
	defer database.Close() //nolint:errcheck // what was written is on disk
	_, err = database.ExecContext(t.Context(), fmt.Sprintf(`PRAGMA journal_mode = WAL; BEGIN; %s;
		INSERT INTO facts WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < %d) SELECT 'kept ' || i, hex(randomblob(300)) FROM n;
		PRAGMA application_id = %d; PRAGMA user_version = 1; COMMIT;`, first, oldRows, 0x41736179))
	assert.NoError(t, err)
}

// asItWas wants the file whole, of some version, with all of its rows; it returns the version.
func asItWas(t *testing.T, folder string) (version int) {
	t.Helper()
	database, err := sql.Open("sqlite", filepath.Join(folder, "assay.db"))
	assert.NoError(t, err)
	defer database.Close() //nolint:errcheck // only read from
	var whole string
	var rows int
	assert.NoError(t, errors.Join(
		database.QueryRowContext(t.Context(), "PRAGMA integrity_check").Scan(&whole),
		database.QueryRowContext(t.Context(), "PRAGMA user_version").Scan(&version),
		database.QueryRowContext(t.Context(), "SELECT count(*) FROM facts WHERE name LIKE 'kept %' AND length(value) = 600").Scan(&rows),
	))
	if whole != "ok" || rows != oldRows || version < 1 {
		t.Errorf("version %d with %d rows: %s", version, rows, whole)
	}
	return version
}

// opened opens the store, and wants it at the newest version, with nothing set aside.
func opened(t *testing.T, folder string) {
	t.Helper()
	s, err := store.Open(t.Context(), folder, store.Options{})
	assert.NoError(t, err)
	if s.SetAside() != "" {
		t.Error("the file was set aside")
	}
	assert.NoError(t, s.Close())
	newest, err := filepath.Glob(filepath.Join("migrations", "*.sql"))
	assert.NoError(t, err)
	assert.Equal(t, len(newest), asItWas(t, folder))
}

// TestAnUpgradeThatIsKilled kills a process that brings a file to the newest version, earlier and later: each step was made or not, and the next
// start goes on.
func TestAnUpgradeThatIsKilled(t *testing.T) {
	if folder := os.Getenv(childFolder); folder != "" {
		opened(t, folder)
		return
	}
	const kills = 20
	reached := map[int]int{}
	for i := range kills {
		folder := t.TempDir()
		oldFile(t, folder)
		command := child(t.Context(), "TestAnUpgradeThatIsKilled", folder)
		assert.NoError(t, command.Start())
		begun := filepath.Join(folder, "assay.db-shm") // it has opened the file
		for deadline := time.Now().Add(time.Minute); ; {
			if _, err := os.Stat(begun); err == nil || time.Now().After(deadline) {
				break
			}
		}
		timer := time.NewTimer(time.Duration(i) * 2 * time.Millisecond)
		<-timer.C
		_ = command.Process.Kill() // gone already where it was done
		_ = command.Wait()         // killed
		reached[asItWas(t, folder)]++
		opened(t, folder)
	}
	t.Logf("killed at versions %v", reached)
}

// TestAnUpgradeOnAFullDisk has no room for the steps: the file stays at a version that it had, and goes on once there is room.
func TestAnUpgradeOnAFullDisk(t *testing.T) {
	if os.Getenv(childFolder) != "" {
		upgradeOnFullDisk(t)
		return
	}
	command := child(t.Context(), "TestAnUpgradeOnAFullDisk", t.TempDir())
	command.SysProcAttr = &syscall.SysProcAttr{Cloneflags: syscall.CLONE_NEWNS}
	if os.Geteuid() != 0 { // mounting takes a user namespace
		command.SysProcAttr.Cloneflags |= syscall.CLONE_NEWUSER
		command.SysProcAttr.UidMappings = []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getuid(), Size: 1}}
	}
	inChild(t, command)
}

func upgradeOnFullDisk(t *testing.T) {
	disk := os.Getenv(childFolder)
	assert.NoError(t, syscall.Mount("", "/", "", syscall.MS_PRIVATE|syscall.MS_REC, ""))
	assert.NoError(t, syscall.Mount("tmpfs", disk, "tmpfs", 0, "size=6m"))
	folder, ballast := filepath.Join(disk, "assay"), filepath.Join(disk, "ballast")
	oldFile(t, folder)
	refused := 0
	for _, free := range []int{0, 40, 80, 120, 200, 300} { // KiB
		var room syscall.Statfs_t
		assert.NoError(t, os.RemoveAll(ballast))
		assert.NoError(t, syscall.Statfs(disk, &room))
		assert.NoError(t, os.WriteFile(ballast, make([]byte, max(0, int(room.Bfree)*int(room.Bsize)-free<<10)), 0o600)) //nolint:gosec // 6 MB at most
		s, err := store.Open(t.Context(), folder, store.Options{})
		if err == nil {
			assert.NoError(t, s.Close())
			break
		}
		if !errors.Is(err, store.ErrFull) {
			t.Errorf("with %d KiB: %v", free, err)
		}
		refused++
	}
	if refused == 0 {
		t.Error("the disk was never full")
	}
	assert.NoError(t, os.RemoveAll(ballast))
	asItWas(t, folder)
	opened(t, folder)
}
