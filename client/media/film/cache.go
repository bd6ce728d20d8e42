package film

import (
	"container/list"
	"image"
	"sync"
	"time"
)

// frameKey identifies a frame of a clip at a size.
type frameKey struct {
	clip     clipKey
	at       time.Duration
	longSide int
}

type keptFrame struct {
	key   frameKey
	frame *image.RGBA
}

// frames caches the most recently used frames, up to a number of bytes, and the headers of some clips.
type frames struct {
	most int

	mu    sync.Mutex
	bytes int
	order *list.List // of keptFrame, the most recently used first
	by    map[frameKey]*list.Element
	clips map[clipKey]Info
}

// mostClips bounds how many clips' headers are cached.
const mostClips = 256

func newFrames(most int) *frames {
	f := &frames{most: most}
	f.forget()
	return f
}

func (f *frames) forget() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.bytes, f.order, f.by, f.clips = 0, list.New(), map[frameKey]*list.Element{}, map[clipKey]Info{}
}

// frame returns nil if the frame isn't cached.
func (f *frames) frame(key frameKey) *image.RGBA {
	f.mu.Lock()
	defer f.mu.Unlock()
	found, ok := f.by[key]
	if !ok {
		return nil
	}
	f.order.MoveToFront(found)
	return found.Value.(keptFrame).frame
}

// keep adds a frame, and drops the least recently used ones until they fit.
func (f *frames) keep(key frameKey, frame *image.RGBA) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if _, there := f.by[key]; there || len(frame.Pix) > f.most {
		return
	}
	f.bytes += len(frame.Pix)
	f.by[key] = f.order.PushFront(keptFrame{key, frame})
	for f.bytes > f.most {
		oldest := f.order.Remove(f.order.Back()).(keptFrame)
		f.bytes -= len(oldest.frame.Pix)
		delete(f.by, oldest.key)
	}
}

func (f *frames) info(clip clipKey) (Info, bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	info, ok := f.clips[clip]
	return info, ok
}

func (f *frames) know(clip clipKey, info Info) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if len(f.clips) >= mostClips {
		clear(f.clips)
	}
	f.clips[clip] = info
}
