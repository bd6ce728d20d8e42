package folders

import (
	"cmp"
	"container/heap"
	"context"
	"path/filepath"
	"slices"
	"time"

	"assay/client/i18n"
	"assay/client/plain"
	"assay/watch"
)

// Inside describes the files in a folder that would count.
type Inside struct {
	Files int
	Bytes int64
	// Newest are the newest of them, the newest first and at most InsideListed, to choose from.
	Newest []InsideFile
}

// InsideFile is a file in a folder that is not watched yet.
type InsideFile struct {
	Path string // absolute
	Name string // relative to the folder, safe to show
	Size int64
	Time time.Time
}

// InsideListed bounds Inside.Newest.
const InsideListed = 1000

// Look describes the files in a folder that would count, or returns a *Problem if it can't be watched. However many there are, only a few are in
// memory at a time.
func (f *Folders) Look(ctx context.Context, s Settings) (Inside, error) {
	s, err := f.validate(ctx, s, "")
	if err != nil {
		return Inside{}, err
	}
	var inside Inside
	var newest newestFirst
	err = f.list(ctx, s, func(files []watch.Known) error {
		for _, known := range files {
			inside.Files++
			inside.Bytes += known.Size
			newest.offer(known)
		}
		return nil
	})
	if err != nil {
		return Inside{}, err
	}
	slices.SortFunc(newest, func(a, b watch.Known) int { return cmp.Compare(b.Time, a.Time) })
	for _, known := range newest {
		inside.Newest = append(inside.Newest, InsideFile{Path: filepath.Join(s.Path, known.Name), Name: plain.From(known.Name).String(),
			Size: known.Size, Time: time.Unix(0, known.Time)})
	}
	return inside, nil
}

// listedAtOnce is how many files each gets at a time.
const listedAtOnce = 500

// list calls each, on the caller's goroutine, with every file that counts in a folder now. The disk is read on another goroutine, so that list
// returns when ctx ends, even if a share does not answer. The error is a *Problem, each's, or ctx's.
func (f *Folders) list(ctx context.Context, s Settings, each func([]watch.Known) error) error {
	reading, stop := context.WithCancel(ctx)
	defer stop()
	batches, over := make(chan []watch.Known), make(chan error, 1)
	go func() {
		var batch []watch.Known
		hand := func() error {
			select {
			case batches <- batch:
				batch = nil
				return nil
			case <-reading.Done():
				return reading.Err()
			}
		}
		err := watch.List(reading, s.watched(""), f.Own, func(known watch.Known) error {
			if !s.counts(known.Name) {
				return nil
			}
			if batch = append(batch, known); len(batch) < listedAtOnce {
				return nil
			}
			return hand()
		})
		if err == nil && len(batch) > 0 {
			err = hand()
		}
		over <- err
	}()
	for {
		select {
		case batch := <-batches:
			if err := each(batch); err != nil {
				return err
			}
		case err := <-over:
			return problemOf(err, i18n.M("The folder %s can't be read.", shown(s.Path)))
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// newestFirst is a heap with the oldest on top, of at most InsideListed.
type newestFirst []watch.Known

func (n newestFirst) Len() int           { return len(n) }
func (n newestFirst) Less(i, j int) bool { return n[i].Time < n[j].Time }
func (n newestFirst) Swap(i, j int)      { n[i], n[j] = n[j], n[i] }

// Push implements heap.Interface.
func (n *newestFirst) Push(x any) { *n = append(*n, x.(watch.Known)) }

// Pop implements heap.Interface.
func (n *newestFirst) Pop() any {
	last := (*n)[len(*n)-1]
	*n = (*n)[:len(*n)-1]
	return last
}

// offer adds a file if it is among the newest.
func (n *newestFirst) offer(known watch.Known) {
	switch {
	case len(*n) < InsideListed:
		heap.Push(n, known)
	case (*n)[0].Time < known.Time:
		(*n)[0] = known
		heap.Fix(n, 0)
	}
}
