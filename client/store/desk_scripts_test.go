package store_test

import (
	"cmp"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"

	"assay/client"
	"assay/client/assert"
	"assay/client/desk"
	"assay/client/store"
	"assay/client/submission"
)

// step is what one of three people does in a case, or a part of their exchange with the desk. What it is about is told by a and b.
type step struct {
	who, what int
	a, b      int
}

// doings are what a step can be, by its number; the first two are the exchange.
var doings = []string{"push", "pull", "rename", "tag", "draw", "close", "reopen", "ask", "note", "check", "answer", "assign", "judge", "sign off", "answered again", "rule", "item in", "item out"}

func (s step) String() string { return fmt.Sprintf("%d %s %d %d", s.who, doings[s.what], s.a, s.b) }

// scriptOf is the script of a seed.
func scriptOf(seed uint64) []step {
	r := rand.New(rand.NewPCG(seed, 1)) //nolint:gosec // the same for the same seed
	steps := make([]step, 8+r.IntN(24))
	for i := range steps {
		steps[i] = step{who: r.IntN(3), what: r.IntN(len(doings)), a: r.IntN(1000), b: r.IntN(1000)}
		switch r.IntN(6) { // much of all is of these
		case 0, 1:
			steps[i].what = r.IntN(2)
		case 2:
			steps[i].what = slices.Index(doings, "sign off")
		}
	}
	return steps
}

// TestColleaguesConverge has three people do at random what people do in a case, each offline for a while, while parts of what they do reach the desk and each
// other, some of it twice: once all were heard, all see the same, nothing is lost, and nothing is there twice. ASSAY_SCRIPTS says how many scripts there are, and
// ASSAY_SEED from which seed on; one that fails is told as its fewest steps. The desk is a list here: client/desk/postgres tests that the real one is such a list.
func TestColleaguesConverge(t *testing.T) {
	scripts, err := strconv.Atoi(cmp.Or(os.Getenv("ASSAY_SCRIPTS"), "60"))
	assert.NoError(t, err)
	if testing.Short() {
		scripts = 15
	}
	first, err := strconv.ParseUint(cmp.Or(os.Getenv("ASSAY_SEED"), "1"), 10, 64)
	assert.NoError(t, err)
	t.Logf("%d scripts from ASSAY_SEED=%d on", scripts, first)
	signed, void, events := 0, 0, 0
	const together = 50                                               // scripts of which each has its own case, one after the other in the same records
	for seed := first; seed < first+uint64(scripts) && !t.Failed(); { //nolint:gosec // none is negative
		differs := ""
		t.Run(fmt.Sprint("from seed ", seed), func(t *testing.T) {
			c := fourColleagues(t)
			for last := min(first+uint64(scripts), seed+together); seed < last && differs == ""; seed++ { //nolint:gosec // likewise
				p := play(c, scriptOf(seed))
				differs = p.differ()
				for _, j := range p.judgements(0, p.cases[0]) {
					for _, s := range j.SignOffs {
						if signed++; s.Void {
							void++
						}
					}
				}
			}
			events += len(c.desk)
		})
		if differs != "" {
			seed--
			t.Fatalf("ASSAY_SEED=%d, of which these steps are enough: %s", seed, fewest(t, scriptOf(seed), differs))
		}
	}
	t.Logf("%d events, %d sign-offs, of which %d are void", events, signed, void)
	if scripts >= 60 && (signed == 0 || void == 0 || void == signed) {
		t.Errorf("%d sign-offs, of which %d are void", signed, void)
	}
}

// fewest leaves out of a script what is not needed for what differs after it, and says what that is.
func fewest(t *testing.T, steps []step, differs string) string {
	t.Helper()
	for i := 0; i < len(steps); {
		fewer, still := slices.Delete(slices.Clone(steps), i, i+1), ""
		t.Run(fmt.Sprintf("%d steps of it", len(fewer)), func(t *testing.T) { still = play(fourColleagues(t), fewer).differ() })
		if still == "" {
			i++
		} else {
			steps, differs = fewer, still
		}
	}
	return fmt.Sprintf("%v\n%s", steps, differs)
}

// fourColleagues are three who work, and one who receives all in another order. Their clocks go on with each look at them.
func fourColleagues(t *testing.T) *colleagues {
	t.Helper()
	var seconds atomic.Int64
	return newColleaguesAt(t, func() time.Time { return noon.Add(time.Duration(seconds.Add(1)) * time.Second) }, "anna", "rui", "zoe", "newcomer")
}

// played is a script that people have played.
type played struct {
	*colleagues
	cases []string // each one's ID of it
	texts []string // what they wrote: each is to be seen once
	added int      // contents
	from  int      // where it begins at the desk
}

// play plays a script in a new case, and then has all exchange all.
func play(c *colleagues, steps []step) *played {
	c.t.Helper()
	id := newCase(c.t, c.stores[0], "A case")
	there := desk.IDOf(id).String()
	p := &played{colleagues: c, cases: []string{id, there, there, there}, from: len(c.desk)}
	p.addItem(0)
	assert.NoError(c.t, p.stores[0].ShareCase(c.t.Context(), id, desk.ShareAnswer))
	p.judge(0, "request-"+p.clip(0), client.LabelManipulated, "")
	p.exchange()
	for _, s := range steps {
		p.does(s, p.cases[s.who])
	}
	p.exchange()
	var received []store.Received
	for _, e := range p.desk[p.from:] {
		received = append(received, store.Received{Event: e})
	}
	rand.New(rand.NewPCG(1, 1)).Shuffle(len(received), func(i, j int) { received[i], received[j] = received[j], received[i] }) //nolint:gosec // any order
	for some := range slices.Chunk(received, 7) {
		assert.NoError(c.t, p.stores[3].Receive(c.t.Context(), some, "1", ""))
	}
	return p
}

// exchange has the three who work exchange everything.
func (p *played) exchange() {
	p.t.Helper()
	for i := range 3 {
		p.push(i)
	}
	for i := range 3 {
		p.pull(i)
	}
}

// clip is the ID of a content that was added in the script.
func (p *played) clip(n int) string { return fmt.Sprintf("clip %d of %s", n, p.cases[1]) }

// addItem has one of them add a content with its answer to the case.
func (p *played) addItem(i int) {
	p.t.Helper()
	name := p.clip(p.added)
	p.added++
	add(p.t, p.stores[i], ofGate(p.t, name, submission.GateSend))
	_, err := p.stores[i].AddToCase(p.t.Context(), p.cases[i], []string{name}, "x")
	assert.NoError(p.t, err)
}

// does does one step.
func (p *played) does(s step, caseID string) {
	p.t.Helper()
	ctx, i, own := p.t.Context(), s.who, p.stores[s.who]
	e := store.CaseEvent{By: "x", Text: fmt.Sprintf("%d %s %d %d, %d", s.who, doings[s.what], s.a, s.b, len(p.texts))}
	switch doings[s.what] {
	case "push":
		events, err := own.Unsent(ctx, 1+s.a%4) // a part of a batch
		assert.NoError(p.t, err)
		for j := range events {
			events[j].Sign(p.keys[i])
			p.arrives(events[j])
		}
		if s.b%4 > 0 { // else the answer is lost, and they are sent again
			assert.NoError(p.t, own.Sent(ctx, events))
		}
		return
	case "pull":
		from := max(p.from, p.pulled[i]-s.b%5) // some come again
		p.pulled[i] = max(p.pulled[i], min(len(p.desk), from+1+s.a%6))
		var received []store.Received
		for _, e := range p.desk[from:p.pulled[i]] {
			received = append(received, store.Received{Event: e})
		}
		assert.NoError(p.t, own.Receive(ctx, received, "1", fmt.Sprint(p.pulled[i])))
		return
	case "rename":
		e.Kind = store.CaseRenamed
	case "tag":
		e.Kind, e.Text = store.CaseTagged, strings.Join([]string{"a", "b", "c", "d"}[s.a%4:], ",")
	case "draw":
		e.Kind = store.CaseDrawn
	case "close":
		e.Kind = store.CaseClosed
	case "reopen":
		e.Kind, e.Text = store.CaseReopened, ""
	case "ask":
		e.Kind = store.CaseAsked
	case "note":
		e.Kind = store.CaseNoted
	case "check":
		e.Kind, e.Check = store.CaseChecked, store.CheckKinds[s.a%len(store.CheckKinds)]
	case "rule":
		e.Kind, e.Text = []store.CaseEventKind{store.CaseSignOffRequired, store.CaseSignOffNotRequired}[s.a%2], ""
	case "answer", "assign":
		questions, err := own.CaseQuestions(ctx, caseID)
		assert.NoError(p.t, err)
		if len(questions) == 0 {
			return
		}
		e.Kind, e.About = store.CaseAnswered, questions[s.a%len(questions)].ID
		if doings[s.what] == "assign" {
			e.Kind, e.Text = store.CaseAssigned, []string{"anna", "RUI", "zoe", "Somebody", ""}[s.b%5]
		}
	case "judge", "answered again", "item out":
		p.doesWithItem(s, caseID)
		return
	case "sign off":
		if all := p.judgements(i, caseID); len(all) > 0 {
			j := all[s.a%len(all)]
			switch {
			case s.b%4 == 0 && j.Own:
				assert.NoError(p.t, own.WithdrawJudgement(ctx, caseID, j.ID))
			case s.b%4 == 0:
				assert.NoError(p.t, own.WithdrawSignOff(ctx, caseID, j.ID))
			case !j.Own:
				assert.NoError(p.t, own.SignOff(ctx, caseID, j))
			}
		}
		return
	case "item in": // a new one, or one that was taken out, perhaps
		if own := p.clip(s.a % p.added); s.b%2 == 0 {
			sub, there, err := p.stores[i].Get(ctx, own)
			assert.NoError(p.t, err)
			if there && sub.Source != submission.Desk {
				_, err := p.stores[i].AddToCase(ctx, caseID, []string{own}, "x")
				assert.NoError(p.t, err)
			}
			return
		}
		p.addItem(i)
		return
	}
	err := own.ChangeCase(ctx, caseID, e)
	if errors.Is(err, store.ErrNotSignedOff) {
		return
	}
	assert.NoError(p.t, err)
	if slices.Contains([]string{"ask", "note", "check", "answer"}, doings[s.what]) {
		p.texts = append(p.texts, e.Text)
	}
}

// doesWithItem does a step with one of the items of a case.
func (p *played) doesWithItem(s step, caseID string) {
	p.t.Helper()
	ctx, own := p.t.Context(), p.stores[s.who]
	items, err := own.CaseItems(ctx, caseID)
	assert.NoError(p.t, err)
	if len(items) == 0 {
		return
	}
	item := get(p.t, own, items[s.a%len(items)])
	switch doings[s.what] {
	case "judge":
		p.judge(s.who, item.RequestID, client.Labels()[s.b%4], fmt.Sprint("said ", s.a, s.b))
	case "answered again":
		if item.Source == submission.Desk {
			return
		}
		again := answered(p.t, fmt.Sprintf("again %d, %s", len(p.texts), uuid.NewString()), client.Fake)
		again.SHA256 = item.SHA256
		again.Result = result(p.t, fmt.Sprintf(`{"requestId": %q, "overallStatus": %q, "releaseVersion": "3.0"}`, again.RequestID, []client.Status{client.Fake, client.Authentic}[s.b%2]))
		add(p.t, own, again)
		_, err := own.AddToCase(ctx, caseID, []string{again.ID}, "x")
		assert.NoError(p.t, err)
	case "item out":
		_, err := own.RemoveFromCase(ctx, caseID, []string{item.ID}, "x")
		assert.NoError(p.t, err)
	}
}

// differ says how what they see differs, what is lost, and what is there twice; "" where nothing is.
func (p *played) differ() string {
	p.t.Helper()
	want := p.seen(0, p.cases[0])
	for i := range 3 {
		got := p.seen(i, p.cases[i])
		if got != want {
			return fmt.Sprintf("%s\nor, for the %d.:\n%s", want, i, got)
		}
		events, _, err := p.stores[i].CaseEvents(p.t.Context(), p.cases[i], store.CaseCursor{}, 1000)
		assert.NoError(p.t, err)
		times := map[string]int{}
		for _, e := range events {
			times[e.Text]++
		}
		for _, text := range p.texts {
			if times[text] != 1 {
				return fmt.Sprintf("%q is there %d times, for the %d.", text, times[text], i)
			}
		}
	}
	// Whatever comes in whatever order: what was judged and signed off is the same.
	if one, other := p.judgementLines(1, p.cases[1]), p.judgementLines(3, p.cases[3]); one != other {
		return fmt.Sprintf("%s\nor, in another order:\n%s", one, other)
	}
	return ""
}
