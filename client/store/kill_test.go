package store_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"assay/client"
	"assay/client/assert"
	"assay/client/custody"
	"assay/client/store"
	"assay/client/submission"
)

// steps are what the child does with each submission, in this order, and says once it is done.
const (
	stepAdded = iota
	stepSaved
	stepKept
	stepAnswered
	stepGathered // in a case of its own, with a note
)

// TestKilled kills a process that keeps submissions, again and again, at random instants: nothing that it said it had kept is
// lost. ASSAY_KILLS says how often, 15 times if not.
func TestKilled(t *testing.T) {
	if os.Getenv(childFolder) != "" {
		untilKilled(t)
		return
	}
	if testing.Short() {
		t.Skip("a killed process reports no race")
	}
	kills := 15
	if text := os.Getenv("ASSAY_KILLS"); text != "" {
		var err error
		kills, err = strconv.Atoi(text)
		assert.NoError(t, err)
	}
	folder := t.TempDir()
	said := map[string]int{} // the last step of each submission
	for range kills {
		maps.Copy(said, sayings(t, folder))
		s, err := store.Open(t.Context(), folder, store.Options{})
		assert.NoError(t, err)
		if s.SetAside() != "" {
			t.Fatal("the file was set aside")
		}
		assert.NoError(t, s.VerifyCustody(t.Context()))
		assert.NoError(t, s.Close())
	}
	answers := hasAll(t, folder, said)
	if len(said) < kills {
		t.Errorf("%d submissions in %d runs: the test killed too early", len(said), kills)
	}
	t.Logf("%d kills, %d submissions, %d answered, 0 lost", kills, len(said), answers)
}

// hasAll opens a store and finds in it all that a process said it had kept: by its ID, the last step of each submission. It returns how many are answered.
func hasAll(t *testing.T, folder string, said map[string]int) (answers int) {
	t.Helper()
	s := open(t, folder, store.Options{})
	defer s.Close() //nolint:errcheck // it is closed again at the test's end
	if s.SetAside() != "" {
		t.Error("the file was set aside")
	}
	assert.NoError(t, s.VerifyCustody(t.Context()))
	store.WaitForTidying(s)
	for id, step := range said {
		sub := get(t, s, id)
		events := strings.Split(eventsOf(t, s, id), ", ")
		if events[0] != string(custody.Accepted) || len(events) < [...]int{stepAdded: 1, stepSaved: 2, stepKept: 2, stepAnswered: 3, stepGathered: 3}[step] {
			t.Error(id, "did", events, "after step", step)
		}
		if step >= stepSaved && sub.State == submission.Waiting || step >= stepAnswered && (sub.State != submission.Done || sub.Result == nil) {
			t.Errorf("%s stands at %s after step %d", id, sub.State, step)
		}
		if step >= stepKept && kept(t, s, "request-"+id, "thumbnail", "") != "picture of "+id {
			t.Error(id, "has lost its picture")
		}
		if notes, err := s.CaseNotes(t.Context(), "case of "+id); err != nil || step >= stepGathered && (items(t, s, "case of "+id) != "["+id+"]" || len(notes) != 1) {
			t.Error(id, "has lost its case", err)
		}
		if sub.State == submission.Done {
			answers++
		}
	}
	return answers
}

// sayings runs a process until it is killed, and returns what it said.
func sayings(t *testing.T, folder string) map[string]int {
	t.Helper()
	command := child(t.Context(), "TestKilled", folder)
	output, err := command.StdoutPipe()
	assert.NoError(t, err)
	assert.NoError(t, command.Start())
	said := map[string]int{}
	lines := bufio.NewScanner(output)
	var killing *time.Timer
	for lines.Scan() {
		var id string
		var step int
		if _, err := fmt.Sscanf(lines.Text(), "kept %s %d", &id, &step); err != nil {
			if strings.Contains(lines.Text(), "FAIL") {
				rest, _ := io.ReadAll(output)
				t.Errorf("the process failed: %s\n%s", lines.Text(), rest)
			}
			continue
		}
		said[id] = step
		if killing == nil {
			killing = time.AfterFunc(time.Duration(rand.Int64N(int64(150*time.Millisecond))), func() { _ = command.Process.Kill() }) //nolint:gosec // any instant
		}
	}
	if err := command.Wait(); err == nil || killing == nil {
		t.Fatal("the process was not killed: ", err)
	}
	killing.Stop()
	return said
}

// untilKilled keeps submissions, two at a time, and says so.
func untilKilled(t *testing.T) {
	s, err := openChild(t.Context())
	assert.NoError(t, err)
	work := make(chan struct{})
	for range 2 {
		go func() {
			for {
				id := uuid.NewString()
				keepAndSay(t, s, id)
			}
		}()
	}
	<-work // for ever
}

func keepAndSay(t *testing.T, s *store.Store, id string) {
	say := func(step int, err error) {
		if err != nil {
			_, _ = fmt.Fprintln(os.Stdout, "FAIL", id, step, err)
			return
		}
		_, _ = fmt.Fprintf(os.Stdout, "kept %s %d\n", id, step)
	}
	sub := waiting(id)
	sub.Accepted = time.Now()
	_, err := s.Add(t.Context(), []submission.Submission{sub})
	say(stepAdded, err)
	sub.State = submission.Sending
	say(stepSaved, s.Save(t.Context(), sub, "sent"))
	_, err = s.Keep(t.Context(), "request-"+id, "thumbnail", "", func(w io.Writer) error { _, err := io.WriteString(w, "picture of "+id); return err })
	say(stepKept, err)
	say(stepAnswered, s.Answer(t.Context(), answered(t, id, client.Fake), "answered"))
	_, err = s.AddCase(t.Context(), store.Case{ID: "case of " + id, Title: "one"})
	if err == nil {
		_, err = s.AddToCase(t.Context(), "case of "+id, []string{id}, "")
	}
	if err == nil {
		err = s.AddCaseNote(t.Context(), "case of "+id, store.CaseNote{Text: "seen"})
	}
	say(stepGathered, err)
}

// childFolder names the folder of the store in a process of its own, which runs one test of this binary.
const childFolder = "ASSAY_STORE_TEST_FOLDER"

// child is that process, for the test of a name.
func child(ctx context.Context, test, folder string, before ...string) *exec.Cmd {
	args := append(before, os.Args[0], "-test.run=^"+test+"$", "-test.v", "-test.timeout=100s")
	command := exec.CommandContext(ctx, args[0], args[1:]...) //nolint:gosec // this very binary
	command.Env = append(os.Environ(), childFolder+"="+folder)
	return command
}

// inChild runs what a test does in a process of its own, and reports what went wrong there.
func inChild(t *testing.T, command *exec.Cmd) {
	t.Helper()
	if output, err := command.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, output)
	}
}

// openChild opens the store of a child; who cannot is to try again.
func openChild(ctx context.Context) (*store.Store, error) {
	return store.Open(ctx, os.Getenv(childFolder), store.Options{})
}
