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

// events are the events to watch for. The first two lines are about files in a watched folder, the third about the folder itself.
const events = unix.IN_CREATE | unix.IN_MODIFY | unix.IN_ATTRIB | unix.IN_CLOSE_WRITE |
	unix.IN_MOVED_TO | unix.IN_MOVED_FROM | unix.IN_DELETE | unix.IN_EXCL_UNLINK |
	unix.IN_DELETE_SELF | unix.IN_MOVE_SELF | unix.IN_ONLYDIR

const (
	// atOnce is how many bytes of events are read from the queue at a time: some thousand events.
	atOnce = 128 << 10
	// gather is the pause between reads of the queue, which holds what comes meanwhile: a file that is written in thousands of pieces costs next to
	// nothing then. The pause doubles up to gatherMost while more than manyBytes of events come in one. A person does not notice pauses this short.
	gather, gatherMost = 20 * time.Millisecond, 100 * time.Millisecond
	manyBytes          = 4 << 10 // about a hundred events
)

// inotify is the source for Linux, without fsnotify, for the sake of IN_CLOSE_WRITE.
//
// The system's watch numbers are those of folders, not of names: a renamed folder keeps its number, and a folder with two names has one number.
// Numbers are not used again, so that late events of a removed one find nothing.
type inotify struct {
	queue *os.File // for the reader
	// control is the same queue, for adding and removing folders. Its last user closes it: add may hang for ever, and close must not wait for it.
	control int
	emit    func(hint)
	stop    chan struct{}
	ended   chan struct{} // closed when the reader has returned
	ask     func(dir string) (int32, error)

	mu      sync.Mutex
	closed  bool
	folders map[int32][]string // the names of each number: one, but for links and mounts
	numbers map[string]int32
	// moved are those added under their new name before the events of their renaming were read, of which one is still to come.
	moved map[int32]bool
	// While adding is not 0, lost are numbers that ended or were renamed before add has recorded them.
	adding int
	lost   map[int32]bool
}

// openSource opens the system's source of hints. errNoRoom: the system's limit is reached.
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

// watchError adds the path to an error, and errNoRoom where that is its meaning.
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
		return watchError(dir, errNoEvents) // a network file system, mounted below a local folder
	}
	for {
		s.mu.Lock()
		if s.closed {
			s.mu.Unlock()
			return watchError(dir, errNoEvents)
		}
		s.adding++
		s.mu.Unlock()

		// This asks the disk, which may not answer, so that the reader must not wait for it.
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

// added records a folder, or reports that its number has ended meanwhile. Number -1: there is none.
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
	s.drop(dir) // the folder that had this name before
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

// drop forgets a name, and its number if that has no other name. It returns that number, or 0.
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

// dropBelow forgets all watched folders below a name.
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

// read reads the system's queue until it is closed.
func (s *inotify) read() {
	defer close(s.ended)
	buffer := make([]byte, atOnce)
	batch := newBatch()
	pause := gather
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
		switch {
		case n > atOnce/2:
			continue
		case n > manyBytes:
			pause = min(2*pause, gatherMost)
		default:
			pause = gather
		}
		select {
		case <-time.After(pause):
		case <-s.stop:
			return
		}
	}
}

// broken handles a queue that can't be read any more, which only happens once it was closed: nothing is watched from then on.
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

// take adds the hints of the first event to the batch, and returns the bytes after it.
func (s *inotify) take(bytes []byte, to *batch) (rest []byte) {
	// struct inotify_event: wd, mask, cookie, len, name padded with NUL
	number := int32(binary.NativeEndian.Uint32(bytes))
	mask := binary.NativeEndian.Uint32(bytes[4:])
	end := unix.SizeofInotifyEvent + int(binary.NativeEndian.Uint32(bytes[12:]))
	padded := bytes[unix.SizeofInotifyEvent:end]
	if i := slices.Index(padded, 0); i >= 0 {
		padded = padded[:i]
	}
	rest = bytes[end:]

	if mask&unix.IN_Q_OVERFLOW != 0 {
		clear(s.moved) // the events still to come are lost
		to.put(hint{"", overflow})
		return rest
	}
	const ofItself = unix.IN_DELETE_SELF | unix.IN_MOVE_SELF | unix.IN_UNMOUNT | unix.IN_IGNORED
	if mask&ofItself == 0 && to.repeats(number, padded, mask) {
		return rest
	}
	names, name := slices.Clone(s.folders[number]), string(padded)
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

// kindOf is what an event says of a file in a folder.
func kindOf(mask uint32) hintKind {
	switch {
	case mask&(unix.IN_MOVED_FROM|unix.IN_DELETE) != 0:
		return left
	case mask&unix.IN_MOVED_TO != 0:
		return arrived
	case mask&unix.IN_CLOSE_WRITE != 0:
		return closed
	}
	return changed
}

// inside handles an event of a file in a folder, or of the folder's own attributes (no name).
func (s *inotify) inside(dir, name string, mask uint32, to *batch) {
	path := dir
	if name != "" {
		path = strings.TrimSuffix(dir, "/") + "/" + name
	}
	if mask&unix.IN_MOVED_FROM != 0 && mask&unix.IN_ISDIR != 0 {
		s.renamed(path, to)
	}
	to.put(hint{path, kindOf(mask)})
}

// renamed forgets a folder that was renamed or removed, and those below it: their events would have wrong paths. Another folder may have taken the
// name, and even have been added: dead has it scanned.
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

// batch holds hints in order. Of a file's events in a row that say the same, one is enough.
type batch struct {
	hints []hint
	last  map[named]hintKind // what the last event of each file said
}

// named is a file by its folder's number and its name.
type named struct {
	folder int32
	name   string
}

func newBatch() *batch { return &batch{last: map[named]hintKind{}} }

// repeats reports whether an event says what the last one of the same file said.
func (b *batch) repeats(folder int32, name []byte, mask uint32) bool {
	kind := kindOf(mask)
	if last, ok := b.last[named{folder, string(name)}]; ok && last == kind { // makes no copy of the name
		return true
	}
	b.last[named{folder, string(name)}] = kind
	return false
}

func (b *batch) put(h hint) { b.hints = append(b.hints, h) }

// flush emits the hints and empties the batch.
func (b *batch) flush(emit func(hint)) {
	for _, h := range b.hints {
		emit(h)
	}
	clear(b.hints)
	b.hints = b.hints[:0]
	clear(b.last)
}
