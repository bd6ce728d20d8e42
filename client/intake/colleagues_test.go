package intake_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"assay/client"
	"assay/client/assert"
	"assay/client/intake"
	"assay/client/media"
	"assay/client/submission"
)

// sharing is what a colleague has shared of a content.
type sharing string

const (
	nothing sharing = "nothing"
	only    sharing = "the verdict"
	whole   sharing = "the answer"
)

// ruiHas has Rui share something of a file's content.
func (m *memory) ruiHas(t *testing.T, path string, shared sharing) {
	t.Helper()
	if shared == nothing {
		return
	}
	file, err := os.Open(path)
	assert.NoError(t, err)
	defer file.Close() //nolint:errcheck // only read from
	sum, err := media.Hash(t.Context(), file, nil)
	assert.NoError(t, err)
	sub := submission.Submission{ID: "rui " + sum, Source: submission.Desk, State: submission.Done, Step: submission.Answered, Gate: submission.GateNever, Filed: true,
		SHA256: sum, RequestID: "ruis-request", Answered: start.Add(-time.Hour), AnsweredBy: submission.Colleague{Name: "Rui", At: start.Add(-time.Hour)}}
	if shared == whole {
		sub.Result = &client.Result{RequestID: "ruis-request", OverallStatus: client.Suspicious, Raw: []byte(`{}`)}
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.rows[sub.ID] = sub
}

// takeBack has Rui take back all that he shared.
func (m *memory) takeBack() {
	m.mu.Lock()
	defer m.mu.Unlock()
	for id, s := range m.rows {
		if s.Source == submission.Desk {
			delete(m.rows, id)
		}
	}
}

// hand hands a file over with a rule for what colleagues have checked, and a gate.
func (f *fixture) hand(path string, rule submission.ColleagueRule, gate submission.Gate) string {
	f.t.Helper()
	accepted, err := f.Accept(f.t.Context(), intake.Inputs(path), intake.Options{Source: submission.Dropped, Colleagues: rule, Gate: gate})
	assert.NoError(f.t, err)
	return accepted.IDs[0]
}

// isRuis checks that a submission has Rui's answer, and that the service has heard of nothing.
func (f *fixture) isRuis(id string) {
	f.t.Helper()
	got := f.until(id, submission.Done)
	assert.True(f.t, got.RequestID == "ruis-request" && got.Result.Status() == client.Suspicious && got.Problem.IsZero() && got.Uploaded.IsZero(), "%+v", got)
	assert.Equal(f.t, submission.Colleague{Name: "Rui", At: start.Add(-time.Hour)}, got.AnsweredBy)
	f.nothingAsked()
}

func TestWhatAColleagueHasChecked(t *testing.T) {
	const asked, alone = "Use that answer", "shared only the verdict"
	for _, c := range []struct {
		rule   submission.ColleagueRule
		gate   submission.Gate
		shared sharing
		state  submission.State
		says   string // of the problem
		ruis   bool   // it has his answer, without a word of the person
	}{
		{submission.SendAnyway, submission.GateSend, whole, submission.Done, "", false},
		{submission.SendAnyway, submission.GateAsk, whole, submission.Held, "", false},
		{submission.AskFirst, submission.GateSend, nothing, submission.Done, "", false},
		{submission.AskFirst, submission.GateSend, only, submission.Held, alone, false},
		{submission.AskFirst, submission.GateSend, whole, submission.Held, asked, false},
		{submission.AskFirst, submission.GateAsk, nothing, submission.Held, "", false},
		{submission.AskFirst, submission.GateAsk, only, submission.Held, alone, false},
		{submission.AskFirst, submission.GateAsk, whole, submission.Held, asked, false},
		{submission.AskFirst, submission.GateNever, whole, submission.Stays, "", false},
		{submission.TakeOver, submission.GateSend, nothing, submission.Done, "", false},
		{submission.TakeOver, submission.GateSend, only, submission.Held, alone, false},
		{submission.TakeOver, submission.GateSend, whole, submission.Done, "", true},
		{submission.TakeOver, submission.GateAsk, whole, submission.Done, "", true},
		{submission.TakeOver, submission.GateNever, whole, submission.Done, "", true},
		{submission.TakeOver, submission.GateNever, only, submission.Stays, "", false},
	} {
		t.Run(fmt.Sprintf("rule %q, gate %s, Rui shared %s", c.rule, c.gate, c.shared), func(t *testing.T) {
			q := unopened(t)
			file := pictureFile(t, "a.png", 1)
			q.store.ruiHas(t, file, c.shared)
			q.open()
			id := q.hand(file, c.rule, c.gate)
			got := q.until(id, c.state)
			if c.ruis {
				q.isRuis(id)
				assert.True(t, slices.Contains(q.custodyEvents(), "taken over from a colleague"), "the custody log says %v", q.custodyEvents())
				return
			}
			assert.True(t, (c.says == "") == got.Problem.IsZero() && strings.Contains(got.Problem.String(), c.says), "it says %q", got.Problem)
			assert.Equal(t, c.gate, q.store.row(id).Gate) // the settings' word stands
			if c.state != submission.Done {
				q.nothingAsked()
			} else if q.shown(id).RequestID == "ruis-request" {
				t.Error("it has his answer, for which nobody asked")
			}
		})
	}
}

func TestTheAnswerIsTakenOverByThePersonsWord(t *testing.T) {
	for _, gate := range []submission.Gate{submission.GateSend, submission.GateAsk} {
		asking := func(t *testing.T) (q *fixture, file, id string) {
			q = unopened(t)
			file = pictureFile(t, "a.png", 1)
			q.store.ruiHas(t, file, whole)
			q.open()
			id = q.hand(file, submission.AskFirst, gate)
			q.until(id, submission.Held)
			return q, file, id
		}
		t.Run("with gate "+string(gate), func(t *testing.T) {
			t.Run("it stands for the content from then on", func(t *testing.T) {
				q, file, id := asking(t)
				q.TakeOver(id)
				q.isRuis(id)
				q.reopen()
				same := filepath.Join(t.TempDir(), "b.png")
				content, err := os.ReadFile(file)
				assert.NoError(t, err)
				assert.NoError(t, os.WriteFile(same, content, 0o600))
				again := q.hand(same, submission.AskFirst, gate)
				q.isRuis(again)
				assert.Equal(t, id, q.shown(again).Earlier)
			})
			t.Run("also of what was kept here first", func(t *testing.T) {
				q, _, id := asking(t)
				q.Withhold(id)
				q.until(id, submission.Stays)
				q.TakeOver(id)
				q.isRuis(id)
			})
			t.Run("or the file is sent all the same", func(t *testing.T) {
				q, _, id := asking(t)
				q.Approve(intake.ApproveOptions{}, id)
				got := q.until(id, submission.Done)
				assert.True(t, got.RequestID != "ruis-request" && got.AnsweredBy == submission.Colleague{} && len(q.server.submissions()) == 1, "%+v", got)
				q.TakeOver(id) // too late
				q.Withhold(id)
				assert.Equal(t, got.RequestID, q.store.row(id).RequestID)
			})
			t.Run("what was taken over can be scanned again", func(t *testing.T) {
				q, _, id := asking(t)
				q.TakeOver(id)
				q.isRuis(id)
				q.ScanAgain(q.shown(id))
				q.when("it is on its way", func() bool { return len(q.Order()) == 2 })
				second := q.Order()[1]
				if q.until(second, submission.Done, submission.Held).State == submission.Held { // as the gate says
					q.Approve(intake.ApproveOptions{}, second)
				}
				assert.True(t, q.until(second, submission.Done).RequestID != "ruis-request", "it has his answer again")
			})
			t.Run("once he has taken it back, it waits as before", func(t *testing.T) {
				q, _, id := asking(t)
				q.store.takeBack()
				q.TakeOver(id)
				q.decided()
				q.is(submission.Held, id)
				q.nothingAsked()
			})
			t.Run("a file that changed meanwhile is another one", func(t *testing.T) {
				q, file, id := asking(t)
				content, err := os.ReadFile(pictureFile(t, "c.png", 90))
				assert.NoError(t, err)
				assert.NoError(t, os.WriteFile(file, content, 0o600))
				before := q.shown(id).SHA256
				q.Approve(intake.ApproveOptions{}, id)
				want := submission.Done
				if gate == submission.GateAsk {
					want = submission.Held // for the new bytes
				}
				q.when("it is decided by the gate", func() bool { return q.shown(id).State == want && q.store.row(id).SHA256 != before })
				assert.True(t, q.shown(id).Problem.IsZero(), "it says %q", q.shown(id).Problem)
			})
		})
	}
}

func TestACrashBetweenQuestionAndAnswerSendsNothing(t *testing.T) {
	file := pictureFile(t, "a.png", 1)
	begin := func(t *testing.T, ends moment) *life {
		l := newLife(unopened(t), ends)
		l.store.ruiHas(t, file, whole)
		q := l.begin(l.process)
		accepted, err := q.Accept(t.Context(), intake.Inputs(file), intake.Options{Source: submission.Dropped, Colleagues: submission.AskFirst})
		if err == nil && l.reached(q, accepted.IDs[0], submission.Held) {
			q.TakeOver(accepted.IDs...)
			l.reached(q, accepted.IDs[0], submission.Done)
		}
		q.nothingAsked()
		q.Close()
		return l
	}
	all := begin(t, "").process.seen
	assert.True(t, len(all) >= 6, "these are all moments: %v", all)
	for _, at := range all {
		t.Run("ended "+string(at), func(t *testing.T) {
			q := begin(t, at).again()
			for _, id := range q.Order() {
				if q.until(id, submission.Held, submission.Done).State == submission.Held {
					q.TakeOver(id)
				}
				q.isRuis(id)
			}
			assert.True(t, at.accepted() == (len(q.Order()) == 1), "%d are in the inbox", len(q.Order()))
		})
	}
}

// TestSomebodyElsewhereHasCheckedIt asks the desk about what no colleague in the person's own cases has checked.
func TestSomebodyElsewhereHasCheckedIt(t *testing.T) {
	const asks = "in a case that you are not in"
	for _, c := range []struct {
		rule   submission.ColleagueRule
		gate   submission.Gate
		shared sharing
		says   bool // the desk, that somebody has
		asked  int  // how often the desk was asked
		state  submission.State
	}{
		{submission.AskFirst, submission.GateSend, nothing, true, 1, submission.Held},
		{submission.TakeOver, submission.GateSend, nothing, true, 1, submission.Held},
		{submission.AskFirst, submission.GateSend, nothing, false, 1, submission.Done},
		{submission.SendAnyway, submission.GateSend, nothing, true, 0, submission.Done},
		{submission.AskFirst, submission.GateSend, whole, true, 0, submission.Held}, // what is in the person's cases says more
		{submission.AskFirst, submission.GateAsk, nothing, true, 0, submission.Held},
		{submission.AskFirst, submission.GateNever, nothing, true, 0, submission.Stays},
		{submission.TakeOver, submission.GateNever, nothing, true, 0, submission.Stays},
	} {
		t.Run(fmt.Sprintf("rule %q, gate %s, Rui shared %s, elsewhere %v", c.rule, c.gate, c.shared, c.says), func(t *testing.T) {
			q := unopened(t)
			file := pictureFile(t, "a.png", 1)
			q.store.ruiHas(t, file, c.shared)
			var asked atomic.Int32
			says := func(says bool) func(*intake.Params) {
				return func(p *intake.Params) {
					p.Elsewhere = func(context.Context, string) bool { asked.Add(1); return says }
				}
			}
			q.adjust = append(q.adjust, says(c.says))
			q.open()
			id := q.hand(file, c.rule, c.gate)
			got := q.until(id, c.state)
			assert.Equal(t, c.asked, int(asked.Load()))
			told := c.says && c.asked > 0
			assert.Equal(t, told, strings.Contains(got.Problem.String(), asks))
			if c.state != submission.Done {
				q.nothingAsked()
			}
			if told {
				q.reopen(says(false)) // as offline
				assert.True(t, strings.Contains(q.until(id, submission.Held).Problem.String(), asks), "it says %q", q.shown(id).Problem)
				q.nothingAsked()
				q.Approve(intake.ApproveOptions{}, id)
				q.until(id, submission.Done)
			}
		})
	}
}
