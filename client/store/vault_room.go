package store

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// VaultSize is how many bytes of content the vault holds.
func (s *Store) VaultSize(ctx context.Context) (int64, error) {
	s.vault.mu.RLock()
	known := s.vault.known
	s.vault.mu.RUnlock()
	if known {
		return s.vault.size.Load(), nil
	}
	s.vault.mu.Lock()
	defer s.vault.mu.Unlock()
	n, err := s.vaultSize(ctx)
	return n, s.read("measure the vault", err)
}

// vaultSize adds the sizes up once; the vault is locked.
func (s *Store) vaultSize(ctx context.Context) (int64, error) {
	if s.vault.known {
		return s.vault.size.Load(), nil
	}
	n, err := s.readers.number(ctx, "SELECT sum(size) FROM (SELECT DISTINCT sha256, size FROM artifacts)")
	if err != nil {
		return 0, err
	}
	s.vault.size.Store(n)
	s.vault.known = true
	return n, nil
}

// SetVaultCap changes how many bytes the vault may hold, 0 for DefaultVaultCap. If it holds more, the oldest artifacts are deleted.
func (s *Store) SetVaultCap(ctx context.Context, bytes int64) error {
	const op = "bring the vault under its cap"
	if bytes <= 0 {
		bytes = DefaultVaultCap
	}
	s.vault.mu.Lock()
	defer s.vault.mu.Unlock()
	s.vault.cap = bytes
	if _, err := s.vaultSize(ctx); err != nil {
		return s.read(op, err)
	}
	return failure(op, s.shrink(ctx, Artifact{}))
}

// vaultCap is in bytes; the vault is locked.
func (s *Store) vaultCap() int64 {
	if s.vault.cap > 0 {
		return s.vault.cap
	}
	return s.options.VaultCap
}

// shrink deletes the oldest artifacts until the vault is below its cap, but never latest. The vault is locked.
func (s *Store) shrink(ctx context.Context, latest Artifact) error {
	for s.vault.size.Load() > s.vaultCap() {
		var oldest Artifact
		const which = `SELECT request_id, kind, model, sha256 FROM artifacts
			WHERE NOT (request_id = ? AND kind = ? AND model = ?) ORDER BY saved LIMIT 1`
		found, err := s.readers.one(ctx, []any{&oldest.RequestID, &oldest.Kind, &oldest.Model, &oldest.SHA256}, which,
			latest.RequestID, latest.Kind, latest.Model)
		if err != nil || !found {
			return err
		}
		err = s.write(ctx, "give up old artifacts", func(ctx context.Context, t *transaction) error {
			_, err := t.exec(ctx, "DELETE FROM artifacts WHERE request_id = ? AND kind = ? AND model = ?", oldest.RequestID, oldest.Kind, oldest.Model)
			return err
		})
		if err != nil {
			return err
		}
		if err := s.discard(ctx, oldest.SHA256); err != nil {
			return err
		}
	}
	return nil
}

// discard deletes content that no row names any more; the vault is locked. If it can't be deleted, a later start deletes it.
func (s *Store) discard(ctx context.Context, hash string) error {
	if named, err := s.readers.names(ctx, hash); err != nil || named {
		return err
	}
	path := s.contentPath(hash)
	bytes, err := size(path)
	if err != nil {
		return err
	}
	s.vault.size.Add(-max(bytes, 0))
	if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		s.options.Log.Warn("content that nothing names could not be deleted", "error", errors.Join(err, s.SetFact(ctx, vaultSwept, "")))
	}
	return nil
}

// Purge empties the vault and returns how many bytes it freed. Results stay, with their JSON.
func (s *Store) Purge(ctx context.Context) (freed int64, err error) {
	const op = "empty the vault"
	s.vault.mu.Lock()
	defer s.vault.mu.Unlock()
	err = s.write(ctx, op, func(ctx context.Context, t *transaction) error {
		_, err := t.exec(ctx, "DELETE FROM artifacts")
		return err
	})
	if err != nil {
		return 0, err
	}
	s.vault.size.Store(0)
	s.vault.known = true
	freed, err = s.clear(ctx, func(string) (bool, error) { return false, nil })
	return freed, failure(op, err)
}

// vaultSwept is the name of the fact when nothing was left in the vault that no row names; without it, the next start looks.
const vaultSwept = "vault swept"

// sweep deletes what earlier runs left: unfinished files, and content that no row names. It has to look at each file of the vault, and so does it only
// after a run that did not close the store or could not delete something, and else once a week.
func (s *Store) sweep(now time.Time) error {
	const week = 7 * 24 * time.Hour
	swept, err := s.Fact(s.ctx, vaultSwept)
	if err != nil {
		return err
	}
	at, err := time.Parse(time.RFC3339, swept)
	if ago := now.Sub(at); err == nil && !s.unclosed && ago >= 0 && ago < week {
		return nil
	}
	if swept != "" { // should this be cut off, the next start begins again
		if err := s.SetFact(s.ctx, vaultSwept, ""); err != nil {
			return err
		}
	}
	if _, err := s.clear(s.ctx, func(hash string) (bool, error) {
		s.vault.mu.Lock()
		defer s.vault.mu.Unlock()
		if named, err := s.readers.names(s.ctx, hash); err != nil || named {
			return true, err
		}
		return false, os.Remove(s.contentPath(hash)) // under the lock, since Keep may be about to use the same content
	}); err != nil {
		return err
	}
	return s.SetFact(s.ctx, vaultSwept, now.UTC().Format(time.RFC3339))
}

// clear deletes unfinished files of other runs, and content for which named is false.
func (s *Store) clear(ctx context.Context, named func(hash string) (bool, error)) (freed int64, err error) {
	root := filepath.Join(s.folder, vaultFolder)
	err = filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			if errors.Is(err, fs.ErrNotExist) {
				return nil
			}
			return err
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if !entry.Type().IsRegular() {
			return nil
		}
		name := entry.Name()
		switch {
		case strings.HasPrefix(name, unfinished):
			if strings.HasPrefix(name, unfinished+s.vault.run) {
				return nil
			}
		case len(name) != 64 || filepath.Base(filepath.Dir(path)) != name[:2]:
			return nil // it is no file of the vault
		default:
			if is, err := named(name); err != nil || is {
				return err
			}
		}
		bytes, err := size(path)
		if err != nil {
			return err
		}
		if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) { //nolint:gosec // only the person can write there
			return err
		}
		freed += max(bytes, 0)
		return nil
	})
	return freed, err
}
