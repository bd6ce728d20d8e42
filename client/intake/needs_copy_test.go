package intake_test

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"assay/client/assert"
	"assay/client/custody"
	"assay/client/intake"
	"assay/client/media"
	"assay/client/submission"
)

// heic is a file that the service does not take; what the copier makes of it is the same without its metadata.
func heic(t *testing.T, name string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	data, err := os.ReadFile(pictureWithMetadata(t, "a.png", 3))
	assert.NoError(t, err)
	assert.NoError(t, os.WriteFile(path, data, 0o600))
	return path
}

func copying(rule submission.CopyRule) func(*intake.Params) {
	return func(p *intake.Params) { p.Copies = func() submission.CopyRule { return rule } }
}

func TestWhatNeedsACopy(t *testing.T) {
	t.Run("waits for a word, and nothing is asked of the service before", func(t *testing.T) {
		q := setupCopying(t)
		id := q.drop(heic(t, "IMG_1.HEIC"))[0]
		got := q.until(id, submission.Held)
		assert.True(t, got.Needs == submission.NeedsCopy && got.Gate == submission.GateSend && got.SHA256 != "" && got.Copy == submission.Copy{}, "%+v", got)
		q.nothingAsked()
		q.reopen()
		q.until(id, submission.Held)
		q.nothingAsked()

		q.Approve(intake.ApproveOptions{}, id)
		got = q.until(id, submission.Done)
		assert.True(t, got.Copy.SHA256 != "" && got.Copy.SHA256 != got.SHA256 && got.Copy.Metadata && got.Copy.Format == "PNG" && filepath.Ext(got.SendName) == ".png", "%+v", got)
		assert.True(t, slices.ContainsFunc(q.store.events(), endsWith(custody.ApprovedAsCopy)), "%v", q.store.events())
		q.when("the copy is deleted", func() bool { return len(q.copier.there()) == 0 })
	})
	t.Run("goes at once where the settings say so, with the copy on record before anything is asked", func(t *testing.T) {
		q := unopenedCopying(t)
		q.open(copying(submission.CopiesAlways))
		id := q.drop(heic(t, "IMG_1.heic"))[0]
		got := q.until(id, submission.Done)
		assert.True(t, got.Copy.SHA256 != "" && got.Allowed.IsZero(), "%+v", got)
		events := q.store.events()
		if made, asked := slices.IndexFunc(events, endsWith(custody.CopyMade)), slices.IndexFunc(events, endsWith(custody.UploadURLReceived)); made < 0 || made > asked {
			t.Errorf("%v", events)
		}
		assert.True(t, q.copier.count() == 1, "it was made %d times", q.copier.count())
	})
	for _, gate := range []submission.Gate{submission.GateAsk, submission.GateNever} {
		t.Run("stays behind the gate "+string(gate)+", also where copies are always made", func(t *testing.T) {
			q := unopenedCopying(t)
			q.open(copying(submission.CopiesAlways), gatedBy(always(gate)))
			id := q.drop(heic(t, "IMG_1.heic"))[0]
			q.until(id, map[submission.Gate]submission.State{submission.GateAsk: submission.Held, submission.GateNever: submission.Stays}[gate])
			q.nothingAsked()
			assert.True(t, q.copier.count() == 0, "a copy was made")
		})
	}
	t.Run("is one submission, however often it is dropped", func(t *testing.T) {
		q := unopenedCopying(t)
		q.open(copying(submission.CopiesAlways))
		path := heic(t, "IMG_1.heic")
		first := q.drop(path)[0]
		q.until(first, submission.Done)
		second := q.drop(path)[0]
		got := q.until(second, submission.Done)
		assert.True(t, got.Earlier == first && q.copier.count() == 1, "%+v", got)
	})
	t.Run("is refused where no copy is wanted", func(t *testing.T) {
		q := setupCopying(t)
		accepted, err := q.Accept(t.Context(), intake.Inputs(heic(t, "IMG_1.heic")), intake.Options{Source: submission.Scanned, Copies: submission.CopiesNever})
		assert.NoError(t, err)
		got := q.until(accepted.IDs[0], submission.Refused)
		assert.Equal(t, (&media.Refusal{Code: media.Unsupported}).Error(), got.Problem.String())
	})
	t.Run("is refused where none can be made, and fails where a program is missing", func(t *testing.T) {
		for why, want := range map[error]submission.State{hopeless{errors.New("damaged")}: submission.Refused, errors.New("boom"): submission.Failed} {
			q := unopenedCopying(t)
			q.copier.fails = why
			q.open(copying(submission.CopiesAlways))
			q.until(q.drop(heic(t, "IMG_1.heic"))[0], want)
			q.nothingAsked()
		}
		q := unopenedCopying(t)
		q.copier.unable = errors.New("no ffmpeg")
		q.open()
		q.until(q.drop(heic(t, "a.mkv"))[0], submission.Failed)
		q.nothingAsked()
	})
	t.Run("is scanned again as a copy without another word", func(t *testing.T) {
		q := setupCopying(t)
		id := q.drop(heic(t, "IMG_1.heic"))[0]
		q.until(id, submission.Held)
		q.Approve(intake.ApproveOptions{}, id)
		q.ScanAgain(q.until(id, submission.Done))
		q.when("both are answered", func() bool {
			all := q.All()
			return len(all) == 2 && all[1].State == submission.Done && all[1].Copy.SHA256 == all[0].Copy.SHA256
		})
	})
	t.Run("a file that changed after the word is asked about again", func(t *testing.T) {
		q := setupCopying(t)
		path := heic(t, "IMG_1.heic")
		id := q.drop(path)[0]
		q.until(id, submission.Held)
		assert.NoError(t, os.WriteFile(path, []byte("other bytes"), 0o600))
		assert.NoError(t, os.Chtimes(path, time.Time{}, time.Now().Add(time.Hour)))
		q.Approve(intake.ApproveOptions{}, id)
		q.when("the other bytes wait", func() bool {
			s, _ := q.Get(id)
			return s.State == submission.Held && s.Size == int64(len("other bytes"))
		})
		q.nothingAsked()
	})
}

// events are what the custody log has, each with the step before it.
func (m *memory) events() []string {
	m.mu.Lock()
	defer m.mu.Unlock()
	return slices.Clone(m.custodyEvents)
}

func endsWith(event custody.Event) func(string) bool {
	return func(s string) bool { return strings.HasSuffix(s, string(event)) }
}

// hopeless is an error of a copier after which nothing is tried again.
type hopeless struct{ error }

func (hopeless) Refuses() bool { return true }
