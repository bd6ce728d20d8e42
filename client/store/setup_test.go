package store_test

import (
	"database/sql"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"assay/client"
	"assay/client/assert"
	"assay/client/store"
	"assay/client/store/storetest"
	"assay/client/submission"
)

// noon is when tests take place.
var noon = time.Date(2026, time.November, 21, 12, 0, 0, 123_456_789, time.UTC)

// setup opens a store in a folder of its own.
func setup(t *testing.T) *store.Store {
	t.Helper()
	return open(t, t.TempDir(), store.Options{})
}

// open opens a store that is closed when the test ends.
func open(t *testing.T, folder string, o store.Options) *store.Store {
	t.Helper()
	if o.Now == nil {
		o.Now = func() time.Time { return noon }
	}
	if there, err := os.ReadDir(folder); err == nil && len(there) == 0 {
		assert.NoError(t, storetest.Empty(folder))
	}
	s, err := store.Open(t.Context(), folder, o)
	assert.NoError(t, err)
	t.Cleanup(func() { assert.NoError(t, s.Close()) })
	return s
}

// same compares what was kept with what came back, every field of it.
func same(t *testing.T, want, got any) {
	t.Helper()
	assert.Equal(t, want, got, cmp.AllowUnexported(client.Score{}))
}

// waiting is a submission that was just accepted.
func waiting(id string) submission.Submission {
	return submission.Submission{
		ID: id, Path: "/incoming/" + id + ".jpg", Name: id + ".jpg", Source: submission.Dropped, Gate: submission.GateSend,
		State: submission.Waiting, Step: submission.Seen, Type: client.Image, Accepted: noon,
	}
}

// answered is a submission with its answer.
func answered(t *testing.T, id string, status client.Status) submission.Submission {
	t.Helper()
	sub := waiting(id)
	sub.State, sub.Step, sub.RequestID, sub.Answered = submission.Done, submission.Answered, "request-"+id, noon.Add(time.Minute)
	sub.Result = result(t, fmt.Sprintf(`{"requestId": "request-%s", "overallStatus": %q, "releaseVersion": "2.1"}`, id, status))
	return sub
}

func result(t *testing.T, raw string) *client.Result {
	t.Helper()
	r := new(client.Result)
	assert.NoError(t, json.Unmarshal([]byte(raw), r))
	r.Raw = json.RawMessage(raw)
	return r
}

func add(t *testing.T, s *store.Store, subs ...submission.Submission) []submission.Submission {
	t.Helper()
	kept, err := s.Add(t.Context(), subs)
	assert.NoError(t, err)
	return kept
}

// count is how many results a query has that limits no status.
func count(t *testing.T, s *store.Store, q store.Query) (n int) {
	t.Helper()
	counts, err := s.CountByStatus(t.Context(), q)
	assert.NoError(t, err)
	for _, of := range counts {
		n += of
	}
	return n
}

func get(t *testing.T, s *store.Store, id string) submission.Submission {
	t.Helper()
	sub, ok, err := s.Get(t.Context(), id)
	assert.NoError(t, err)
	if !ok {
		t.Fatalf("%s is not there", id)
	}
	return sub
}

// tamper runs SQL on the closed file, as another program might.
func tamper(t *testing.T, folder string, statements ...string) {
	t.Helper()
	database, err := sql.Open("sqlite", filepath.Join(folder, "assay.db"))
	assert.NoError(t, err)
	for _, statement := range statements {
		_, err := database.ExecContext(t.Context(), statement)
		assert.NoError(t, err)
	}
	assert.NoError(t, database.Close())
}
