package intake_test

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"assay/client"
	"assay/client/assert"
	"assay/client/custody"
	"assay/client/intake"
	"assay/client/media"
	"assay/client/submission"
)

// largeClip is a file that is a little over what the service takes of clips, as smallClips has it.
func largeClip(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "harbour.mp4")
	assert.NoError(t, os.WriteFile(path, make([]byte, 2000), 0o600))
	return path
}

func smallClips(p *intake.Params) { p.Limits = media.Limits{client.Video: 1000} }

var tenToEighty = submission.Part{From: 10 * time.Second, To: 80 * time.Second}

func TestAClipOverTheLimit(t *testing.T) {
	setup := func(t *testing.T, adjust ...func(*intake.Params)) *fixture {
		q := unopenedCopying(t)
		q.copier.another = func(bytes []byte) []byte { return bytes[:500] }
		q.open(append(adjust, smallClips)...)
		return q
	}
	t.Run("waits until a part of it is chosen, which is sent in its place", func(t *testing.T) {
		q := setup(t, copying(submission.CopiesAlways))
		id := q.drop(largeClip(t))[0]
		got := q.until(id, submission.Held)
		assert.True(t, got.Needs == submission.NeedsPart && got.SHA256 != "" && got.Copy == submission.Copy{}, "%+v", got)
		q.nothingAsked()

		q.Approve(intake.ApproveOptions{}, id)
		q.when("it says what is missing", func() bool {
			s, _ := q.Get(id)
			return s.State == submission.Held && s.Problem.String() == "First choose which part of it to send."
		})
		q.nothingAsked()
		q.Approve(intake.ApproveOptions{Part: tenToEighty}, id)
		got = q.until(id, submission.Done)
		assert.True(t, got.Copy.Part == tenToEighty && got.Copy.SHA256 != got.SHA256 && got.SHA256 != "" && got.Copy.Size == 500, "%+v", got)
		assert.Equal(t, "A part of the clip was analysed, from 00:10.0 to 01:20.0.", custody.CopyWords(got))
		assert.True(t, slices.ContainsFunc(q.store.events(), endsWith(custody.ApprovedAsCopy)), "%v", q.store.events())
	})
	t.Run("goes without its metadata where the person says so", func(t *testing.T) {
		q := setup(t)
		id := q.drop(largeClip(t))[0]
		q.until(id, submission.Held)
		q.Approve(intake.ApproveOptions{Part: tenToEighty, WithoutMetadata: true}, id)
		got := q.until(id, submission.Done)
		assert.True(t, !got.Copy.Metadata && got.Copy.Part == tenToEighty, "%+v", got.Copy)
	})
	t.Run("waits on where the times are none, or the part can't be cut out", func(t *testing.T) {
		q := setup(t)
		id := q.drop(largeClip(t))[0]
		q.until(id, submission.Held)
		for _, part := range []submission.Part{{From: time.Second, To: time.Second}, {From: 2 * time.Second, To: time.Second}, {From: -time.Second, To: time.Second}} {
			q.Approve(intake.ApproveOptions{Part: part}, id)
		}
		q.copier.mu.Lock()
		q.copier.fails = errors.New("ffmpeg was stopped: it hung")
		q.copier.mu.Unlock()
		q.Approve(intake.ApproveOptions{Part: tenToEighty}, id)
		q.when("it says that there is no copy", func() bool {
			s, _ := q.Get(id)
			return s.State == submission.Held && s.Problem.String() == "No copy could be made of this file."
		})
		assert.True(t, q.copier.count() == 1, "it was tried %d times", q.copier.count())
		q.nothingAsked()
	})
	t.Run("stays behind its gate", func(t *testing.T) {
		q := setup(t, gatedBy(always(submission.GateNever)))
		id := q.drop(largeClip(t))[0]
		q.until(id, submission.Stays)
		q.Approve(intake.ApproveOptions{Part: tenToEighty}, id)
		asks := q.drop(largeClip(t))[0]
		q.until(asks, submission.Stays)
		q.nothingAsked()
		assert.True(t, q.copier.count() == 0, "a part was cut out")
	})
	t.Run("that waits for a decision anyway goes by one decision", func(t *testing.T) {
		q := setup(t, gatedBy(always(submission.GateAsk)))
		id := q.drop(largeClip(t))[0]
		q.until(id, submission.Held)
		q.nothingAsked()
		q.Approve(intake.ApproveOptions{Part: tenToEighty}, id)
		q.until(id, submission.Done)
	})
	t.Run("is refused where no copy is wanted, and fails where a program is missing", func(t *testing.T) {
		q := setup(t, copying(submission.CopiesNever))
		got := q.until(q.drop(largeClip(t))[0], submission.Refused)
		assert.Equal(t, (&media.Refusal{Code: media.TooLarge, Type: client.Video, Size: 2000, Cap: 1000}).Error(), got.Problem.String())

		q = unopenedCopying(t)
		q.copier.unable = errors.New("no ffmpeg")
		q.open(smallClips)
		q.until(q.drop(largeClip(t))[0], submission.Failed)
		q.nothingAsked()
	})
}
