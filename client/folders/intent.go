package folders

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"assay/watch"
)

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
