package nearly_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"image"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"assay/client"
	"assay/client/assert"
	"assay/client/events"
	"assay/client/media"
	"assay/client/media/mediatest"
	"assay/client/media/picture"
	"assay/client/nearly"
	"assay/client/store"
	"assay/client/store/storetest"
	"assay/client/submission"

	"github.com/disintegration/imaging"
)

// limit is how long a test waits for what must happen.
const limit = time.Minute

var noon = time.Date(2026, time.November, 3, 12, 0, 0, 0, time.UTC)

// queue is what the inbox holds.
type queue struct {
	mu    sync.Mutex
	order []string
	subs  map[string]submission.Submission
}

func (q *queue) Get(id string) (submission.Submission, bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	s, ok := q.subs[id]
	return s, ok
}

func (q *queue) Order() []string {
	q.mu.Lock()
	defer q.mu.Unlock()
	return append([]string{}, q.order...)
}

// fixture is a finder over a store and a queue, with pictures to hand over.
type fixture struct {
	t      *testing.T
	folder string
	store  *store.Store
	queue  *queue
	events *events.Hub
	hinted *events.Subscription
	finder *nearly.Finder
	rests  chan time.Duration // each rest of the finder, which lasts until it is received
	busy   func() bool
	now    time.Time
	n      int

	published map[string]bool // IDs whose hints were published, and not awaited yet
}

func setup(t *testing.T) *fixture {
	t.Helper()
	f := &fixture{t: t, folder: t.TempDir(), queue: &queue{subs: map[string]submission.Submission{}}, events: new(events.Hub), rests: make(chan time.Duration),
		busy: func() bool { return false }, now: noon, published: map[string]bool{}}
	assert.NoError(t, storetest.Empty(f.folder))
	f.open()
	t.Cleanup(f.close)
	return f
}

func (f *fixture) open() {
	f.t.Helper()
	var err error
	f.store, err = store.Open(f.t.Context(), f.folder, store.Options{Now: func() time.Time { return noon }, Events: f.events})
	assert.NoError(f.t, err)
	f.hinted = f.events.Subscribe(events.Nearly)
	f.finder = nearly.New(nearly.Params{
		Store: f.store, Queue: f.queue, Events: f.events, Busy: func() bool { return f.busy() }, Now: func() time.Time { return f.now },
		Wait: func(ctx context.Context, d time.Duration) error {
			select {
			case f.rests <- d:
				return nil
			case <-ctx.Done():
				return ctx.Err()
			}
		},
	})
}

func (f *fixture) close() {
	f.finder.Close()
	f.hinted.Close()
	assert.NoError(f.t, f.store.Close())
}

// again closes all and opens it again, as another run does.
func (f *fixture) again() {
	f.t.Helper()
	f.close()
	f.open()
}

// rested waits until the finder rests, and ends the rest.
func (f *fixture) rested() time.Duration {
	f.t.Helper()
	select {
	case d := <-f.rests:
		return d
	case <-time.After(limit):
		f.t.Fatal("the finder never rests")
	}
	return 0
}

// awaitHint waits until the hint of a submission is published.
func (f *fixture) awaitHint(id string) nearly.Hint {
	f.t.Helper()
	over := time.After(limit)
	for {
		for _, of := range f.hinted.Take().IDs(events.Nearly) {
			f.published[of] = true
		}
		if f.published[id] {
			delete(f.published, id)
			sub, _ := f.queue.Get(id)
			hint, ok := f.finder.Hint(sub)
			assert.True(f.t, ok, "the hint of %s was published, but there is none", id)
			return hint
		}
		select {
		case <-f.hinted.Ready():
		case <-over:
			f.t.Fatalf("there is no hint for %s", id)
		}
	}
}

// file is a submission of a file with this content, not kept anywhere.
func (f *fixture) file(name string, content []byte) submission.Submission {
	f.t.Helper()
	f.n++
	path := filepath.Join(f.t.TempDir(), name)
	assert.NoError(f.t, os.WriteFile(path, content, 0o600))
	info, err := os.Stat(path)
	assert.NoError(f.t, err)
	sum := sha256.Sum256(content)
	kind, _ := media.TypeOf(path)
	return submission.Submission{
		ID: fmt.Sprintf("id-%d", f.n), Path: path, Name: name, Source: submission.Dropped, Gate: submission.GateAsk, State: submission.Held, Step: submission.Settled,
		Type: kind, Size: info.Size(), Modified: info.ModTime(), SHA256: hex.EncodeToString(sum[:]), Accepted: noon.Add(time.Duration(f.n) * time.Minute),
	}
}

// held puts a submission into the inbox, to wait for the person's decision.
func (f *fixture) held(name string, content []byte) string {
	f.t.Helper()
	sub := f.file(name, content)
	f.put(sub)
	return sub.ID
}

// put puts a submission into the store and the inbox, or writes it there as it has become.
func (f *fixture) put(sub submission.Submission) {
	f.t.Helper()
	if _, known := f.queue.Get(sub.ID); !known {
		_, err := f.store.Add(f.t.Context(), []submission.Submission{sub})
		assert.NoError(f.t, err)
	} else if sub.Result != nil {
		assert.NoError(f.t, f.store.Answer(f.t.Context(), sub, ""))
	}
	f.queue.mu.Lock()
	if _, known := f.queue.subs[sub.ID]; !known {
		f.queue.order = append(f.queue.order, sub.ID)
	}
	f.queue.subs[sub.ID] = sub
	f.queue.mu.Unlock()
	f.events.Publish(events.Event{Topic: events.Submission, ID: sub.ID})
}

// answer makes a submission a result.
func answer(t *testing.T, sub submission.Submission, status client.Status) submission.Submission {
	t.Helper()
	sub.State, sub.Step, sub.RequestID, sub.Answered = submission.Done, submission.Answered, "request-"+sub.ID, sub.Accepted.Add(time.Minute)
	raw := fmt.Sprintf(`{"requestId": %q, "mediaType": %q, "overallStatus": %q}`, sub.RequestID, sub.Type, status)
	sub.Result = new(client.Result)
	assert.NoError(t, json.Unmarshal([]byte(raw), sub.Result))
	sub.Result.Raw = json.RawMessage(raw)
	return sub
}

// result keeps a result of an earlier run, which is not in the inbox.
func (f *fixture) result(name string, content []byte, status client.Status) submission.Submission {
	f.t.Helper()
	sub := answer(f.t, f.file(name, content), status)
	sub.Filed = true
	_, err := f.store.Add(f.t.Context(), []submission.Submission{sub})
	assert.NoError(f.t, err)
	return sub
}

// near are the names of the results near a submission, each with how.
func (f *fixture) near(id string) (names []string) {
	f.t.Helper()
	all, err := f.finder.Near(f.t.Context(), id)
	assert.NoError(f.t, err)
	for _, m := range all {
		oriented := ""
		if m.Oriented {
			oriented = " oriented"
		}
		names = append(names, fmt.Sprintf("%s %s%s", m.Name, m.Like, oriented))
	}
	return names
}

// photo is one of the photographs of testdata.
func photo(t *testing.T, name string) *image.NRGBA {
	t.Helper()
	file, err := os.Open(filepath.Join("..", "..", "testdata", "pictures", name))
	assert.NoError(t, err)
	defer file.Close() //nolint:errcheck // only read from
	p, err := picture.Decode(t.Context(), file, picture.Limits{})
	assert.NoError(t, err)
	return imaging.Clone(p.Image)
}

func jpeg(t *testing.T, img image.Image, quality int) []byte {
	t.Helper()
	return mediatest.JPEG(t, img, quality)
}

// resaved is a smaller copy of a picture, saved again.
func resaved(t *testing.T, img *image.NRGBA) []byte {
	t.Helper()
	return bytes.Clone(jpeg(t, imaging.Resize(img, img.Rect.Dx()/2, 0, imaging.Linear), 50))
}
