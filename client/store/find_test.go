package store_test

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"assay/client"
	"assay/client/assert"
	"assay/client/store"
	"assay/client/submission"
)

func TestTheSubmissionsOfAFolder(t *testing.T) {
	s := open(t, t.TempDir(), store.Options{})
	const in = "/media/\xff camera"
	sub := func(id, earlier string, state submission.State, accepted, answered time.Duration) submission.Submission {
		sub := submission.Submission{ID: id, Name: id + ".jpg", Path: in + "/" + id + ".jpg", Source: submission.Watched, Folder: in, State: state,
			Step: submission.Settled, SHA256: "hash of " + id, Earlier: earlier, Accepted: noon.Add(accepted)}
		if state == submission.Done {
			sub.Answered = noon.Add(answered)
			sub.Result = &client.Result{RequestID: id, OverallStatus: client.Authentic}
		}
		return sub
	}
	elsewhere := sub("elsewhere", "", submission.Done, 10*time.Hour, 10*time.Hour)
	elsewhere.Folder = "/media/agency"
	_, err := s.Add(t.Context(), []submission.Submission{
		sub("before", "", submission.Done, -2*time.Hour, -time.Hour),
		sub("late", "", submission.Done, -2*time.Hour, time.Hour), // answered since
		sub("done", "", submission.Done, time.Hour, 2*time.Hour),
		sub("held", "", submission.Held, 2*time.Hour, 0),
		sub("shows", "before", submission.Waiting, 3*time.Hour, 0),
		sub("waits", "held", submission.Waiting, 4*time.Hour, 0),
		sub("given up", "before", submission.Cancelled, 5*time.Hour, 0),
		elsewhere,
	})
	assert.NoError(t, err)

	t.Run("are counted from a time on, and the last is named", func(t *testing.T) {
		counts, name, at, err := s.FolderCounts(t.Context(), in, noon)
		assert.NoError(t, err)
		same(t, map[submission.State]int{submission.Done: 2, submission.Held: 2, submission.Cancelled: 1}, counts)
		if name != "given up.jpg" || !at.Equal(noon.Add(5*time.Hour)) {
			t.Errorf("the last is %q of %v", name, at)
		}
		counts, name, at, err = s.FolderCounts(t.Context(), in, noon.Add(6*time.Hour))
		assert.NoError(t, err)
		if len(counts) > 0 || name != "" || !at.IsZero() {
			t.Errorf("there is %v, %q, %v", counts, name, at)
		}
	})
	t.Run("are named that have an answer from a time on", func(t *testing.T) {
		var got []string
		assert.NoError(t, s.FolderAnswered(t.Context(), in, noon, func(id, path string) error {
			if path != in+"/"+id+".jpg" {
				t.Errorf("%s lies at %q", id, path)
			}
			got = append(got, id)
			return nil
		}))
		same(t, []string{"late", "done", "shows"}, got)
		stop := errors.New("enough")
		if err := s.FolderAnswered(t.Context(), in, noon, func(string, string) error { return stop }); !errors.Is(err, stop) {
			t.Errorf("%v", err)
		}
	})
	t.Run("are all named once, however many", func(t *testing.T) {
		many := 2500
		if testing.Short() { // still more than are read at a time
			many = 1100
		}
		var subs []submission.Submission
		for n := range many {
			one := sub(fmt.Sprint(n), "", submission.Done, time.Hour, time.Hour)
			one.Folder = "/media/many"
			subs = append(subs, one)
		}
		_, err := s.Add(t.Context(), subs)
		assert.NoError(t, err)
		seen, named := map[string]bool{}, 0
		assert.NoError(t, s.FolderAnswered(t.Context(), "/media/many", noon, func(id, _ string) error { seen[id] = true; named++; return nil }))
		if len(seen) != many || named != many {
			t.Errorf("%d of %d, named %d times", len(seen), many, named)
		}
	})
}
