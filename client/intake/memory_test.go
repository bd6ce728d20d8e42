package intake_test

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"slices"
	"sync"
	"time"

	"assay/client/i18n"
	"assay/client/submission"
)

// memory is a store without a disk, which can be told to fail. It outlives queues as a disk does.
type memory struct {
	mu            sync.Mutex
	rows          map[string]submission.Submission
	custodyEvents []string // "step deed" of each write, in order
	facts         map[string]string
	full          bool // nothing can be written
	saved         func(s submission.Submission, event string)
	// asked is called before a submission is written, without a lock, and may keep that from happening.
	asked func(s submission.Submission, event string) error
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

func (m *memory) setFull(full bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.full = full
}

func (m *memory) Add(_ context.Context, subs []submission.Submission) ([]submission.Submission, error) {
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

func (m *memory) Save(_ context.Context, s submission.Submission, event string) error {
	if m.asked != nil {
		if err := m.asked(s, event); err != nil {
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
	m.custodyEvents = append(m.custodyEvents, string(s.Step)+" "+event)
	if m.saved != nil {
		m.saved(s, event)
	}
	return nil
}

func (m *memory) Answer(ctx context.Context, s submission.Submission, event string) error {
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
		if s.Earlier == "" && s.Content() == content && s.Step != submission.Seen && s.MayLeave() && s.Key > found.Key {
			found, ok = s, true
		}
	}
	return found, ok, nil
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
