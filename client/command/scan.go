package command

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"
	"github.com/vbauerster/mpb/v8"
	"github.com/vbauerster/mpb/v8/decor"
	"golang.org/x/term"

	"assay/client/submission"
	"assay/client/verdict"
)

func newScan(f *flags) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "scan PATH|URL…",
		Short: "Submit files and links, wait, and print what the service said",
		Long: "Submits files and links, waits for the answers and prints a line for each, in the order given.\n" +
			"Exit status: 0 all answered, 1 some not, 2 called wrongly.",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return &Misuse{Sentence: "Name at least one file or link to scan."}
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			s, err := openSession(cmd.Context(), *f, false, cmd.ErrOrStderr())
			if err != nil {
				return err
			}
			defer s.Close()
			if s.Sandbox && !asJSON {
				_, _ = fmt.Fprintln(cmd.ErrOrStderr(), verdict.SandboxNote)
			}
			return s.scan(cmd.Context(), args, cmd.OutOrStdout(), cmd.ErrOrStderr(), asJSON)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON object per line")
	return cmd
}

// scan submits paths and writes an answer for each, in their order, as soon as it and all before it have ended.
func (s *Session) scan(ctx context.Context, paths []string, out, progress io.Writer, asJSON bool) error {
	changes := s.Queue.Watch()
	defer changes.Close()
	ids := s.Queue.Accept(absolute(paths), submission.Scanned)
	bar := newProgress(ctx, progress, len(ids))
	defer bar.finish()
	failed := false
	for n := 0; n < len(ids); {
		item, ok := s.Queue.Get(ids[n])
		if !ok || !item.State.Ended() {
			bar.show(s.Queue.All())
			select {
			case <-changes.Ready():
				changes.Take()
				continue
			case <-ctx.Done():
				return ctx.Err()
			}
		}
		failed = failed || item.State != submission.Done
		if err := write(out, item, s.Sandbox, asJSON); err != nil {
			return fmt.Errorf("write the answer: %w", err)
		}
		n++
	}
	if failed {
		return errSomeFailed
	}
	return nil
}

func write(out io.Writer, item submission.Submission, fromSandbox, asJSON bool) error {
	if asJSON {
		encoder := json.NewEncoder(out)
		encoder.SetEscapeHTML(false)
		return encoder.Encode(answerOf(item, fromSandbox))
	}
	_, err := fmt.Fprintln(out, line(item))
	return err
}

// progressBar counts the ended items on a terminal; elsewhere it shows nothing.
type progressBar struct {
	bars *mpb.Progress
	bar  *mpb.Bar
}

func newProgress(ctx context.Context, w io.Writer, total int) progressBar {
	file, ok := w.(*os.File)
	if !ok || !term.IsTerminal(int(file.Fd())) { //nolint:gosec // a descriptor fits an int
		return progressBar{}
	}
	bars := mpb.NewWithContext(ctx, mpb.WithOutput(w))
	bar := bars.AddBar(int64(total), mpb.BarRemoveOnComplete(),
		mpb.PrependDecorators(decor.CountersNoUnit("%d of %d answered")))
	return progressBar{bars: bars, bar: bar}
}

func (p progressBar) show(items []submission.Submission) {
	if p.bar == nil {
		return
	}
	ended := int64(0)
	for _, item := range items {
		if item.State.Ended() {
			ended++
		}
	}
	p.bar.SetCurrent(ended)
}

func (p progressBar) finish() {
	if p.bar == nil {
		return
	}
	p.bar.Abort(true)
	p.bars.Wait()
}
