package command

import (
	"context"
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"

	"assay/client"
	"assay/client/i18n"
	"assay/client/plain"
	"assay/client/session"
	"assay/client/verdict"
)

// newList makes `assay list`; after is time.After, except in tests.
func newList(f *session.Options, after func(time.Duration) <-chan time.Time) *cobra.Command {
	var (
		name, from, to string
		asJSON         bool
		timeout        time.Duration
	)
	cmd := &cobra.Command{
		Use:   "list",
		Short: "List your own results on the service",
		Long:  "Lists the results of your own uploads, the service's newest first: no other user's, not even for an administrator.",
		Args:  noArguments("list"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			query := client.ListQuery{Name: name}
			var err error
			if query.Since, err = day("from", from); err != nil {
				return err
			}
			if query.Until, err = day("to", to); err != nil {
				return err
			}
			return lookup(cmd, timeout, after, func(ctx context.Context, out io.Writer) error {
				s, err := f.OpenLookup(ctx)
				if err != nil {
					return err
				}
				defer s.Close()
				for r, err := range s.Client.Results(ctx, query) {
					if err != nil {
						return err
					}
					if asJSON {
						a := answer{Name: resultName(r), Uploaded: r.UploadedDate, RequestID: r.RequestID}
						a.fill(r, s.Sandbox)
						err = printAnswer(out, a)
					} else {
						err = printLine(out, fmt.Sprintf("%s  %s  %s: %s", uploaded(r), plain.From(r.RequestID).Clip(longestListed), listedName(r), verdict.Of(r).Line()))
					}
					if err != nil {
						return err
					}
				}
				return nil
			})
		},
	}
	cmd.Flags().StringVar(&name, "name", "", "only results whose file name holds this")
	cmd.Flags().StringVar(&from, "from", "", "only uploads from this day on, as 2026-01-31")
	cmd.Flags().StringVar(&to, "to", "", "only uploads up to this day, as 2026-01-31")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON object per line")
	addTimeout(cmd, &timeout, "")
	return cmd
}

func noArguments(name string) cobra.PositionalArgs {
	return func(_ *cobra.Command, args []string) error {
		if len(args) > 0 {
			return &session.Misuse{Sentence: name + " takes no arguments, only flags: see assay " + name + " --help."}
		}
		return nil
	}
}

// day parses the date of a flag; "" is the zero time.
func day(flag, text string) (time.Time, error) {
	if text == "" {
		return time.Time{}, nil
	}
	at, err := time.Parse(time.DateOnly, text)
	if err != nil {
		return time.Time{}, &session.Misuse{Sentence: fmt.Sprintf("--%s is a day such as 2026-01-31.", flag)}
	}
	return at, nil
}

// resultName is what a result is called.
func resultName(r *client.Result) plain.Text {
	for _, name := range []plain.Text{r.OriginalFileName, r.FileName, plain.From(r.SocialLink)} {
		if !name.IsZero() {
			return name
		}
	}
	return plain.From(i18n.T("(no name)"))
}

// longestListed is how many characters of a name a line shows.
const longestListed = 500

func listedName(r *client.Result) plain.Text { return resultName(r).Clip(longestListed) }

// longestDate is how many characters are shown of a time that can't be parsed.
const longestDate = 40

// uploaded is the time of an upload in local time, or as sent if it can't be parsed.
func uploaded(r *client.Result) string {
	if at, ok := r.Uploaded(); ok {
		return at.Local().Format("2006-01-02 15:04")
	}
	return r.UploadedDate.Clip(longestDate).String()
}
