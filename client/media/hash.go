package media

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
)

// hashBlock is how much is read at a time: some tenths of a millisecond of work, the longest that a cancel has to wait.
const hashBlock = 256 << 10

// Hash reads the whole file and gives its SHA-256 in lower-case hex; afterwards the file stands at its beginning again,
// ready to be sent. progress, which may be nil, is called with the bytes done so far, on the caller's goroutine. A file
// that grows or shrinks meanwhile gives a *Changed.
func Hash(ctx context.Context, f *os.File, progress func(done int64)) (string, error) {
	before, err := f.Stat()
	if err != nil {
		return "", refusalFor(f.Name(), err)
	}
	if _, err := f.Seek(0, io.SeekStart); err != nil {
		return "", refusalFor(f.Name(), err)
	}
	sum, block := sha256.New(), make([]byte, hashBlock)
	var done int64
	for done <= before.Size() { // one that grows for ever is not read for ever
		if err := ctx.Err(); err != nil {
			return "", errors.Join(fmt.Errorf("hash a file: %w", err), rewind(f))
		}
		n, err := f.Read(block)
		sum.Write(block[:n])
		done += int64(n)
		if n > 0 && progress != nil {
			progress(done)
		}
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return "", errors.Join(refusalFor(f.Name(), err), rewind(f))
		}
	}
	if done != before.Size() {
		changed := &Changed{Path: f.Name(), SizeWas: before.Size(), SizeIs: done, TimeWas: before.ModTime()}
		if after, err := f.Stat(); err == nil {
			changed.SizeIs, changed.TimeIs = after.Size(), after.ModTime()
		}
		return "", errors.Join(changed, rewind(f))
	}
	return hex.EncodeToString(sum.Sum(nil)), rewind(f)
}

// rewind puts the file back to its beginning.
func rewind(f *os.File) error {
	if _, err := f.Seek(0, io.SeekStart); err != nil {
		return refusalFor(f.Name(), err)
	}
	return nil
}
