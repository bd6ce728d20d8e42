//go:build linux

package watch

import (
	"context"
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"testing"
	"time"
)

// TestManyFilesAtOnce lets 50,000 files come while whoever takes files over has stopped at the first. None is lost, none comes
// twice, and what is kept of them meanwhile stays small.
func TestManyFilesAtOnce(t *testing.T) {
	number := 50_000
	if testing.Short() {
		number = 5_000
	}
	dir := t.TempDir()
	counts := make([]int, number)
	left, all := number, make(chan struct{})
	gate, held := make(chan struct{}), make(chan struct{})
	var once sync.Once
	w, err := Open(Params{
		Memory: newTestMemory(),
		Announce: func(ctx context.Context, files []File) error {
			once.Do(func() { close(held) })
			select {
			case <-gate:
			case <-ctx.Done():
				return ctx.Err()
			}
			for _, f := range files {
				var n int
				if _, err := fmt.Sscanf(filepath.Base(f.Path), "%d.jpg", &n); err != nil {
					return err
				}
				if counts[n]++; counts[n] == 1 {
					if left--; left == 0 {
						close(all)
					}
				}
			}
			return nil
		},
	})
	must(t, err)
	defer w.Close()
	must(t, w.Add(Folder{ID: "many", Path: dir}))
	limit, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	defer cancel()
	must(t, w.waitIdle(limit))
	before := heapInUse()
	for n := range number {
		content := binary.LittleEndian.AppendUint64(nil, uint64(n)+1)
		must(t, os.WriteFile(filepath.Join(dir, fmt.Sprintf("%05d.jpg", n)), content, 0o600))
	}
	select {
	case <-held:
	case <-limit.Done():
		t.Fatal("nothing was announced")
	}
	if kept := heapInUse() - before; kept > 32<<20 {
		t.Errorf("%d MB are kept of %d files that wait, want at most 32", kept>>20, number)
	}
	close(gate)
	select {
	case <-all:
	case <-limit.Done():
		t.Fatalf("%d of %d files were lost", left, number)
	}
	if err := w.waitIdle(limit); err != nil {
		t.Errorf("the watcher does not come to rest: %v", err)
	}
	w.Close()
	for n, count := range counts {
		if count != 1 {
			t.Fatalf("%05d.jpg was announced %d times", n, count)
		}
	}
}

// heapInUse is how many bytes are in use after all garbage was collected.
func heapInUse() int64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

// TestManyFolders watches a hundred folders at once, one in which nobody takes files over among them: it holds up no other.
func TestManyFolders(t *testing.T) {
	const number = 100
	base := t.TempDir()
	var mu sync.Mutex
	got, left, all := make(map[string]int), number-1, make(chan struct{})
	w, err := Open(Params{
		Memory: newTestMemory(),
		Announce: func(ctx context.Context, files []File) error {
			if files[0].Folder == "000" {
				<-ctx.Done()
				return ctx.Err()
			}
			mu.Lock()
			defer mu.Unlock()
			for _, f := range files {
				if got[f.Folder]++; got[f.Folder] == 1 {
					if left--; left == 0 {
						close(all)
					}
				}
			}
			return nil
		},
	})
	must(t, err)
	defer w.Close()
	for n := range number {
		id := fmt.Sprintf("%03d", n)
		must(t, os.Mkdir(filepath.Join(base, id), 0o700))
		must(t, w.Add(Folder{ID: id, Path: filepath.Join(base, id)}))
	}
	for n := range number {
		id := fmt.Sprintf("%03d", n)
		must(t, os.WriteFile(filepath.Join(base, id, "a.jpg"), []byte(id), 0o600))
	}
	limit, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	select {
	case <-all:
	case <-limit.Done():
		mu.Lock()
		t.Errorf("files of %d folders were lost", left)
		mu.Unlock()
	}
	w.Close()
	for id, count := range got {
		if count != 1 {
			t.Errorf("the file of %s was announced %d times", id, count)
		}
	}
}
