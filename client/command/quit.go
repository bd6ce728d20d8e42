package command

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"assay/client/i18n"
	"assay/client/ipc"
	"assay/client/plain"
	"assay/client/session"
	"assay/client/wait"
)

// quitPatience is how long `assay quit` waits by default.
const quitPatience = 30 * time.Second

// newQuit makes `assay quit`, which installers call before they replace the program.
func newQuit(f *session.Options) *cobra.Command {
	timeout := quitPatience
	cmd := &cobra.Command{
		Use:   "quit",
		Short: "Ask the running Assay to close, and wait until it has",
		Long: "Asks the window and every subcommand that works in the home to close, and waits. Unfinished work is kept, and the next start goes on with it.\n" +
			"A window stays open while somebody is writing in it.\n" +
			"Exit status: 0 nothing runs there any more, 1 something still runs.",
		Args: noArguments("quit"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			home, err := f.HomeFolder()
			if err != nil {
				return err
			}
			if timeout <= 0 {
				return &session.Misuse{Sentence: "--timeout must be a time such as 90s or 10m."}
			}
			ctx, cancel := context.WithTimeoutCause(cmd.Context(), timeout, errOutOfTime)
			defer cancel()
			stays, err := session.Quit(ctx, home, wait.For)
			switch {
			case err != nil && cmd.Context().Err() == nil && errors.Is(context.Cause(ctx), errOutOfTime):
				return errors.New(i18n.F("Assay did not close within %s.", i18n.Duration(timeout)))
			case err != nil:
				return err
			case len(stays) > 0:
				return &ipc.Refusal{Sentence: strings.Join(stays, " ")}
			}
			return nil
		},
	}
	cmd.Flags().DurationVar(&timeout, "timeout", quitPatience, "how long to wait at most, such as 90s or 10m")
	return cmd
}

// leftSentence says why the window has closed by itself.
func leftSentence(job session.LeaveJob) string {
	if job.Quit {
		return i18n.T("Assay was asked to close. It keeps unfinished work and goes on with it at the next start.")
	}
	return i18n.F("A newer Assay (%s) was started and goes on with the submissions.", plain.From(job.Version).Clip(longestVersion).String())
}

// longestVersion is how many characters of another program's version are shown.
const longestVersion = 40
