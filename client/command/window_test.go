package command_test

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"assay/client/assert"
	"assay/client/command"
	"assay/client/events"
	"assay/client/report/bundle"
	"assay/client/session"
)

// openSandboxWindow opens a window on the sandbox. call runs a subcommand in its home, also once the window is closed; ended receives the
// window's exit status.
func openSandboxWindow(t *testing.T) (open *session.Session, call func(args ...string) (code int, stdout, stderr string), closeWindow func(), ended <-chan int) {
	t.Helper()
	return openSandboxWindowThat(t, func(*session.Host) {})
}

// openSandboxWindowThat is openSandboxWindow, of a window that does something with its host first.
func openSandboxWindowThat(t *testing.T, first func(*session.Host)) (open *session.Session, call func(args ...string) (code int, stdout, stderr string), closeWindow func(), ended <-chan int) {
	t.Helper()
	t.Setenv("ASSAY_SERVER", "")
	home := t.TempDir()
	ctx, closeWindow := context.WithCancel(t.Context())
	opened, end := make(chan *session.Session, 1), make(chan int, 1)
	window := func(ctx context.Context, h *session.Host, _ []string) error {
		first(h)
		opened <- h.Session()
		<-ctx.Done()
		return nil
	}
	go func() {
		var out, errs bytes.Buffer
		end <- command.Main(ctx, session.Options{}, []string{"--sandbox", "--home", home}, nil, &out, &errs, window)
	}()
	another := func(context.Context, *session.Host, []string) error {
		t.Error("another window opened")
		return nil
	}
	call = func(args ...string) (code int, stdout, stderr string) {
		t.Helper()
		var out, errs bytes.Buffer
		code = command.Main(t.Context(), session.Options{}, append(args, "--sandbox", "--home", home), nil, &out, &errs, another)
		return code, out.String(), errs.String()
	}
	return <-opened, call, closeWindow, end
}

func TestWhileTheWindowIsOpen(t *testing.T) {
	open, call, closeWindow, ended := openSandboxWindow(t)
	t.Run("a second start hands its files over and ends", func(t *testing.T) {
		code, _, stderr := call(picture("poster.png"))
		if code != command.ExitAnswered || !strings.Contains(stderr, "took 1") {
			t.Errorf("exit %d: %s", code, stderr)
		}
		if taken := open.Handed(); len(taken) != 1 || len(taken[0].Accepted.IDs) != 1 {
			t.Errorf("the window was told of %+v", taken)
		}
	})
	t.Run("a second start hands over the desktop's leave to come to the front", func(t *testing.T) {
		front := open.Events.Subscribe(events.Front)
		defer front.Close()
		const variable, token = "XDG_ACTIVATION_TOKEN", "of-this-start"
		t.Setenv(variable, token)
		if code, _, stderr := call(); code != command.ExitAnswered {
			t.Errorf("exit %d: %s", code, stderr)
		}
		assert.Equal(t, []string{token}, front.Take().IDs(events.Front))
		assert.Equal(t, "", os.Getenv(variable)) // or programs that this one starts would use it, too
		if code, _, stderr := call(); code != command.ExitAnswered || front.Take().Has(events.Front) {
			t.Errorf("without leave, exit %d, or a second use: %s", code, stderr)
		}
		open.Handed()
	})
	t.Run("a bundle that it is given is verified by the window, and nothing in it is submitted", func(t *testing.T) {
		folder := filepath.Join(t.TempDir(), "case.assay")
		media := filepath.Join(folder, "data", "media")
		assert.NoError(t, os.MkdirAll(media, 0o700))
		poster, err := os.ReadFile(picture("poster.png"))
		assert.NoError(t, err)
		for path, content := range map[string][]byte{
			filepath.Join(folder, bundle.BagItFile): []byte(bundle.BagItText), filepath.Join(folder, bundle.InfoFile): []byte(bundle.InfoFormat + ": 1\n"),
			filepath.Join(media, "1-received-poster.png"): poster,
		} {
			assert.NoError(t, os.WriteFile(path, content, 0o600))
		}
		code, _, stderr := call(folder)
		assert.Equal(t, command.ExitAnswered, code)
		if taken := open.Handed(); len(taken) != 1 || len(taken[0].Accepted.IDs) != 0 || !slices.Equal(taken[0].Bundles, []string{folder}) {
			t.Errorf("the window was told of %+v (%s)", taken, stderr)
		}
		assert.Equal(t, 1, len(open.Queue.All()))
	})
	t.Run("scan works through it", func(t *testing.T) {
		code, stdout, stderr := call("scan", "--json", picture("generated.png"))
		if code != command.ExitAnswered || len(answers(t, stdout)) != 1 || answers(t, stdout)[0].Status != "FAKE" {
			t.Errorf("exit %d, %s, %s", code, stdout, stderr)
		}
		if all := open.Queue.All(); len(all) != 2 || all[1].SHA256 != answers(t, stdout)[0].SHA256 {
			t.Errorf("the window has %d rows", len(all))
		}
	})
	t.Run("list asks its sandbox", func(t *testing.T) {
		code, stdout, stderr := call("list", "--json", "--name", "generated")
		if code != command.ExitAnswered || len(answers(t, stdout)) != 1 {
			t.Errorf("exit %d, %s, %s", code, stdout, stderr)
		}
	})
	closeWindow()
	assert.Equal(t, command.ExitAnswered, <-ended)
	t.Run("once it is closed, scan prints what it had answered", func(t *testing.T) {
		code, stdout, stderr := call("scan", "--json", picture("generated.png"))
		if code != command.ExitAnswered || len(answers(t, stdout)) != 1 || !answers(t, stdout)[0].Earlier {
			t.Errorf("exit %d, %s, %s", code, stdout, stderr)
		}
	})
}

func TestFeedbackThroughTheWindow(t *testing.T) {
	open, call, closeWindow, ended := openSandboxWindow(t)
	_, stdout, _ := call("scan", "--json", picture("generated.png"))
	var line struct{ RequestID string }
	if err := json.Unmarshal([]byte(stdout), &line); err != nil {
		t.Fatal(err, stdout)
	}
	changed := open.Events.Subscribe(events.Feedback)
	code, stdout, stderr := call("feedback", line.RequestID, "--label", "synthetic", "--category", "confirmation")
	if code != 0 || !strings.HasPrefix(stdout, "sent: synthetic, confirmation ") {
		t.Errorf("exit %d, %q, %q", code, stdout, stderr)
	}
	if given, err := open.Feedback.Of(t.Context(), line.RequestID); err != nil || len(given) != 1 || given[0].State != "sent" {
		t.Errorf("%v %+v", err, given)
	}
	if got := changed.Take().IDs(events.Feedback); !slices.Equal(got, []string{line.RequestID}) {
		t.Errorf("the window is told of feedback on %q", got)
	}
	closeWindow()
	assert.Equal(t, 0, <-ended)
}
