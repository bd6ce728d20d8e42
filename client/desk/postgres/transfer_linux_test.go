package postgres_test

import (
	"crypto/ed25519"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/uuid"

	"assay/client/assert"
	"assay/client/desk"
	"assay/client/desk/postgres"
	"assay/client/desk/postgres/desktest"
)

// desktop is one of a member's, connected.
type desktop struct {
	*postgres.Connection
	t      testing.TB
	id     uuid.UUID
	key    ed25519.PrivateKey
	clock  int64
	cursor postgres.Cursor
}

// join connects a member's new desktop.
func (f *fixture) join(login string) *desktop {
	f.t.Helper()
	c, err := postgres.Connect(f.t.Context(), f.address(login), desktest.Password)
	assert.NoError(f.t, err)
	f.t.Cleanup(c.Close)
	public, key, err := ed25519.GenerateKey(nil)
	assert.NoError(f.t, err)
	d := &desktop{Connection: c, t: f.t, id: uuid.New(), key: key}
	assert.NoError(f.t, c.AddDevice(f.t.Context(), d.id, public))
	return d
}

// newCase makes a case with others in it, and is its ID.
func (d *desktop) newCase(others ...string) uuid.UUID {
	d.t.Helper()
	id := uuid.New()
	assert.NoError(d.t, d.AddCase(d.t.Context(), id))
	for _, name := range others {
		assert.NoError(d.t, d.SetLevel(d.t.Context(), id, name, postgres.LevelReviewer))
	}
	return id
}

// event is a signed event of the desktop.
func (d *desktop) event(of uuid.UUID, kind desk.Kind, text string, about uuid.UUID) desk.Event {
	d.clock++
	e := desk.Event{
		ID: uuid.New(), Case: of, Author: d.Me().Name, Device: d.id, Lamport: d.clock, Kind: kind, About: about,
		Body: fmt.Appendf(nil, `{"text": %q}`, text),
	}
	if kind != desk.Redact {
		e.Subject = make([]byte, 32)
	}
	e.Sign(d.key)
	return e
}

func (d *desktop) push(events ...desk.Event) {
	d.t.Helper()
	sent, err := d.Push(d.t.Context(), events)
	assert.NoError(d.t, err)
	assert.Equal(d.t, len(events), sent)
}

// pull receives all that is new.
func (d *desktop) pull() (all []desk.Event) {
	d.t.Helper()
	for {
		events, next, err := d.Pull(d.t.Context(), d.cursor)
		assert.NoError(d.t, err)
		if d.cursor = next; len(events) == 0 {
			return all
		}
		all = append(all, events...)
	}
}

func bodies(events []desk.Event) (all []string) {
	for _, e := range events {
		all = append(all, string(e.Body))
	}
	return all
}

func TestEventsReachTheOthers(t *testing.T) {
	t.Run("as they were written, with their signature", func(t *testing.T) {
		f := setup(t)
		ines, rui := f.join(f.name("editor")), f.join(f.name("reviewer"))
		of := ines.newCase(rui.Me().Name)
		sent := ines.event(of, "note", "Two  spaces, ünd\nlines", uuid.Nil)
		ines.push(sent)
		got := rui.pull()
		assert.Equal(t, 1, len(got))
		if got[0].At.IsZero() {
			t.Error("the server says no time")
		}
		got[0].At = sent.At
		assert.Equal(t, sent, got[0])
		assert.NoError(t, got[0].Verify(ines.key.Public().(ed25519.PublicKey)))
		assert.Equal(t, 0, len(rui.pull()))
	})
	t.Run("once, however often they are sent", func(t *testing.T) {
		f := setup(t)
		ines, rui := f.join(f.name("editor")), f.join(f.name("reviewer"))
		e := ines.event(ines.newCase(rui.Me().Name), "note", "once", uuid.Nil)
		ines.push(e)
		ines.push(e, e)
		assert.Equal(t, 1, len(rui.pull()))
	})
	t.Run("more than a batch, in their order", func(t *testing.T) {
		f := setup(t)
		ines, rui := f.join(f.name("editor")), f.join(f.name("reviewer"))
		of := ines.newCase(rui.Me().Name)
		var events []desk.Event
		for i := range 1201 {
			events = append(events, ines.event(of, "note", fmt.Sprint(i), uuid.Nil))
		}
		ines.push(events...)
		assert.Equal(t, bodies(events), bodies(rui.pull()))
	})
	t.Run("up to the one that the desk refuses", func(t *testing.T) {
		f := setup(t)
		ines := f.join(f.name("editor"))
		of := ines.newCase()
		bad := ines.event(of, "note", strings.Repeat("x", 1<<20), uuid.Nil)
		sent, err := ines.Push(t.Context(), []desk.Event{ines.event(of, "note", "a", uuid.Nil), ines.event(of, "note", "b", uuid.Nil), bad, ines.event(of, "note", "c", uuid.Nil)})
		assert.Equal(t, 2, sent)
		wantCause(t, err, postgres.Refused)
	})
	t.Run("those of before a member was let in", func(t *testing.T) {
		f := setup(t)
		ines, rui := f.join(f.name("editor")), f.join(f.name("reviewer"))
		early, late := ines.newCase(), ines.newCase(rui.Me().Name)
		ines.push(ines.event(early, "note", "before", uuid.Nil), ines.event(late, "note", "seen", uuid.Nil))
		assert.Equal(t, []string{`{"text": "seen"}`}, bodies(rui.pull()))
		assert.NoError(t, ines.SetLevel(t.Context(), early, rui.Me().Name, postgres.LevelReader))
		got, _, err := rui.PullCase(t.Context(), early, postgres.Cursor{})
		assert.NoError(t, err)
		assert.Equal(t, []string{`{"text": "before"}`}, bodies(got))
	})
	t.Run("none is passed over while eight write at once", func(t *testing.T) {
		f := setup(t)
		reader := f.join(f.name("reviewer"))
		writers := make([]*desktop, 8)
		want := map[uuid.UUID]bool{}
		var batches [][]desk.Event
		of := uuid.Nil
		for i := range writers {
			if writers[i] = f.join(f.name("editor")); i == 0 {
				of = writers[i].newCase(reader.Me().Name)
			}
			var events []desk.Event
			for range 100 {
				e := writers[i].event(of, "note", "x", uuid.Nil)
				want[e.ID], events = true, append(events, e)
			}
			batches = append(batches, events)
		}
		var writing sync.WaitGroup
		for i, w := range writers {
			writing.Go(func() {
				for e := range slices.Chunk(batches[i], 3) {
					if _, err := w.Push(t.Context(), e); err != nil {
						t.Error(err)
					}
				}
			})
		}
		done := make(chan struct{})
		go func() { writing.Wait(); close(done) }()
		got := map[uuid.UUID]bool{}
		for open := true; open; {
			select {
			case <-done:
				open = false // and once more
			default:
			}
			for _, e := range reader.pull() {
				got[e.ID] = true
			}
		}
		if !maps.Equal(want, got) {
			t.Errorf("%d of %d were received", len(got), len(want))
		}
	})
	t.Run("at once: a notice wakes who waits", func(t *testing.T) {
		f := setup(t)
		ines, rui := f.join(f.name("editor")), f.join(f.name("reviewer"))
		of := ines.newCase(rui.Me().Name)
		assert.NoError(t, rui.Listen(t.Context()))
		ines.push(ines.event(of, "note", "new", uuid.Nil))
		notice, err := rui.Wait(t.Context())
		assert.NoError(t, err)
		assert.Equal(t, postgres.NewEvents, notice)
		assert.Equal(t, 1, len(rui.pull()))
	})
	t.Run("what was redacted is gone, and what it was still is signed", func(t *testing.T) {
		f := setup(t)
		ines, rui := f.join(f.name("editor")), f.join(f.name("reviewer"))
		of := ines.newCase(rui.Me().Name)
		e := ines.event(of, "result", "a source", uuid.Nil)
		ines.push(e)
		checks, _, err := rui.Checked(t.Context(), e.Subject)
		assert.NoError(t, err)
		assert.Equal(t, 1, len(checks))
		ines.push(ines.event(of, desk.Redact, "", e.ID))
		got := rui.pull()
		if got[0].Body != nil || got[0].Subject != nil || !got[0].Redacted() {
			t.Errorf("it still says %s of %x", got[0].Body, got[0].Subject)
		}
		assert.NoError(t, got[0].Verify(ines.key.Public().(ed25519.PublicKey)))
		checks, _, err = rui.Checked(t.Context(), e.Subject)
		assert.NoError(t, err)
		assert.Equal(t, 0, len(checks))
	})
}

func TestEventsThatWereChangedAreTold(t *testing.T) {
	f := setup(t)
	ines, rui := f.join(f.name("editor")), f.join(f.name("reviewer"))
	of := ines.newCase(rui.Me().Name)
	ines.push(ines.event(of, "judgement", "real", uuid.Nil))
	for _, change := range []string{"body = '{\"text\": \"fake\"}'", "subject = sha256('other')", "lamport = 9", "kind = 'note'", "about = gen_random_uuid()", "author = '" + rui.Me().Name + "'"} {
		owner := f.Login(f.Owner)
		_, err := owner.Exec(t.Context(), "CREATE TEMPORARY TABLE before AS SELECT * FROM desk.events")
		assert.NoError(t, err)
		_, err = owner.Exec(t.Context(), "UPDATE desk.events SET "+change)
		assert.NoError(t, err)
		events, _, err := rui.Pull(t.Context(), postgres.Cursor{})
		assert.NoError(t, err)
		if err := events[0].Verify(ines.key.Public().(ed25519.PublicKey)); !errors.Is(err, desk.ErrSignature) {
			t.Errorf("%s: %v", change, err)
		}
		_, err = owner.Exec(t.Context(), `UPDATE desk.events e SET body = b.body, subject = b.subject, lamport = b.lamport, kind = b.kind, about = b.about,
			author = b.author FROM before b`)
		assert.NoError(t, err)
	}
	events, _, err := rui.Pull(t.Context(), postgres.Cursor{})
	assert.NoError(t, err)
	assert.NoError(t, events[0].Verify(ines.key.Public().(ed25519.PublicKey)))
}

func wantCause(t *testing.T, err error, want postgres.Cause) {
	t.Helper()
	var p *postgres.Problem
	if !errors.As(err, &p) || p.Cause != want {
		t.Errorf("%v, want a problem of cause %s", err, want)
	}
}
