package files

import (
	"bufio"
	"bytes"
	"context"
	"crypto/aes"
	"crypto/cipher"
	"crypto/rand"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"io"

	"assay/client/i18n"
)

// Kept is a file at its place.
type Kept struct {
	Name string // SHA-256 of what is kept, hex
	Size int64  // of the file itself, in bytes
	Key  []byte // by which it is encrypted; nil: it is kept as it is
}

// keySize is that of AES-256, in bytes.
const keySize = 32

// ErrOther means that what is kept under a name is not what was put there.
var ErrOther error = otherFile{}

type otherFile struct{}

func (otherFile) Error() string { return "the file was changed where it is kept" }

// UserMessage is what the person reads.
func (otherFile) UserMessage() i18n.Message {
	return i18n.M("The file was changed where the desk's files are kept, so Assay does not use it. Tell your IT.")
}

// Send puts a file at a place, encrypted with a new key where encrypt says so. It reads the file twice: its name is the hash of what is kept.
func Send(ctx context.Context, to Place, file io.ReadSeeker, encrypt bool) (k Kept, err error) {
	if encrypt {
		k.Key = make([]byte, keySize)
		rand.Read(k.Key) //nolint:errcheck // it never fails
	}
	begin := func() (io.Reader, error) {
		if _, err := file.Seek(0, io.SeekStart); err != nil || !encrypt {
			return file, err
		}
		return newCoder(file, k.Key, false)
	}
	content, err := begin()
	if err != nil {
		return Kept{}, err
	}
	hash := sha256.New()
	stored, err := io.Copy(hash, content)
	if err != nil {
		return Kept{}, err
	}
	if k.Size, err = file.Seek(0, io.SeekCurrent); err != nil {
		return Kept{}, err
	}
	k.Name = hex.EncodeToString(hash.Sum(nil))
	if content, err = begin(); err != nil {
		return Kept{}, err
	}
	return k, to.Put(ctx, k.Name, stored, content)
}

// Receive writes a file from its place. An error after which some was written means that it is not the file.
func Receive(ctx context.Context, from Place, k Kept, w io.Writer) error {
	kept, err := from.Get(ctx, k.Name)
	if err != nil {
		return err
	}
	defer kept.Close() //nolint:errcheck // only read from
	read := &remembering{from: kept}
	hash := sha256.New()
	stored := io.TeeReader(io.LimitReader(read, k.Size+k.Size/chunk*overhead+2*overhead), hash) // no more than there can be
	content := stored
	if k.Key != nil {
		if content, err = newCoder(stored, k.Key, true); err != nil {
			return err
		}
	}
	n, err := io.Copy(w, content)
	switch {
	case read.failed != nil:
		return &Problem{Err: read.failed}
	case err != nil:
		return err
	case n != k.Size || hex.EncodeToString(hash.Sum(nil)) != k.Name:
		return ErrOther
	}
	return nil
}

const (
	chunk    = 64 << 10 // bytes of a file that are encrypted at a time
	overhead = 16       // by which each becomes longer: its tag
	counted  = 8        // bytes of the nonce that count the chunks
)

// coder encrypts or decrypts what it reads, with AES-256-GCM in chunks. A key is of one file, so that the chunks' nonces are counted; the last byte of a nonce
// marks the last chunk, without which a file that was cut off could pass for a whole one.
type coder struct {
	from    *bufio.Reader
	aead    cipher.AEAD
	decrypt bool
	in      []byte
	coded   []byte
	out     bytes.Reader // of coded
	n       uint64
	last    bool
}

func newCoder(from io.Reader, key []byte, decrypt bool) (*coder, error) {
	if len(key) != keySize {
		return nil, ErrOther
	}
	block, err := aes.NewCipher(key)
	if err != nil {
		return nil, err
	}
	aead, err := cipher.NewGCM(block)
	if err != nil {
		return nil, err
	}
	c := &coder{from: bufio.NewReader(from), aead: aead, decrypt: decrypt, in: make([]byte, chunk)}
	if decrypt {
		c.in = make([]byte, chunk+overhead)
	}
	return c, nil
}

func (c *coder) Read(p []byte) (int, error) {
	for c.out.Len() == 0 {
		if c.last {
			return 0, io.EOF
		}
		if err := c.next(); err != nil {
			return 0, err
		}
	}
	return c.out.Read(p)
}

func (c *coder) next() error {
	n, err := io.ReadFull(c.from, c.in)
	if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		return err
	}
	if _, err := c.from.Peek(1); errors.Is(err, io.EOF) {
		c.last = true
	} else if err != nil {
		return err
	}
	nonce := make([]byte, c.aead.NonceSize())
	binary.BigEndian.PutUint64(nonce[len(nonce)-1-counted:], c.n)
	if c.last {
		nonce[len(nonce)-1] = 1
	}
	c.n++
	if !c.decrypt {
		c.coded = c.aead.Seal(c.coded[:0], nonce, c.in[:n], nil) //nolint:gosec // the nonce counts
	} else if c.coded, err = c.aead.Open(c.coded[:0], nonce, c.in[:n], nil); err != nil {
		return ErrOther
	}
	c.out.Reset(c.coded)
	return nil
}
