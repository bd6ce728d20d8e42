package media

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"sync"
	"time"
)

// hashBlock is how many bytes are read at a time: some tenths of a millisecond of work, the longest that a cancellation has to wait.
const hashBlock = 256 << 10

// Hash reads the whole file and returns its SHA-256 in lower-case hex; afterwards the file is at its start again, ready to be sent. progress, which
// may be nil, is called with the bytes done so far, on the caller's goroutine. For a file that grows or shrinks meanwhile the error is a *Changed.
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
	for done <= before.Size() { // a file that grows for ever must not be read for ever
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

// rewind seeks to the start of the file.
func rewind(f *os.File) error {
	if _, err := f.Seek(0, io.SeekStart); err != nil {
		return refusalFor(f.Name(), err)
	}
	return nil
}

// settledFor is how long ago a file must have changed for its hash to be remembered: some disks record times so coarsely that another change within a
// moment would not show.
const settledFor = 2 * time.Second

// identity tells a file's contents from another's without reading them.
type identity struct {
	device, number uint64
	size           int64
	changed        int64 // nanoseconds since 1970
	touched        int64 // ChangeTime, which can't be set back
}

// Hashes remembers the hashes of files for as long as those do not change: the same file on the same device, with the same size and times. It is kept
// in memory only; its methods may be called on any goroutine.
type Hashes struct {
	now func() time.Time

	most  int // the most that are remembered: watched folders bring new files for weeks
	mu    sync.Mutex
	known map[identity]string
}

// hashesKept bounds the memory, of about 200 bytes a file.
const hashesKept = 100_000

// NewHashes returns an empty memory. now is the clock.
func NewHashes(now func() time.Time) *Hashes {
	return &Hashes{now: now, most: hashesKept, known: map[identity]string{}}
}

// Hash is the function Hash, unless the file's hash is remembered: then nothing is read, and progress is not called.
func (h *Hashes) Hash(ctx context.Context, f *os.File, progress func(done int64)) (string, error) {
	if before, known := h.identify(f); known {
		h.mu.Lock()
		sum, ok := h.known[before]
		h.mu.Unlock()
		if ok {
			return sum, rewind(f)
		}
	}
	remember := h.Reading(f)
	sum, err := Hash(ctx, f, progress)
	if err != nil {
		return "", err
	}
	remember(sum)
	return sum, nil
}

// Reading returns a function that remembers the hash of a file, for a caller who reads the whole file himself, unless the file has changed since then.
func (h *Hashes) Reading(f *os.File) (remember func(sum string)) {
	before, known := h.identify(f)
	return func(sum string) {
		after, still := h.identify(f)
		if !known || !still || after != before || h.now().Sub(time.Unix(0, after.changed)) < settledFor {
			return
		}
		h.mu.Lock()
		defer h.mu.Unlock()
		for other := range h.known {
			if len(h.known) < h.most {
				break
			}
			delete(h.known, other) // any one: it is read again if it is needed
		}
		h.known[after] = sum
	}
}

// identify returns false for a file that can't be told from others.
func (h *Hashes) identify(f *os.File) (identity, bool) {
	info, err := f.Stat()
	if err != nil {
		return identity{}, false
	}
	device, number, ok := fileNumber(f, info)
	return identity{device: device, number: number, size: info.Size(), changed: info.ModTime().UnixNano(), touched: ChangeTime(info)}, ok
}
