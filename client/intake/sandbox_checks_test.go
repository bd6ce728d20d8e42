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
	must(s.t, err)
	for _, object := range objects {
		got = append(got, hexOf(sumOf(s.t, object)))
	}
	slices.Sort(want)
	slices.Sort(got)
	check(s.t, slices.Equal(got, want), "the service has %d objects, want %d:\n%v\n%v", len(got), len(want), got, want)
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
		must(s.t, err)
		calls := len(s.wire.asked(fault.Operation))
		check(s.t, calls >= max(fault.From, fault.Every, 1), "%q never happened: %d calls", text, calls)
	}
	for i := range s.plan.troubles {
		trouble := &s.plan.troubles[i]
		check(s.t, trouble.seen >= trouble.from, "trouble %d (%s) never happened: %d calls", i, trouble.op, trouble.seen)
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
	check(s.t, shown == want && s.sandbox.Submissions() == want, "the service lists %d and counts %d submissions, want %d", shown, s.sandbox.Submissions(), want)
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
	check(s.t, !strings.Contains(heard, sandboxKey), "the key was said")
	for signature := range signatures {
		check(s.t, !strings.Contains(heard, signature), "a signature was said")
	}
	check(s.t, !strings.Contains(heard, "X-Sandbox-"), "a signed address's query was said")
	files, err := filepath.Glob(filepath.Join(s.folder, "assay.db*"))
	must(s.t, err)
	for _, path := range files {
		content, err := os.ReadFile(path)
		must(s.t, err)
		check(s.t, !bytes.Contains(content, []byte(sandboxKey)), "the key is in %s", filepath.Base(path))
	}
}

// The fault table of speed-and-faults.md, row by row, and the tests that inject each fault. The scenes here are of real
// parts: a queue over a store on the disk and a client, which calls a sandbox over HTTP across a wire on which things go wrong
// (faults_scene_test.go). Each scene ends with atService: the service has each content once, by its list and by its objects;
// everything has an answer or a sentence; every fault of the plan was met; neither the key nor a signature was said.
//
//	kill -9 in every state
//	    TestKilledAtAnyInstantNothingIsLostAndNothingIsSentTwice (soak_test.go), TestACrashAtAnyMomentLosesNothingAndSendsNothingTwice
//	    (restart_test.go); store: TestKilled; pull: TestKill9; sandbox: TestRestart; gui/e2e: TestKilledItGoesOnAtTheNextStart
//	an orderly end and start between any two steps
//	    TestAssayIsEndedAndStartedBetweenAnyTwoSteps
//	write or fsync error, disk full
//	    TestADiskThatFailsAtAnyCommit, TestAnErrorOfTheDiskThatPassesAtOnce, TestADiskThatIsReallyFull (a tmpfs of 4 MB),
//	    TestADiskThatIsFull (disk_test.go); store: TestFullDisk, TestSoakDiskErrors (strace); keep: TestAFullDisk
//	429/503 with Retry-After (seconds, date, absurd), 500, 502
//	    TestABusyOrFailingServiceIsWaitedOut, TestAnAbsurdRetryAfterIsCapped; client: TestRetry and the Pacer's tests (one bucket)
//	400, 403, 404
//	    TestWhatIsRefusedForGoodIsSaidAndNotAskedAgain; of the key: TestAKeyThatIsNotAcceptedStopsTheQueueAndNoSubmission
//	stalls, 8 KB/s, slow-loris
//	    TestWhatStallsIsEndedAndHoldsNothingElseUp; client: TestPutTimeout, TestStallWatch
//	truncated PUT, reset mid-body, answer lost after the whole body
//	    TestAnUploadThatBreaksBeginsAgainAtTheSameAddress
//	expired URLs, before and during
//	    TestAddressesThatExpire, TestBytesWhoseAnswerWasLostAreFoundHoweverWrongTheClockIs; of artifacts (A3, A4): vault: TestFetcher
//	    and TestFailures; client: artifacts_test.go
//	malformed, huge, deep, wrong-typed JSON; captive portal
//	    TestAnswersThatAreNone; client: TestErrorBody, TestRequestUploadTolerance, fuzz_test.go and fuzz_answers_test.go; pull: TestOddEntries
//	picture bombs, truncated or lying files
//	    client/media/picture: TestDecodeRefuses, TestDecode; sandbox: TestText, TestAudio, TestVideo (bytes that are none of it)
//	pages with scripts, remote images, file: links, 100 MB
//	    of the viewer for texts, not of this package
//	redirects to other hosts
//	    TestRedirectsToAnotherHostTakeNothingAlong; client: TestRedirects
//	clock jumps, time zones, DST
//	    TestOurClockJumps, TestBytesWhoseAnswerWasLostAreFoundHoweverWrongTheClockIs; gui/e2e: TestStoppedItGoesOnWhenItWakes
//	a watched folder vanishes, comes back, …
//	    of package watch, not of this one
//	a file grows, is rewritten with the same size, replaced, deleted while being hashed or sent
//	    TestAFileThatChangesWhileItGoesToTheService; while it is hashed: TestAFileThatChangesIsNeverTakenForWhatItWas (files_test.go);
//	    media: TestHash, TestOpen; client: TestPutOfAFileThatChanges
//	unreadable, directory loops by links, FIFO, device, empty, sparse, over the cap
//	    TestOddFilesAreRefusedWithAReasonAndTheOthersGo, TestOddFiles (files_test.go: unreadable, where the user is not root), TestAFolderIsWalked
//	    (loops, what can't be read); media: TestPipesNeverHang (FIFO, socket), TestInspect (one that its owner does not share)
//	names: 201 characters, NFC/NFD, right-to-left, newline, invalid UTF-8, same name twice
//	    TestNamesOfEveryKindAtTheService, TestNamesOfEveryKind (accept_test.go); media: TestSendName, TestDisplayName
//	two starts at once, a stale lock
//	    instance: TestStarts, TestAddress, TestTakeOrCall; command: TestScanHandover, TestWindowHandover; gui/e2e: TestOneWindow
//	no network, no DNS, proxy that wants a login
//	    TestNoNetworkIsSaidAndWaitedOut, TestNoNetworkAtAll (a network namespace); gui/e2e: TestWithoutTheServiceItWaits
//	no display, no keychain, no sound device, no ffmpeg
//	    gui/e2e: TestWithoutDisplayItSaysSoAndExitsWith2; the others are of packages that are to come
