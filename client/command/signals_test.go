//go:build unix

package command_test

import (
	"bufio"
	"context"
	"errors"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"

	"assay/client/assert"
	"assay/client/command"
)

const hangsAsChild = "ASSAY_TEST_HANGS"

// TestHangingChild is no test: it is the process that the one below stops. It does not heed its end.
func TestHangingChild(t *testing.T) {
	if os.Getenv(hangsAsChild) == "" {
		t.Skip("only as a process of another test's")
	}
	ctx, stop := command.EndBySignal(context.Background(), func() { os.Exit(command.ExitFailed) }) //nolint:usetesting,forbidigo // as main does
	defer stop()
	_, _ = os.Stdout.WriteString("begun\n")
	<-ctx.Done()
	_, _ = os.Stdout.WriteString("ending\n")
	select {}
}

func TestASecondSignalEndsWhateverHangs(t *testing.T) {
	for _, signal := range []syscall.Signal{syscall.SIGTERM, syscall.SIGINT} {
		t.Run(signal.String(), func(t *testing.T) {
			t.Parallel()
			ctx, kill := context.WithTimeout(t.Context(), patience)
			defer kill()
			child := exec.CommandContext(ctx, os.Args[0], "-test.run=^TestHangingChild$", "-test.v") //nolint:gosec // this very program
			child.Env = append(os.Environ(), hangsAsChild+"=yes")
			out, err := child.StdoutPipe()
			assert.NoError(t, err)
			assert.NoError(t, child.Start())
			signals := 0
			for lines := bufio.NewScanner(out); lines.Scan(); {
				if line := lines.Text(); strings.HasSuffix(line, "begun") || line == "ending" {
					signals++
					if err := child.Process.Signal(signal); err != nil {
						t.Error(err)
					}
				}
			}
			var exit *exec.ExitError
			if err := child.Wait(); !errors.As(err, &exit) || exit.ExitCode() != command.ExitFailed || signals != 2 {
				t.Errorf("after %d signals: %v", signals, err)
			}
		})
	}
}
