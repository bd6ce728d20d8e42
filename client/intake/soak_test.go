package intake_test

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"assay/client/assert"
	"assay/client/intake"
	"assay/client/sandbox"
	"assay/client/store"
	"assay/client/submission"
)

// soakKills says how many kills at random instants the full form has; the short form has shortKills.
const (
	soakKills  = "ASSAY_KILLS"
	shortKills = 25
)

// soakFaults are what goes wrong at the service meanwhile.
var soakFaults = []string{
	"upload-url:503@/11", "upload-url:truncate@/13", "put:503@/9", "put:reset@/7,after=700", "put:stall@/4,for=30ms", "put:expired@/23",
	"social:503@/7", "social:truncate@/4", "result:503@/17", "result:reset@/19", "list:500@/5",
}

// soakMoments are where a process of the soak ends itself, each at least once.
func soakMoments() (all []string) {
	for _, at := range []string{"accepting", "writing settled", "writing gated", "writing url-requested", "upload-url", "writing url-held", "writing sending",
		"put", "writing sent", "link", "writing polling", "look", "writing done"} {
		all = append(all, "before "+at, "after "+at)
	}
	return all
}

// Where the service ends the process that calls it.
const (
	halfThere = "half of the bytes have arrived"
	allThere  = "all of the bytes have arrived"
	linkThere = "the link has arrived"
	urlGiven  = "the address was given"
)

// soak is a sandbox, a folder that outlives processes, and what was handed over.
type soak struct {
	t       *testing.T
	sandbox *sandbox.Sandbox
	folder  string // of the store
	media   string // where what is handed over lies
	records string // of the sandbox
	url     string
	random  *rand.Rand
	kills   int

	mu      sync.Mutex
	process *soaked
	ends    string // where the service ends the process, "" nowhere
	luck    *rand.Rand

	files    map[string]string // path to SHA-256
	links    []string
	accepted map[string]bool // IDs that were acknowledged
	open     []string        // what was handed over without being acknowledged
	soakGate
}

func newSoak(t *testing.T) *soak {
	t.Helper()
	root := t.TempDir()
	s := &soak{t: t, folder: filepath.Join(root, "store"), media: filepath.Join(root, "media"), records: filepath.Join(root, "sandbox", "records"),
		random: rand.New(rand.NewPCG(4, 2026)), //nolint:gosec // it is to be repeated
		luck:   rand.New(rand.NewPCG(5, 2026)), //nolint:gosec // likewise
		files:  map[string]string{}, accepted: map[string]bool{}, soakGate: soakGate{arrived: map[string]*arrived{}}}
	assert.NoError(t, os.Mkdir(s.media, 0o700))
	var faults []sandbox.Fault
	for _, text := range soakFaults {
		fault, err := sandbox.ParseFault(text)
		assert.NoError(t, err)
		faults = append(faults, fault)
	}
	var err error
	s.sandbox, err = sandbox.New(sandbox.Options{Dir: filepath.Join(root, "sandbox"), Faults: faults})
	assert.NoError(t, err)
	server := httptest.NewServer(s)
	t.Cleanup(func() {
		server.Close()
		assert.NoError(t, s.sandbox.Close())
	})
	s.url = server.URL
	return s
}

// more is what to hand over: new files and links, some of them twice, some that were handed over long before, and again
// what was not acknowledged. A process that is to end at a moment gets what leads there.
func (s *soak) more(ends string) order {
	given := s.open
	for range 1 + s.random.IntN(2) {
		name := fmt.Sprintf("f%04d.txt", len(s.files))
		text := []byte(fmt.Sprintf("This is file %d of the soak. ", len(s.files)) + strings.Repeat("It goes on and on. ", s.random.IntN(4000)))
		given = append(given, s.write(name, text))
		if s.random.IntN(4) == 0 || strings.Contains(ends, "settled") {
			given = append(given, s.write("copy-of-"+name, text))
		}
	}
	if s.random.IntN(3) == 0 || strings.Contains(ends, "link") {
		link := fmt.Sprintf("%s/media/%d.txt", s.url, len(s.links))
		s.links = append(s.links, link)
		given = append(given, link)
	}
	if s.random.IntN(3) == 0 {
		given = append(given, filepath.Join(s.media, "f0000.txt"))
		if len(s.links) > 0 {
			given = append(given, s.links[s.random.IntN(len(s.links))])
		}
	}
	s.open = given
	return order{Accept: given, Arrive: s.moreArrivals(), Approve: s.moreAllowed(), Clear: s.random.IntN(3) == 0}
}

func (s *soak) write(name string, text []byte) string {
	s.t.Helper()
	path := filepath.Join(s.media, name)
	assert.NoError(s.t, os.WriteFile(path, text, 0o600))
	sum := sha256.Sum256(text)
	s.files[path] = hex.EncodeToString(sum[:])
	return path
}

// recorded is what the soak reads of a record of the sandbox.
type recorded struct {
	RequestID, SHA256, SocialLink, Object, ExtractedFrom string
}

// submissions counts what the sandbox was given, by content and by link.
func (s *soak) submissions() (all int, by map[string]int) {
	s.t.Helper()
	by = map[string]int{}
	entries, err := os.ReadDir(s.records)
	assert.NoError(s.t, err)
	for _, entry := range entries {
		data, err := os.ReadFile(filepath.Join(s.records, entry.Name()))
		assert.NoError(s.t, err)
		var r recorded
		assert.NoError(s.t, json.Unmarshal(data, &r))
		switch {
		case r.ExtractedFrom != "":
		case r.SocialLink != "":
			all++
			by[r.SocialLink]++
		case r.Object != "":
			all++
			by[r.SHA256]++
		}
	}
	return all, by
}

func TestKilledAtAnyInstantNothingIsLostAndNothingIsSentTwice(t *testing.T) {
	if testing.Short() {
		t.Skip("a killed process reports no race")
	}
	kills, moments := shortKills, soakMoments()
	if full := os.Getenv(soakKills); full != "" {
		var err error
		kills, err = strconv.Atoi(full)
		assert.NoError(t, err)
	}
	s := newSoak(t)
	var missed []string
	for _, at := range moments {
		if !s.killAt(at, 1, false) {
			missed = append(missed, at)
		}
	}
	atService := []string{halfThere, allThere, linkThere, urlGiven}
	for _, at := range atService {
		reached := false
		for range 3 { // a call of the process before may come late, and be taken for this one's
			reached = reached || s.killAt(at, 1, true)
		}
		if !reached {
			missed = append(missed, at)
		}
	}
	for n := range kills {
		all := soakMoments()
		switch {
		case kills > shortKills && n%3 == 2: // a moment, and not its first
			s.killAt(all[s.random.IntN(len(all))], 1+s.random.IntN(4), false)
		case kills > shortKills && n%6 == 1:
			s.killAt(atService[s.random.IntN(len(atService))], 1, true)
		default:
			s.killAfter(time.Duration(20+s.random.IntN(280)) * time.Millisecond)
		}
	}
	p := s.start("")
	given := s.open
	last := s.hear(p, 15*time.Minute, func() {
		if len(given)+len(s.openArrivals) > 0 {
			p.tell(order{Accept: given, Arrive: s.openArrivals})
		}
		p.tell(order{Approve: s.allowed(), Finish: true})
	})
	assert.NoError(t, s.sandbox.Idle(t.Context()))
	assert.True(t, p.errors.Len() <= 0, "the last process: %s", p.errors.String())
	s.verify(last, missed)
}

// verify holds what the store and the sandbox have against what was handed over.
func (s *soak) verify(last word, missed []string) {
	t := s.t
	t.Helper()
	kept, err := store.Open(t.Context(), s.folder, store.Options{})
	assert.NoError(t, err)
	defer func() { assert.NoError(t, kept.Close()) }()
	all, by := s.submissions()
	lost, doubled := 0, 0
	want := map[string]bool{}
	for _, sum := range s.files {
		want[sum] = true
	}
	for _, link := range s.links {
		want[link] = true
	}
	for _, a := range s.arrived {
		if a.mayLeave() {
			want[a.sha256] = true
		}
	}
	for content := range want {
		switch n := by[content]; {
		case n == 0:
			lost++
			t.Errorf("lost: %s", content)
		case n > 1:
			doubled += n - 1
			t.Errorf("%d times: %s", n, content)
		}
	}
	for content := range by {
		assert.True(t, want[content], "the service has what nobody handed over: %s", content)
	}
	for id := range s.accepted {
		if !s.answered(kept, id) {
			lost++
		}
	}
	lost += s.verifyArrivals(kept)
	inbox, err := kept.Inbox(t.Context())
	assert.NoError(t, err)
	for _, sub := range inbox {
		assert.True(t, s.stays(sub.ID) || s.answered(kept, sub.ID), "left unfinished: %s at %s", sub.State, sub.Step)
	}
	for id, how := range last.Ended {
		assert.True(t, how == string(submission.Done) || s.stays(id), "%s ended as %s", id, how)
	}
	assert.True(t, len(last.Ended) != 0, "the last process did not come to its end")
	if err := kept.VerifyCustody(t.Context()); err != nil {
		t.Errorf("the custody log: %v", err)
	}
	assert.True(t, len(missed) <= 0, "never came: %v", missed)
	if n := s.sandbox.Submissions(); n != all {
		t.Errorf("the sandbox counts %d submissions, its records %d", n, all)
	}
	fmt.Fprintf(os.Stderr, "soak: kills %d, submissions %d, lost %d, doubled %d\n", s.kills, all, lost, doubled)
	t.Logf("%d files and links were acknowledged, %d of watched folders, of which %d were allowed to leave; %d times a person was asked",
		len(s.accepted), len(s.arrived), len(s.allowed()), last.Asked)
}

// answered reports whether an acknowledged submission has its answer, or shows another's.
func (s *soak) answered(kept *store.Store, id string) bool {
	s.t.Helper()
	sub, ok, err := kept.Get(s.t.Context(), id)
	assert.NoError(s.t, err)
	if ok && sub.Earlier != "" {
		sub, ok, err = kept.Get(s.t.Context(), sub.Earlier)
		assert.NoError(s.t, err)
	}
	if !ok || sub.State != submission.Done || sub.Result == nil || sub.RequestID == "" {
		s.t.Errorf("%s has no answer: %v, %s at %s", id, ok, sub.State, sub.Step)
		return false
	}
	return true
}

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
		assert.NoError(s.t, os.WriteFile(path, text, 0o600))
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
		assert.True(t, a.acknowledged, "%s was never acknowledged", id)
		sub, ok, err := kept.Get(t.Context(), id)
		assert.NoError(t, err)
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
		assert.True(t, sub.SHA256 == a.sha256 && sub.Allowed.IsZero() && sub.RequestID == "" && sub.Upload.SignedURL == "", "%+v", sub)
	}
	assert.True(t, held >= 3 && len(s.allowed()) >= 3, "%d were held and %d allowed: too few to tell", held, len(s.allowed()))
	return lost
}
