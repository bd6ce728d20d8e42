package command

import (
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"assay/client"
	"assay/client/assert"
	"assay/client/config"
	"assay/client/events"
	"assay/client/pull"
	"assay/client/session"
	"assay/client/store"
	"assay/client/submission"
)

// TestNothingSecretStaysBehind is a whole life of Assay: first run, files and links of every kind, feedback, the service's own list,
// subcommands, refusals, a second start. All that it leaves and prints is looked through.
func TestNothingSecretStaysBehind(t *testing.T) {
	defer openMask()() // every mode is Assay's own choice
	d, w := setup(t), newWitness(t)
	d.home = filepath.Join(t.TempDir(), "home")
	picture := filepath.Join("..", "..", "testdata", "pictures", "generated.png")

	run := d.openHost("--log-level", "debug")
	assert.NoError(t, run.host.Check(t.Context(), w.url, markedKey, client.Network{}))
	assert.NoError(t, run.host.Keys.Set(t.Context(), w.url, markedKey))
	s := run.must(w.url)
	s.Resume()
	submit(t, s, picture, note(t, "text"), filepath.Join(t.TempDir(), "gone.png"))
	until(t, s.Queue, "that all has ended", func() bool {
		for _, sub := range s.Queue.All() {
			if !sub.State.Ended() {
				return false
			}
		}
		return true
	})
	s.Vault.Settle(t.Context())
	changed := s.Events.Subscribe(events.Pull)
	defer changed.Close()
	s.Pull.Start()
	for state := s.Pull.State(); state.Phase != pull.Idle || state.Ended.IsZero(); state = s.Pull.State() {
		<-changed.Ready()
		changed.Take()
	}
	answered := s.Queue.All()[0]
	if answered.State != submission.Done {
		t.Fatalf("the picture is %s: %s", answered.State, answered.Problem)
	}
	if kept, err := s.Feedback.Send(t.Context(), "judged", client.Feedback{RequestID: answered.RequestID, Label: client.LabelReal, Category: client.OtherFeedback}); err != nil || kept.State != store.FeedbackSent {
		t.Errorf("feedback: %+v, %v", kept, err)
	}
	if err := run.host.Config.Change(func(s *config.Settings) { s.Uploads = 3 }); err != nil {
		t.Error(err)
	}
	var printed strings.Builder
	call := func(want int, args ...string) {
		t.Helper()
		code, stdout, stderr := d.call("", args...)
		if code != want {
			t.Errorf("%v: exit %d: %s", args, code, stderr)
		}
		printed.WriteString(stdout + stderr)
	}
	call(ExitAnswered, picture) // hands over
	call(ExitAnswered, "scan", "--json", picture)
	w.wantNone("what the window tells of itself", []byte(run.host.Diagnostics(t.Context(), "x11")))
	run.close()
	printed.WriteString(run.said.String())

	call(ExitAnswered, "scan", "--json", "--again", note(t, "another"))
	call(ExitAnswered, "list", "--json")
	call(ExitAnswered, "show", answered.RequestID)
	call(ExitAnswered, "show", "--json", answered.RequestID)
	call(ExitFailed, "show", "no-such-id")
	call(ExitAnswered, "key", "status")
	d.kept[w.url] = markedKey[:len(markedKey)-1] + "x" // revoked
	call(ExitFailed, "scan", note(t, "refused"))
	d.kept[w.url] = markedKey
	call(ExitMisuse, "key", "set", markedKey)

	if n := len(w.secrets()); n < 6 || w.keyed < 10 {
		t.Fatalf("this run shows nothing: %d secrets, %d calls with the key", n, w.keyed)
	}
	t.Run("S1, S3 neither the key nor a signature is in any file of Assay's, nor in what it printed", func(t *testing.T) {
		if n := w.wantNoneBelow(d.home); n < 8 {
			t.Errorf("only %d files were looked through", n)
		}
		w.wantNone("what was printed", []byte(printed.String()))
		if len(printed.String()) < 2000 {
			t.Errorf("only %d bytes were printed", len(printed.String()))
		}
	})
	t.Run("S2 the key goes to the service's interface, in one header, and nowhere else", func(t *testing.T) {
		for _, request := range w.astray {
			t.Errorf("it went with %s", request)
		}
	})
	t.Run("S6 all of Assay's files are the person's alone", func(t *testing.T) {
		if runtime.GOOS == "windows" {
			t.Skip("rights are of another kind there")
		}
		err := filepath.WalkDir(d.home, func(path string, entry fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			facts, err := entry.Info()
			if err == nil && facts.Mode().Perm()&0o077 != 0 {
				t.Errorf("%s is %v", path, facts.Mode())
			}
			return err
		})
		if err != nil {
			t.Error(err)
		}
	})
	t.Run("S3 nor while it is open, but for the address of an upload that is under way", func(t *testing.T) {
		again := d.openHost()
		s := again.host.Session()
		ctx, stop := context.WithCancel(t.Context())
		defer stop()
		sub, ok, err := s.Store.Get(ctx, answered.ID)
		if err != nil || !ok || sub.Result == nil {
			t.Fatalf("%v, %v", ok, err)
		}
		w.wantNone("the kept answer", sub.Result.Raw)
		again.close()
		if _, err := os.Stat(filepath.Join(session.DataFolder(d.home, w.url, false), "log", "assay.log")); err != nil {
			t.Error(err)
		}
	})
}
