package folders_test

import (
	"errors"
	"strings"
	"testing"

	"assay/client/folders"
	"assay/client/i18n"
	"assay/watch"
)

func TestWhatTheWatcherSaysIsInThePersonsLanguage(t *testing.T) {
	t.Cleanup(func() { _ = i18n.Use("en", "") })
	must(t, i18n.Use("xx", ""))
	all := []error{&watch.Problem{Kind: watch.ErrBadPattern, Pattern: "[a"}, counted("3 files can't be read. Other programs may hold them, or they must not be read. They are tried again."),
		counted("One file can't be read. Another program may hold it, or it must not be read. It is tried again."),
		counted("New files wait: what was taken from this folder can't be written down at the moment."),
		counted("New files wait: they can't be taken over at the moment. It is tried again.")}
	for _, kind := range []error{watch.ErrNoFolder, watch.ErrNotFolder, watch.ErrOwnFolder, watch.ErrNoAccess, watch.ErrUnreadable, watch.ErrNotAnswering,
		watch.ErrWatchLimit, watch.ErrNoEvents, errors.New("a kind of a later version")} {
		all = append(all, &watch.Problem{Kind: kind})
	}
	for _, err := range all {
		if got := folders.SentenceOf(err, "It went wrong."); !strings.HasPrefix(got, "‹") {
			t.Errorf("%v is said as %q", err, got)
		}
	}
	t.Run("with its number and its pattern", func(t *testing.T) {
		must(t, i18n.Use("en", ""))
		for _, err := range all[:2] {
			var said interface{ Sentence() string }
			if errors.As(err, &said); folders.SentenceOf(err, "") != said.Sentence() {
				t.Errorf("%q, want %q", folders.SentenceOf(err, ""), said.Sentence())
			}
		}
	})
}

// counted is an error of the watcher that has no type of its own outside.
type counted string

func (c counted) Error() string    { return string(c) }
func (c counted) Sentence() string { return string(c) }
