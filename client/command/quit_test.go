package command_test

import (
	"bytes"
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"assay/client/assert"
	"assay/client/command"
	"assay/client/ipc"
	"assay/client/session"
)

func TestQuit(t *testing.T) {
	quit := func(t *testing.T, home string, flags ...string) (code int, stderr string) {
		t.Helper()
		var out, errs bytes.Buffer
		code = command.Main(t.Context(), session.Options{}, append([]string{"quit", "--home", home}, flags...), nil, &out, &errs, nil)
		return code, errs.String()
	}
	free := func(t *testing.T, dir string) {
		t.Helper()
		h, err := ipc.Take(t.Context(), dir)
		if err != nil {
			t.Error(err)
			return
		}
		assert.NoError(t, h.Close())
	}
	t.Run("where nothing runs there is nothing to do, and nothing is made", func(t *testing.T) {
		home := filepath.Join(t.TempDir(), "none")
		if code, stderr := quit(t, home); code != command.ExitAnswered || stderr != "" {
			t.Errorf("exit %d: %s", code, stderr)
		}
		if _, err := os.Lstat(home); err == nil {
			t.Error("the home was made")
		}
	})
	t.Run("the window ends, and its folder is free", func(t *testing.T) {
		open, call, _, ended := openSandboxWindow(t)
		if code, _, stderr := call(picture("poster.png")); code != command.ExitAnswered {
			t.Fatalf("exit %d: %s", code, stderr)
		}
		if code, stderr := quit(t, filepath.Dir(open.Folder)); code != command.ExitAnswered || stderr != "" {
			t.Errorf("exit %d: %s", code, stderr)
		}
		assert.Equal(t, command.ExitAnswered, <-ended)
		free(t, open.Folder)
		if code, stdout, stderr := call("scan", "--json", picture("poster.png")); code != command.ExitAnswered || len(answers(t, stdout)) != 1 {
			t.Errorf("what was under way has no answer: exit %d: %s", code, stderr)
		}
	})
	t.Run("a window ends for a newer Assay, which then opens, but not for an older one", func(t *testing.T) {
		open, call, _, ended := openSandboxWindow(t)
		ask := func(version string) (a session.LeaveAnswer) {
			assert.NoError(t, session.OpLeave.Call(t.Context(), open.Folder, session.LeaveJob{Version: version}, func(there session.LeaveAnswer) error {
				a = there
				return nil
			}))
			return a
		}
		for _, version := range []string{"0.0.1", "", "newest", strings.Repeat("9", 1000) + "."} {
			if a := ask(version); a.Leaves || a.Version == "" {
				t.Errorf("it ends for %q: %+v", version, a)
			}
		}
		if code, _, stderr := call(picture("poster.png")); code != command.ExitAnswered || !strings.Contains(stderr, "took 1") {
			t.Errorf("then: exit %d: %s", code, stderr)
		}
		if a := ask("99.0.0"); !a.Leaves || a.Stays != "" {
			t.Fatalf("it stays: %+v", a)
		}
		// Whoever comes now is not lost.
		if code, stdout, stderr := call("scan", "--json", picture("poster.png"), picture("generated.png")); code != command.ExitAnswered || len(answers(t, stdout)) != 2 {
			t.Errorf("exit %d: %s", code, stderr)
		}
		assert.Equal(t, command.ExitAnswered, <-ended)
	})
	t.Run("a window in which something is not saved stays, and says so", func(t *testing.T) {
		open, call, closeWindow, ended := openSandboxWindowThat(t, func(h *session.Host) {
			h.AskUnsaved(func(context.Context) string { return "A note is not saved." })
		})
		if code, stderr := quit(t, filepath.Dir(open.Folder)); code != command.ExitFailed || !strings.Contains(stderr, "A note is not saved.") {
			t.Errorf("exit %d: %s", code, stderr)
		}
		if code, _, stderr := call(picture("poster.png")); code != command.ExitAnswered || !strings.Contains(stderr, "took 1") {
			t.Errorf("then: exit %d: %s", code, stderr)
		}
		closeWindow()
		assert.Equal(t, command.ExitAnswered, <-ended)
	})
	t.Run("subcommands end, whether they hold the folder or work through one that does", func(t *testing.T) {
		t.Setenv("ASSAY_SERVER", "")
		home := t.TempDir()
		folder := filepath.Join(t.TempDir(), "watched")
		assert.NoError(t, os.Mkdir(folder, 0o700))
		type end struct {
			code   int
			stderr string
		}
		ends := make(chan end, 2)
		for range 2 {
			begun := make(chan struct{}, 1)
			go func() {
				var errs bytes.Buffer
				code := command.Main(t.Context(), session.Options{}, []string{"watch", "--gate", "send", "--sandbox", "--home", home, folder}, nil, io.Discard,
					io.MultiWriter(&errs, naming{filepath.Base(folder), begun}), nil)
				ends <- end{code, errs.String()}
			}()
			within, cancel := context.WithTimeout(t.Context(), time.Minute)
			select {
			case <-begun:
			case <-within.Done():
				t.Fatal("watch does not begin")
			}
			cancel()
		}
		if code, stderr := quit(t, home); code != command.ExitAnswered || stderr != "" {
			t.Errorf("exit %d: %s", code, stderr)
		}
		for range 2 {
			if e := <-ends; e.code != command.ExitFailed || !strings.Contains(e.stderr, "Assay was asked to close.") {
				t.Errorf("a watch ends with %d: %s", e.code, e.stderr)
			}
		}
		free(t, filepath.Join(home, "sandbox"))
	})
	t.Run("one that does not end is waited for, and said", func(t *testing.T) {
		home := t.TempDir()
		h, err := ipc.Take(t.Context(), filepath.Join(home, "sandbox"))
		assert.NoError(t, err)
		defer h.Close() //nolint:errcheck // the test's end
		if code, stderr := quit(t, home, "--timeout", "300ms"); code != command.ExitFailed || !strings.Contains(stderr, "Assay did not close within") {
			t.Errorf("exit %d: %s", code, stderr)
		}
		t.Run("and one of another version is said to be that", func(t *testing.T) {
			assert.NoError(t, h.Serve(t.Context(), func(context.Context, ipc.Request, func(any) error) error { return ipc.OtherVersion() }))
			if code, stderr := quit(t, home); code != command.ExitFailed || !strings.Contains(stderr, "Close Assay and start it again.") {
				t.Errorf("exit %d: %s", code, stderr)
			}
		})
	})
}

// naming tells of the first write in which a name stands.
type naming struct {
	name string
	told chan struct{}
}

func (n naming) Write(data []byte) (int, error) {
	if strings.Contains(string(data), n.name) {
		select {
		case n.told <- struct{}{}:
		default:
		}
	}
	return len(data), nil
}
