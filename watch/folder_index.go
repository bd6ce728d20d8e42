package watch

import (
	"context"
	"encoding/binary"
	"hash/maphash"
	"os"
)

// index is what is remembered of a folder's files, without their names and contents: about 100 bytes a file. It belongs to
// whoever does the folder's work at the time.
type index struct {
	seeds  [2]maphash.Seed
	byName map[nameKey]int32
	byFile map[uint64]int32 // by number, size and time: finds a file that has another name now
	slots  []record
	free   []int32
	round  uint32 // of looking at all
	here   int    // those that stand there as they are known
}

// nameKey is a name's hash, long enough that no two names of a folder share one.
type nameKey [2]uint64

// slot is one remembered file. Two of equal stamps have the same size and time, two of equal marks the same number too.
type record struct {
	key    nameKey
	stamp  uint64
	mark   uint64 // 0: the system numbers no files there
	round  uint32
	here   bool // it stood there as it is known when it was looked for last
	gone   bool // the system told that it went
	unread bool // its content is not known: it stood there when the folder was added
}

func newIndex() *index {
	return &index{
		seeds:  [2]maphash.Seed{maphash.MakeSeed(), maphash.MakeSeed()},
		byName: make(map[nameKey]int32),
		byFile: make(map[uint64]int32),
	}
}

func (x *index) key(name string) nameKey {
	return nameKey{maphash.String(x.seeds[0], name), maphash.String(x.seeds[1], name)}
}

func (x *index) stamp(size, time int64) uint64 {
	var b [16]byte
	binary.LittleEndian.PutUint64(b[:8], uint64(size))
	binary.LittleEndian.PutUint64(b[8:], uint64(time))
	return maphash.Bytes(x.seeds[0], b[:])
}

func (x *index) mark(size, time int64, file uint64) uint64 {
	if file == 0 {
		return 0
	}
	var b [24]byte
	binary.LittleEndian.PutUint64(b[:8], uint64(size))
	binary.LittleEndian.PutUint64(b[8:16], uint64(time))
	binary.LittleEndian.PutUint64(b[16:], file)
	return maphash.Bytes(x.seeds[1], b[:])
}

// put replaces what is known of a file. here: it stands there.
func (x *index) put(k Known, here bool) {
	key := x.key(k.Name)
	i, known := x.byName[key]
	switch {
	case known:
		x.unlink(i)
	case len(x.free) > 0:
		i = x.free[len(x.free)-1]
		x.free = x.free[:len(x.free)-1]
	default:
		i = int32(len(x.slots))
		x.slots = append(x.slots, record{})
	}
	x.byName[key] = i
	s := &x.slots[i]
	*s = record{key: key, stamp: x.stamp(k.Size, k.Time), mark: x.mark(k.Size, k.Time, k.File), round: x.round, here: here,
		unread: k.SHA256 == Sum{}}
	if s.mark != 0 {
		x.byFile[s.mark] = i
	}
	x.here += count(here)
}

// drop forgets a file.
func (x *index) drop(key nameKey) {
	i, known := x.byName[key]
	if !known {
		return
	}
	x.unlink(i)
	delete(x.byName, key)
	x.slots[i] = record{}
	x.free = append(x.free, i)
}

func (x *index) unlink(i int32) {
	s := &x.slots[i]
	x.here -= count(s.here)
	if at, ok := x.byFile[s.mark]; ok && at == i {
		delete(x.byFile, s.mark)
	}
}

// get is what is known of a name; nil: nothing. It holds until put or drop is called.
func (x *index) get(name string) *record {
	if i, known := x.byName[x.key(name)]; known {
		return &x.slots[i]
	}
	return nil
}

// same is a file of the same number, size and time as this one, under whatever name; nil: none is known.
func (x *index) same(e entry) *record {
	mark := x.mark(e.size, e.time, e.file)
	if mark == 0 {
		return nil
	}
	if i, known := x.byFile[mark]; known {
		return &x.slots[i]
	}
	return nil
}

// is reports whether a name is known with this size and time.
func (x *index) is(s *record, e entry) bool {
	return s != nil && s.stamp == x.stamp(e.size, e.time)
}

// replaced reports whether, for all that can be told, it is another file that stands under the name now.
func (x *index) replaced(s *record, e entry) bool {
	mark := x.mark(e.size, e.time, e.file)
	return s.mark != 0 && mark != 0 && s.mark != mark
}

// setHere takes note that a file stands there: as it is known, or else as one that may be new.
func (x *index) setHere(s *record, asKnown bool) {
	x.here += count(asKnown) - count(s.here)
	s.here, s.gone, s.round = asKnown, false, x.round
}

// keep takes note that a file may stand there as it did, where nobody can look.
func (x *index) keep(name string) {
	if s := x.get(name); s != nil {
		s.round = x.round
	}
}

// setGone takes note that a file is not there; reported: because the system told that it went.
func (x *index) setGone(s *record, reported bool) {
	x.here -= count(s.here)
	s.here, s.gone = false, s.gone || reported
}

// absent ends a round in which all that stands there was looked at. It returns those that may be forgotten: not where less than
// half of what is known was there, for then it is the disk that is not; not those whose content is unknown, unless the system
// told that they went, for they would be new when they came back.
func (x *index) absent() map[nameKey]bool {
	missing, gone := 0, 0
	for i := range x.slots {
		if s := &x.slots[i]; s.key != (nameKey{}) && s.round != x.round {
			missing++
			gone += count(s.gone)
			x.here -= count(s.here)
			s.here = false
		}
	}
	if missing == 0 {
		return nil
	}
	most := len(x.byName)-missing >= missing-gone
	names := make(map[nameKey]bool)
	for i := range x.slots {
		if s := &x.slots[i]; s.key != (nameKey{}) && s.round != x.round && (s.gone || most && !s.unread) {
			names[s.key] = true
		}
	}
	return names
}

// namesAtOnce bounds the names that Memory is told to forget in one call.
const namesAtOnce = 1000

// load reads what is remembered.
func (f *folder) load() work {
	return func(ctx context.Context) func() {
		x := newIndex()
		err := f.w.p.Memory.Known(ctx, f.id, func(k Known) { x.put(k, false) })
		return func() {
			if err != nil {
				f.announceFailed(&memoryError{err})
				return
			}
			f.announceWorked()
			f.index = x
		}
	}
}

// forget drops what is remembered of files that are gone, after all that stands there was looked at, but in closed directories:
// what was in those may be there still.
func (f *folder) forget(ctx context.Context, closed map[string]bool) error {
	if len(closed) > 0 {
		err := f.w.p.Memory.Known(ctx, f.id, func(k Known) {
			if liesIn(closed, k.Name) {
				f.index.keep(k.Name)
			}
		})
		if err != nil {
			return &memoryError{err}
		}
	}
	keys := f.index.absent()
	if len(keys) == 0 {
		return nil
	}
	var names []string
	err := f.w.p.Memory.Known(ctx, f.id, func(k Known) {
		if keys[f.index.key(k.Name)] {
			names = append(names, k.Name)
		}
	})
	for err == nil && len(names) > 0 {
		some := names[:min(len(names), namesAtOnce)]
		names = names[len(some):]
		if err = f.write(ctx, func(ctx context.Context) error { return f.w.p.Memory.Forget(ctx, f.id, some) }); err == nil {
			for _, name := range some {
				f.index.drop(f.index.key(name))
			}
		}
	}
	if err != nil {
		return &memoryError{err}
	}
	return nil
}

// liesIn reports whether a file lies in one of these directories, or below.
func liesIn(dirs map[string]bool, name string) bool {
	for i := range len(name) {
		if os.IsPathSeparator(name[i]) && dirs[name[:i]] {
			return true
		}
	}
	return dirs[""]
}

// remember keeps what is known of files now. It is part of the work.
func (f *folder) remember(ctx context.Context, files []Known) error {
	if len(files) == 0 {
		return nil
	}
	if err := f.write(ctx, func(ctx context.Context) error { return f.w.p.Memory.Remember(ctx, f.id, files) }); err != nil {
		return &memoryError{err}
	}
	for _, k := range files {
		f.index.put(k, true)
	}
	return nil
}

// rememberOwed remembers what could not be remembered when it was announced.
func (f *folder) rememberOwed() work {
	return func(ctx context.Context) func() {
		err := f.remember(ctx, f.owed)
		return func() {
			if err != nil {
				f.announceFailed(err)
				return
			}
			f.owed = nil
			f.announceWorked()
		}
	}
}
