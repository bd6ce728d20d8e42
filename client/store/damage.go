package store

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"assay/client/durable"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

// state is the state of the file before it was opened.
type state struct {
	size      int64
	begun     bool // the file held something
	unclean   bool // the last run did not close it
	suspected bool // the last run found damage
}

// SQLite's own files beside the file, and our mark that the last run found damage.
const (
	logSuffix     = "-wal"
	journalSuffix = "-journal" // what SQLite goes back to where the file was being made when the power failed
	indexSuffix   = "-shm"
	suspectSuffix = "-suspect"
)

// inspect examines the file without SQLite, which would take some damage for an empty file, and would notice a truncated file only when it reads that
// far. Where there is no file, it makes an empty one that only the person can read.
func inspect(path string) (state, error) {
	var found state
	log, err := size(path + logSuffix)
	if err != nil {
		return found, err
	}
	suspicion, err := size(path + suspectSuffix)
	if err != nil {
		return found, err
	}
	found.unclean, found.suspected = log > 0, suspicion >= 0
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return found, err
	}
	defer file.Close() //nolint:errcheck // only read from
	info, err := file.Stat()
	if err != nil {
		return found, err
	}
	if info.Mode().Perm()&0o077 != 0 {
		_ = file.Chmod(0o600) // on file systems that have permissions
	}
	found.size, found.begun = info.Size(), info.Size() > 0
	if !found.begun {
		if found.unclean { // SQLite would delete the write-ahead log
			return found, fmt.Errorf("%w: it is empty", ErrDamaged)
		}
		return found, durable.SyncFolder(filepath.Dir(path))
	}
	journal, err := size(path + journalSuffix)
	if err != nil {
		return found, err
	}
	if found.unclean || journal > 0 {
		return found, nil // the write-ahead log or the journal may hold what is missing here
	}
	header := make([]byte, 100)
	if _, err := io.ReadFull(file, header); errors.Is(err, io.ErrUnexpectedEOF) || err == nil && string(header[:16]) != "SQLite format 3\x00" {
		return found, fmt.Errorf("%w: it is no database", ErrDamaged)
	} else if err != nil {
		return found, err
	}
	pageSize := int64(binary.BigEndian.Uint16(header[16:]))
	if pageSize == 1 {
		pageSize = 65536
	}
	pages := int64(binary.BigEndian.Uint32(header[28:]))
	if valid := slices.Equal(header[24:28], header[92:96]); valid && info.Size() < pages*pageSize {
		return found, fmt.Errorf("%w: its end is missing", ErrDamaged)
	}
	return found, nil
}

// size is the size of a file, -1 where there is none.
func size(path string) (int64, error) {
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return -1, nil
	}
	if err != nil {
		return 0, err
	}
	return info.Size(), nil
}

// checkedAtOnce is the size, in bytes, up to which a file that was not closed is checked before it is used: a tenth of a
// second's work. A test lowers it.
var checkedAtOnce int64 = 64 << 20

// The checks. The answers and the search index, which are nearly all of the bytes, are only walked if the last run found damage: SQLite survives
// crashes, so after one, checking the rest is enough.
const checkAll = "PRAGMA quick_check(1)"

func checksAfterCrash() []string {
	var checks []string
	for _, table := range []string{"submissions", "custody", "custody_tree", "custody_log", "custody_checkpoints", "feedback", "artifacts", "facts", "shift", "folders", "folder_files", "folder_contents", "cases", "case_items", "case_records", "desk", "desk_members", "desk_devices", "desk_events", "desk_logs", "written"} {
		checks = append(checks, "PRAGMA quick_check("+table+")")
	}
	return checks
}

// check checks that the tables are there, at a cost that does not grow with the history, and looks for damage if there may be some; later says that
// this would take too long while a person waits.
func (c *connection) check(ctx context.Context, found state) (later bool, err error) {
	for _, table := range []string{"submissions", "answers", "custody", "custody_tree", "custody_log", "custody_checkpoints", "feedback", "artifacts", "facts", "shift", "search", "folders", "folder_files", "folder_contents", "cases", "case_items", "case_records", "desk", "desk_members", "desk_devices", "desk_events", "desk_logs", "written"} {
		if _, err := c.number(ctx, "SELECT count(*) FROM (SELECT * FROM "+table+" LIMIT 1)"); err != nil { //nolint:gosec // names from above
			var database *sqlite.Error
			if errors.As(err, &database) && database.Code() == sqlite3.SQLITE_ERROR { // no such table
				return false, fmt.Errorf("%w: %w", ErrDamaged, err)
			}
			return false, err
		}
	}
	switch {
	case found.suspected:
		return false, c.walk(ctx, checkAll)
	case found.unclean && found.size > checkedAtOnce:
		return true, nil
	case found.unclean:
		return false, c.walk(ctx, checksAfterCrash()...)
	}
	return false, nil
}

// walk runs checks, until the context ends.
func (c *connection) walk(ctx context.Context, checks ...string) error {
	for _, check := range checks {
		var verdict string
		if err := c.pool.QueryRowContext(ctx, check).Scan(&verdict); err != nil {
			return err
		}
		if verdict != "ok" {
			return fmt.Errorf("%w: %s", ErrDamaged, verdict)
		}
	}
	return nil
}

// suspect leaves a mark, so that the next start checks the whole file.
func suspect(folder string) {
	// If even this fails, the next start checks less.
	_ = os.WriteFile(filepath.Join(folder, fileName+suspectSuffix), nil, 0o600)
}

// forgetSuspicion removes the mark, once the file has been checked.
func forgetSuspicion(path string) error {
	if err := os.Remove(path + suspectSuffix); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// setAside renames the file and all that belongs to it, and returns the file's new name. The vault is renamed, too: nothing else names its files.
func setAside(folder string, now time.Time) (string, error) {
	ending := ".damaged-" + now.UTC().Format("20060102T150405Z")
	for n := 2; ; n++ {
		if taken, err := size(filepath.Join(folder, fileName+ending)); err != nil {
			return "", err
		} else if taken < 0 {
			break
		}
		base, _, _ := strings.Cut(ending, "Z")
		ending = fmt.Sprintf("%sZ-%d", base, n)
	}
	// The file comes last: as long as it has its name, another attempt goes on with what is left.
	for old, aside := range map[string]string{
		fileName + logSuffix:     fileName + ending + logSuffix,
		fileName + indexSuffix:   fileName + ending + indexSuffix,
		fileName + journalSuffix: fileName + ending + journalSuffix,
		vaultFolder:              vaultFolder + ending,
	} {
		if err := os.Rename(filepath.Join(folder, old), filepath.Join(folder, aside)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return "", err
		}
	}
	if err := os.Rename(filepath.Join(folder, fileName), filepath.Join(folder, fileName+ending)); err != nil {
		return "", err
	}
	return fileName + ending, errors.Join(forgetSuspicion(filepath.Join(folder, fileName)), durable.SyncFolder(folder))
}
