package command

import (
	"context"
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"

	"assay/client"
	"assay/client/i18n"
	"assay/client/verdict"
)

func newShow(f *flags) *cobra.Command {
	var asJSON bool
	var timeout time.Duration
	cmd := &cobra.Command{
		Use:   "show ID",
		Short: "Show one result",
		Long:  "Shows one result of the service: the verdict and what each model said. With --json it prints the service's own answer,\nin which the addresses of files have lost their query: it would open the files to whoever reads it.",
		Args:  oneID,
		RunE: func(cmd *cobra.Command, args []string) error {
			return lookupTimeout(cmd.Context(), timeout, cmd.ErrOrStderr(), func(ctx context.Context) error {
				s, err := openLookup(ctx, f, cmd.ErrOrStderr())
				if err != nil {
					return err
				}
				defer s.close()
				r, err := s.client.Result(ctx, args[0])
				if err != nil {
					return err
				}
				if asJSON {
					return printJSON(cmd.OutOrStdout(), client.Shareable(r.Raw))
				}
				if s.sandbox {
					_ = printLine(cmd.ErrOrStderr(), i18n.T(verdict.SandboxNote))
				}
				return show(cmd.OutOrStdout(), r)
			})
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print the service's answer")
	addTimeout(cmd, &timeout, "")
	return cmd
}

func oneID(cmd *cobra.Command, args []string) error {
	if len(args) != 1 {
		return &Misuse{Sentence: cmd.Name() + " takes one ID, as list prints it."}
	}
	return nil
}

// show writes a result: name, verdict, what it means, then a line per model.
func show(w io.Writer, r *client.Result) error {
	v := verdict.Of(r)
	lines := []string{listedName(r).String(), v.Line(), v.Sentence, v.Agreement}
	for _, reason := range v.Reasons {
		if reason.NextStep != "" {
			lines = append(lines, reason.NextStep)
		}
	}
	for _, m := range r.Models {
		number := verdict.Gap(m)
		if !m.Applies() {
			number = i18n.T("not applicable")
		} else if n := verdict.ModelScore(m); n != nil {
			number = i18n.F("%s of 100", n.Text())
		}
		lines = append(lines, fmt.Sprintf("  %s: %s, %s", verdict.ModelName(m), verdict.Say(m.Status).Short, number))
	}
	if v.Release != "" {
		lines = append(lines, i18n.F("release %s", v.Release))
	}
	return printLines(w, lines)
}
