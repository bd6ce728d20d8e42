package intake_test

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"assay/client/intake"
	"assay/client/store"
	"assay/client/submission"
)

// soakGate is what the soak hands over as files of a watched folder.
type soakGate struct {
	arrived      map[string]*arrived // by ID
	openArrivals []intake.Input      // that were handed over without being acknowledged
}

// arrived is one of these.
type arrived struct {
	intake.Input
	sha256       string
	acknowledged bool
	allowed      bool // a process may have been told so
}

// mayLeave reports whether the service may know of it, and has to in the end.
func (a *arrived) mayLeave() bool { return a.Gate == submission.GateSend || a.allowed }

// stays reports whether a submission is one that may not leave.
func (s *soak) stays(id string) bool {
	a := s.arrived[id]
	return a != nil && !a.mayLeave()
}

// moreArrivals are new files, and some that were handed over before, acknowledged or not.
func (s *soak) moreArrivals() []intake.Input {
	given := s.openArrivals
	for range 1 + s.random.IntN(2) {
		name := fmt.Sprintf("w%04d.txt", len(s.arrived))
		text := []byte(fmt.Sprintf("This is file %d of the folder. ", len(s.arrived)) + strings.Repeat("It goes on and on. ", s.random.IntN(2000)))
		path, sum := filepath.Join(s.media, name), sha256.Sum256(text)
		must(s.t, os.WriteFile(path, text, 0o600))
		gates := []submission.Gate{submission.GateAsk, submission.GateAsk, submission.GateNever, submission.GateSend}
		a := &arrived{Input: intake.Input{ID: "arrival-" + name, Path: path, Folder: s.media, Gate: gates[s.random.IntN(len(gates))]},
			sha256: hex.EncodeToString(sum[:])}
		s.arrived[a.ID] = a
		given = append(given, a.Input)
	}
	if ids := s.arrivedIDs(); s.random.IntN(2) == 0 {
		given = append(given, s.arrived[ids[s.random.IntN(len(ids))]].Input)
	}
	s.openArrivals = given
	return given
}

// moreAllowed are the IDs of what the person allows to leave now.
func (s *soak) moreAllowed() (ids []string) {
	for _, id := range s.arrivedIDs() {
		if a := s.arrived[id]; a.Gate == submission.GateAsk && (a.allowed || s.random.IntN(20) == 0) {
			a.allowed = true
			ids = append(ids, id)
		}
	}
	return ids
}

func (s *soak) arrivedIDs() []string { return slices.Sorted(maps.Keys(s.arrived)) }

// allowed are the IDs of all that the person allowed so far.
func (s *soak) allowed() (ids []string) {
	for _, id := range s.arrivedIDs() {
		if s.arrived[id].allowed {
			ids = append(ids, id)
		}
	}
	return ids
}

// verifyArrivals counts those that were acknowledged and are lost. What was sent, verify counts.
func (s *soak) verifyArrivals(kept *store.Store) (lost int) {
	t := s.t
	t.Helper()
	held := 0
	for id, a := range s.arrived {
		if !a.acknowledged {
			t.Errorf("%s was never acknowledged", id)
		}
		sub, ok, err := kept.Get(t.Context(), id)
		must(t, err)
		switch {
		case !ok:
			lost++
			t.Errorf("lost: %s", id)
		case a.mayLeave():
			if !s.answered(kept, id) {
				lost++
			}
			continue
		case a.Gate == submission.GateAsk && sub.State != submission.Held, a.Gate == submission.GateNever && sub.State != submission.Stays:
			t.Errorf("%s of %s is %s", id, a.Gate, sub.State)
		}
		held++
		if sub.SHA256 != a.sha256 || !sub.Allowed.IsZero() || sub.RequestID != "" || sub.Upload.SignedURL != "" {
			t.Errorf("%+v", sub)
		}
	}
	if held < 3 || len(s.allowed()) < 3 {
		t.Errorf("%d were held and %d allowed: too few to tell", held, len(s.allowed()))
	}
	return lost
}
