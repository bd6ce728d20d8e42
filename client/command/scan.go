package command

import (
	"context"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/vbauerster/mpb/v8"
	"github.com/vbauerster/mpb/v8/decor"
	"golang.org/x/term"

	"assay/client/i18n"
	"assay/client/intake"
	"assay/client/session"
	"assay/client/submission"
	"assay/client/verdict"
	"assay/client/wait"
)

func newScan(f *session.Options) *cobra.Command {
	var asJSON, noWait, again, unlessChecked bool
	var gate, inCase, copies string
	var timeout time.Duration
	cmd := &cobra.Command{
		Use:   "scan PATH|URL…",
		Short: "Submit files, folders and links, wait, and print what the service said",
		Long: "Submits files, the files of folders, and links, waits for the answers and prints a line for each, in the order given.\n" +
			"What was answered before is not submitted again, and what an earlier run left unfinished goes on from there.\n" +
			"While Assay's window is open, the work is done there.\n" +
			"It says on standard error what it is waiting for; --timeout limits the wait.\n" +
			"It does not wait for files that need your decision or may not leave this computer: they count as not answered.\n" +
			"Exit status: 0 all answered, 1 some not answered, or there was nothing to scan, 2 called wrongly.",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return &session.Misuse{Sentence: "Name at least one file, folder or link to scan."}
			}
			if slices.ContainsFunc(args, func(arg string) bool { return strings.TrimSpace(arg) == "" }) {
				return &session.Misuse{Sentence: "A file to scan has no name."}
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if gate != "" && !slices.Contains(gates, submission.Gate(gate)) {
				return &session.Misuse{Sentence: "--gate must be ask, send or never."}
			}
			if copies != "" && !slices.Contains([]string{"ask", "always", "never"}, copies) {
				return &session.Misuse{Sentence: "--copies must be ask, always or never."}
			}
			if err := checkTimeout(timeout); err != nil {
				return err
			}
			s, err := f.Service()
			if err != nil {
				return err
			}
			if s.Sandbox && !asJSON {
				_ = printLine(cmd.ErrOrStderr(), i18n.T(verdict.SandboxNote))
			}
			job := scanJob{Given: absolute(args), Again: again, NoWait: noWait, Timeout: timeout, Copies: submission.CopyRule(copies)}
			if unlessChecked {
				job.Colleagues = submission.TakeOver
			}
			if gate != "" {
				job.Gate = submission.Gate(gate)
				sayOverruled(cmd.ErrOrStderr(), s.Base, job.Gate, asSubmissions(args)...)
			}
			if inCase != "" {
				if job.Case, err = caseID(cmd.Context(), s, inCase, cmd.ErrOrStderr()); err != nil {
					return err
				}
			}
			return scan(cmd.Context(), s, job, cmd.OutOrStdout(), cmd.ErrOrStderr(), asJSON)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON object per line")
	cmd.Flags().BoolVar(&noWait, "no-wait", false, "end once the service has everything; a later scan prints the answers")
	addTimeout(cmd, &timeout, "; what is left then goes on with the next scan")
	cmd.Flags().StringVar(&gate, "gate", "", "whether they may leave this computer: send, ask (they wait for your decision in Assay's window) or never (default: as the settings say)")
	cmd.Flags().StringVar(&copies, "copies", "", "send copies of files that the service does not take, such as a JPEG of a HEIC: ask (they wait for your decision in Assay's window), always or never (default: as the settings say)")
	cmd.Flags().StringVar(&inCase, "case", "", "add what is scanned to this case: its ID or title, as assay case list prints them")
	cmd.Flags().BoolVar(&again, "again", false, "submit again what was answered before")
	cmd.Flags().BoolVar(&unlessChecked, "unless-checked", false, "where a colleague at the desk has shared an answer on the same file, take that over instead of sending it")
	return cmd
}

// scan does a job, itself or through the process that holds the folder, and prints each item as soon as it and all items before it have ended.
func scan(ctx context.Context, s *session.Service, job scanJob, out, progress io.Writer, asJSON bool) error {
	printer := scanPrinter{out: out, said: progress, json: asJSON, bar: newProgress(ctx, progress, decor.CountersNoUnit(i18n.T("%d of %d answered")))}
	defer printer.bar.finish()
	start := scanStart{
		dir:   s.Folder,
		wait:  wait.For,
		local: newLocal(s, progress, func(*session.Session) {}),
		emit:  printer.take,
		after: time.After,
		now:   time.Now,
		job:   job,
	}
	err := start.run(ctx)
	if err == nil && printer.failed {
		return errSomeFailed
	}
	return err
}

// scanPrinter prints the events of a scan.
type scanPrinter struct {
	out, said io.Writer
	json      bool
	bar       progressBar
	status    string // printed last
	failed    bool   // some item was not answered
}

func (p *scanPrinter) take(e scanEvent) error {
	switch {
	case e.Accepted != nil:
		p.failed = p.failed || len(e.Accepted.IDs) == 0 // nothing was scanned
		if e.Accepted.LeftOut != "" {
			say(p.said, e.Accepted.LeftOut)
		}
	case e.Progress != nil:
		p.bar.show(int64(e.Progress.Ended), int64(e.Progress.Of))
		if e.Progress.Status != p.status {
			p.status = e.Progress.Status
			if p.status != "" {
				say(p.said, p.status)
			}
		}
	case e.Said != "":
		say(p.said, e.Said)
	case e.Item != nil:
		p.failed = p.failed || !e.Item.Answered
		if p.json {
			return printJSONLine(p.out, []byte(e.Item.JSON))
		}
		return printLine(p.out, e.Item.Line)
	}
	return nil
}

// progressBar shows how much is done, on a terminal; elsewhere it shows nothing.
type progressBar struct {
	bars *mpb.Progress
	bar  *mpb.Bar
}

func newProgress(ctx context.Context, w io.Writer, counters decor.Decorator) progressBar {
	file, ok := w.(*os.File)
	if !ok || !term.IsTerminal(int(file.Fd())) { //nolint:gosec // a descriptor fits an int
		return progressBar{}
	}
	bars := mpb.NewWithContext(ctx, mpb.WithOutput(w))
	bar := bars.AddBar(0, mpb.BarRemoveOnComplete(), mpb.PrependDecorators(counters))
	return progressBar{bars: bars, bar: bar}
}

func (p progressBar) show(done, of int64) {
	if p.bar == nil {
		return
	}
	p.bar.SetTotal(of, false)
	p.bar.SetCurrent(done)
}

func (p progressBar) finish() {
	if p.bar == nil {
		return
	}
	p.bar.Abort(true)
	p.bars.Wait()
}

// sayOverruled says why the gate of --gate does not hold where the settings or a lock are stricter; each reason once.
func sayOverruled(stderr io.Writer, b *session.Base, wanted submission.Gate, subs ...submission.Submission) {
	said := map[i18n.Message]bool{}
	for _, s := range subs {
		s.Gate = wanted
		gate, lock := b.Config.Gate(s)
		why := intake.Overruled(gate, lock, b.Config.LocksUnread())
		if gate == wanted || said[why] {
			continue
		}
		said[why] = true
		if wanted == submission.GateSend {
			why = i18n.Sentences(i18n.M("--gate send has no effect."), why)
		}
		say(stderr, why.String())
	}
}

// asSubmissions makes submissions of files and links, as far as needed to ask the settings for their gates.
func asSubmissions(given []string) []submission.Submission {
	subs := make([]submission.Submission, len(given))
	for i, pathOrLink := range given {
		subs[i].Source = submission.Scanned
		if strings.Contains(pathOrLink, "://") {
			subs[i].Link = pathOrLink
		}
	}
	return subs
}
