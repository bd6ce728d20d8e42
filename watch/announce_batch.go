package watch

import (
	"context"
	"crypto/sha256"
	"io"
	"os"
	"path/filepath"
	"time"
)

// handOver announces those complete files whose content is new, and remembers all. It is part of the work. Those that are done
// with are finished after it; told are those that were announced.
func (f *folder) handOver(ctx context.Context, ready []*inspection) (told []File, err error) {
	if len(ready) == 0 || !f.mayAnnounce() {
		return nil, ctx.Err()
	}
	sums := make([]Sum, len(ready))
	for n, i := range ready {
		sums[n] = i.fresh
	}
	before, err := f.w.p.Memory.Announced(ctx, f.id, sums)
	if err != nil {
		return nil, &memoryError{err}
	}
	inBatch := make(map[Sum]bool)
	known := make([]Known, len(ready))
	for n, i := range ready {
		e := i.entry
		known[n] = Known{Name: e.name, Size: e.size, Time: e.time, File: e.file, SHA256: i.fresh}
		if !before[n] && !inBatch[i.fresh] {
			inBatch[i.fresh], i.told = true, true
			told = append(told, File{Folder: f.id, Path: filepath.Join(f.settingsPath(), e.name), Size: e.size, Time: time.Unix(0, e.time),
				SHA256: i.fresh})
		}
	}
	if len(told) > 0 {
		if !f.mayAnnounce() {
			return nil, ctx.Err()
		}
		if err := f.w.p.Announce(ctx, told); err != nil {
			return nil, handOverProblem(err)
		}
	}
	for _, i := range ready {
		i.outcome = finished
	}
	if err := f.remember(ctx, known); err != nil {
		f.owed = append(f.owed, known...)
		return told, err
	}
	return told, nil
}

func handOverProblem(err error) error {
	if _, speaks := err.(interface{ Sentence() string }); speaks { //nolint:errorlint // only its own sentence fits
		return err
	}
	return &handOverError{err}
}

// mayAnnounce reports whether nothing has come in between: the folder was neither removed nor paused.
func (f *folder) mayAnnounce() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return !f.removed && !f.settings.Paused && f.ctx.Err() == nil
}

// settingsPath is the folder's path as it was given.
func (f *folder) settingsPath() string {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.settings.Path
}

// hash gives a file's content.
func (w *Watcher) hash(ctx context.Context, file *os.File) (Sum, error) {
	if w.p.Hash != nil {
		return w.p.Hash(ctx, file)
	}
	h := sha256.New()
	if _, err := io.CopyBuffer(h, &endingReader{ctx, file}, make([]byte, 256<<10)); err != nil {
		return Sum{}, err
	}
	return Sum(h.Sum(nil)), nil
}

// endingReader ends with its context.
type endingReader struct {
	ctx context.Context
	r   io.Reader
}

func (e *endingReader) Read(p []byte) (int, error) {
	if err := e.ctx.Err(); err != nil {
		return 0, err
	}
	return e.r.Read(p)
}
