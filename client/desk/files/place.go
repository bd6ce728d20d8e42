// Package files keeps what is too large for the desk's database where all members can reach it: in a shared folder, or in an S3-compatible store. Each file is
// named by the SHA-256 of what is kept, so that nothing else can pass for it, and may be encrypted with a key of its own. It imports client/durable and client/i18n.
package files

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"

	"assay/client/durable"
	"assay/client/i18n"
)

// Place is where files are kept. Its methods may be called on any goroutine. Their errors are Problems, fs.ErrNotExist, those of what is read, or the context's.
type Place interface {
	// Put keeps content, of this size in bytes, under a name, unless that is there.
	Put(ctx context.Context, name string, size int64, content io.Reader) error
	// Get opens what has a name. The error is fs.ErrNotExist where there is none, or not yet.
	Get(ctx context.Context, name string) (io.ReadCloser, error)
	// Check asks the place whether files can be fetched there.
	Check(ctx context.Context) error
}

// Cause is what keeps files from being kept or fetched.
type Cause string

// The causes. The empty one may be over without anybody's help.
const (
	NoKey    Cause = "no key"    // for a store
	WrongKey Cause = "wrong key" // the store does not accept it, or lets it do too little
	NoBucket Cause = "no bucket"
	Full     Cause = "full"
)

// Problem is why files can't be kept or fetched at their place. Its text is for a log. It is no fs.ErrNotExist, whatever is behind it: that means a file.
type Problem struct {
	Cause Cause
	Err   error
}

func (p *Problem) Error() string { return "the desk's files: " + p.Err.Error() }

// UserMessage is what the person reads.
func (p *Problem) UserMessage() i18n.Message {
	switch {
	case p.Cause == NoKey:
		return i18n.M("Assay has no key for the store of the desk's files. Your IT has one: join the desk again with it.")
	case p.Cause == WrongKey:
		return i18n.M("The store of the desk's files does not accept the key, or does not let it read and write. Ask your IT.")
	case p.Cause == NoBucket:
		return i18n.M("The store of the desk's files has no such bucket. Ask your IT.")
	case p.Cause == Full || durable.IsFull(p.Err):
		return i18n.M("There is no room left where the desk's files are kept. Assay tries again later; ask your IT.")
	}
	return i18n.M("Assay can't read or write where the desk's files are kept. It tries again; the rest of the desk works.")
}

// Options are what a store needs; a folder needs none.
type Options struct {
	Key       string            // ACCESS:SECRET
	Transport http.RoundTripper // nil: the usual
}

// ErrAddress means that a text is no address of a place for files.
var ErrAddress = errors.New("no address of a place for files")

// CheckAddress reports whether a text is the whole path of a folder, or the address of a store: with https, but on this computer. The error is ErrAddress.
func CheckAddress(address string) error {
	if IsStore(address) {
		if _, ok := locate(address); !ok {
			return ErrAddress
		}
		return nil
	}
	if !filepath.IsAbs(address) {
		return ErrAddress
	}
	return nil
}

// Open is the place with an address: the path of a folder, or a store such as https://files.example.org/bucket/prefix. It reads and asks nothing yet.
func Open(address string, o Options) (Place, error) {
	switch {
	case CheckAddress(address) != nil:
		return nil, ErrAddress
	case IsStore(address):
		return openStore(address, o)
	}
	return folder(address), nil
}

// folder keeps files in a folder that the members' computers share.
type folder string

func (f folder) Put(_ context.Context, name string, size int64, content io.Reader) error {
	path, err := f.path(name)
	if err != nil {
		return err
	}
	if there, err := os.Stat(path); err == nil && there.Size() == size {
		return nil
	}
	read := &remembering{from: content}
	// A folder that isn't there is not made: it is where the share would be, were it connected.
	err = durable.Write(path, durable.Options{Temp: "unfinished-*", ForOthers: true}, func(w io.Writer) error {
		_, err := io.Copy(w, read)
		return err
	})
	if err == nil || read.failed != nil {
		return read.failed
	}
	return &Problem{Err: err}
}

func (f folder) Get(_ context.Context, name string) (io.ReadCloser, error) {
	path, err := f.path(name)
	if err != nil {
		return nil, err
	}
	file, err := os.Open(path) //nolint:gosec // a hash in the folder that IT chose
	if errors.Is(err, fs.ErrNotExist) {
		if _, gone := os.Stat(string(f)); gone != nil {
			return nil, &Problem{Err: gone}
		}
		return nil, fs.ErrNotExist
	}
	if err != nil {
		return nil, &Problem{Err: err}
	}
	return file, nil
}

func (f folder) Check(context.Context) error {
	if _, err := os.Stat(string(f)); err != nil {
		return &Problem{Err: err}
	}
	return nil
}

func (f folder) path(name string) (string, error) {
	if !isName(name) { // a colleague's word
		return "", fs.ErrNotExist
	}
	return filepath.Join(string(f), name), nil
}

// isName reports whether a text is a SHA-256 in hex, lower case.
func isName(text string) bool {
	for _, c := range []byte(text) {
		if (c < '0' || c > '9') && (c < 'a' || c > 'f') {
			return false
		}
	}
	return len(text) == 64
}

// remembering remembers an error of what is read.
type remembering struct {
	from   io.Reader
	failed error
}

func (r *remembering) Read(p []byte) (int, error) {
	n, err := r.from.Read(p)
	if err != nil && !errors.Is(err, io.EOF) {
		r.failed = err
	}
	return n, err
}
