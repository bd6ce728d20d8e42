package watch

import (
	"encoding/binary"
	"errors"
	"io/fs"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"golang.org/x/sys/unix"
)

// events are those that are asked for. The first two lines are about what lies in a watched folder, the third about itself.
const events = unix.IN_CREATE | unix.IN_MODIFY | unix.IN_ATTRIB | unix.IN_CLOSE_WRITE |
	unix.IN_MOVED_TO | unix.IN_MOVED_FROM | unix.IN_DELETE | unix.IN_EXCL_UNLINK |
	unix.IN_DELETE_SELF | unix.IN_MOVE_SELF | unix.IN_ONLYDIR

const (
	// atOnce is how many bytes of events are taken from the system's queue in one read: some thousand of them.
	atOnce = 128 << 10
	// gather is how long events gather before they are read, after some were: the system merges those that repeat, and a
	// file written in thousands of pieces costs next to nothing. Its queue has room for what comes meanwhile.
	gather = 5 * time.Millisecond
)

// inotify is the source of Linux, read directly, for the sake of IN_CLOSE_WRITE.
//
// The system numbers the folders, not the names that lead there: a folder keeps its number when it is renamed, and has the
// same under two names. Numbers are not used again, so that late events of one that was removed find nothing.
type inotify struct {
	queue *os.File // where the reader waits
	// control is the same queue, where folders are added and removed. It is closed by whoever is last: add may hang in it for
	// ever, and close must not wait for that.
	control int
	emit    func(hint)
	stop    chan struct{}
	ended   chan struct{} // closed when the reader has returned
	ask     func(dir string) (int32, error)

	mu      sync.Mutex
	closed  bool
	folders map[int32][]string // their names, by number: one, but for links and mounts
	numbers map[string]int32
	// moved are those added under their new name before the events of their renaming were read; one of them is to come yet.
	moved map[int32]bool
	// While adding is not 0, lost are the numbers of which add has not written down yet that they ended or were renamed.
	adding int
	lost   map[int32]bool
}

// openSource opens the system's source of hints. errNoRoom: the system has no room for one.
func openSource(emit func(hint)) (source, error) {
	queue, err := unix.InotifyInit1(unix.IN_CLOEXEC | unix.IN_NONBLOCK)
	if err != nil {
		return nil, watchError("", err)
	}
	control, err := unix.FcntlInt(uintptr(queue), unix.F_DUPFD_CLOEXEC, 0)
	if err != nil {
		_ = unix.Close(queue)
		return nil, watchError("", err)
	}
	s := &inotify{
		queue: os.NewFile(uintptr(queue), "inotify"), control: control, emit: emit, stop: make(chan struct{}), ended: make(chan struct{}),
		folders: map[int32][]string{}, numbers: map[string]int32{}, moved: map[int32]bool{}, lost: map[int32]bool{},
	}
	s.ask = func(dir string) (int32, error) {
		number, err := unix.InotifyAddWatch(s.control, dir, events)
		return int32(number), err
	}
	go s.read()
	return s, nil
}

// watchError puts the path to an error, and errNoRoom where that is what it means.
func watchError(dir string, err error) error {
	for _, full := range []error{unix.ENOSPC, unix.EMFILE, unix.ENFILE, unix.ENOMEM} {
		if errors.Is(err, full) {
			err = errors.Join(errNoRoom, err)
			break
		}
	}
	return &fs.PathError{Op: "watch", Path: dir, Err: err}
}

func (s *inotify) closes() bool { return true }

func (s *inotify) add(dir string) error {
	if isNetwork(dir) {
		return watchError(dir, errNoEvents) // mounted below a folder that is on this computer
	}
	for {
		s.mu.Lock()
		if s.closed {
			s.mu.Unlock()
			return watchError(dir, errNoEvents)
		}
		s.adding++
		s.mu.Unlock()

		// This asks the disk, which may not answer: the reader must not wait for it.
		number, err := s.ask(dir)
		if err != nil {
			number = -1
		}
		added := s.added(dir, number)
		if err != nil {
			return watchError(dir, err)
		}
		if added {
			return nil
		}
		// It was removed or renamed at that very moment: what stands there now?
	}
}

// added writes a folder down, or says that its number has ended meanwhile. Number -1: there is none.
func (s *inotify) added(dir string, number int32) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	lost := s.lost[number]
	delete(s.lost, number)
	if s.adding--; s.adding == 0 {
		clear(s.lost)
		if s.closed {
			_ = unix.Close(s.control)
		}
	}
	names := s.folders[number]
	switch {
	case s.closed:
		return false
	case number < 0:
		return true
	case lost:
		if len(names) == 0 {
			s.end(number)
		}
		return false
	case s.numbers[dir] == number:
		return true
	}
	s.drop(dir) // the folder that was there before
	s.folders[number] = append(names, dir)
	s.numbers[dir] = number
	return true
}

func (s *inotify) remove(dir string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.closed {
		s.drop(dir)
	}
}

// drop forgets a name, and ends its folder's number where it has no other. It gives that number, or 0.
func (s *inotify) drop(dir string) int32 {
	number, ok := s.numbers[dir]
	if !ok {
		return 0
	}
	delete(s.numbers, dir)
	names := slices.DeleteFunc(s.folders[number], func(name string) bool { return name == dir })
	s.folders[number] = names
	if len(names) == 0 {
		s.end(number)
	}
	return number
}

func (s *inotify) end(number int32) {
	delete(s.folders, number)
	delete(s.moved, number)
	if !s.closed {
		_, _ = unix.InotifyRmWatch(s.control, uint32(number)) // it may have ended by itself
	}
}

// dropBelow forgets all that is watched below a name.
func (s *inotify) dropBelow(dir string) {
	prefix := strings.TrimSuffix(dir, "/") + "/"
	for name := range s.numbers {
		if strings.HasPrefix(name, prefix) {
			s.drop(name)
		}
	}
}

func (s *inotify) close() error {
	s.mu.Lock()
	if s.closed {
		s.mu.Unlock()
		<-s.ended
		return nil
	}
	s.closed = true
	if s.adding == 0 {
		_ = unix.Close(s.control)
	}
	s.mu.Unlock()
	close(s.stop)
	err := s.queue.Close()
	<-s.ended
	return err
}

// read drains the system's queue until it is closed.
func (s *inotify) read() {
	defer close(s.ended)
	buffer := make([]byte, atOnce)
	batch := newBatch()
	for {
		n, err := s.queue.Read(buffer)
		if err != nil {
			s.broken()
			return
		}
		s.mu.Lock()
		for rest := buffer[:n]; len(rest) >= unix.SizeofInotifyEvent; {
			rest = s.take(rest, batch)
		}
		s.mu.Unlock()
		batch.flush(s.emit)
		if n > atOnce/2 {
			continue
		}
		select {
		case <-time.After(gather):
		case <-s.stop:
			return
		}
	}
}

// broken is for a queue that can't be read any more, which the system has no reason for, unless it was closed: nothing is
// watched from now on.
func (s *inotify) broken() {
	s.mu.Lock()
	var dirs []string
	if !s.closed {
		s.closed = true
		_ = s.queue.Close()
		if s.adding == 0 {
			_ = unix.Close(s.control)
		}
		for dir := range s.numbers {
			dirs = append(dirs, dir)
		}
	}
	s.mu.Unlock()
	for _, dir := range dirs {
		s.emit(hint{dir, dead})
	}
}

// take puts the first event's hints to the batch, and gives what follows it.
func (s *inotify) take(bytes []byte, to *batch) (rest []byte) {
	// struct inotify_event: wd, mask, cookie, len, name padded with NUL
	number := int32(binary.NativeEndian.Uint32(bytes))
	mask := binary.NativeEndian.Uint32(bytes[4:])
	end := unix.SizeofInotifyEvent + int(binary.NativeEndian.Uint32(bytes[12:]))
	name, _, _ := strings.Cut(string(bytes[unix.SizeofInotifyEvent:end]), "\x00")
	rest = bytes[end:]

	if mask&unix.IN_Q_OVERFLOW != 0 {
		clear(s.moved) // what was to come is lost
		to.put(hint{"", overflow})
		return rest
	}
	names := slices.Clone(s.folders[number])
	const ofItself = unix.IN_DELETE_SELF | unix.IN_MOVE_SELF | unix.IN_UNMOUNT | unix.IN_IGNORED
	switch {
	case len(names) == 0 && mask&ofItself != 0 && s.adding > 0:
		s.lost[number] = true
	case mask&unix.IN_MOVE_SELF != 0 && s.moved[number]:
		delete(s.moved, number)
	case mask&ofItself != 0:
		for _, dir := range names {
			s.drop(dir)
			if mask&unix.IN_MOVE_SELF != 0 {
				s.dropBelow(dir)
			}
			to.put(hint{dir, dead})
		}
	default:
		for _, dir := range names {
			s.inside(dir, name, mask, to)
		}
	}
	return rest
}

// inside is for an event of what lies in a folder, or of its own attributes (no name).
func (s *inotify) inside(dir, name string, mask uint32, to *batch) {
	path := dir
	if name != "" {
		path = strings.TrimSuffix(dir, "/") + "/" + name
	}
	switch {
	case mask&unix.IN_MOVED_FROM != 0:
		if mask&unix.IN_ISDIR != 0 {
			s.renamed(path, to)
		}
		to.put(hint{path, left})
	case mask&unix.IN_DELETE != 0:
		to.put(hint{path, left})
	case mask&unix.IN_MOVED_TO != 0:
		to.put(hint{path, arrived})
	case mask&unix.IN_CLOSE_WRITE != 0:
		to.put(hint{path, closed})
	default:
		to.put(hint{path, changed})
	}
}

// renamed forgets a folder that is somewhere else now, and those below it: under the names by which they are known, their
// events would be told of paths that are not theirs. Another one may stand there already, even added: dead has it looked at.
func (s *inotify) renamed(dir string, to *batch) {
	number := s.drop(dir)
	if number == 0 {
		return
	}
	if len(s.folders[number]) > 0 {
		s.moved[number] = true
	}
	s.dropBelow(dir)
	to.put(hint{dir, dead})
}

// batch holds hints in their order, without those that repeat what was said of the same path last.
type batch struct {
	hints []hint
	last  map[string]hintKind
}

func newBatch() *batch { return &batch{last: map[string]hintKind{}} }

func (b *batch) put(h hint) {
	if kind, ok := b.last[h.path]; ok && kind == h.kind {
		return
	}
	b.last[h.path] = h.kind
	b.hints = append(b.hints, h)
}

// flush hands them on, and is empty again.
func (b *batch) flush(emit func(hint)) {
	for _, h := range b.hints {
		emit(h)
	}
	clear(b.hints)
	b.hints = b.hints[:0]
	clear(b.last)
}
