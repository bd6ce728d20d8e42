package command

import (
	"context"
	"io"

	"github.com/spf13/cobra"

	"assay/client/i18n"
	"assay/client/ipc"
	"assay/client/session"
)

// newCaseRedact makes `assay case redact`.
func newCaseRedact(f *session.Options) *cobra.Command {
	var yes bool
	cmd := &cobra.Command{
		Use: "redact CASE ENTRY", Short: "Have the desk remove what an entry of a shared case says",
		Long: "Says what would be removed, and asks; --yes goes on without asking. ENTRY is the ID of one of the events that assay case show --json lists. It must be your own,\n" +
			"unless you own the case. That something was there stays, with who had it removed. Colleagues' computers remove it when they next exchange with the desk;\n" +
			"reports and bundles that were exported keep it. Your own files and results stay on your computer.",
		Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) != 2 || args[0] == "" || args[1] == "" {
				return &session.Misuse{Sentence: "Use it as: assay case redact CASE ENTRY"}
			}
			s, err := f.Service()
			if err != nil {
				return err
			}
			return redactEntry(cmd.Context(), s, caseJob{Case: args[0], Entry: args[1]}, yes, cmd.InOrStdin(), cmd.OutOrStdout(), cmd.ErrOrStderr())
		},
	}
	cmd.Flags().BoolVar(&yes, "yes", false, "go on without asking")
	return cmd
}

// redactEntry says what would be removed, asks, and removes it.
func redactEntry(ctx context.Context, s *session.Service, job caseJob, yes bool, in io.Reader, out, said io.Writer) error {
	var plan *plannedEntry
	job.Do = caseMayRedact
	if err := runCase(ctx, s, job, said, func(a caseAnswer) error {
		if a.Case != nil {
			plan = a.Case.Entry
		}
		return nil
	}); err != nil {
		return err
	}
	if plan == nil {
		return ipc.OtherVersion()
	}
	say(said, i18n.F("Removed for everyone: %s, %s: %s", plan.By.Folded(), i18n.Moment(plan.At.Local()), plan.Text.Folded().Clip(longestTitle)))
	say(said, i18n.T("That something was there stays, with who removed it. Reports and bundles that were exported keep it."))
	if !yes {
		if err := askToGoOn(ctx, in, said, i18n.T("Nothing was removed.")); err != nil {
			return err
		}
	}
	job.Do = caseRedact
	p := casePrinter{out: interruptible(ctx, out), job: job}
	if err := runCase(ctx, s, job, said, p.take); err != nil {
		return err
	}
	return p.end()
}
