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

// moveFile moves a submission's file into a folder, as long as it holds the bytes that were answered; else it stays, and that is
// no error. The intention is on disk before the file is moved, and the submission names its new place afterwards.
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
		err = closing // Windows moves no file that is open
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
			return nil // it has gone elsewhere
		case err != nil:
			return err
		}
		if after, err := os.Lstat(to); err == nil && !sameState(before, after) {
			// Another file had taken its place, or it was written to, in the very moment.
			return renameAlone(to, s.Path)
		}
		if err := errors.Join(durable.SyncFolder(filepath.Dir(s.Path)), durable.SyncFolder(target)); err != nil {
			f.Log.Warn("flush folders after a move", "error", err)
		}
		return f.moved(f.ctx, s.ID, s.Path, to)
	}
}

// sameFolder is false, without an error, where the first folder is gone.
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

// openSame opens a file if it is still a file with these bytes, and no link to one. What is not there, or is another, is no error.
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

// numbered is a file's name, from the second on with a number before its extension.
func numbered(name string, n int) string {
	if n == 1 {
		return name
	}
	extension := filepath.Ext(name)
	return strings.TrimSuffix(name, extension) + " (" + strconv.Itoa(n) + ")" + extension
}

// moved notes where a file lies now with the submissions that have it.
func (f *Folders) moved(ctx context.Context, id, from, to string) error {
	ctx = context.WithoutCancel(ctx)
	if err := f.Queue.Moved(ctx, id, to); err != nil {
		if _, known, failed := f.Store.Get(ctx, id); failed != nil || known {
			return errors.Join(err, failed)
		} // else it was removed, and nobody asks where its file lies
	}
	first, known := f.Queue.Get(id)
	for _, other := range f.moves.others(id, from) { // handed over by hand, or once more
		if s, ok := f.Queue.Get(other); ok && known && s.Path == from && s.SHA256 == first.SHA256 {
			if err := f.Queue.Moved(ctx, other, to); err != nil {
				f.Log.Warn("note where a file lies now", "error", err)
			}
		}
	}
	return f.intend(ctx, intent{})
}

// announcedThere has other watched folders that a file is moved into take its content for announced.
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

// whyNotMoved is what a person reads of a move that failed.
func whyNotMoved(err error, name, target string) string {
	var why string
	switch {
	case errors.Is(err, fs.ErrNotExist):
		why = i18n.F("The folder %s is not there.", shown(target))
	case errors.Is(err, fs.ErrPermission):
		why = i18n.F("You are not allowed to move it to %s.", shown(target))
	default:
		why = sentenceOf(err, i18n.F("It could not be moved to %s. It is tried again.", shown(target)))
	}
	return i18n.F("%s is done, but stays where it is. %s", quoted(name), why)
}

// factMove is the store's fact of the move that was begun last.
const factMove = "folders.move"

// intent is a move as it is on disk before it is made. Paths are bytes: they need not be UTF-8.
type intent struct {
	ID     string `json:"id"` // the submission's
	From   []byte `json:"from"`
	To     []byte `json:"to"`
	SHA256 string `json:"sha256"`
	Size   int64  `json:"size"`
}

// intend writes an intention down, in place of the one before; none, where it has no ID.
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

// endIntent sees what has become of the move that was begun last, and notes it where it was made. One that was not made is as if
// it had never been intended.
func (f *Folders) endIntent(ctx context.Context) error {
	text, err := f.Store.Fact(ctx, factMove)
	if err != nil || text == "" {
		return err
	}
	var i intent
	if err := json.Unmarshal([]byte(text), &i); err != nil {
		return f.intend(ctx, intent{}) // of another version: nothing can be said of it
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

// wasMade reports whether a file lies at its new place, and gives up the old one where it lies at both.
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
	if os.SameFile(old, is) { // one file by two names: the run ended between giving the new one and taking the old one
		return true, os.Remove(from)
	}
	still, same, err := f.openSame(from, i.SHA256, i.Size)
	if err != nil || !same {
		return err == nil, err // what lies there now came later
	}
	return false, still.Close() // somebody else put the same bytes there
}

// parseSum reads a SHA-256 in hex.
func parseSum(text string) (sum watch.Sum, err error) {
	if hex.DecodedLen(len(text)) != len(sum) {
		return sum, fmt.Errorf("%q is no SHA-256", text)
	}
	_, err = hex.Decode(sum[:], []byte(text))
	return sum, err
}
