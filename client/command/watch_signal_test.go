//go:build unix

package command_test

import (
	"bufio"
	"context"
	"os"
	"os/exec"
	"os/signal"
	"strings"
	"syscall"
	"testing"
	"time"

	"assay/client/assert"
	"assay/client/command"
	"assay/client/sandbox"
	"assay/client/session"
)

const watchedByChild = "ASSAY_TEST_WATCHED"

// TestWatchChild is no test: it is the process that the one below stops.
func TestWatchChild(t *testing.T) {
	args := os.Getenv(watchedByChild)
	if args == "" {
		t.Skip("only as a process of another test's")
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM) //nolint:usetesting // it ends with the signal, as in main
	defer stop()
	code := command.Main(ctx, session.Options{}, strings.Split(args, "\n"), nil, os.Stdout, os.Stderr, someWindow)
	if code != command.ExitAnswered {
		t.Errorf("exit %d", code)
	}
}

func TestWatchEndsWellWithASignal(t *testing.T) {
	setKey(t)
	service := startService(t, sandbox.Options{})
	for _, signal := range []syscall.Signal{syscall.SIGTERM, syscall.SIGINT} {
		t.Run(signal.String(), func(t *testing.T) {
			t.Parallel()
			folder, home := t.TempDir(), t.TempDir()
			ctx, kill := context.WithTimeout(t.Context(), patience)
			defer kill()
			child := exec.CommandContext(ctx, os.Args[0], "-test.run=^TestWatchChild$", "-test.v") //nolint:gosec // this very program
			child.Env = append(os.Environ(), watchedByChild+"="+strings.Join([]string{"watch", "--server", service.url, "--gate", "send", "--home", home, folder}, "\n"))
			said, err := child.StderrPipe()
			assert.NoError(t, err)
			printed, err := child.StdoutPipe()
			assert.NoError(t, err)
			assert.NoError(t, child.Start())
			child.WaitDelay = time.Second
			if text, err := bufio.NewReader(said).ReadString('\n'); err != nil || !strings.Contains(text, "Watching "+folder) {
				t.Errorf("it says %q, %v", text, err)
			}
			put(t, folder, "a.png", "generated.png")
			answered := false
			for lines := bufio.NewScanner(printed); lines.Scan(); {
				if strings.HasPrefix(lines.Text(), "a.png: ") {
					answered = true
					if err := child.Process.Signal(signal); err != nil {
						t.Error(err)
					}
				}
			}
			if err := child.Wait(); err != nil || !answered {
				t.Errorf("answered: %v; it ends with %v", answered, err)
			}
		})
	}
}
