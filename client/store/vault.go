package store

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"assay/client/durable"

	"github.com/google/uuid"
)

// vaultFolder holds the artifacts, beside the database: ab/abcdef… by the SHA-256 of their content.
const vaultFolder = "vault"

// longestChecked is up to how many bytes an artifact is hashed whenever it is opened; of longer ones only the size is checked.
const longestChecked = 64 << 20

// unfinished begins the name of a file that is being written; the ID of the run follows.
const unfinished = "unfinished-"

// vault is the folder of the artifacts.
type vault struct {
	run string // of this process, whose unfinished files are still being written

	making sync.Mutex   // held while a folder is made
	mu     sync.RWMutex // held for reading while files get their names and are entered, else while any are deleted
	cap    int64        // set by SetVaultCap; 0: that of the options
	known  bool         // size is known
	size   atomic.Int64 // of all content, in bytes
}

// Artifact is the local copy of something behind a pre-signed URL.
type Artifact struct {
	RequestID string
	Kind      string // "thumbnail", "heatmap", "aggregation", "audio-aggregation", "explainability" or "original"
	Model     string // of a heatmap, else ""
	SHA256    string // of the content, hex
	Size      int64  // bytes
	Saved     time.Time
}

func (s *Store) contentPath(hash string) string {
	return filepath.Join(s.folder, vaultFolder, hash[:2], hash)
}

// Keep keeps the artifact that write writes, and replaces an earlier one of the same request, kind and model. If the vault is then larger than its
// cap, the oldest artifacts are deleted. If write fails, nothing is kept.
func (s *Store) Keep(ctx context.Context, requestID, kind, model string, write func(io.Writer) error) (Artifact, error) {
	const op = "keep a copy of an artifact"
	a := Artifact{RequestID: requestID, Kind: kind, Model: model}
	temporary, err := s.receive(ctx, op, &a, write)
	if err != nil {
		return Artifact{}, err
	}
	if _, err := s.VaultSize(ctx); err != nil { // before the content is counted
		_ = os.Remove(temporary)
		return Artifact{}, err
	}
	replaced, full, err := s.take(ctx, op, temporary, &a)
	if err != nil {
		return Artifact{}, err
	}
	if replaced == "" && !full {
		return a, nil
	}
	s.vault.mu.Lock()
	defer s.vault.mu.Unlock()
	if replaced != "" {
		if err := s.discard(ctx, replaced); err != nil {
			return Artifact{}, err
		}
	}
	if err := s.shrink(ctx, a); err != nil {
		s.options.Log.Warn("the vault could not be brought under its cap", "error", err)
	}
	return a, nil
}

// take gives a finished file its name, and enters it. replaced is the hash of what it replaces, "" for nothing; full is whether the vault is over its cap.
func (s *Store) take(ctx context.Context, op, temporary string, a *Artifact) (replaced string, full bool, err error) {
	s.vault.mu.RLock()
	defer s.vault.mu.RUnlock()
	if err := s.place(temporary, a.SHA256); err != nil {
		_ = os.Remove(temporary)
		return "", false, failure(op, err)
	}
	a.Saved = s.options.Now()
	if replaced, err = s.enter(ctx, op, *a); err != nil {
		return "", false, err // the content is deleted by a later start
	}
	return replaced, s.vault.size.Load() > s.vaultCap(), nil
}

// receive writes the content to an unfinished file, which is on disk when it returns, and sets hash and size. An error of write itself is returned as
// it is.
func (s *Store) receive(ctx context.Context, op string, a *Artifact, write func(io.Writer) error) (path string, err error) {
	if err := ctx.Err(); err != nil {
		return "", err
	}
	folder := filepath.Join(s.folder, vaultFolder)
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return "", failure(op, err)
	}
	path = filepath.Join(folder, unfinished+s.vault.run+"-"+uuid.NewString())
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return "", failure(op, err)
	}
	hash := sha256.New()
	content := &received{to: io.MultiWriter(file, hash)}
	given := write(content)
	err = content.failed
	if err == nil && given == nil {
		err = file.Sync()
	}
	err = errors.Join(err, file.Close())
	if err != nil || given != nil {
		_ = os.Remove(path)
		if err == nil {
			return "", given
		}
		return "", failure(op, err)
	}
	a.SHA256, a.Size = hex.EncodeToString(hash.Sum(nil)), content.n
	return path, nil
}

// received counts and hashes what is written, and remembers an error of the disk.
type received struct {
	to     io.Writer
	n      int64
	failed error
}

func (r *received) Write(p []byte) (int, error) {
	n, err := r.to.Write(p)
	r.n += int64(n)
	r.failed = errors.Join(r.failed, err)
	return n, err
}

// makeFolder makes a folder of the vault, and returns once it is on disk, also where another one has just made it.
func (v *vault) makeFolder(folder string) error {
	v.making.Lock()
	defer v.making.Unlock()
	if err := os.Mkdir(folder, 0o700); err != nil {
		if errors.Is(err, fs.ErrExist) {
			return nil
		}
		return err
	}
	return durable.SyncFolder(filepath.Dir(folder))
}

// place gives a finished file its name; the vault is locked for reading.
func (s *Store) place(temporary, hash string) error {
	path := s.contentPath(hash)
	folder := filepath.Dir(path)
	if err := s.vault.makeFolder(folder); err != nil {
		return err
	}
	if err := os.Rename(temporary, path); err != nil {
		// Windows can't replace a file that is open. The one that is there has the same content.
		if checkContent(path, hash) != nil {
			return err
		}
		_ = os.Remove(temporary)
	}
	return durable.SyncFolder(folder)
}

// enter writes the row of an artifact whose file has its name, and returns the hash of the content that it replaces, "" for none; the vault is locked
// for reading.
func (s *Store) enter(ctx context.Context, op string, a Artifact) (replaced string, err error) {
	grown := false
	err = s.join(ctx, op, func(ctx context.Context, t *transaction) error {
		if _, err := t.one(ctx, []any{&replaced}, "SELECT sha256 FROM artifacts WHERE request_id = ? AND kind = ? AND model = ?",
			a.RequestID, a.Kind, a.Model); err != nil {
			return err
		}
		known, err := t.names(ctx, a.SHA256)
		if err != nil {
			return err
		}
		grown = !known
		_, err = t.exec(ctx, `INSERT INTO artifacts (request_id, kind, model, sha256, size, saved) VALUES (?, ?, ?, ?, ?, ?)
			ON CONFLICT (request_id, kind, model) DO UPDATE SET sha256 = excluded.sha256, size = excluded.size, saved = excluded.saved`,
			a.RequestID, a.Kind, a.Model, a.SHA256, a.Size, a.Saved.UnixNano())
		return err
	})
	if err != nil {
		return "", err
	}
	if grown {
		s.vault.size.Add(a.Size)
	}
	if replaced == a.SHA256 {
		replaced = ""
	}
	return replaced, nil
}

// names reports whether a row names content. Very many may name the same, so that they are not counted.
func (c *connection) names(ctx context.Context, hash string) (bool, error) {
	n, err := c.number(ctx, "SELECT EXISTS (SELECT 1 FROM artifacts WHERE sha256 = ?)", hash)
	return n > 0, err
}

// Artifact opens an artifact for reading, and checks that it is what was kept. If it was never kept, or is damaged, the error is fs.ErrNotExist.
func (s *Store) Artifact(ctx context.Context, requestID, kind, model string) (*os.File, Artifact, error) {
	const op = "open the copy of an artifact"
	all, err := s.artifacts(ctx, "WHERE request_id = ? AND kind = ? AND model = ?", requestID, kind, model)
	if err != nil {
		return nil, Artifact{}, err
	}
	missing := &fs.PathError{Op: "open", Path: strings.TrimSpace(kind + " " + model), Err: fs.ErrNotExist}
	if len(all) == 0 {
		return nil, Artifact{}, missing
	}
	a := all[0]
	file, err := os.Open(s.contentPath(a.SHA256))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, Artifact{}, missing
	}
	if err != nil {
		return nil, Artifact{}, failure(op, err)
	}
	err = checkOpened(file, a)
	if err == nil {
		return file, a, nil
	}
	_ = file.Close()
	if errors.Is(err, errOtherContent) {
		s.options.Log.Warn("an artifact's copy was changed on the disk and is not used", "kind", kind, "error", err)
		return nil, Artifact{}, missing
	}
	return nil, Artifact{}, failure(op, err)
}

// errOtherContent is the error of content that is not what was kept any more.
var errOtherContent = errors.New("the content is not what was kept")

// checkOpened checks an open file against its artifact, and seeks to its start.
func checkOpened(file *os.File, a Artifact) error {
	info, err := file.Stat()
	switch {
	case err != nil:
		return err
	case info.Size() != a.Size:
		return fmt.Errorf("%w: %d bytes instead of %d", errOtherContent, info.Size(), a.Size)
	case a.Size > longestChecked:
		return nil
	}
	hash := sha256.New()
	if _, err := io.Copy(hash, file); err != nil {
		return err
	}
	if hex.EncodeToString(hash.Sum(nil)) != a.SHA256 {
		return errOtherContent
	}
	_, err = file.Seek(0, io.SeekStart)
	return err
}

func checkContent(path, hash string) error {
	file, err := os.Open(path)
	if err != nil {
		return err
	}
	defer file.Close() //nolint:errcheck // only read from
	info, err := file.Stat()
	if err != nil {
		return err
	}
	return checkOpened(file, Artifact{SHA256: hash, Size: min(info.Size(), longestChecked)})
}

// Artifacts lists the artifacts of a result.
func (s *Store) Artifacts(ctx context.Context, requestID string) ([]Artifact, error) {
	return s.artifacts(ctx, "WHERE request_id = ? ORDER BY kind, model", requestID)
}

func (s *Store) artifacts(ctx context.Context, which string, values ...any) ([]Artifact, error) {
	var all []Artifact
	err := s.readers.each(ctx, func(row scanner) error {
		var a Artifact
		err := row.Scan(&a.RequestID, &a.Kind, &a.Model, &a.SHA256, &a.Size, timeInto{&a.Saved})
		all = append(all, a)
		return err
	}, "SELECT request_id, kind, model, sha256, size, saved FROM artifacts "+which, values...)
	if err != nil {
		return nil, s.read("read what the vault holds", err)
	}
	return all, nil
}
