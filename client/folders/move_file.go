package folders

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"assay/client/durable"
	"assay/client/i18n"
	"assay/client/media"
	"assay/client/submission"
	"assay/watch"
)

// moveFile moves a submission's file into a folder if it still holds the bytes that were answered; else it stays, without an error. The intent is on
// disk before the file is moved; afterwards the submission gets its new path.
func (f *Folders) moveFile(s submission.Submission, target string) error {
	if same, err := sameFolder(filepath.Dir(s.Path), target); err != nil || same {
		return err
	}
	opened, same, err := f.openSame(s.Path, s.SHA256, s.Size)
	if err != nil || !same {
		return err
	}
	before, err := opened.Stat()
	if closing := opened.Close(); err == nil {
		err = closing // Windows can't move an open file
	}
	if err != nil {
		return err
	}
	for n := 1; ; n++ {
		to := filepath.Join(target, numbered(filepath.Base(s.Path), n))
		if _, err := os.Lstat(to); err == nil {
			continue
		} else if !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		if err := f.announcedThere(s, to, before); err != nil {
			return err
		}
		if err := f.intend(f.ctx, intent{ID: s.ID, From: []byte(s.Path), To: []byte(to), SHA256: s.SHA256, Size: s.Size}); err != nil {
			return err
		}
		err := renameAlone(s.Path, to)
		switch {
		case errors.Is(err, fs.ErrExist):
			continue
		case errors.Is(err, fs.ErrNotExist):
			if _, err := os.Stat(target); err != nil {
				return err
			}
			return nil // the file is gone
		case err != nil:
			return err
		}
		if after, err := os.Lstat(to); err == nil && !sameState(before, after) {
			// In that very moment another file had taken its place, or it was written to.
			return renameAlone(to, s.Path)
		}
		if err := errors.Join(durable.SyncFolder(filepath.Dir(s.Path)), durable.SyncFolder(target)); err != nil {
			f.Log.Warn("flush folders after a move", "error", err)
		}
		return f.moved(f.ctx, s.ID, s.Path, to)
	}
}

// sameFolder reports whether two paths are one folder; it is false, without an error, where the first is gone.
func sameFolder(one, target string) (bool, error) {
	there, err := os.Stat(target)
	if err != nil {
		return false, err
	}
	here, err := os.Stat(one)
	return err == nil && os.SameFile(here, there), nil
}

func sameState(before, after fs.FileInfo) bool {
	return os.SameFile(before, after) && before.Size() == after.Size() && before.ModTime().Equal(after.ModTime())
}

// openSame opens a file if it is a regular file, not a link, with these bytes. If it is missing or differs, same is false without an error.
func (f *Folders) openSame(path, sum string, size int64) (opened *os.File, same bool, err error) {
	info, err := os.Lstat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, false, nil
	}
	if err != nil || !info.Mode().IsRegular() || info.Size() != size {
		return nil, false, err
	}
	if opened, err = os.Open(path); err != nil {
		return nil, false, err
	}
	found, err := f.Hashes.Hash(f.ctx, opened, nil)
	var changing *media.Changed
	if errors.As(err, &changing) {
		err = nil
	}
	if err != nil || found != sum {
		return nil, false, errors.Join(err, opened.Close())
	}
	return opened, true, nil
}

// numbered is a file's name, from n = 2 on with the number before its extension.
func numbered(name string, n int) string {
	if n == 1 {
		return name
	}
	extension := filepath.Ext(name)
	return strings.TrimSuffix(name, extension) + " (" + strconv.Itoa(n) + ")" + extension
}

// moved records the new path of a file with all submissions that have it.
func (f *Folders) moved(ctx context.Context, id, from, to string) error {
	ctx = context.WithoutCancel(ctx)
	if err := f.Queue.Moved(ctx, id, to); err != nil {
		if _, known, failed := f.Store.Get(ctx, id); failed != nil || known {
			return errors.Join(err, failed)
		} // else it was removed, and its path does not matter
	}
	first, known := f.Queue.Get(id)
	for _, other := range f.moves.others(id, from) { // submissions of the same file that was handed over by hand, or again
		if s, ok := f.Queue.Get(other); ok && known && s.Path == from && s.SHA256 == first.SHA256 {
			if err := f.Queue.Moved(ctx, other, to); err != nil {
				f.Log.Warn("note where a file lies now", "error", err)
			}
		}
	}
	return f.intend(ctx, intent{})
}

// announcedThere marks the content as announced in other watched folders that the file was moved into.
func (f *Folders) announcedThere(s submission.Submission, to string, info fs.FileInfo) error {
	f.mu.Lock()
	var ids, names []string
	for _, e := range f.order {
		if e.Path == s.Folder || !within(e.Path, to) {
			continue
		}
		if name, err := filepath.Rel(e.Path, to); err == nil {
			ids, names = append(ids, e.id), append(names, name)
		}
	}
	f.mu.Unlock()
	sum, err := parseSum(s.SHA256)
	if err != nil {
		return err
	}
	for i, id := range ids {
		known := watch.Known{Name: names[i], Size: info.Size(), Time: info.ModTime().UnixNano(), SHA256: sum}
		if err := (memory{f.Store}).Remember(f.ctx, id, []watch.Known{known}); err != nil {
			return err
		}
	}
	return nil
}

// whyNotMoved says why a move failed.
func whyNotMoved(err error, name, target string) i18n.Message {
	var why i18n.Message
	switch {
	case errors.Is(err, fs.ErrNotExist):
		why = i18n.M("The folder %s is not there.", shown(target))
	case errors.Is(err, fs.ErrPermission):
		why = i18n.M("You are not allowed to move it to %s.", shown(target))
	default:
		why = messageOf(err, i18n.M("Assay could not move it to %s. It tries again.", shown(target)))
	}
	return i18n.M("%s is done, but stays where it is. %s", quoted(name), why)
}

// factMove is the name of the fact in the store that is the move begun last.
const factMove = "folders.move"

// intent is a move that is on disk before it is made. Paths are bytes: they need not be UTF-8.
type intent struct {
	ID     string `json:"id"` // the submission's
	From   []byte `json:"from"`
	To     []byte `json:"to"`
	SHA256 string `json:"sha256"`
	Size   int64  `json:"size"`
}

// intend writes an intent to disk, in place of the one before; one without ID removes it.
func (f *Folders) intend(ctx context.Context, i intent) error {
	text := ""
	if i.ID != "" {
		known, err := json.Marshal(i)
		if err != nil {
			return err
		}
		text = string(known)
	}
	return f.Store.SetFact(ctx, factMove, text)
}

// endIntent finds out whether the last move that was begun was made, and records that. One that was not made is dropped.
func (f *Folders) endIntent(ctx context.Context) error {
	text, err := f.Store.Fact(ctx, factMove)
	if err != nil || text == "" {
		return err
	}
	var i intent
	if err := json.Unmarshal([]byte(text), &i); err != nil {
		return f.intend(ctx, intent{}) // an intent of another version, which can't be read
	}
	from, to := string(i.From), string(i.To)
	s, known, err := f.Store.Get(ctx, i.ID)
	if err != nil {
		return err
	}
	if !known || s.Path != from {
		return f.intend(ctx, intent{})
	}
	made, err := f.wasMade(from, to, i)
	if err != nil {
		return err
	}
	if !made {
		return f.intend(ctx, intent{})
	}
	return f.moved(ctx, i.ID, from, to)
}

// wasMade reports whether a file is at its new path, and removes the old one if it is at both.
func (f *Folders) wasMade(from, to string, i intent) (bool, error) {
	there, same, err := f.openSame(to, i.SHA256, i.Size)
	if err != nil || !same {
		return false, err
	}
	if err := there.Close(); err != nil {
		return false, err
	}
	old, err := os.Lstat(from)
	if errors.Is(err, fs.ErrNotExist) {
		return true, nil
	}
	if err != nil {
		return false, err
	}
	is, err := os.Lstat(to)
	if err != nil {
		return false, err
	}
	if os.SameFile(old, is) { // one file with two names: the run ended between adding the new name and removing the old one
		return true, os.Remove(from)
	}
	still, same, err := f.openSame(from, i.SHA256, i.Size)
	if err != nil || !same {
		return err == nil, err // what is there now came later
	}
	return false, still.Close() // someone else put the same bytes there
}

// parseSum parses a SHA-256 in hex.
func parseSum(text string) (sum watch.Sum, err error) {
	if hex.DecodedLen(len(text)) != len(sum) {
		return sum, fmt.Errorf("%q is no SHA-256", text)
	}
	_, err = hex.Decode(sum[:], []byte(text))
	return sum, err
}
