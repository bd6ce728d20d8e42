package command

import (
	"context"
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"

	"assay/client"
	"assay/client/i18n"
	"assay/client/session"
	"assay/client/verdict"
)

func newShow(f *session.Options) *cobra.Command {
	var asJSON bool
	var timeout time.Duration
	cmd := &cobra.Command{
		Use:   "show ID",
		Short: "Show one result",
		Long:  "Shows one result of the service: the verdict and what each model said.\nOf very many models it shows the most important. With --json it prints the service's own answer,\nwithout the queries of the files' addresses: with them, anyone who reads it could open the files.",
		Args:  oneID,
		RunE: func(cmd *cobra.Command, args []string) error {
			var r *client.Result
			err := lookup(cmd, timeout, time.After, func(ctx context.Context, _ io.Writer) error {
				s, err := f.OpenLookup(ctx)
				if err != nil {
					return err
				}
				defer s.Close()
				if r, err = s.Client.Result(ctx, args[0]); err == nil && s.Sandbox && !asJSON {
					_ = printLine(cmd.ErrOrStderr(), i18n.T(verdict.SandboxNote))
				}
				return err
			})
			if err != nil {
				return err
			}
			out := interruptible(cmd.Context(), cmd.OutOrStdout())
			if asJSON {
				return printJSON(out, client.Shareable(r.Raw))
			}
			return show(out, r)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print the service's answer")
	addTimeout(cmd, &timeout, "")
	return cmd
}

func oneID(cmd *cobra.Command, args []string) error {
	if len(args) != 1 {
		return &session.Misuse{Sentence: cmd.Name() + " takes one ID, as list prints it."}
	}
	return nil
}

// show prints a result: name, verdict, what it means, then a line per model, if there are very many for the foremost only.
func show(w io.Writer, r *client.Result) error {
	v := verdict.Of(r)
	lines := []string{listedName(r).String(), v.Line(), v.Sentence, v.Agreement}
	for _, reason := range v.Reasons {
		if reason.NextStep != "" {
			lines = append(lines, reason.NextStep)
		}
	}
	models, more := verdict.Foremost(r.Models)
	for _, m := range models {
		lines = append(lines, "  "+modelLine(m))
	}
	if more > 0 {
		lines = append(lines, "  "+i18n.F("%s; --json prints all", verdict.AndMore(more)))
	}
	if v.Release != "" {
		lines = append(lines, i18n.F("release %s", v.Release))
	}
	return printLines(w, lines)
}

func modelLine(m client.Model) string {
	number := verdict.Gap(m)
	if !m.Applies() {
		number = i18n.T("not applicable")
	} else if n := verdict.ModelScore(m); n != nil {
		number = i18n.F("%s of 100", n.Text())
	}
	said := fmt.Sprintf("%s: %s, %s", verdict.ModelName(m), verdict.Say(m.Status).Short, number)
	if contradiction := verdict.ModelContradiction(m); contradiction != "" {
		said += " (" + contradiction + ")"
	}
	return said
}
