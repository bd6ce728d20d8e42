package bundle

import (
	"archive/zip"
	"bufio"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"hash"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// entry is a file that was written.
type entry struct {
	name   string // its path in the bundle
	sha256 string // hex
	size   int64
}

// bag writes the files of a bundle, one at a time, in the order in which they will be in its manifests.
type bag struct {
	ctx     context.Context
	into    container
	payload []entry
	tags    []entry
	copied  func(n int64) // is told of bytes of media and artifacts; never nil
}

// container is where the files go: a folder or a .zip.
type container interface {
	// create begins a file. The one before is complete then.
	create(name string) (io.Writer, error)
	// finish completes the last file.
	finish() error
}

// add writes a file with what write writes.
func (b *bag) add(name string, write func(io.Writer) error) (entry, error) {
	if err := b.ctx.Err(); err != nil {
		return entry{}, err
	}
	file, err := b.into.create(name)
	if err != nil {
		return entry{}, err
	}
	counted := &counter{to: file, hash: sha256.New()}
	if err := write(counted); err != nil {
		return entry{}, err
	}
	e := entry{name, hex.EncodeToString(counted.hash.Sum(nil)), counted.n}
	switch {
	case strings.HasPrefix(name, PayloadFolder):
		b.payload = append(b.payload, e)
	case !strings.HasPrefix(name, SealFolder) && name != TagManifestFile:
		b.tags = append(b.tags, e)
	}
	return e, nil
}

// addText writes a file of text.
func (b *bag) addText(name string, text []byte) error {
	_, err := b.add(name, func(w io.Writer) error {
		_, err := w.Write(text)
		return err
	})
	return err
}

// addBuffered is add for writers of very short pieces.
func (b *bag) addBuffered(name string, write func(io.Writer) error) error {
	_, err := b.add(name, func(w io.Writer) error {
		buffered := bufio.NewWriterSize(w, 64<<10)
		return errors.Join(write(buffered), buffered.Flush())
	})
	return err
}

// addCopy writes what is read, as it is, and reports its bytes as they are copied.
func (b *bag) addCopy(name string, from io.Reader) (entry, error) {
	return b.add(name, func(w io.Writer) error {
		buffer := make([]byte, 1<<20)
		for {
			if err := b.ctx.Err(); err != nil {
				return err
			}
			n, err := from.Read(buffer)
			if n > 0 {
				if _, err := w.Write(buffer[:n]); err != nil {
					return err
				}
				b.copied(int64(n))
			}
			if errors.Is(err, io.EOF) {
				return nil
			}
			if err != nil {
				return &unreadable{err}
			}
		}
	})
}

// unreadable is why a file that goes into the bundle could not be read to its end.
type unreadable struct{ error }

func (u *unreadable) Unwrap() error { return u.error }

// counter hashes and counts what is written.
type counter struct {
	to   io.Writer
	hash hash.Hash
	n    int64
}

func (c *counter) Write(p []byte) (int, error) {
	n, err := c.to.Write(p)
	c.hash.Write(p[:n])
	c.n += int64(n)
	return n, err
}

// manifest is the content of a manifest of files.
func manifest(files []entry) []byte {
	var text bytes.Buffer
	for _, e := range files {
		text.WriteString(e.sha256 + "  " + manifestEscapes.Replace(e.name) + "\n")
	}
	return text.Bytes()
}

// folder is a container that is a folder. Whoever made it flushes it to the disk.
type folder struct {
	root string
	open *os.File // nil: none
	made map[string]bool
}

func (f *folder) create(name string) (io.Writer, error) {
	if err := f.finish(); err != nil {
		return nil, err
	}
	full := filepath.Join(f.root, filepath.FromSlash(name))
	if inside := filepath.Dir(full); !f.made[inside] {
		if err := os.MkdirAll(inside, 0o777); err != nil { //nolint:gosec // the system's umask takes permissions away
			return nil, err
		}
		f.made[inside] = true
	}
	var err error
	f.open, err = os.OpenFile(full, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666) //nolint:gosec // likewise
	return f.open, err
}

func (f *folder) finish() error {
	if f.open == nil {
		return nil
	}
	open := f.open
	f.open = nil
	return open.Close()
}

// zipTime is the time of every file in a .zip: the earliest that the format knows. That of the bundle is in its bag-info.txt.
var zipTime = time.Date(1980, time.January, 1, 0, 0, 0, 0, time.UTC)

// zipped is a container that is a .zip, with everything in one folder in it, as BagIt asks.
type zipped struct {
	*zip.Writer
	top string // that folder's name
}

func (z zipped) create(name string) (io.Writer, error) {
	header := &zip.FileHeader{Name: z.top + "/" + name, Modified: zipTime, Method: zip.Store} // see ZipEnding
	header.SetMode(0o644)
	return z.CreateHeader(header)
}

func (z zipped) finish() error { return z.Close() }
