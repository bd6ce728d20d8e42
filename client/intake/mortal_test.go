package intake_test

import (
	"context"
	"fmt"
	"os"
	"slices"
	"sync"
	"time"

	"assay/client"
	"assay/client/i18n"
	"assay/client/submission"
)

// moment is an instant at which a process may end: before or after something is written down or the service is called.
type moment string

// mortal is a process's view of its store and of the service. At the chosen moment the process ends, as far as both can
// see: what it would do afterwards has no effect.
type mortal struct {
	store *memory
	*world

	mu     sync.Mutex
	seen   []moment
	ends   moment        // "": never
	ended  chan struct{} // closed at that moment
	legacy *memory       // what was on the disk then
}

func newMortal(store *memory, w *world, ends moment) *mortal {
	return &mortal{store: store, world: w, ends: ends, ended: make(chan struct{})}
}

// reach is called at each moment, and reports whether the process lives.
func (m *mortal) reach(at moment) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.legacy != nil {
		return false
	}
	for n, first := 1, at; slices.Contains(m.seen, at); { // the second of its kind has a number
		n++
		at = moment(fmt.Sprintf("%s (%d)", first, n))
	}
	m.seen = append(m.seen, at)
	if at == m.ends {
		m.legacy = m.store.copy()
		close(m.ended)
		return false
	}
	return true
}

// errDead is what a process would see that has ended.
var errDead = &client.Error{Op: "t", Kind: client.KindNetwork, Message: i18n.Verbatim("Stopped."), Uncertain: true}

func during[T any](m *mortal, name string, do func() (T, error)) (result T, err error) {
	if !m.reach(moment("before " + name)) {
		return result, errDead
	}
	result, err = do()
	if !m.reach(moment("after " + name)) {
		var nothing T
		return nothing, errDead
	}
	return result, err
}

func nothing(do func() error) func() (struct{}, error) {
	return func() (struct{}, error) { return struct{}{}, do() }
}

func (m *mortal) RequestUpload(ctx context.Context, name string) (client.Upload, error) {
	return during(m, "asking for an address", func() (client.Upload, error) { return m.world.RequestUpload(ctx, name) })
}

func (m *mortal) Put(ctx context.Context, address string, file *os.File, size int64, progress func(int64)) error {
	_, err := during(m, "the bytes", nothing(func() error { return m.world.Put(ctx, address, file, size, progress) }))
	return err
}

func (m *mortal) Result(ctx context.Context, id string) (*client.Result, error) {
	return during(m, "a look", func() (*client.Result, error) { return m.world.Result(ctx, id) })
}

func (m *mortal) FindUpload(ctx context.Context, name string, since time.Time) (string, error) {
	return during(m, "looking for the number", func() (string, error) { return m.world.FindUpload(ctx, name, since) })
}

func (m *mortal) SubmitLink(ctx context.Context, link string) (client.LinkSubmission, error) {
	return during(m, "the link", func() (client.LinkSubmission, error) { return m.world.SubmitLink(ctx, link) })
}

func (m *mortal) List(ctx context.Context, q client.ListQuery) ([]*client.Result, error) {
	return during(m, "the list", func() ([]*client.Result, error) { return m.world.List(ctx, q) })
}

// disk is the store of a process that may end.
type disk struct {
	*memory
	process *mortal
}

func (d *disk) Add(ctx context.Context, subs []submission.Submission) ([]submission.Submission, error) {
	return during(d.process, "accepting", func() ([]submission.Submission, error) { return d.memory.Add(ctx, subs) })
}

func (d *disk) Save(ctx context.Context, s submission.Submission, deed string) error {
	_, err := during(d.process, "writing "+string(s.Step), nothing(func() error { return d.memory.Save(ctx, s, deed) }))
	return err
}

func (d *disk) Answer(ctx context.Context, s submission.Submission, deed string) error {
	_, err := during(d.process, "writing "+string(s.Step), nothing(func() error { return d.memory.Answer(ctx, s, deed) }))
	return err
}

func (d *disk) SetFact(ctx context.Context, name, value string) error {
	_, err := during(d.process, "writing "+name, nothing(func() error { return d.memory.SetFact(ctx, name, value) }))
	return err
}
