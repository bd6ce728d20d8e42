package exchange_test

import (
	"database/sql"
	"fmt"
	"path/filepath"
	"runtime"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"

	"assay/client"
	"assay/client/assert"
	"assay/client/benchtest"
	"assay/client/desk"
	"assay/client/desk/exchange"
	"assay/client/desk/postgres"
	"assay/client/desk/postgres/desktest"
	"assay/client/events"
	"assay/client/store"
	"assay/client/store/storetest"
	"assay/client/submission"
)

// BenchmarkBNotice measures how long it takes until what one writes is on the other's computer, both being connected.
func BenchmarkBNotice(b *testing.B) {
	const rounds = 200
	_, people := setup(b, "ines", "rui")
	ines, rui := people[0], people[1]
	hers := ines.shares("A bridge", "bridge", rui)
	his := desk.IDOf(hers).String()
	for _, p := range people {
		l := p.start(b)
		until(b, "connected", func() bool { return l.Status().Connected })
	}
	until(b, "the case is there", func() bool { _, err := rui.Store.CaseByID(b.Context(), his); return err == nil })
	changed := rui.Events.Subscribe(events.Case)
	defer changed.Close()
	var took []float64
	for range b.N {
		for range rounds {
			before := rui.notes(his)
			took = append(took, benchtest.Seconds(func() {
				assert.NoError(b, ines.Store.AddCaseNote(b.Context(), hers, store.CaseNote{Text: "Seen from the bridge", By: "Ines"}))
				for rui.notes(his) == before {
					<-changed.Ready()
					changed.Take()
				}
			}))
		}
	}
	slices.Sort(took)
	p95 := took[len(took)*95/100]
	benchtest.Print(b, "\nBDesk notice to another desktop: p95 %.0f ms (aim 1000 ms) %s; half within %.0f ms, all within %.0f ms",
		p95*1e3, benchtest.Met(p95 < 1), benchtest.Median(took)*1e3, took[len(took)-1]*1e3)
}

// BenchmarkBNewcomer compares what somebody receives who comes into a large case with a bare reading of the same rows that writes them to SQLite in batches,
// and tells whether the memory for that grows with the case.
func BenchmarkBNewcomer(b *testing.B) {
	const few, many = 5000, 50_000
	database, people := setup(b, "ines", "rui", "zoe")
	ines := people[0]
	large, small := ines.shares("A bridge", "bridge", people[1]), ines.shares("A mill", "mill", people[2])
	for id, n := range map[string]int{large: many, small: few} {
		conn, err := postgres.Connect(b.Context(), ines.Address, desktest.Password)
		assert.NoError(b, err)
		key, err := ines.Key(b.Context())
		assert.NoError(b, err)
		for part := range slices.Chunk(make([]desk.Event, n), 500) {
			for i := range part {
				part[i] = desk.Event{
					ID: uuid.New(), Case: desk.IDOf(id), Author: ines.login, Device: exchange.DeviceOf(ines.login, key), Lamport: int64(i + 10), Kind: desk.Note,
					Body: fmt.Appendf(nil, `{"at": "2026-11-21T12:00:00Z", "text": "What a person writes in a note: some two hundred letters, as %s"}`, uuid.NewString()),
				}
				part[i].Sign(key)
			}
			_, err := conn.Push(b.Context(), part)
			assert.NoError(b, err)
		}
		conn.Close()
	}
	var received, bare, peaks []float64
	for range b.N {
		for range 3 {
			var peak float64
			received = append(received, benchtest.Seconds(func() { peak = peakOf(func() { people[1].again(b).once() }) }))
			bare = append(bare, benchtest.Seconds(func() { bareReading(b, database, desk.IDOf(large)) }))
			peaks = append(peaks, peak)
		}
	}
	before := peakOf(func() { people[2].again(b).once() })
	ratio := benchtest.Median(received) / benchtest.Median(bare)
	benchtest.Print(b, "\nBDesk %d events received by a newcomer vs the same rows selected and written to SQLite: %.2fx (aim 2x) %s; %.1f s against %.1f s",
		many, ratio, benchtest.Met(ratio <= 2), benchtest.Median(received), benchtest.Median(bare))
	peak := benchtest.Median(peaks)
	benchtest.Print(b, "BDesk memory at most while %d are received vs while %d are: %.2fx (aim 1.3x) %s; %.1f MB against %.1f MB",
		many, few, peak/before, benchtest.Met(peak <= 1.3*before), peak/1e6, before/1e6)
}

// again is the same person at a new computer.
func (p *person) again(b *testing.B) *person {
	b.Helper()
	other := *p
	var err error
	other.Store, err = store.Open(b.Context(), b.TempDir(), store.Options{})
	assert.NoError(b, err)
	b.Cleanup(func() { assert.NoError(b, other.Store.Close()) })
	return &other
}

// peakOf is how many bytes the heap has at most while something is done.
func peakOf(do func()) (most float64) {
	runtime.GC()
	done, looking := make(chan struct{}), sync.WaitGroup{}
	looking.Go(func() {
		for tick := time.NewTicker(2 * time.Millisecond); ; {
			var memory runtime.MemStats
			runtime.ReadMemStats(&memory)
			most = max(most, float64(memory.HeapAlloc))
			select {
			case <-tick.C:
			case <-done:
				tick.Stop()
				return
			}
		}
	})
	do()
	close(done)
	looking.Wait()
	return most
}

// bareReading reads the events of a case in their order and writes them to SQLite, as many at a time as Assay does, each time as durably.
func bareReading(b *testing.B, database *desktest.Database, of uuid.UUID) {
	b.Helper()
	into, err := sql.Open("sqlite", "file:"+filepath.Join(b.TempDir(), "bare.db")+"?_pragma=journal_mode(WAL)&_pragma=synchronous(FULL)")
	assert.NoError(b, err)
	into.SetMaxOpenConns(1)
	defer into.Close() //nolint:errcheck // only measured
	_, err = into.ExecContext(b.Context(), `CREATE TABLE events (seq INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, of_case TEXT, author TEXT, device TEXT, lamport INTEGER, kind TEXT,
		subject BLOB, body BLOB, digest BLOB, sig BLOB, at INTEGER)`)
	assert.NoError(b, err)
	insert, err := into.PrepareContext(b.Context(), "INSERT INTO events (id, of_case, author, device, lamport, kind, subject, body, digest, sig, at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")
	assert.NoError(b, err)
	rows, err := database.Connect(b, desktest.Superuser, database.Name).Query(b.Context(),
		"SELECT id, case_id, author, device, lamport, kind, subject, body, digest, sig, at FROM desk.events WHERE case_id = $1 ORDER BY tx, seq", of)
	assert.NoError(b, err)
	defer rows.Close()
	var tx *sql.Tx
	n := 0
	for ; rows.Next(); n++ {
		var id, caseID, device uuid.UUID
		var author, kind, body string
		var lamport int64
		var subject, digest, sig []byte
		var at time.Time
		assert.NoError(b, rows.Scan(&id, &caseID, &author, &device, &lamport, &kind, &subject, &body, &digest, &sig, &at))
		if tx == nil {
			tx, err = into.BeginTx(b.Context(), nil)
			assert.NoError(b, err)
		}
		_, err = tx.StmtContext(b.Context(), insert).ExecContext(b.Context(), id.String(), caseID.String(), author, device.String(), lamport, kind, subject, []byte(body), digest, sig, at.UnixNano())
		assert.NoError(b, err)
		if n%500 == 499 {
			assert.NoError(b, tx.Commit())
			tx = nil
		}
	}
	assert.NoError(b, rows.Err())
	if tx != nil {
		assert.NoError(b, tx.Commit())
	}
}

// BenchmarkBWithoutTheDesk compares what a person waits for while the desk that they have joined can't be reached with the same without any desk.
func BenchmarkBWithoutTheDesk(b *testing.B) {
	const results, rounds = 20_000, 150
	database, people := setup(b, "ines")
	ines := people[0]
	folders := []string{b.TempDir(), b.TempDir()}
	for _, folder := range folders {
		assert.NoError(b, storetest.FillFolder(b.Context(), folder, results))
	}
	open := func(folder string) *store.Store {
		s, err := store.Open(b.Context(), folder, store.Options{Events: ines.Events})
		assert.NoError(b, err)
		return s
	}
	without, joined := open(folders[0]), open(folders[1])
	assert.NoError(b, ines.Store.LeaveDesk(b.Context()))
	at := *ines
	at.Store = joined
	proxy := at.through(b, database)
	_, err := exchange.Join(b.Context(), at.Params)
	assert.NoError(b, err)
	at.shares("A bridge", "bridge")
	proxy.Gone()
	loop := exchange.Start(at.Params)
	until(b, "it can't be reached", func() bool { return causeOf(loop) == postgres.Unreachable })
	compare := func(name string, do func(*store.Store)) {
		var bare, beside []float64
		for range rounds {
			bare = append(bare, benchtest.Seconds(func() { do(without) }))
			beside = append(beside, benchtest.Seconds(func() { do(joined) }))
		}
		ratio := benchtest.Median(beside) / benchtest.Median(bare)
		benchtest.Print(b, "BDesk %s with a desk that can't be reached vs without a desk: %.2fx (aim 1.1x) %s; %.2f ms against %.2f ms",
			name, ratio, benchtest.Met(ratio <= 1.1), benchtest.Median(beside)*1e3, benchtest.Median(bare)*1e3)
	}
	benchtest.Print(b, "")
	for range b.N {
		compare("enqueue", func(s *store.Store) {
			_, err := s.Add(b.Context(), []submission.Submission{{
				ID: uuid.NewString(), Path: "/home/desk/Incoming/clip.mp4", Name: "clip.mp4", Source: submission.Dropped,
				State: submission.Waiting, Step: submission.Seen, Type: client.Video, Accepted: time.Now(),
			}})
			assert.NoError(b, err)
		})
		compare("search", func(s *store.Store) {
			_, _, err := s.Page(b.Context(), store.Query{Text: "nairobi"}, store.Cursor{}, 50)
			assert.NoError(b, err)
		})
		compare("page", func(s *store.Store) {
			_, _, err := s.Page(b.Context(), store.Query{Order: store.HumanFirst}, store.Cursor{}, 50)
			assert.NoError(b, err)
		})
	}
	loop.Close()
	assert.NoError(b, without.Close())
	assert.NoError(b, joined.Close())
	start := func(folder string) (seconds float64) {
		own := at
		var l *exchange.Loop
		seconds = benchtest.Seconds(func() {
			own.Store = open(folder)
			_, desk, err := own.Store.Desk(b.Context())
			assert.NoError(b, err)
			if desk {
				l = exchange.Start(own.Params)
			}
			_, _, err = own.Store.Page(b.Context(), store.Query{}, store.Cursor{}, 50)
			assert.NoError(b, err)
		})
		if l != nil {
			l.Close()
		}
		assert.NoError(b, own.Store.Close())
		return seconds
	}
	var bare, beside []float64
	for range 30 {
		bare, beside = append(bare, start(folders[0])), append(beside, start(folders[1]))
	}
	ratio := benchtest.Median(beside) / benchtest.Median(bare)
	benchtest.Print(b, "BDesk start with a desk that can't be reached vs without a desk: %.2fx (aim 1.1x) %s; %.1f ms against %.1f ms",
		ratio, benchtest.Met(ratio <= 1.1), benchtest.Median(beside)*1e3, benchtest.Median(bare)*1e3)
}
