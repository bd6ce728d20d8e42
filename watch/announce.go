package watch

import (
	"context"
	"crypto/sha256"
	"io"
	"os"
	"path/filepath"
	"time"
)

// announce announces the complete files whose content is new, and remembers all of them; they are then finished. It returns the files that were
// announced. It is part of the work.
func (f *folder) announce(ctx context.Context, ready []*inspection) (announced []File, err error) {
	if len(ready) == 0 || !f.mayAnnounce() {
		return nil, ctx.Err()
	}
	sums := make([]Sum, len(ready))
	for n, i := range ready {
		sums[n] = i.fresh
	}
	before, err := f.w.p.Memory.Announced(ctx, f.id, sums)
	if err != nil {
		return nil, &Problem{Kind: ErrNotWritten, Err: err}
	}
	inBatch := make(map[Sum]bool)
	known := make([]Known, len(ready))
	for n, i := range ready {
		e := i.entry
		known[n] = Known{Name: e.name, Size: e.size, Time: e.time, File: e.file, SHA256: i.fresh}
		if !before[n] && !inBatch[i.fresh] {
			inBatch[i.fresh], i.announced = true, true
			announced = append(announced, File{Folder: f.id, Path: filepath.Join(f.settingsPath(), e.name), Size: e.size, Time: time.Unix(0, e.time),
				SHA256: i.fresh})
		}
	}
	if len(announced) > 0 {
		if !f.mayAnnounce() {
			return nil, ctx.Err()
		}
		if err := f.w.p.Announce(ctx, announced); err != nil {
			return nil, &Problem{Kind: ErrNotTaken, Err: err}
		}
	}
	for _, i := range ready {
		i.outcome = finished
	}
	if err := f.remember(ctx, known); err != nil {
		f.owed = append(f.owed, known...)
		return announced, err
	}
	return announced, nil
}

// mayAnnounce reports whether the folder was neither removed nor paused meanwhile.
func (f *folder) mayAnnounce() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return !f.settings.Paused && f.ctx.Err() == nil
}

// settingsPath is the folder's path as it was given.
func (f *folder) settingsPath() string {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.settings.Path
}

// hash returns the hash of a file's content.
func (w *Watcher) hash(ctx context.Context, file *os.File) (Sum, error) {
	if w.p.Hash != nil {
		return w.p.Hash(ctx, file)
	}
	h := sha256.New()
	if _, err := io.Copy(h, &endingReader{ctx, file}); err != nil {
		return Sum{}, err
	}
	return Sum(h.Sum(nil)), nil
}

// endingReader is a reader whose reads fail once its context has ended.
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

// rename remembers files under their new names, with the content that is known of them. It is part of the work.
func (f *folder) rename(ctx context.Context, list []inspection) error {
	moved := make(map[Known]Sum) // keyed without name and content
	var inList []*inspection
	for n := range list {
		if i := &list[n]; i.outcome == renamed {
			inList = append(inList, i)
			moved[nameless(i.entry)] = Sum{}
		}
	}
	if len(inList) == 0 {
		return nil
	}
	err := f.w.p.Memory.Known(ctx, f.id, func(k Known) {
		same := Known{Size: k.Size, Time: k.Time, File: k.File}
		if sum, searched := moved[same]; searched && sum == (Sum{}) {
			moved[same] = k.SHA256
		}
	})
	if err != nil {
		return &Problem{Kind: ErrNotWritten, Err: err}
	}
	known := make([]Known, len(inList))
	for n, i := range inList {
		known[n] = nameless(i.entry)
		known[n].Name, known[n].SHA256 = i.name, moved[nameless(i.entry)]
	}
	if err := f.remember(ctx, known); err != nil {
		return err
	}
	for _, i := range inList {
		i.outcome = finished
	}
	return nil
}

func nameless(e entry) Known {
	return Known{Size: e.size, Time: e.time, File: e.file}
}
