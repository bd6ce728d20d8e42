package intake_test

import (
	"bytes"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"assay/client/assert"
	"assay/client/sandbox"
	"assay/client/submission"
)

// atService checks that the service has each of these files exactly once, by its list and by its objects, and nothing else;
// that everything in the inbox has ended with an answer or a sentence; and that no secret was said.
func (s *sandboxed) atService(paths ...string) {
	s.t.Helper()
	var want, got []string
	for _, path := range paths {
		want = append(want, hexOf(sumOf(s.t, path)))
	}
	objects, err := filepath.Glob(filepath.Join(s.records, "objects", "*"))
	assert.NoError(s.t, err)
	for _, object := range objects {
		got = append(got, hexOf(sumOf(s.t, object)))
	}
	slices.Sort(want)
	slices.Sort(got)
	assert.True(s.t, slices.Equal(got, want), "the service has %d objects, want %d:\n%v\n%v", len(got), len(want), got, want)
	s.listed(len(paths))
	for _, sub := range s.All() {
		switch {
		case sub.State == submission.Done && (sub.Result == nil || sub.RequestID == ""):
			s.t.Errorf("%q is done without an answer", sub.Name)
		case sub.State == submission.Done || sub.State == submission.Cancelled:
		case (sub.State != submission.Failed && sub.State != submission.Refused) || sub.Problem.IsZero():
			s.t.Errorf("%q is %q: %q", sub.Name, sub.State, sub.Problem)
		}
	}
	s.allHappened()
	s.noSecrets()
}

// allHappened checks that each fault of the plan was met: a test in which nothing goes wrong shows nothing.
func (s *sandboxed) allHappened() {
	s.t.Helper()
	for _, text := range s.plan.faults {
		fault, err := sandbox.ParseFault(text)
		assert.NoError(s.t, err)
		calls := len(s.wire.asked(fault.Operation))
		assert.True(s.t, calls >= max(fault.From, fault.Every, 1), "%q never happened: %d calls", text, calls)
	}
	for i := range s.plan.troubles {
		trouble := &s.plan.troubles[i]
		assert.True(s.t, trouble.seen >= trouble.from, "trouble %d (%s) never happened: %d calls", i, trouble.op, trouble.seen)
	}
}

// listed checks how many submissions the service's own list shows.
func (s *sandboxed) listed(want int) {
	s.t.Helper()
	page, whole := "", false
	for range 20 { // some of which its faults may meet
		if page, whole = s.page(); whole {
			break
		}
	}
	shown := strings.Count(page, `"originalFileName"`)
	assert.True(s.t, shown == want && s.sandbox.Submissions() == want, "the service lists %d and counts %d submissions, want %d", shown, s.sandbox.Submissions(), want)
}

// page is the sandbox's list; whole is false where a fault met it.
func (s *sandboxed) page() (page string, whole bool) {
	defer func() { whole = recover() == nil && whole }() // a connection that is broken off
	r := httptest.NewRequestWithContext(s.t.Context(), http.MethodGet, "/api/v2/media/users/pages/0?size=1000", nil)
	r.Header.Set("X-Api-Key", sandboxKey)
	w := httptest.NewRecorder()
	s.sandbox.ServeHTTP(w, r)
	return w.Body.String(), w.Code == http.StatusOK
}

// noSecrets searches all that was said for the key and for signatures, and the store's files for the key.
func (s *sandboxed) noSecrets() {
	s.t.Helper()
	s.read()
	s.wire.mu.Lock()
	signatures := maps.Clone(s.wire.signatures) // answers to calls that were given up may still come
	s.wire.mu.Unlock()
	s.mu.Lock()
	heard := s.heard.String()
	s.mu.Unlock()
	assert.True(s.t, !strings.Contains(heard, sandboxKey), "the key was said")
	for signature := range signatures {
		assert.True(s.t, !strings.Contains(heard, signature), "a signature was said")
	}
	assert.True(s.t, !strings.Contains(heard, "X-Sandbox-"), "a signed URL's query was said")
	files, err := filepath.Glob(filepath.Join(s.folder, "assay.db*"))
	assert.NoError(s.t, err)
	for _, path := range files {
		content, err := os.ReadFile(path)
		assert.NoError(s.t, err)
		assert.True(s.t, !bytes.Contains(content, []byte(sandboxKey)), "the key is in %s", filepath.Base(path))
	}
}
