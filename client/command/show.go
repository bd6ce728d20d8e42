package command

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"assay/client"
	"assay/client/i18n"
	"assay/client/session"
	"assay/client/store"
	"assay/client/verdict"
)

func newShow(f *session.Options) *cobra.Command {
	var asJSON bool
	var timeout time.Duration
	cmd := &cobra.Command{
		Use:   "show ID",
		Short: "Show one result",
		Long: "Shows one result of the service: the verdict and what each model said.\nOf very many models it shows the most important. With --json it prints the service's own answer,\nwithout the queries of the files' addresses: with them, anyone who reads it could open the files.\n" +
			"Where colleagues at the desk have checked the same file, --json adds them as \"checked\": who, when, what the service said, its release, and the case.",
		Args: oneID,
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
				by, err := checkedHere(cmd.Context(), f, args[0], cmd.ErrOrStderr())
				if err != nil {
					say(cmd.ErrOrStderr(), i18n.Sentence(err)) // the service's answer is there all the same
				}
				return printJSON(out, withChecked(client.Shareable(r.Raw), by))
			}
			return show(out, r)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print the service's answer")
	addTimeout(cmd, &timeout, "")
	return cmd
}

// checkedHere are the colleagues who have checked a result's content, as this computer's records know. Where there are no records, none are made.
func checkedHere(ctx context.Context, f *session.Options, requestID string, said io.Writer) (by []checked, err error) {
	s, err := f.Service()
	if err != nil || !store.Exists(s.Folder) {
		return nil, err
	}
	err = deskWork(ctx, s, deskJob{Do: deskChecked, Result: requestID}, said, func(a deskAnswer) error {
		by = a.Checked
		return nil
	})
	return by, err
}

// withChecked is the service's answer, with who has checked the same content.
func withChecked(raw []byte, by []checked) []byte {
	end := bytes.LastIndexByte(raw, '}')
	if len(by) == 0 || end < 0 {
		return raw
	}
	added, err := json.Marshal(by)
	if err != nil {
		return raw
	}
	return slices.Concat(raw[:end], []byte(`,"checked":`), added, raw[end:])
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
