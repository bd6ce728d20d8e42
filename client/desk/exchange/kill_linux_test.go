package exchange_test

import (
	"bufio"
	"context"
	"crypto/ed25519"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"assay/client/assert"
	"assay/client/custody"
	"assay/client/desk"
	"assay/client/desk/exchange"
	"assay/client/desk/postgres"
	"assay/client/desk/postgres/desktest"
	"assay/client/events"
	"assay/client/store"
	"assay/client/submission"
)

// What a process that is to be killed gets to know in its environment: the folder of its records, the desk's address, and the case that it writes in.
const (
	childFolder  = "ASSAY_DESK_TEST_FOLDER"
	childAddress = "ASSAY_DESK_TEST_ADDRESS"
	childCase    = "ASSAY_DESK_TEST_CASE"
)

// childKey signs what the process writes.
var childKey = ed25519.NewKeyFromSeed([]byte("the same for each of its runs..."))

// openPerson opens the records of a person whose process is killed.
func openPerson(t testing.TB, folder, address string) *person {
	t.Helper()
	at, err := postgres.ParseAddress(address)
	assert.NoError(t, err)
	hub := new(events.Hub)
	s, err := store.Open(t.Context(), folder, store.Options{Events: hub})
	assert.NoError(t, err)
	if s.SetAside() != "" {
		t.Fatal("the records were set aside")
	}
	return &person{t: t, login: at.Login(), Params: exchange.Params{
		Store: s, Address: at, Events: hub,
		Password: func(context.Context) (string, error) { return desktest.Password, nil },
		Key:      func(context.Context) (ed25519.PrivateKey, error) { return childKey, nil },
	}}
}

// TestKilled has two people write in a case and exchange, and kills the process of one of them again and again, at random instants: nothing that either
// had kept is lost, and nothing is there twice. ASSAY_KILLS says how often, 12 times if not.
func TestKilled(t *testing.T) {
	if os.Getenv(childFolder) != "" {
		untilKilled(t)
		return
	}
	if testing.Short() {
		t.Skip("a killed process reports no race")
	}
	kills := 12
	if text := os.Getenv("ASSAY_KILLS"); text != "" {
		var err error
		kills, err = strconv.Atoi(text)
		assert.NoError(t, err)
	}
	database, people := setup(t, "ines", "rui")
	rui, folder, address := people[1], t.TempDir(), database.URL(people[0].login)
	ines := openPerson(t, folder, address)
	_, err := exchange.Join(t.Context(), ines.Params)
	assert.NoError(t, err)
	hers := ines.shares("A bridge", "bridge", rui)
	his := desk.IDOf(hers).String()
	assert.NoError(t, ines.Store.Close())
	rui.once()
	rui.start(t)

	owner := database.Login(database.Owner)
	var kept []string // what either was told is kept
	unsent, unknown := 0, 0
	for round := range kills {
		written := make(chan []string)
		stop := make(chan struct{})
		go func() { written <- rui.writesUntil(stop, his, round) }()
		kept = append(kept, sayings(t, folder, address, hers)...)
		close(stop)
		kept = append(kept, <-written...)
		ines = openPerson(t, folder, address)
		assert.NoError(t, ines.Store.VerifyCustody(t.Context()))
		waiting, err := ines.Store.Unsent(t.Context(), 100_000)
		assert.NoError(t, err)
		unsent += len(waiting)
		ids := make([]uuid.UUID, len(waiting))
		for i, e := range waiting {
			ids[i] = e.ID
		}
		var there int
		assert.NoError(t, owner.QueryRow(t.Context(), "SELECT count(*) FROM desk.events WHERE id = ANY($1)", ids).Scan(&there))
		unknown += there
		assert.NoError(t, ines.Store.Close())
	}
	ines = openPerson(t, folder, address)
	t.Cleanup(func() { assert.NoError(t, ines.Store.Close()) })
	ines.once()
	assert.NoError(t, exchange.Once(t.Context(), rui.Params))
	ines.once()

	at := notesAt(t, database)
	for p, id := range map[*person]string{ines: hers, rui: his} {
		all, err := p.Store.CaseNotes(t.Context(), id)
		assert.NoError(t, err)
		times := map[string]int{}
		for _, n := range all {
			times[n.Text]++
		}
		for _, text := range kept {
			if times[text] == 0 {
				t.Errorf("%s has lost %q", p.login, text)
			}
		}
		for text, n := range times {
			if n > 1 {
				t.Errorf("%s has %q %d times", p.login, text, n)
			}
		}
		assert.Equal(t, at, len(all))
		assert.Equal(t, 0, p.counts().Pending+p.counts().Refused+p.counts().Altered)
		report, err := p.Store.CheckCustody(t.Context(), custody.Anchor{})
		assert.NoError(t, err)
		assert.Equal(t, 0, len(report.Findings))
	}
	a, err := ines.Store.CaseByID(t.Context(), hers)
	assert.NoError(t, err)
	b, err := rui.Store.CaseByID(t.Context(), his)
	assert.NoError(t, err)
	slices.Sort(a.Tags)
	slices.Sort(b.Tags)
	assert.Equal(t, a.Title, b.Title)
	assert.Equal(t, a.Tags, b.Tags)
	assert.Equal(t, a.Items, b.Items)
	assert.Equal(t, true, len(kept) > kills)
	if kills >= 100 && (unsent == 0 || unknown == 0) {
		t.Error("no process was killed while it sent")
	}
	t.Logf("%d kills, %d notes, %d of them kept for certain, %d items: %d entries were not sent at a kill, of which the desk had %d; 0 lost, 0 twice", kills, at, len(kept), a.Items, unsent, unknown)
}

// writesUntil writes notes and a title now and then until it is to stop, and returns the notes.
func (p *person) writesUntil(stop <-chan struct{}, caseID string, round int) (all []string) {
	for i := 0; ; i++ {
		select {
		case <-stop:
			return all
		case <-time.After(4 * time.Millisecond): // so that neither alone keeps the machine busy
		}
		text := fmt.Sprintf("his %d %d", round, i)
		err := p.Store.AddCaseNote(p.t.Context(), caseID, store.CaseNote{Text: text, By: "Rui"})
		if err == nil && i%10 == 0 {
			err = p.Store.ChangeCase(p.t.Context(), caseID, store.CaseEvent{Kind: store.CaseRenamed, Text: "By him, " + text, By: "Rui"})
		}
		if err != nil {
			p.t.Error(err)
			return all
		}
		all = append(all, text)
	}
}

// sayings runs her process until it is killed, and returns the notes that it said it had kept.
func sayings(t *testing.T, folder, address, caseID string) (kept []string) {
	t.Helper()
	command := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestKilled$", "-test.timeout=100s") //nolint:forbidigo,gosec // this very binary
	command.Env = append(os.Environ(), childFolder+"="+folder, childAddress+"="+address, childCase+"="+caseID)
	output, err := command.StdoutPipe()
	assert.NoError(t, err)
	assert.NoError(t, command.Start())
	var killing *time.Timer
	for lines := bufio.NewScanner(output); lines.Scan(); {
		text, said := strings.CutPrefix(lines.Text(), "kept ")
		if !said {
			rest, _ := io.ReadAll(output)
			t.Errorf("the process failed: %s\n%s", lines.Text(), rest)
			break
		}
		kept = append(kept, text)
		if killing == nil {
			killing = time.AfterFunc(time.Duration(rand.Int64N(int64(300*time.Millisecond))), func() { _ = command.Process.Kill() }) //nolint:gosec // any instant
		}
	}
	if err := command.Wait(); err == nil || killing == nil {
		t.Fatal("the process was not killed: ", err)
	}
	killing.Stop()
	return kept
}

// untilKilled writes in the case and exchanges, and says what is kept.
func untilKilled(t *testing.T) {
	p := openPerson(t, os.Getenv(childFolder), os.Getenv(childAddress))
	l := exchange.Start(p.Params)
	of := os.Getenv(childCase)
	say := func(text string, err error) {
		if err == nil {
			err = l.Status().Problem
		}
		if err != nil {
			_, _ = fmt.Fprintln(os.Stdout, "FAIL", text, err)
			return
		}
		_, _ = fmt.Fprintln(os.Stdout, "kept", text)
	}
	work := make(chan struct{})
	go func() {
		for {
			text := "hers " + uuid.NewString()
			say(text, p.Store.AddCaseNote(t.Context(), of, store.CaseNote{Text: text, By: "Ines"}))
		}
	}()
	go func() {
		for range time.Tick(30 * time.Millisecond) {
			content := uuid.NewString()
			_, err := p.Store.Add(t.Context(), []submission.Submission{answered(t, content)})
			if err == nil {
				_, err = p.Store.AddToCase(t.Context(), of, []string{content}, "Ines")
			}
			if err == nil {
				err = p.Store.ChangeCase(t.Context(), of, store.CaseEvent{Kind: store.CaseTagged, Text: "by her, " + content[:8], By: "Ines"})
			}
			if err != nil {
				say(content, err)
			}
		}
	}()
	<-work // for ever
}
