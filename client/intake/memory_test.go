package intake_test

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"

	"assay/client"
	"assay/client/custody"
	"assay/client/i18n"
	"assay/client/submission"
)

// memory is a store without a disk, which can be told to fail. It outlives queues as a disk does.
type memory struct {
	mu            sync.Mutex
	rows          map[string]submission.Submission
	custodyEvents []string // "step event" of each write, in order
	facts         map[string]string
	full          bool // nothing can be written
	before        func(s submission.Submission, event custody.Event) error
	after         func(s submission.Submission, event custody.Event)
}

var errFull = errors.New("no space left on the disk")

func newMemory() *memory {
	return &memory{rows: map[string]submission.Submission{}, facts: map[string]string{}}
}

// copy is what another process would find.
func (m *memory) copy() *memory {
	m.mu.Lock()
	defer m.mu.Unlock()
	return &memory{rows: maps.Clone(m.rows), facts: maps.Clone(m.facts)}
}

// row is a submission as it stands on the disk.
func (m *memory) row(id string) submission.Submission {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.rows[id]
}

// beforeWrite has do called before a submission is written, without a lock: its error keeps that from happening. nil ends that.
func (m *memory) beforeWrite(do func(s submission.Submission, event custody.Event) error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.before = do
}

// afterWrite has do called once a submission is written.
func (m *memory) afterWrite(do func(s submission.Submission, event custody.Event)) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.after = do
}

// holdUp keeps the first write that fits from being made until release is called. writing is closed once it has come.
func (m *memory) holdUp(fits func(s submission.Submission, event custody.Event) bool) (writing <-chan struct{}, release func()) {
	reached, goOn, once := make(chan struct{}), make(chan struct{}), sync.Once{}
	m.beforeWrite(func(s submission.Submission, event custody.Event) error {
		if fits(s, event) {
			once.Do(func() {
				close(reached)
				<-goOn
			})
		}
		return nil
	})
	return reached, func() { close(goOn) }
}

func (m *memory) setFull(full bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.full = full
}

func (m *memory) AddInto(_ context.Context, _ string, subs []submission.Submission, _ string) ([]submission.Submission, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.full {
		return nil, errFull
	}
	kept := slices.Clone(subs)
	for i := range kept {
		kept[i].Key = int64(len(m.rows) + 1)
		m.rows[kept[i].ID] = kept[i]
	}
	return kept, nil
}

func (m *memory) Save(_ context.Context, s submission.Submission, event custody.Event) error {
	m.mu.Lock()
	before := m.before
	m.mu.Unlock()
	if before != nil {
		if err := before(s, event); err != nil {
			return err
		}
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.full {
		return errFull
	}
	s.Sent, s.Rate, s.Delay = 0, 0, i18n.Message{}
	m.rows[s.ID] = s
	m.custodyEvents = append(m.custodyEvents, string(s.Step)+" "+string(event))
	if m.after != nil {
		m.after(s, event)
	}
	return nil
}

func (m *memory) Answer(ctx context.Context, s submission.Submission, event custody.Event) error {
	return m.Save(ctx, s, event)
}

func (m *memory) Get(_ context.Context, id string) (submission.Submission, bool, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	s, ok := m.rows[id]
	return s, ok, nil
}

func (m *memory) Inbox(context.Context) ([]submission.Submission, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	var inbox []submission.Submission
	for _, s := range m.rows {
		if !s.Filed || !s.State.Ended() {
			inbox = append(inbox, s)
		}
	}
	slices.SortFunc(inbox, func(a, b submission.Submission) int { return cmp.Compare(a.Key, b.Key) })
	return inbox, nil
}

func (m *memory) FileDone(_ context.Context, before time.Time, most int) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	var done []submission.Submission
	for _, s := range m.rows {
		if s.State == submission.Done && !s.Filed {
			done = append(done, s)
		}
	}
	slices.SortFunc(done, func(a, b submission.Submission) int { return cmp.Compare(b.Key, a.Key) })
	for i, s := range done {
		if i >= most || s.Answered.Before(before) {
			s.Filed = true
			m.rows[s.ID] = s
		}
	}
	return nil
}

func (m *memory) ByContent(_ context.Context, content string) (found submission.Submission, ok bool, err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, s := range m.rows {
		switch s.State {
		case submission.Held, submission.Cancelled, submission.Refused, submission.Stays:
			continue
		}
		if s.Earlier == "" && s.Content() == content && s.Step != submission.Seen && (s.MayLeave() || s.AnsweredBy != submission.Colleague{}) && s.Key > found.Key {
			found, ok = s, true
		}
	}
	return found, ok, nil
}

// ByColleague finds what was added as a colleague's, by Rui.
func (m *memory) ByColleague(_ context.Context, content string) (found submission.Submission, by string, ok bool, err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, s := range m.rows {
		if s.Source == submission.Desk && s.SHA256 == content {
			return s, "Rui", true, nil
		}
	}
	return found, "", false, nil
}

func (m *memory) Fact(_ context.Context, name string) (string, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.facts[name], nil
}

func (m *memory) SetFact(_ context.Context, name, value string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.full {
		return errFull
	}
	m.facts[name] = value
	return nil
}

// moment is an instant at which a process may end: before or after something is written down or the service is called.
type moment string

// process is a process's view of its store and of the service. At the chosen moment the process ends, as far as both can
// see: what it would do afterwards has no effect.
type process struct {
	store  *memory
	server *server

	mu     sync.Mutex
	seen   []moment
	ends   moment        // "": never
	ended  chan struct{} // closed at that moment
	legacy *memory       // what was on the disk then
}

func newProcess(store *memory, w *server, ends moment) *process {
	return &process{store: store, server: w, ends: ends, ended: make(chan struct{})}
}

// reach is called at each moment, and reports whether the process lives.
func (m *process) reach(at moment) bool {
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

// around ends the process before or after a call or a write, at the chosen moment.
func (m *process) around(name string, do func() error) error {
	if !m.reach(moment("before " + name)) {
		return errDead
	}
	err := do()
	if !m.reach(moment("after " + name)) {
		return errDead
	}
	return err
}
