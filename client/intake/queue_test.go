package intake_test

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"assay/client"
	"assay/client/assert"
	"assay/client/intake"
	"assay/client/submission"
)

func TestAFileIsSentOnceAndAnswered(t *testing.T) {
	q := setup(t)
	got := q.until(q.drop(pictureFile(t, "Photo.PNG", 1))[0], submission.Done)
	assert.True(t, got.Result.OverallStatus == client.Authentic && got.RequestID == "id-1" && got.SHA256 != "" && got.Type == client.Image, "got %+v", got)
	assert.True(t, q.server.asked("upload-url") == 1 && q.server.asked("put") == 1, "asked %d times, sent %d times", q.server.asked("upload-url"), q.server.asked("put"))
	assert.True(t, got.Source == submission.Dropped && !got.Answered.IsZero(), "source %q, answered %v", got.Source, got.Answered)
}

func TestWhatCannotBeSentIsRefusedBeforeAnyRequest(t *testing.T) {
	dir := t.TempDir()
	write := func(name string, size int64) string {
		path := filepath.Join(dir, name)
		assert.NoError(t, os.WriteFile(path, nil, 0o600))
		assert.NoError(t, os.Truncate(path, size))
		return path
	}
	for _, c := range []struct{ name, path, says string }{
		{"U7 a type that is not supported, with the list of what is", write("scan.tiff", 10), "alac"},
		{"U8 a picture one byte over its cap, with cap and size", write("big.jpg", 50<<20+1), "50 MB"},
		{"U12 an empty file", write("empty.png", 0), "empty"},
		{"a sparse file over its cap, unread", write("large.mp4", 4<<40), "250 MB"},
		{"a file that is not there", filepath.Join(dir, "gone.png"), "not there"},
	} {
		t.Run(c.name, func(t *testing.T) {
			q := setup(t)
			got := q.until(q.drop(c.path)[0], submission.Refused)
			assert.True(t, strings.Contains(got.Problem.String(), c.says), "it says %q, nothing of %q", got.Problem, c.says)
			q.nothingAsked()
		})
	}
	t.Run("U8 a picture of exactly its cap goes", func(t *testing.T) {
		q := setup(t)
		q.until(q.drop(write("cap.jpg", 50<<20))[0], submission.Done)
	})
	t.Run("the others go on", func(t *testing.T) {
		q := setup(t)
		ids := q.drop(filepath.Join(dir, "scan.tiff"), pictureFile(t, "a.png", 1), filepath.Join(dir, "empty.png"))
		q.until(ids[0], submission.Refused)
		q.until(ids[1], submission.Done)
		q.until(ids[2], submission.Refused)
	})
}

func TestFaultsThatPassAreTriedAgainWithTheSameUploadURL(t *testing.T) {
	q := setup(t)
	q.server.fail("put", busy())
	q.server.answers(notFound, func(string) (*client.Result, error) { return nil, busy() }, status(client.Analyzing), status(client.Fake))
	got := q.until(q.drop(pictureFile(t, "a.png", 1))[0], submission.Done, submission.Failed)
	if got.State != submission.Done || got.Result.OverallStatus != client.Fake {
		t.Fatalf("state %q, problem %q", got.State, got.Problem)
	}
	if q.server.asked("upload-url") != 1 || q.server.asked("put /1") != 2 {
		t.Errorf("asked for %v", q.server.forgetCalls())
	}
}

func TestADeniedUploadURLIsReplacedOnce(t *testing.T) {
	t.Run("U13 and the person does not notice", func(t *testing.T) {
		q := setup(t)
		q.server.fail("put", denied())
		got := q.until(q.drop(pictureFile(t, "a.png", 1))[0], submission.Done, submission.Failed)
		assert.True(t, got.State == submission.Done && got.RequestID == "id-2" && q.server.asked("upload-url") == 2,
			"state %q, request %q, %d upload URLs", got.State, got.RequestID, q.server.asked("upload-url"))
	})
	t.Run("a second denial is said", func(t *testing.T) {
		q := setup(t)
		q.server.fail("put", denied(), denied())
		got := q.until(q.drop(pictureFile(t, "a.png", 1))[0], submission.Failed)
		assert.True(t, q.server.asked("put") == 2 && strings.Contains(got.Problem.String(), "Denied."), "%d attempts, problem %q", q.server.asked("put"), got.Problem)
	})
}

func TestRefusalsOfTheServiceAreNotTriedAgain(t *testing.T) {
	q := setup(t)
	q.server.fail("upload-url", refused("Not this name."))
	got := q.until(q.drop(pictureFile(t, "a.png", 1))[0], submission.Failed)
	assert.True(t, q.server.asked("upload-url") == 1 && got.Problem.String() == "Not this name.", "asked %d times, problem %q", q.server.asked("upload-url"), got.Problem)
}

func TestRetryGoesOnWhereItStood(t *testing.T) {
	q := setup(t)
	q.server.fail("look", refused("No."))
	id := q.drop(pictureFile(t, "a.png", 1))[0]
	q.until(id, submission.Failed)
	q.Retry(id)
	q.until(id, submission.Done)
	assert.True(t, q.server.asked("upload-url") == 1 && q.server.asked("put") == 1, "the file was sent %d times", q.server.asked("put"))
}

func TestAnUploadWithoutRequestIDIsLookedFor(t *testing.T) {
	q := setup(t)
	q.server.silent = true
	got := q.until(q.drop(pictureFile(t, "a b.png", 1))[0], submission.Done)
	sent := q.server.submissions()[0]
	assert.True(t, got.RequestID == sent.id && sent.name == got.SendName && regexp.MustCompile(`^a_b-[0-9a-f]{8}\.png$`).MatchString(sent.name) && q.server.asked("find") != 0,
		"request %q, sent as %q", got.RequestID, sent.name)
}

// A program that ends once all is answered waits for what Answered has begun.
func TestWhoeverSeesAnAnswerFindsThatItWasToldOf(t *testing.T) {
	told := make(chan submission.Submission, 1)
	var seen submission.State
	q := unopened(t)
	q.open(func(p *intake.Params) {
		p.Answered = func(s submission.Submission) {
			seen = q.shown(s.ID).State
			told <- s
		}
	})
	id := q.drop(pictureFile(t, "a.png", 1))[0]
	q.until(id, submission.Done)
	got := <-told
	assert.True(t, seen == submission.Analysing && got.State == submission.Done && got.Result.OverallStatus == client.Authentic,
		"shown as %q when %+v was told", seen, got)
	assert.Equal(t, submission.Done, q.store.row(id).State)
}

// An answer may have megabytes, and the inbox very many.
func TestOfOldAnswersTheirVerdictsStayInMemory(t *testing.T) {
	q := setup(t)
	q.server.answers(func(id string) (*client.Result, error) {
		return &client.Result{RequestID: id, OverallStatus: client.Fake, StorageLocation: "https://signed.example", Raw: bytes.Repeat([]byte(" "), 3<<20)}, nil
	})
	first := q.drop(pictureFile(t, "first.png", 1))[0]
	assert.True(t, len(q.until(first, submission.Done).Result.Raw) == 3<<20, "what was just answered is not whole")
	second := q.drop(pictureFile(t, "second.png", 2))[0]
	q.until(second, submission.Done)
	q.when("the older answer is brief", func() bool { return q.shown(first).Result.Raw == nil })
	of := q.shown(first).Result
	assert.True(t, of.OverallStatus == client.Fake && of.StorageLocation == "" && q.shown(second).Result.Raw != nil, "got %+v", of)
	assert.True(t, len(q.store.row(first).Result.Raw) == 3<<20, "the whole is not on disk any more")
	q.reopen()
	of = q.shown(second).Result
	assert.True(t, of.OverallStatus == client.Fake && of.Raw == nil, "after a restart: %+v", of.OverallStatus)
}
