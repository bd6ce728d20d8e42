package watch

import (
	"context"
	"os"
)

// namesAtOnce bounds the names that Memory is told to forget in one call.
const namesAtOnce = 1000

// load reads what is remembered.
func (f *folder) load() work {
	return func(ctx context.Context) func() {
		x := newIndex()
		err := f.w.p.Memory.Known(ctx, f.id, func(k Known) { x.put(k, false) })
		return func() {
			if err != nil {
				f.trouble(&memoryError{err})
				return
			}
			f.well()
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

// payOwed remembers what could not be remembered when it was announced.
func (f *folder) payOwed() work {
	return func(ctx context.Context) func() {
		err := f.remember(ctx, f.owed)
		return func() {
			if err != nil {
				f.trouble(err)
				return
			}
			f.owed = nil
			f.well()
		}
	}
}
