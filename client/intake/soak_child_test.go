package intake_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"assay/client"
	"assay/client/intake"
	"assay/client/store"
	"assay/client/submission"
)

// What a process of the soak is told through its environment.
const (
	soakFolder = "ASSAY_SOAK_FOLDER" // of its store; it says, too, that this is such a process
	soakURL    = "ASSAY_SOAK_URL"
	soakKey    = "ASSAY_SOAK_KEY"
	soakEnds   = "ASSAY_SOAK_ENDS" // a moment and how often it must have come before it ends there: "after put 2"
)

// TestMain makes a process of the soak what it is to be, and any other the tests.
func TestMain(m *testing.M) {
	if os.Getenv(soakFolder) == "" {
		m.Run()
		return
	}
	if err := soakProcess(os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "soak:", err)
		panic(err) // the parent sees that it failed
	}
}

// order is a line that a process of the soak gets, word one that it says.
type (
	order struct {
		Accept  []string       // paths and links
		Arrive  []intake.Input // of watched folders
		Approve []string       // IDs of what may leave from now on
		Clear   bool           // before that, take out of the inbox what is done
		Finish  bool           // until all is answered that may leave, and end
	}
	word struct {
		Ready    bool
		Accepted []string          // IDs
		Arrived  []string          // likewise, of watched folders
		Ended    map[string]string // how each of the inbox ended, by ID
		Asked    int               // how often it was tried again what had failed, as a person would
	}
)

// killer is a process that ends itself at a moment.
type killer struct {
	mu   sync.Mutex
	ends string
	left int
}

func (m *killer) reach(at string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if at != m.ends {
		return
	}
	if m.left--; m.left == 0 {
		if self, err := os.FindProcess(os.Getpid()); err == nil {
			_ = self.Kill() // as if the power went
		}
		select {} // until that is so
	}
}

// around ends the process before or after a call or a write, at the chosen moment.
func (k *killer) around(name string, do func() error) error {
	k.reach("before " + name)
	defer k.reach("after " + name)
	return do()
}

// soakProcess takes up the store, and goes on with what it is told until it is killed or has finished.
func soakProcess(orders io.Reader, words io.Writer) (err error) {
	ctx := context.Background()
	m := &killer{}
	if at, times, given := cutLast(os.Getenv(soakEnds)); given {
		m.ends = at
		if m.left, err = strconv.Atoi(times); err != nil {
			return err
		}
	}
	kept, err := store.Open(ctx, os.Getenv(soakFolder), store.Options{})
	if err != nil {
		return err
	}
	if kept.SetAside() != "" {
		return fmt.Errorf("the store was set aside as %s", kept.SetAside())
	}
	c, err := client.New(client.Options{BaseURL: os.Getenv(soakURL), Key: func() string { return os.Getenv(soakKey) }, Wait: hurried})
	if err != nil {
		return err
	}
	q, err := intake.Open(ctx, intake.Params{Service: aroundService{c, m.around}, Store: aroundStore{kept, m.around}, Wait: hurried,
		PollMin: 20 * time.Millisecond, PollMax: 100 * time.Millisecond, Pacer: c.Pacer()})
	if err != nil {
		return err
	}
	say := json.NewEncoder(words)
	if err := say.Encode(word{Ready: true}); err != nil {
		return err
	}
	allowed := map[string]bool{}
	lines := bufio.NewScanner(orders)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var o order
		if err := json.Unmarshal(lines.Bytes(), &o); err != nil {
			return err
		}
		for _, id := range o.Approve {
			allowed[id] = true
		}
		if o.Finish {
			w := finish(q, allowed)
			q.Close()
			c.Close()
			if err := kept.Close(); err != nil {
				return err
			}
			return say.Encode(w)
		}
		if o.Clear {
			q.ClearDone()
		}
		accepted, err := q.Accept(ctx, intake.Inputs(o.Accept...), intake.Options{Source: submission.Dropped})
		if err != nil {
			return err
		}
		arrived := word{Accepted: accepted.IDs}
		for _, a := range o.Arrive {
			arrived.Arrived = append(arrived.Arrived, a.ID)
		}
		if _, err := q.Accept(ctx, o.Arrive, intake.Options{Source: submission.Watched}); err != nil {
			return err
		}
		q.Approve(intake.ApproveOptions{}, o.Approve...)
		if err := say.Encode(arrived); err != nil {
			return err
		}
	}
	return lines.Err()
}

func cutLast(text string) (before, after string, found bool) {
	i := strings.LastIndex(text, " ")
	if i < 0 {
		return text, "", false
	}
	return text[:i], text[i+1:], true
}

// finish waits until all has ended but what is held, allows what is, and tries again what failed, a few times.
func finish(q *intake.Queue, allowed map[string]bool) word {
	changes := q.Events.Subscribe()
	defer changes.Close()
	limit := time.After(100 * time.Second)
	w := word{Ended: map[string]string{}}
	for over := false; !over; {
		undecided := 0
		for _, s := range q.All() {
			if s.State == submission.Held && allowed[s.ID] {
				undecided++
				q.Approve(intake.ApproveOptions{}, s.ID)
			}
		}
		if totals := q.Totals(); undecided == 0 && totals.Ended+totals.Held == totals.All {
			if totals.Failed == 0 || w.Asked >= 20 {
				break
			}
			w.Asked++
			q.RetryFailed()
		}
		select {
		case <-changes.Ready():
			changes.Take()
		case <-limit:
			over = true
		}
	}
	for _, s := range q.All() {
		w.Ended[s.ID] = string(s.State)
		if !s.Problem.IsZero() {
			w.Ended[s.ID] += ": " + s.Problem.String()
		}
	}
	return w
}

// hurried lets long waits pass twenty times as fast.
func hurried(ctx context.Context, d time.Duration) error {
	if d > 200*time.Millisecond {
		d /= 20
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
		return nil
	}
}
