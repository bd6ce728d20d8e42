package watch

import (
	"context"
	"encoding/binary"
	"hash/maphash"
	"os"
)

// index is what is remembered of a folder's files, without their names and contents: about 100 bytes a file. It belongs to the folder's work.
type index struct {
	seeds  [2]maphash.Seed
	byName map[nameKey]int32
	byFile map[uint64]int32 // by file ID, size and time: finds a file that has another name now
	slots  []record
	free   []int32
	round  uint32 // the number of the full scan
	here   int    // how many are there as they are known
}

// nameKey is the hash of a name, so long that no two names of a folder share one.
type nameKey [2]uint64

// slot is one remembered file. Two of equal stamps have the same size and time, two of equal marks the same number too.
type record struct {
	key    nameKey
	stamp  uint64
	mark   uint64 // 0: the system has no file IDs there
	round  uint32
	here   bool // it was there as it is known, when last looked for
	gone   bool // the system reported that it is gone
	unread bool // its content is not known: it was there when the folder was added
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

// put sets what is known of a file. here: it is there.
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

// drop removes a file.
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

// get is the record of a name; nil: there is none. It is valid until put or drop is called.
func (x *index) get(name string) *record {
	if i, known := x.byName[x.key(name)]; known {
		return &x.slots[i]
	}
	return nil
}

// same is the record of a file with this file ID, size and time, under whatever name; nil: there is none.
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

// is reports whether a record has this size and time.
func (x *index) is(s *record, e entry) bool {
	return s != nil && s.stamp == x.stamp(e.size, e.time)
}

// replaced reports whether the file of this name is another one now, as far as that can be told.
func (x *index) replaced(s *record, e entry) bool {
	mark := x.mark(e.size, e.time, e.file)
	return s.mark != 0 && mark != 0 && s.mark != mark
}

// setHere notes that a file is there: as it is known, or else as one that may be new.
func (x *index) setHere(s *record, asKnown bool) {
	x.here += count(asKnown) - count(s.here)
	s.here, s.gone, s.round = asKnown, false, x.round
}

// keep notes that a file may still be there, where it can't be looked for.
func (x *index) keep(name string) {
	if s := x.get(name); s != nil {
		s.round = x.round
	}
}

// setGone notes that a file is not there; reported: the system has reported that it is gone.
func (x *index) setGone(s *record, reported bool) {
	x.here -= count(s.here)
	s.here, s.gone = false, s.gone || reported
}

// absent ends a full scan and returns the files that may be forgotten. These are none if less than half of the known files are there, since then the
// disk is probably missing; and none of unknown content, unless the system reported that they are gone, since they would be new if they came back.
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

// namesAtOnce bounds the names in one call of Memory.Forget.
const namesAtOnce = 1000

// load returns work that reads what is remembered.
func (f *folder) load() work {
	return func(ctx context.Context) func() {
		x := newIndex()
		err := f.w.p.Memory.Known(ctx, f.id, func(k Known) { x.put(k, false) })
		return func() {
			if err != nil {
				f.announceFailed(&Problem{Kind: ErrNotWritten, Err: err})
				return
			}
			f.announceWorked()
			f.index = x
		}
	}
}

// forget removes files that are gone, after a full scan, except those in closed directories, which may still be there.
func (f *folder) forget(ctx context.Context, closed map[string]bool) error {
	if len(closed) > 0 {
		err := f.w.p.Memory.Known(ctx, f.id, func(k Known) {
			if liesIn(closed, k.Name) {
				f.index.keep(k.Name)
			}
		})
		if err != nil {
			return &Problem{Kind: ErrNotWritten, Err: err}
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
		return &Problem{Kind: ErrNotWritten, Err: err}
	}
	return nil
}

// liesIn reports whether a file is in one of these directories, or below.
func liesIn(dirs map[string]bool, name string) bool {
	for i := range len(name) {
		if os.IsPathSeparator(name[i]) && dirs[name[:i]] {
			return true
		}
	}
	return dirs[""]
}

// remember writes what is known of files now. It is part of the work.
func (f *folder) remember(ctx context.Context, files []Known) error {
	if len(files) == 0 {
		return nil
	}
	if err := f.write(ctx, func(ctx context.Context) error { return f.w.p.Memory.Remember(ctx, f.id, files) }); err != nil {
		return &Problem{Kind: ErrNotWritten, Err: err}
	}
	for _, k := range files {
		f.index.put(k, true)
	}
	return nil
}

// rememberOwed returns work that writes what could not be written when it was announced.
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
