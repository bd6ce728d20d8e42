package intake_test

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"assay/client"
	"assay/client/assert"
	"assay/client/intake"
	"assay/client/submission"
)

// life is a process that ends at a moment, on a disk of its own and with a service that stays.
type life struct {
	*fixture
	process *process
}

func newLife(f *fixture, ends moment) *life {
	return &life{fixture: f, process: newProcess(f.store, f.server, ends)}
}

// live runs a process that hands something over until it ends at a moment, or until all is answered where it is "".
func live(t *testing.T, given []string, ends moment, adjust func(*server)) *life {
	t.Helper()
	l := newLife(unopened(t), ends)
	if adjust != nil {
		adjust(l.server)
	}
	q := l.begin(l.process)
	accepted, err := q.Accept(t.Context(), intake.Inputs(given...), intake.Options{Source: submission.Dropped})
	if ends == "" {
		assert.NoError(t, err)
	}
	for _, id := range accepted.IDs {
		l.reached(q, id, submission.Done)
	}
	select {
	case <-l.process.ended:
	default:
		if ends != "" {
			t.Fatalf("all was answered before the moment %q: %v", ends, l.process.seen)
		}
	}
	q.Close()
	return l
}

// reached waits for a submission to be in a state; false where the process has ended before.
func (l *life) reached(q *fixture, id string, want ...submission.State) bool {
	l.t.Helper()
	for {
		if s, ok := q.Get(id); ok && slices.Contains(want, s.State) {
			return true
		}
		select {
		case <-l.process.ended:
			return false
		case <-q.changes.Ready():
			q.changes.Take()
		case <-time.After(time.Minute):
			l.t.Fatalf("the moment %q never came: %v", l.process.ends, l.process.seen)
		}
	}
}

// begin is the start of a process.
func (l *life) begin(m *process) *fixture {
	l.t.Helper()
	l.open(func(p *intake.Params) {
		p.Service, p.Store, p.Uploads = aroundService{m.server, m.around}, aroundStore{m.store, m.around}, 1
		p.Wait = func(ctx context.Context, d time.Duration) error {
			select {
			case <-m.ended: // no time passes for it any more
				<-ctx.Done()
				return ctx.Err()
			default:
				return l.clock.Skip(ctx, d)
			}
		}
	})
	return l.fixture
}

// again is the process that is started next, on what the first left on the disk.
func (l *life) again() *fixture {
	l.t.Helper()
	l.server.forgetCalls()
	return l.begin(newProcess(l.process.legacy, l.server, ""))
}

// moments are all that a process of this kind goes through.
func moments(t *testing.T, given []string, adjust func(*server)) []moment {
	t.Helper()
	l := live(t, given, "", adjust)
	return l.process.seen
}

// allDone waits until all of the inbox is answered, and asks the service again for what failed, as a person would.
func (f *fixture) allDone() (asked int) {
	f.t.Helper()
	for _, id := range f.Order() {
		for got := f.until(id, submission.Done, submission.Failed); got.State == submission.Failed; got = f.until(id, submission.Done, submission.Failed) {
			if asked++; asked > 10 {
				f.t.Fatalf("%q failed for ever: %s", got.Name, got.Problem)
			}
			f.Retry(id)
		}
	}
	return asked
}

// accepted reports whether what was handed over before this moment was acknowledged or may be on the disk.
func (m moment) accepted() bool { return m != "before accepting" }

func TestACrashAtAnyMomentLosesNothingAndSendsNothingTwice(t *testing.T) {
	file := pictureFile(t, "a.png", 1)
	same := pictureFile(t, "b.png", 1)
	for _, kind := range []struct {
		name   string
		given  []string
		adjust func(*server)
		own    int // submissions of their own
	}{
		{"a file", []string{file}, nil, 1},
		{"a file whose number is not told", []string{file}, func(w *server) { w.silent = true }, 1},
		{"a file and another of the same bytes", []string{file, same}, nil, 1},
		{"a link", []string{post}, nil, 1},
		{"a link whose number is not told", []string{post}, func(w *server) { w.silent = true }, 1},
		{"the same link twice", []string{post, strings.ToUpper(post[:5]) + post[5:]}, nil, 1},
		{"files and links", []string{file, post, pictureFile(t, "c.png", 50)}, nil, 3},
	} {
		for _, at := range moments(t, kind.given, kind.adjust) {
			for _, later := range []time.Duration{0, 20 * time.Minute} {
				name := kind.name + ", ended " + string(at)
				if later > 0 {
					name += ", started again when upload URLs had expired"
				}
				t.Run(name, func(t *testing.T) {
					l := live(t, kind.given, at, kind.adjust)
					l.clock.Advance(later)
					q := l.again()
					want := kind.own
					if !at.accepted() {
						want = 0
					}
					q.allDone()
					assert.True(t, (!at.accepted() || len(q.All()) == len(kind.given)) && (at.accepted() || len(q.All()) == 0), "%d of %d are in the inbox", len(q.All()), len(kind.given))
					assert.True(t, len(l.server.submissions()) == want, "%d submissions at the service, want %d: %+v", len(l.server.submissions()), want, l.server.submissions())
					for _, s := range q.All() {
						assert.True(t, s.Result != nil && s.RequestID != "", "%q is done without an answer", s.Name)
					}
				})
			}
		}
	}
}

func TestWhereASubmissionIsTakenUp(t *testing.T) {
	file := []string{pictureFile(t, "a.png", 1)}
	for _, c := range []struct {
		name   string
		ends   moment
		later  time.Duration
		silent bool
		then   []string // what the service is asked after the restart
	}{
		{name: "seen: from the beginning", ends: "after accepting", then: []string{"upload-url", "put /1", "look id-1"}},
		{name: "hashed, and the answer of the disk lost", ends: "before writing gated", then: []string{"upload-url", "put /1", "look id-1"}},
		{name: "gated: an upload URL is asked for", ends: "after writing gated", then: []string{"upload-url", "put /1", "look id-1"}},
		{name: "url-requested, and nothing was asked", ends: "before upload-url", then: []string{"upload-url", "put /1", "look id-1"}},
		{name: "url-requested, and the answer lost: asked again, nothing went up", ends: "after upload-url", then: []string{"upload-url", "put /2", "look id-2"}},
		{name: "url-held: sent to that upload URL", ends: "after writing url-held", then: []string{"put /1", "look id-1"}},
		{name: "url-held and expired: replaced without a look, nothing went up", ends: "after writing url-held", later: 20 * time.Minute, then: []string{"upload-url", "put /2", "look id-2"}},
		{name: "sending, and nothing was sent: sent to the same upload URL", ends: "after writing sending", then: []string{"put /1", "look id-1"}},
		{name: "sending, and all was sent: sent to the same upload URL again", ends: "after put", then: []string{"put /1", "look id-1"}},
		{name: "R sending, all was sent and the upload URL expired: found in the list", ends: "after put", later: 20 * time.Minute, then: []string{"find", "look id-1"}},
		{name: "sending, nothing was sent and the upload URL expired: three looks in the list, then a new upload URL", ends: "after writing sending", later: 20 * time.Minute, then: []string{"find", "find", "find", "upload-url", "put /2", "look id-2"}},
		{name: "sent: nothing is sent again", ends: "after writing sent", then: []string{"look id-1"}},
		{name: "sent, a day ago", ends: "after writing sent", later: 24 * time.Hour, then: []string{"look id-1"}},
		{name: "sent, the number not told: looked for in the list", ends: "after writing sent", silent: true, then: []string{"find", "look id-1"}},
		{name: "R19 polling: asked for its answer alone", ends: "after writing polling", then: []string{"look id-1"}},
		{name: "R19 polling, and the answer was under way", ends: "after look", then: []string{"look id-1"}},
		{name: "R19 answered, and not written down", ends: "before writing done", then: []string{"look id-1"}},
		{name: "R19 done: not asked again", ends: "after writing done", then: nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			l := live(t, file, c.ends, func(w *server) { w.silent = c.silent })
			l.clock.Advance(c.later)
			q := l.again()
			q.until(q.Order()[0], submission.Done)
			q.Close()
			if got := l.server.forgetCalls(); !slices.Equal(got, c.then) {
				t.Errorf("it asked for %v, want %v", got, c.then)
			}
		})
	}
}

func TestWhereALinkIsTakenUp(t *testing.T) {
	for _, c := range []struct {
		name  string
		ends  moment
		then  []string
		asked int // the person
	}{
		{"seen: submitted", "after accepting", []string{"link", "look link-1"}, 0},
		{"gated: submitted", "after writing gated", []string{"link", "look link-1"}, 0},
		{"submitted, and the answer lost: found in the list", "after link", []string{"list", "look link-1"}, 0},
		{"submitted or not, and not in the list: the person is asked", "after writing sending",
			[]string{"list", "list", "list", "list", "list", "list", "link", "look link-1"}, 1},
		{"R19 polling: asked for its answer alone", "after writing polling", []string{"look link-1"}, 0},
		{"done: not asked again", "after writing done", nil, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			l := live(t, []string{post}, c.ends, nil)
			q := l.again()
			asked := q.allDone()
			assert.True(t, asked == c.asked, "the person was asked %d times, want %d", asked, c.asked)
			q.Close()
			if got := l.server.forgetCalls(); !slices.Equal(got, c.then) {
				t.Errorf("it asked for %v, want %v", got, c.then)
			}
		})
	}
}

func TestARestartKeeps(t *testing.T) {
	t.Run("the order, the sources and the warnings of the inbox", func(t *testing.T) {
		q := setup(t)
		q.PauseAll()
		ids := q.drop(pictureFile(t, "a.png", 1), pictureFile(t, "b.png", 30))
		pasted, err := q.Accept(t.Context(), intake.Inputs("https://example.org/clip"), intake.Options{Source: submission.Pasted})
		assert.NoError(t, err)
		ids = append(ids, pasted.IDs...)
		before := q.All()
		q.reopen()
		got := q.Order()
		assert.True(t, slices.Equal(got, ids), "order %v, want %v", got, ids)
		for i, s := range q.All() {
			assert.True(t, s.Source == before[i].Source && s.Name == before[i].Name && s.Accepted.Equal(before[i].Accepted), "%+v was %+v", s, before[i])
		}
	})
	t.Run("R19 the answer of one that another device waits for, too", func(t *testing.T) {
		q := setup(t)
		q.server.taken = []taken{{id: "id-9", name: "x.png", at: start}}
		err := q.Adopt(t.Context(), []submission.Submission{{ID: "pulled", Name: "x.png", RequestID: "id-9", Source: submission.Service, Gate: submission.GateSend,
			State: submission.Analysing, Step: submission.Polling, Accepted: start, Uploaded: start}})
		assert.NoError(t, err)
		got := q.until("pulled", submission.Done)
		assert.True(t, got.Result.OverallStatus == client.Authentic, "%+v", got)
		assert.True(t, q.server.asked("put")+q.server.asked("upload-url") == 0, "something was sent")
	})
}
