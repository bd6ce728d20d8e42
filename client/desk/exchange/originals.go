package exchange

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"hash"
	"io"
	"io/fs"
	"os"

	"assay/client/desk"
	"assay/client/desk/files"
	"assay/client/events"
	"assay/client/store"
)

// OriginalToShare returns the file itself of a case's item that a person may share, as it would go: its own is the person's file while that is what was checked,
// else the copy that is kept of what was sent. The error is store.ErrNoOriginal where it can't be shared, and fs.ErrNotExist where it isn't here any more.
func OriginalToShare(ctx context.Context, records *store.Store, caseID, id string) (f store.FileToShare, err error) {
	all, err := records.OriginalsToShare(ctx, caseID)
	if err != nil {
		return f, err
	}
	for _, f := range all {
		if f.ID != id {
			continue
		}
		file, _, err := openOriginal(ctx, records, f)
		if err != nil {
			return f, err
		}
		info, err := file.Stat()
		if err == nil {
			f.Size = info.Size()
		}
		return f, cmp.Or(err, file.Close())
	}
	return f, store.ErrNoOriginal
}

// openOriginal opens a file itself, with its hash. The error is fs.ErrNotExist where it isn't here.
func openOriginal(ctx context.Context, records *store.Store, f store.FileToShare) (*os.File, string, error) {
	if file, err := openOwn(ctx, f.Path, f.SHA256, f.Size); err == nil || ctx.Err() != nil {
		return file, f.SHA256, err
	}
	file, kept, err := records.Artifact(ctx, f.RequestID, f.Kind, f.Model)
	return file, kept.SHA256, err
}

// openOwn opens the person's own file if its content still is what was checked, by its hash.
func openOwn(ctx context.Context, path, want string, size int64) (file *os.File, err error) {
	if info, err := os.Stat(path); err != nil || !info.Mode().IsRegular() || info.Size() != size {
		return nil, fs.ErrNotExist
	}
	if file, err = os.Open(path); err != nil { //nolint:gosec // the person's own file, which they share
		return nil, err
	}
	sum := sha256.New()
	_, err = io.Copy(sum, ending{ctx, file})
	if err == nil && hex.EncodeToString(sum.Sum(nil)) != want {
		err = fs.ErrNotExist
	}
	if err == nil {
		_, err = file.Seek(0, io.SeekStart)
	}
	if err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return file, nil
}

// ending is a reader that ends with a context.
type ending struct {
	ctx  context.Context
	from io.Reader
}

func (e ending) Read(p []byte) (int, error) {
	if err := e.ctx.Err(); err != nil {
		return 0, err
	}
	return e.from.Read(p)
}

// hashing is a file that remembers the hashes of what was read of it from its beginning, each time.
type hashing struct {
	*os.File
	sum    hash.Hash
	n      int
	before []string
}

func (h *hashing) Read(p []byte) (int, error) {
	n, err := h.File.Read(p)
	h.sum.Write(p[:n])
	h.n += n
	return n, err
}

func (h *hashing) Seek(offset int64, whence int) (int64, error) {
	if whence == io.SeekStart {
		h.before = h.sums()
		h.sum.Reset()
		h.n = 0
	}
	return h.File.Seek(offset, whence)
}

func (h *hashing) sums() []string {
	if h.n == 0 {
		return h.before
	}
	return append(h.before, hex.EncodeToString(h.sum.Sum(nil)))
}

// sendOriginal sends a file itself. Should the person change it meanwhile, nobody is told of it: the error is fs.ErrNotExist then.
func sendOriginal(ctx context.Context, p Params, to files.Place, f store.FileToShare) (k files.Kept, err error) {
	file, want, err := openOriginal(ctx, p.Store, f)
	if err != nil {
		return k, err
	}
	defer file.Close() //nolint:errcheck // only read from
	read := &hashing{File: file, sum: sha256.New()}
	if k, err = files.Send(ctx, to, read, f.Keep == desk.KeepEncrypted); err != nil {
		return k, err
	}
	for _, sum := range read.sums() {
		if sum != want {
			return k, fs.ErrNotExist
		}
	}
	return k, nil
}

// FetchOriginal fetches the file itself that a colleague has shared of a result, by a person's word. moved is told how many bytes of it are here, from another
// goroutine. The error is fs.ErrNotExist where it isn't there yet, files.ErrOther where it isn't what they shared, or a *files.Problem.
func FetchOriginal(ctx context.Context, p Params, requestID string, moved func(bytes int64)) error {
	f, _, ok, err := p.Store.OriginalToCome(ctx, requestID)
	if err != nil || !ok {
		return cmp.Or(err, fs.ErrNotExist)
	}
	if p.Files == nil {
		return &files.Problem{Err: errors.New("there is no place")}
	}
	at, err := p.Files(ctx)
	if err != nil {
		return err
	}
	if _, err := p.Store.Keep(ctx, f.RequestID, f.Kind, f.Model, func(w io.Writer) error {
		return files.Receive(ctx, at, files.Kept{Name: f.Stored, Size: f.Size, Key: f.Key}, &counting{to: w, moved: moved})
	}); err != nil {
		return err
	}
	if p.Events != nil {
		p.Events.Publish(events.Event{Topic: events.Artifacts, ID: f.ID})
	}
	return nil
}

// counting tells how many bytes were written.
type counting struct {
	to    io.Writer
	moved func(int64)
	n     int64
}

func (c *counting) Write(p []byte) (int, error) {
	n, err := c.to.Write(p)
	c.n += int64(n)
	c.moved(c.n)
	return n, err
}
