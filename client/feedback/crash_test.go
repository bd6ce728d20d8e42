package feedback_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"sync"
	"testing"
	"time"

	"assay/client"
	"assay/client/assert"
	"assay/client/feedback"
	"assay/client/i18n"
	"assay/client/store"
)

var errKilled = errors.New("the process is gone")

// killer ends a process before or after one of what it does to the disk and the service: from then on nothing has an effect.
type killer struct {
	feedback.Store
	feedback.Client

	mu    sync.Mutex
	steps int // done so far
	at    int // the step that is not reached; 0: none
	dead  bool
	gone  chan struct{}
}

// step reports whether the process lives.
func (k *killer) step() bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.steps++
	if k.steps == k.at && !k.dead {
		k.dead = true
		close(k.gone)
	}
	return !k.dead
}

// around does what has an effect, and may be killed before it or after.
func around[T any](k *killer, do func() (T, error)) (result T, err error) {
	if !k.step() {
		return result, errKilled
	}
	result, err = do()
	if !k.step() {
		var none T
		return none, errKilled
	}
	return result, err
}

func (k *killer) AddFeedback(ctx context.Context, f store.Feedback) (store.Feedback, error) {
	return around(k, func() (store.Feedback, error) { return k.Store.AddFeedback(ctx, f) })
}

func (k *killer) SaveFeedback(ctx context.Context, f store.Feedback) error {
	_, err := around(k, func() (struct{}, error) { return struct{}{}, k.Store.SaveFeedback(ctx, f) })
	return err
}

func (k *killer) RemoveFeedback(ctx context.Context, id string) error {
	_, err := around(k, func() (struct{}, error) { return struct{}{}, k.Store.RemoveFeedback(ctx, id) })
	return err
}

func (k *killer) SendFeedback(ctx context.Context, f client.Feedback) (client.FeedbackRecord, error) {
	return around(k, func() (client.FeedbackRecord, error) { return k.Client.SendFeedback(ctx, f) })
}

// TestCrash ends the process at every point of the way, with one judgement taken back, one changed and two sent, and starts
// anew: none is lost, and none is sent twice unless the person says so.
func TestCrash(t *testing.T) {
	s := serve(t)
	whole := 0
	for at := 1; whole == 0; at++ {
		t.Run(fmt.Sprintf("F5 killed at step %d", at), func(t *testing.T) {
			k := &killer{Client: s.client, at: at, gone: make(chan struct{})}
			d := setup(t, s, func(p *feedback.Params) { k.Store, p.Store, p.Client = p.Store, k, k })
			name := func(what string) string { return fmt.Sprintf("%s, killed at %d", what, at) }
			kept := map[string]bool{} // comments of what Give or Change said was kept
			var ids []string
			give := func(comment string) string {
				f, err := d.Give(t.Context(), s.sampleFeedback(comment))
				if err == nil {
					kept[comment] = true
					ids = append(ids, f.ID)
				}
				return f.ID
			}
			undone := give(name("undone"))
			tookBack := d.Undo(t.Context(), undone) == nil
			first := give(name("first"))
			if d.Change(t.Context(), first, s.sampleFeedback(name("changed"))) == nil {
				delete(kept, name("first"))
				kept[name("changed")] = true
			}
			give(name("second"))
			d.awaitsUnless(k.gone, feedback.UndoFor)
			d.clock.Advance(feedback.UndoFor)
			ended := make(chan struct{})
			go func() {
				defer close(ended)
				for !d.settled() {
					select {
					case <-d.changed.Ready():
						d.changed.Take()
					case <-k.gone:
						return
					}
				}
			}()
			<-ended
			d.Close()
			select {
			case <-k.gone:
			default:
				whole = at
			}

			again := setupAt(t, s, d.store, d.clock)
			again.clock.Advance(feedback.UndoFor)
			for !again.settled() {
				<-again.changed.Ready()
				again.changed.Take()
			}
			states := map[string]store.FeedbackState{}
			for _, f := range again.all() {
				states[f.Comment] = f.State
			}
			records := s.records()
			assert.True(t, !tookBack || records[name("undone")] == 0 && states[name("undone")] == "", "what was taken back was sent")
			for _, what := range []string{"undone", "first", "changed", "second"} {
				comment := name(what)
				assert.True(t, records[comment] <= 1, "%s: the service has it %d times", comment, records[comment])
				assert.True(t, states[comment] != store.FeedbackSent || records[comment] == 1, "%s: shown as sent, and the service has it %d times", comment, records[comment])
				replaced := what == "undone" || what == "first" && states[name("changed")] != ""
				assert.True(t, !kept[comment] || states[comment] != "" || replaced, "%s is lost", comment)
			}
		})
	}
	assert.True(t, whole >= 15, "the whole way has %d steps only", whole)
	t.Logf("killed at each of %d steps", whole-1)
}

// awaitsUnless is awaits for a sender that may never wait, as its process may be gone.
func (d *fixture) awaitsUnless(gone <-chan struct{}, span time.Duration) {
	d.t.Helper()
	ctx, end := context.WithCancel(d.t.Context())
	defer end()
	go func() {
		select {
		case <-gone:
			end()
		case <-ctx.Done():
		}
	}()
	_ = d.clock.Awaited(ctx, span) // an error says that it is gone
}

// settled reports whether nothing waits or is on its way.
func (d *fixture) settled() bool {
	d.t.Helper()
	for _, f := range d.all() {
		if f.State == store.FeedbackWaiting || f.State == store.FeedbackSending {
			return false
		}
	}
	return true
}

// fullDisk takes nothing while it is full.
type fullDisk struct {
	feedback.Store
	mu   sync.Mutex
	full bool
}

func (f *fullDisk) fill(full bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.full = full
}

func (f *fullDisk) SaveFeedback(ctx context.Context, kept store.Feedback) error {
	f.mu.Lock()
	full := f.full
	f.mu.Unlock()
	if full {
		return &store.Error{Op: "keep the feedback", Message: i18n.Verbatim("The disk is full."), Kind: store.ErrFull}
	}
	return f.Store.SaveFeedback(ctx, kept)
}

func TestFullDisk(t *testing.T) {
	t.Run("what cannot be noted is not sent, and is once it can", func(t *testing.T) {
		s, disk := serve(t), &fullDisk{full: true}
		d := setup(t, s, func(p *feedback.Params) { disk.Store, p.Store = p.Store, disk })
		f := d.give("")
		d.undoPasses()
		sentence := d.waits(f.ID)
		assert.True(t, sentence == "The disk is full." && s.asked() == 0, "%q after %d requests", sentence, s.asked())
		disk.fill(false)
		d.TryNow()
		d.becomes(f.ID, store.FeedbackSent)
	})
	t.Run("what was sent and could not be noted is not sent again", func(t *testing.T) {
		s, disk := serve(t), &fullDisk{}
		d := setup(t, s, func(p *feedback.Params) { disk.Store, p.Store = p.Store, disk })
		s.fails(func(http.ResponseWriter, *http.Request) bool { disk.fill(true); return false })
		f := d.give("")
		d.undoPasses()
		d.becomes(f.ID, store.FeedbackSent)
		disk.fill(false)
		d.TryNow()
		d.Close()
		got, _, err := d.store.FeedbackByID(t.Context(), f.ID)
		assert.True(t, err == nil && got.State == store.FeedbackSent && s.asked() == 1, "%v: %+v after %d requests", err, got, s.asked())
	})
}
