package store_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"runtime"
	"sync"
	"testing"

	"assay/client"
	"assay/client/assert"
	"assay/client/custody"
	"assay/client/store"
	"assay/client/submission"
)

func TestManyAtOnce(t *testing.T) {
	s := setup(t)
	const workers, each = 8, 25
	var all sync.WaitGroup
	failed := make(chan error, workers*each*8)
	report := func(err error) {
		if err != nil {
			failed <- err
		}
	}
	for w := range workers {
		all.Go(func() {
			for i := range each {
				id := fmt.Sprintf("w%d-%d", w, i)
				kept, err := s.Add(t.Context(), []submission.Submission{waiting(id)})
				report(err)
				report(s.Save(t.Context(), kept[0], "sent"))
				report(s.Answer(t.Context(), answered(t, id, client.Fake), "answered"))
				_, _, err = s.Page(t.Context(), store.Query{Text: "jpg"}, store.Cursor{}, 10)
				report(err)
				_, err = s.PageAt(t.Context(), store.Query{Order: store.ByName}, 250, 10)
				report(err)
				_, err = s.CountByStatus(t.Context(), store.Query{})
				report(err)
				_, err = s.Keep(t.Context(), id, "thumbnail", "", func(w io.Writer) error { _, err := fmt.Fprint(w, i%5); return err })
				report(err)
			}
		})
	}
	all.Wait()
	close(failed)
	for err := range failed {
		t.Error(err)
	}
	assert.Equal(t, workers*each, count(t, s, store.Query{}))
	assert.Equal(t, 5, vaultSize(t, s))
	assert.NoError(t, s.VerifyCustody(t.Context()))
}

// What waits for the disk shares the next transaction; what is wrong with one of them is no other's trouble.
func TestWritesThatComeTogether(t *testing.T) {
	s := setup(t)
	const n = 20
	var subs []submission.Submission
	for i := range n {
		subs = append(subs, answered(t, fmt.Sprint(i), client.Fake))
	}
	for _, unknown := range []bool{false, true} {
		add(t, s, subs...)
		joining, release := store.HoldWrites(s)
		var all sync.WaitGroup
		errs := make([]error, n)
		for i, sub := range subs {
			all.Go(func() { errs[i] = s.Answer(t.Context(), sub, custody.Answered) })
		}
		ctx, cancel := context.WithCancel(t.Context())
		var cancelled, strange error
		all.Go(func() { cancelled = s.Save(ctx, subs[0], custody.Cancelled) })
		expected := n + 1
		if unknown {
			all.Go(func() { strange = s.Save(t.Context(), waiting("nobody"), custody.Sent) })
			expected++
		}
		for joining() < expected {
			runtime.Gosched()
		}
		cancel()
		for joining() == expected {
			runtime.Gosched()
		}
		release()
		all.Wait()
		assert.NoError(t, errors.Join(errs...))
		assert.True(t, errors.Is(cancelled, context.Canceled), "cancelled while it waited: %v", cancelled)
		assert.True(t, errors.Is(strange, store.ErrUnknown) == unknown, "an unknown one: %v", strange)
		assert.NoError(t, s.VerifyCustody(t.Context()))
		for i := range subs {
			events := 0
			log, err := s.Custody(t.Context(), subs[i].ID)
			assert.NoError(t, err)
			for _, e := range log {
				if e.Event == custody.Cancelled {
					t.Error("what was cancelled is in the log")
				}
				if e.Event == custody.Answered {
					events++
				}
			}
			assert.Equal(t, 1, events)
			subs[i].ID += "again"
		}
	}
}

func TestClosedAndCancelled(t *testing.T) {
	t.Run("a cancelled call does nothing", func(t *testing.T) {
		s := setup(t)
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if _, err := s.Add(ctx, []submission.Submission{waiting("a")}); !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
		if _, _, err := s.Page(ctx, store.Query{}, store.Cursor{}, 1); !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
		if _, ok, err := s.Get(t.Context(), "a"); ok || err != nil {
			t.Error(ok, err)
		}
	})
	t.Run("a closed store says so", func(t *testing.T) {
		s := setup(t)
		assert.NoError(t, s.Close())
		assert.NoError(t, s.Close())
		_, addErr := s.Add(t.Context(), []submission.Submission{waiting("a")})
		_, _, getErr := s.Get(t.Context(), "a")
		for _, err := range []error{addErr, getErr} {
			if !errors.Is(err, store.ErrClosed) {
				t.Error(err)
			}
		}
	})
	t.Run("closing waits for the writers", func(t *testing.T) {
		folder := t.TempDir()
		s := open(t, folder, store.Options{})
		var all sync.WaitGroup
		acknowledged := make(chan string, 10_000)
		started := make(chan struct{})
		var once sync.Once
		for w := range 4 {
			all.Go(func() {
				for i := 0; ; i++ {
					id := fmt.Sprintf("w%d-%d", w, i)
					if _, err := s.Add(t.Context(), []submission.Submission{waiting(id)}); err != nil {
						if !errors.Is(err, store.ErrClosed) {
							t.Error(err)
						}
						return
					}
					acknowledged <- id
					once.Do(func() { close(started) })
				}
			})
		}
		<-started
		assert.NoError(t, s.Close())
		all.Wait()
		close(acknowledged)
		again := open(t, folder, store.Options{})
		for id := range acknowledged {
			get(t, again, id)
		}
	})
}
