//go:build linux

package watch

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"hash"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

// slowWritersNumber is how many there are.
func slowWritersNumber() int {
	if testing.Short() {
		return 1000
	}
	return 10_000
}

// TestSlowWriters holds every announcement to the content that its writer finished, by SHA-256: nothing half, nothing twice,
// nothing lost.
func TestSlowWriters(t *testing.T) {
	t.Run("keep their files open, and pause longer than the quiet time", testWritersThatKeepOpen)
	t.Run("pause shorter than the quiet time, where no event tells of a close", testWritersThatPause)
}

// slowWriters is what became of them.
type slowWriters struct {
	mu        sync.Mutex
	finished  map[string]Sum // by path
	announced map[string][]Sum
	want      int
	all       chan struct{} // closed when so many files were announced
}

func newSlowWriters(want int) *slowWriters {
	return &slowWriters{finished: make(map[string]Sum), announced: make(map[string][]Sum), want: want, all: make(chan struct{})}
}

func (s *slowWriters) finish(path string, sum Sum) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.finished[path] = sum
}

func (s *slowWriters) announce(_ context.Context, files []File) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, f := range files {
		s.announced[f.Path] = append(s.announced[f.Path], f.SHA256)
		if s.want--; s.want == 0 {
			close(s.all)
		}
	}
	return nil
}

// check says what is wrong, of at most ten files.
func (s *slowWriters) check() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	var errs []error
	for path, sum := range s.finished {
		switch sums := s.announced[path]; {
		case len(sums) == 0:
			errs = append(errs, fmt.Errorf("%s was lost", filepath.Base(path)))
		case len(sums) > 1:
			errs = append(errs, fmt.Errorf("%s was announced %d times", filepath.Base(path), len(sums)))
		case sums[0] != sum:
			errs = append(errs, fmt.Errorf("%s was announced half", filepath.Base(path)))
		}
	}
	for path := range s.announced {
		if _, finished := s.finished[path]; !finished {
			errs = append(errs, fmt.Errorf("%s was announced under a name that nobody gave it in the end", filepath.Base(path)))
		}
	}
	return errors.Join(errs[:min(len(errs), 10)]...)
}

// openWriter writes a file in bursts, in one of the ways in which programs do it.
type openWriter struct {
	path  string // in the end
	way   writersWay
	rng   *rand.Rand
	file  *os.File
	sum   hash.Hash
	sizes []int // of the bursts
}

type writersWay int

const (
	inPlace          writersWay = iota
	renamedWhenDone             // what browsers do
	renamedWhileOpen            // what some of them did
	sizedBefore                 // the file has its full size from the start
	writersWays
)

func newOpenWriter(path string, seed uint64) *openWriter {
	rng := rand.New(rand.NewPCG(seed, 10_000)) //nolint:gosec // it must be repeatable
	w := &openWriter{path: path, way: writersWay(rng.IntN(int(writersWays))), rng: rng, sum: sha256.New()}
	for range 2 + rng.IntN(5) {
		w.sizes = append(w.sizes, 1+rng.IntN(4000))
	}
	return w
}

// burst writes one, after all the other writers have written theirs. It returns true when the file is finished.
func (w *openWriter) burst(finish func(path string, sum Sum)) (done bool, err error) {
	if w.file == nil {
		return false, w.open()
	}
	piece := make([]byte, w.sizes[0])
	w.sizes = w.sizes[1:]
	for i := range piece {
		piece[i] = byte(w.rng.Uint32())
	}
	_, _ = w.sum.Write(piece) // never fails
	for half := range 2 {     // two writes to a burst
		if _, err := w.file.Write(piece[half*len(piece)/2 : (half+1)*len(piece)/2]); err != nil {
			return false, err
		}
	}
	if w.way == renamedWhileOpen && len(w.sizes) == 1 {
		if err := os.Rename(w.path+".part", w.path); err != nil {
			return false, err
		}
	}
	if len(w.sizes) > 0 {
		return false, nil
	}
	finish(w.path, Sum(w.sum.Sum(nil)))
	if err := w.file.Close(); err != nil {
		return false, err
	}
	if w.way == renamedWhenDone {
		return true, os.Rename(w.path+".part", w.path)
	}
	return true, nil
}

func (w *openWriter) open() (err error) {
	name, size := w.path, 0
	switch w.way {
	case renamedWhenDone, renamedWhileOpen:
		name += ".part"
	case sizedBefore:
		for _, n := range w.sizes {
			size += n
		}
	}
	if w.file, err = os.Create(name); err != nil {
		return err
	}
	return w.file.Truncate(int64(size))
}

// testWritersThatKeepOpen plays on the system's own events and clock. The quiet time is a millisecond, so that every pause of a
// writer, which lasts as long as all the others take for their bursts, is longer.
func testWritersThatKeepOpen(t *testing.T) {
	const hands, openAtOnce = 2, 200
	number, dir := slowWritersNumber(), t.TempDir()
	outcome := newSlowWriters(number)
	w, err := Open(Params{Memory: newTestMemory(), Announce: outcome.announce})
	must(t, err)
	defer w.Close()
	must(t, w.Add(Folder{ID: "slow", Path: dir, Quiet: time.Millisecond}))
	var writing sync.WaitGroup
	errs := make([]error, hands)
	for hand := range hands {
		writing.Go(func() {
			var writers []*openWriter
			for next := hand; next < number || len(writers) > 0; {
				for ; next < number && len(writers) < openAtOnce; next += hands {
					writers = append(writers, newOpenWriter(filepath.Join(dir, fmt.Sprintf("%05d.jpg", next)), uint64(next)))
				}
				kept := writers[:0]
				for _, writer := range writers {
					done, err := writer.burst(outcome.finish)
					if err != nil {
						errs[hand] = err
						return
					}
					if !done {
						kept = append(kept, writer)
					}
				}
				writers = kept
			}
		})
	}
	writing.Wait()
	must(t, errors.Join(errs...))
	limit, cancel := context.WithTimeout(t.Context(), 3*time.Minute)
	defer cancel()
	select {
	case <-outcome.all:
	case <-limit.Done():
	}
	if err := w.waitIdle(limit); err != nil {
		t.Errorf("the watcher does not come to rest: %v", err)
	}
	w.Close()
	if err := outcome.check(); err != nil {
		t.Error(err)
	}
}

// testWritersThatPause plays by the rules of Windows, on a clock that stands still between bursts. Nobody has a file open
// between them, so that only its rest can tell.
func testWritersThatPause(t *testing.T) {
	const openAtOnce, pause = 200, time.Second
	number := slowWritersNumber()
	outcome := newSlowWriters(number)
	s := newStage(t, windowsRules, false)
	s.receive = outcome.announce
	must(t, s.open())
	type writer struct {
		*scriptWriter
		sizes []int
		name  string
	}
	rng := rand.New(rand.NewPCG(1, 10_000)) //nolint:gosec // it must be repeatable
	var writers []*writer
	for next := 0; next < number || len(writers) > 0; {
		for ; next < number && len(writers) < openAtOnce; next++ {
			path := s.path(fmt.Sprintf("%05d.jpg", next))
			opened, err := s.openWriter(path, os.O_TRUNC)
			must(t, err)
			w := &writer{scriptWriter: opened, name: path}
			for range 2 + rng.IntN(4) {
				w.sizes = append(w.sizes, 1+rng.IntN(1000))
			}
			writers = append(writers, w)
		}
		kept := writers[:0]
		for _, w := range writers {
			for range min(1+rng.IntN(2), len(w.sizes)) {
				must(t, s.append(w.scriptWriter, s.content("", w.sizes[0]), -1))
				w.sizes = w.sizes[1:]
			}
			if len(w.sizes) > 0 {
				kept = append(kept, w)
				continue
			}
			content, err := os.ReadFile(w.name)
			must(t, err)
			outcome.finish(w.name, sha256.Sum256(content))
		}
		writers = kept
		must(t, s.wait(pause))
	}
	if err := errors.Join(s.wait(time.Minute), s.end(), outcome.check()); err != nil {
		t.Errorf("%v\nWhat the watcher logged:\n%s", err, lastLines(s.log.String(), 20))
	}
}

func lastLines(text string, most int) string {
	lines := strings.Split(text, "\n")
	return strings.Join(lines[max(0, len(lines)-most):], "\n")
}
