package folders_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"assay/client/assert"
	"assay/client/folders"
	"assay/client/i18n"
	"assay/client/intake"
	"assay/client/store"
	"assay/client/submission"
	"assay/watch"
)

func TestAFileThatArrivesIsTakenOnce(t *testing.T) {
	d, in := setup(t), t.TempDir()
	id := d.add(sends(in), folders.OnlyNew)
	write(t, filepath.Join(in, "statement.txt"), "a statement")
	d.becomes("statement.txt done")
	d.until("it is counted", func() bool { return d.folder(id).Answered == 1 })
	s := d.named("statement.txt")
	if s.Source != submission.Watched || s.Folder != in || s.Path != filepath.Join(in, "statement.txt") {
		t.Errorf("it does not say where it came from: %+v", s)
	}
	f := d.folder(id)
	if f.Taken != 1 || f.LastName != "statement.txt" || f.LastAt.IsZero() || !f.Problem.IsZero() || f.Held+f.UnderWay+f.Failed != 0 {
		t.Errorf("the folder stands as %+v", f)
	}
	assert.NoError(t, os.Rename(s.Path, filepath.Join(in, "renamed.txt")))
	write(t, filepath.Join(in, "copy.txt"), "a statement")
	write(t, filepath.Join(in, "other.txt"), "another statement")
	d.becomes("statement.txt done", "other.txt done")
}

func TestTheGateOfAFolder(t *testing.T) {
	d, in := setup(t), t.TempDir()
	s := sends(in)
	s.Gate = submission.GateAsk
	id := d.add(s, folders.OnlyNew)
	write(t, filepath.Join(in, "asked.txt"), "ask before this leaves")
	d.becomes("asked.txt held")
	d.until("it is counted", func() bool { return d.folder(id).Held == 1 })

	s.Gate = submission.GateNever
	assert.NoError(t, d.Change(t.Context(), id, s))
	write(t, filepath.Join(in, "kept.txt"), "this never leaves")
	d.becomes("asked.txt held", "kept.txt stays")
	if sent := d.service.contents(); len(sent) > 0 {
		t.Errorf("%q has left", sent)
	}

	s.Gate = submission.GateSend
	assert.NoError(t, d.Change(t.Context(), id, s))
	write(t, filepath.Join(in, "sent.txt"), "this may leave")
	d.becomes("asked.txt held", "kept.txt stays", "sent.txt done")
	d.queue.Approve(intake.ApproveOptions{}, d.named("asked.txt").ID)
	d.becomes("asked.txt done", "kept.txt stays", "sent.txt done")
	d.until("the counts are right", func() bool {
		f := d.folder(id)
		return f.Taken == 3 && f.Answered == 2 && f.Held == 0 && f.UnderWay == 0
	})
}

// watchProblems are all that the watcher reports.
func watchProblems() (all []*watch.Problem) {
	for _, kind := range []error{watch.ErrNoFolder, watch.ErrNotFolder, watch.ErrOwnFolder, watch.ErrNoAccess, watch.ErrUnreadable, watch.ErrNotAnswering,
		watch.ErrWatchLimit, watch.ErrNoEvents, watch.ErrNotWritten, watch.ErrNotTaken} {
		all = append(all, &watch.Problem{Kind: kind})
	}
	return append(all, &watch.Problem{Kind: watch.ErrBadPattern, Pattern: "[a"}, &watch.Problem{Kind: watch.ErrFilesUnread, Files: 1}, &watch.Problem{Kind: watch.ErrFilesUnread, Files: 3})
}

func TestWhatTheWatcherReportsIsSaid(t *testing.T) {
	t.Run("in the person's language, whenever it was reported", func(t *testing.T) {
		t.Cleanup(func() { _ = i18n.Use("en", "") })
		assert.NoError(t, i18n.Use("xx", ""))
		for _, p := range append(watchProblems(), &watch.Problem{Kind: errors.New("a kind of a later version")}) {
			if got := folders.Sentence(fmt.Errorf("wrapped: %w", p)); !strings.HasPrefix(got, "‹") {
				t.Errorf("%v is said as %q", p, got)
			}
		}
	})
	t.Run("each kind in words of its own", func(t *testing.T) {
		seen := map[string]error{}
		for _, p := range watchProblems() {
			got := folders.Sentence(p)
			if other, ok := seen[got]; ok || !strings.HasSuffix(got, ".") {
				t.Errorf("%v: %q, as %v", p, got, other)
			}
			seen[got] = p
		}
	})
	t.Run("with its number and its pattern, which can't break or turn round the sentence", func(t *testing.T) {
		for want, p := range map[string]*watch.Problem{
			"3 files can't be read. Other programs may have them open, or you may not read them. Assay tries again.": {Kind: watch.ErrFilesUnread, Files: 3},
			"One file can't be read. Another program may have it open, or you may not read it. Assay tries again.":   {Kind: watch.ErrFilesUnread, Files: 1},
			"The pattern “a\ufffd\ufffdb\ufffd[” can't be used. Write it like *.jpg or scan-*.":                      {Kind: watch.ErrBadPattern, Pattern: "a\n\u202eb\xff["},
			"New files wait: Assay can't add them at the moment. It tries again.":                                    {Kind: watch.ErrNotTaken, Err: &store.Error{Op: "t", Message: i18n.M("Assay is closing.")}},
			"This folder can't be read: its disk reports an error.":                                                  {Kind: watch.ErrUnreadable, Err: errors.New("log")},
		} {
			if got := folders.Sentence(p); got != want {
				t.Errorf("%q, want %q", got, want)
			}
		}
	})
	t.Run("other errors as they say themselves", func(t *testing.T) {
		for want, err := range map[string]error{
			"Assay is closing.": fmt.Errorf("wrapped: %w", &store.Error{Op: "t", Message: i18n.M("Assay is closing.")}),
			"It went wrong.":    errors.New("log"),
		} {
			if got := folders.Sentence(err); got != want {
				t.Errorf("%q, want %q", got, want)
			}
		}
	})
}

func TestAFolderThatIsGoneFollowsTheLanguage(t *testing.T) {
	t.Cleanup(func() { _ = i18n.Use("en", "") })
	in := t.TempDir()
	d := setupAt(t, t.TempDir(), newService(), nil)
	id := d.add(sends(in), folders.OnlyNew)
	assert.NoError(t, os.RemoveAll(in))
	d = d.again()
	d.until("it is gone", func() bool { return d.folder(id).State.Phase == watch.Gone })
	f := d.folder(id)
	english := f.Problem.String()
	assert.NoError(t, i18n.Use("xx", ""))
	got := f.Problem.String()
	if english == got || !strings.HasPrefix(got, "‹") || i18n.Sentence(f.State.Problem) != got {
		t.Errorf("%q, then %q, and of its state %q", english, got, i18n.Sentence(f.State.Problem))
	}
}

func TestAFolderWhoseCaseIsGone(t *testing.T) {
	d, in := setup(t), t.TempDir()
	settings := sends(in)
	settings.Case = "of another time"
	id := d.add(settings, folders.OnlyNew)
	write(t, filepath.Join(in, "a.txt"), "a statement")
	d.becomes("a.txt done") // it is handled all the same
	d.until("the folder says so", func() bool { return d.folder(id).Problem.String() == folders.CaseGone.String() })
	story, err := d.kept.AddCase(t.Context(), store.Case{Title: "The flood"})
	assert.NoError(t, err)
	settings.Case = story.ID
	assert.NoError(t, d.Change(t.Context(), id, settings))
	assert.Equal(t, "", d.folder(id).Problem.String())
	d = d.again()
	write(t, filepath.Join(in, "b.txt"), "another")
	d.becomes("a.txt done", "b.txt done")
	items, err := d.kept.CaseItems(t.Context(), story.ID)
	assert.NoError(t, err)
	assert.True(t, slices.Equal(items, []string{d.named("b.txt").ID}), "in the case: %v", items)
}
