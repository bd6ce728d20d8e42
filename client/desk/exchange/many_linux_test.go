package exchange_test

import (
	"cmp"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"runtime"
	"slices"
	"strconv"
	"sync"
	"testing"
	"time"

	"assay/client/assert"
	"assay/client/desk"
	"assay/client/desk/exchange"
	"assay/client/desk/postgres"
	"assay/client/desk/postgres/desktest"
	"assay/client/events"
	"assay/client/store"
	"assay/client/wait"
)

// readersFiles is how many files a store opens more when many read from it at once, and keeps open: three readers, of two files each.
const readersFiles = 6

// team is how many people are in a case with each other.
const team = 5

// newsroom is many people who work at once, and what is measured of that.
type newsroom struct {
	*desktest.Database
	t      *testing.T
	checks int           // that the desk has, in all cases in turn
	pace   time.Duration // how often each writes, more or less
	cases  []string      // their IDs at the desk

	mu      sync.Mutex
	written map[string]time.Time // by text
	notices []float64            // seconds until a colleague could see it
	lookups []float64            // seconds
}

// colleague is one of them.
type colleague struct {
	*person
	room   *newsroom
	caseID string // here
	of     int    // the place of their case
	loop   *exchange.Loop
	asks   *postgres.Connection
}

// TestManyDesktops has many desktops write, receive and look contents up at one desk, each with connections of its own: nothing is lost, nothing is there
// twice, and none takes more and more of the machine. ASSAY_DESKTOPS says how many, 20 if not, ASSAY_FOR for how long, and ASSAY_CHECKS how many checks
// the desk has. It tells how long notices and look-ups took.
func TestManyDesktops(t *testing.T) {
	many, checks, lasts, pace := setting(t, "ASSAY_DESKTOPS", 20), setting(t, "ASSAY_CHECKS", 100_000), 4*time.Second, time.Second
	if testing.Short() { // all of it is slow under the race detector
		many, checks = 10, 1000
	}
	if text := os.Getenv("ASSAY_FOR"); text != "" {
		var err error
		lasts, err = time.ParseDuration(text)
		assert.NoError(t, err)
		pace = time.Minute
	}
	names := make([]string, many)
	for i := range names {
		names[i] = fmt.Sprint("person", i)
	}
	database, people := setup(t, names...)
	room := &newsroom{Database: database, t: t, checks: checks, pace: pace, written: map[string]time.Time{}}
	all := room.join(people)
	before := usage()
	var working sync.WaitGroup
	ends, end := context.WithTimeout(t.Context(), lasts)
	defer end()
	seeing, stop := context.WithCancel(t.Context())
	defer stop()
	var watching sync.WaitGroup
	for _, c := range all {
		watching.Go(func() { c.watches(seeing) })
		working.Go(func() { c.works(ends) })
	}
	<-time.After(lasts / 2) //nolint:forbidigo // for how long all work is what the test is about
	half := usage()
	working.Wait()
	until(t, "all have all of it", func() bool {
		return !slices.ContainsFunc(all, func(c *colleague) bool { return c.counts().Pending > 0 || c.notes(c.caseID) < room.in(c.of) })
	})
	after := usage()
	stop()
	watching.Wait()

	total := 0
	for _, c := range all {
		notes, err := c.Store.CaseNotes(t.Context(), c.caseID)
		assert.NoError(t, err)
		texts := map[string]bool{}
		for _, n := range notes {
			texts[n.Text] = true
		}
		assert.Equal(t, room.in(c.of), len(notes)) // none twice
		assert.Equal(t, len(notes), len(texts))    // and none lost
		assert.Equal(t, 0, c.counts().Refused+c.counts().Altered)
	}
	for of := range room.cases {
		total += room.in(of)
	}
	assert.Equal(t, total, notesAt(t, database))
	assert.True(t, total > many/2 && len(room.notices) >= total, "%d notes and %d notices", total, len(room.notices))
	assert.True(t, after.goroutines <= half.goroutines+many && after.files <= half.files+readersFiles*many, "from %+v to %+v", half, after)
	assert.True(t, after.heap <= 2*half.heap+(32<<20), "from %+v to %+v", half, after)
	slices.Sort(room.lookups)
	slices.Sort(room.notices)
	at := func(all []float64, part float64) float64 { return all[int(part*float64(len(all)-1))] * 1e3 }
	t.Logf("%d desktops for %s, %d checks: %d look-ups, p50 %.2f ms, p99 %.1f ms (aim 20 ms); %d notes, %d notices of them, p50 %.0f ms, p95 %.0f ms (aim 1000 ms), p99 %.0f ms; 0 lost, 0 twice",
		many, lasts, checks, len(room.lookups), at(room.lookups, 0.5), at(room.lookups, 0.99), total, len(room.notices), at(room.notices, 0.5), at(room.notices, 0.95), at(room.notices, 0.99))
	t.Logf("at the beginning, in the middle and at the end: %+v, %+v, %+v", before, half, after)
}

// setting is a number from the environment.
func setting(t *testing.T, name string, otherwise int) int {
	t.Helper()
	n, err := strconv.Atoi(cmp.Or(os.Getenv(name), strconv.Itoa(otherwise)))
	assert.NoError(t, err)
	return n
}

// join makes a case for each team, fills the desk with checks, and connects everybody.
func (room *newsroom) join(people []*person) (all []*colleague) {
	room.t.Helper()
	var ids [][16]byte
	for members := range slices.Chunk(people, team) {
		hers := members[0].shares("A case", fmt.Sprint("content ", len(room.cases)), members[1:]...)
		ids = append(ids, desk.IDOf(hers))
		for i, p := range members {
			c := &colleague{person: p, room: room, caseID: desk.IDOf(hers).String(), of: len(room.cases)}
			if i == 0 {
				c.caseID = hers
			}
			all = append(all, c)
		}
		room.cases = append(room.cases, desk.IDOf(hers).String())
	}
	room.LoadChecks(room.t, room.checks, people[0].login, ids)
	var err error
	for _, c := range all {
		c.loop = c.start(room.t)
		c.asks, err = postgres.Connect(room.t.Context(), c.Address, desktest.Password)
		assert.NoError(room.t, err)
		room.t.Cleanup(c.asks.Close)
	}
	for _, c := range all {
		until(room.t, "the case is there", func() bool { _, err := c.Store.CaseByID(room.t.Context(), c.caseID); return err == nil })
		until(room.t, "connected", func() bool { return c.loop.Status().Connected })
	}
	return all
}

// in is how many notes were written in a case.
func (room *newsroom) in(of int) int {
	n := 0
	room.mu.Lock()
	defer room.mu.Unlock()
	for text := range room.written {
		var in int
		if _, err := fmt.Sscanf(text, "case %d", &in); err == nil && in == of {
			n++
		}
	}
	return n
}

// works writes at this person's pace, and looks contents up sixteen times as often: those of their case, of others', and such as nobody has checked.
func (c *colleague) works(ctx context.Context) {
	for i := 0; wait.For(ctx, time.Duration(float64(c.room.pace)*rand.Float64()/8)) == nil; i++ { //nolint:gosec // any time
		if i%16 == 0 {
			text := fmt.Sprintf("case %d: %s %d", c.of, c.login, i)
			c.room.mu.Lock()
			c.room.written[text] = time.Now()
			c.room.mu.Unlock()
			if err := c.Store.AddCaseNote(context.WithoutCancel(ctx), c.caseID, store.CaseNote{Text: text, By: c.login}); err != nil {
				c.t.Error(err)
			}
		}
		number := rand.IntN(c.room.checks) //nolint:gosec // any
		content := desktest.Content(number, c.room.checks)
		if i%4 == 0 {
			content[31]++
		}
		began := time.Now()
		found, _, err := c.asks.Checked(context.WithoutCancel(ctx), content)
		took := time.Since(began).Seconds()
		if expect := i%4 != 0 && number%len(c.room.cases) == c.of; err != nil || (len(found) == 1) != expect {
			c.t.Errorf("%d checks of content %d in case %d: %v", len(found), number, c.of, err)
		}
		c.room.mu.Lock()
		c.room.lookups = append(c.room.lookups, took)
		c.room.mu.Unlock()
	}
}

// watches measures when this person could see what others had written.
func (c *colleague) watches(ctx context.Context) {
	changed := c.Events.Subscribe(events.Case)
	defer changed.Close()
	seen := map[string]bool{}
	for {
		select {
		case <-changed.Ready():
			changed.Take()
		case <-ctx.Done():
			return
		}
		latest, _, err := c.Store.CaseEvents(context.WithoutCancel(ctx), c.caseID, store.CaseCursor{}, 20)
		if err != nil {
			c.t.Error(err)
		}
		now := time.Now()
		c.room.mu.Lock()
		for _, e := range latest {
			written, known := c.room.written[e.Text]
			if known && !seen[e.Text] && e.By != c.login {
				c.room.notices = append(c.room.notices, now.Sub(written).Seconds())
			}
			seen[e.Text] = true
		}
		c.room.mu.Unlock()
	}
}

// used is what the process has of the machine.
type used struct {
	goroutines, files int
	heap              uint64 // bytes
}

func usage() (u used) {
	var memory runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&memory)
	u.goroutines, u.heap = runtime.NumGoroutine(), memory.HeapAlloc
	if open, err := os.ReadDir("/proc/self/fd"); err == nil {
		u.files = len(open)
	}
	return u
}
