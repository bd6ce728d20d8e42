package command

import (
	"context"
	"crypto/rand"
	"io"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/vbauerster/mpb/v8/decor"
	"golang.org/x/term"

	"assay/client/i18n"
	"assay/client/ipc"
	"assay/client/plain"
	"assay/client/session"
	"assay/client/store"
	"assay/client/submission"
	"assay/client/verdict"
	"assay/client/wait"
)

func newRecheck(f *session.Options) *cobra.Command {
	var (
		asJSON, yes, noWait bool
		older               string
		timeout             time.Duration
		plan                recheckJob
	)
	cmd := &cobra.Command{
		Use:   "recheck ID…|--case CASE|--older 90d",
		Short: "Check results again, and print which verdicts have changed",
		Long: "Checks again results that are kept on this computer, each content once, and prints what they said before: first those whose verdict\n" +
			"has changed. Both answers are kept. An ID is the requestId that scan --json and list print; --older narrows the IDs or the case, or\n" +
			"takes all results. First it says how many uploads of your plan it will use, and asks; --yes goes on without asking.\n" +
			"They are sent one at a time, after anything added meanwhile. Files that are gone, have changed or may not leave this computer are left out and named.\n" +
			"If Assay asks first, they wait for your decision in its window. A check that was broken off goes on at the next start of Assay.\n" +
			"Exit status: 0 all answered, or nothing was old enough; 1 some not answered; 2 called wrongly.",
		RunE: func(cmd *cobra.Command, ids []string) (err error) {
			switch {
			case len(ids) == 0 && plan.Case == "" && older == "":
				return &session.Misuse{Sentence: "recheck takes the IDs of results, as scan --json and list print them, a case with --case, or --older."}
			case len(ids) > 0 && plan.Case != "":
				return &session.Misuse{Sentence: "Give the IDs of results, or a case with --case, not both."}
			}
			if plan.Before, err = olderThan(older, time.Now()); err != nil {
				return err
			}
			if err := checkTimeout(timeout); err != nil {
				return err
			}
			plan.IDs = ids
			s, err := f.Service()
			if err != nil {
				return err
			}
			return recheck(cmd, s, plan, scanJob{NoWait: noWait, Timeout: timeout, Mark: rand.Text()}, asJSON, yes)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON object per line, as scan does, with the answer before")
	cmd.Flags().StringVar(&plan.Case, "case", "", "check the results of this case again: its ID or title, as assay case list prints them")
	cmd.Flags().StringVar(&older, "older", "", "only those that were answered longer ago than this: 90d, 12w or 36h")
	cmd.Flags().BoolVar(&yes, "yes", false, "go on without asking")
	cmd.Flags().BoolVar(&noWait, "no-wait", false, "end once the service has everything")
	addTimeout(cmd, &timeout, "; what is left then goes on with the next start of Assay")
	return cmd
}

// longestAge is the largest number that --older takes.
const longestAge = 36500

// olderThan is the time that lies an age before now, such as 90d; zero for "".
func olderThan(age string, now time.Time) (time.Time, error) {
	if age == "" {
		return time.Time{}, nil
	}
	number, err := strconv.Atoi(age[:len(age)-1])
	if err == nil && number >= 0 && number <= longestAge {
		switch age[len(age)-1] {
		case 'h':
			return now.Add(-time.Duration(number) * time.Hour), nil
		case 'd':
			return now.AddDate(0, 0, -number), nil
		case 'w':
			return now.AddDate(0, 0, -7*number), nil
		}
	}
	return time.Time{}, &session.Misuse{Sentence: "--older must be a number of days, weeks or hours, such as 90d, 12w or 36h."}
}

// recheck says what it will use, asks, and has it done.
func recheck(cmd *cobra.Command, s *session.Service, what recheckJob, job scanJob, asJSON, yes bool) error {
	ctx, said := cmd.Context(), cmd.ErrOrStderr()
	if s.Sandbox && !asJSON {
		_ = printLine(said, i18n.T(verdict.SandboxNote))
	}
	plan, err := runRecheckPlan(ctx, s, what, said)
	if err != nil {
		return err
	}
	p := recheckPrinter{scanPrinter: scanPrinter{out: interruptible(ctx, cmd.OutOrStdout()), said: said, json: asJSON}}
	for _, left := range plan.Left {
		p.failed = true
		if !asJSON {
			say(said, plain.Line(i18n.F("%s: left out. %s", left.Name, left.Why)))
			continue
		}
		text, err := oneLine(answer{Name: plain.From(left.Name), RequestID: left.RequestID, Error: left.Why.String()})
		if err != nil {
			return err
		}
		p.rest = append(p.rest, &itemEvent{JSON: text})
	}
	say(said, plan.Forecast())
	if job.Recheck = plan.IDs; len(plan.IDs) > 0 {
		if !yes {
			if err := askToGoOn(ctx, cmd.InOrStdin(), said, i18n.T("Nothing was checked again.")); err != nil {
				return err
			}
		}
		p.bar = newProgress(ctx, said, decor.CountersNoUnit(i18n.T("%d of %d answered")))
		defer p.bar.finish()
		start := scanStart{dir: s.Folder, wait: wait.For, local: newLocal(s, said, func(*session.Session) {}), emit: p.take, after: time.After, now: time.Now, job: job}
		err = start.run(ctx)
		p.bar.finish()
	}
	if failed := p.end(); err == nil {
		err = failed
	}
	if err == nil && p.failed {
		return errSomeFailed
	}
	return err
}

// askToGoOn asks the person in the terminal; the error says why not to go on, with what was not done where they did not say yes.
func askToGoOn(ctx context.Context, in io.Reader, prompts io.Writer, notDone string) error {
	file, ok := in.(*os.File)
	if !ok || !term.IsTerminal(int(file.Fd())) { //nolint:gosec // a descriptor fits an int
		return &session.Misuse{Sentence: "Assay can't ask anybody here. Use --yes to go on without asking."}
	}
	ask(prompts, i18n.T("Go on? Type yes:")+" ")
	typed, err := readLine(ctx, file)
	if err == nil && !strings.EqualFold(strings.TrimSpace(typed), "yes") {
		err = &ipc.Refusal{Sentence: notDone}
	}
	return err
}

// recheckJob says which results `assay recheck` means.
type recheckJob struct {
	IDs    []string  `json:"ids,omitempty"`
	Case   string    `json:"case,omitempty"`  // in place of IDs: the ID or title of a case
	Before time.Time `json:"before,omitzero"` // only those that were answered before; zero: all
}

// ids are the IDs of the submissions that are meant; nil for all.
func (j recheckJob) ids(ctx context.Context, records *store.Store) ([]string, error) {
	switch {
	case j.Case != "":
		c, err := findCase(ctx, records, j.Case)
		if err != nil {
			return nil, err
		}
		ids, err := records.CaseItems(ctx, c.ID)
		return append([]string{}, ids...), err
	case len(j.IDs) > 0:
		return submissionsOf(ctx, records, j.IDs)
	}
	return nil, nil
}

// planRecheck makes the plan for another process.
func (o *operations) planRecheck(ctx context.Context, job recheckJob, answer func(session.RecheckPlan) error) error {
	q, able := o.queue.(sessionQueue)
	if !able {
		return ipc.OtherVersion()
	}
	ids, err := job.ids(ctx, q.session.Store)
	if err != nil {
		return &ipc.Refusal{Sentence: i18n.Sentence(err)}
	}
	plan, err := q.session.PlanRecheck(ctx, ids, job.Before)
	if err != nil {
		return &ipc.Refusal{Sentence: i18n.Sentence(err)}
	}
	return answer(plan)
}

// runRecheckPlan makes the plan by itself where it can hold the folder, and else through the process that does.
func runRecheckPlan(ctx context.Context, s *session.Service, job recheckJob, said io.Writer) (plan session.RecheckPlan, err error) {
	answered := false
	err = opRecheck.Run(ctx, ipc.Work[recheckJob, session.RecheckPlan]{
		Dir: s.Folder,
		Job: func() (recheckJob, error) { return job, nil },
		Each: func(p session.RecheckPlan) error {
			plan, answered = p, true
			return nil
		},
		Here: func(ctx context.Context, h *ipc.Holder) error {
			return withRecords(ctx, s, h, said, func(ctx context.Context, records *store.Store) error {
				ids, err := job.ids(ctx, records)
				if err == nil {
					plan, err = s.PlanRecheck(ctx, records, ids, job.Before)
				}
				answered = err == nil
				return err
			})
		},
		Wait: wait.For,
	})
	if err == nil && !answered {
		err = ipc.OtherVersion()
	}
	return plan, err
}

// before is the answer before on the same content, as --json prints it.
type before struct {
	RequestID string     `json:"requestId,omitempty"`
	Answered  time.Time  `json:"answered,omitzero"`
	Status    string     `json:"status"`
	Verdict   string     `json:"verdict"`
	Score     *float64   `json:"score"`
	Release   plain.Text `json:"releaseVersion,omitzero"`
}

// rechecker checks results again and compares their answers; it is a session's.
type rechecker interface {
	recheck(ctx context.Context, mark string, ids []string) ([]string, error)
	compare(ctx context.Context, s submission.Submission, e *itemEvent) error
}

func (q sessionQueue) recheck(ctx context.Context, mark string, ids []string) ([]string, error) {
	return q.session.Recheck(ctx, mark, ids)
}

// compare adds to the event of an item how its answer differs from the one before.
func (q sessionQueue) compare(ctx context.Context, s submission.Submission, e *itemEvent) error {
	c, was, known, err := session.CompareWithBefore(ctx, q.session.Store, s.ID)
	if err != nil || !known {
		return err
	}
	a := answerOf(s, q.FromSandbox())
	a.Before = &before{RequestID: was.RequestID, Answered: was.At.UTC(), Status: string(c.Earlier.Status), Verdict: c.Earlier.Headline, Release: plain.From(c.Earlier.Release)}
	if c.Earlier.Score != nil {
		a.Before.Score = &c.Earlier.Score.Value
	}
	a.Changed, a.WhatChanged = &c.Changed, c.Sentence(s.Link == "")
	e.Changed = c.Changed
	switch release := c.Earlier.Release; {
	case !c.Changed:
		e.Line = i18n.F("%s: %s [the same verdict as before]", s.Name, c.Later.Line())
	case release == "":
		e.Line = i18n.F("%s: changed from “%s” to: %s", s.Name, c.Earlier.Headline, c.Later.Line())
	default:
		e.Line = i18n.F("%s: changed from “%s” (release %s) to: %s", s.Name, c.Earlier.Headline, release, c.Later.Line())
	}
	e.Line = plain.Line(e.Line)
	e.JSON, err = oneLine(a)
	return err
}

// acceptAgain accepts the results of a job to be checked again, and emits the IDs of the submissions that will have the answers.
func acceptAgain(ctx context.Context, q queue, job scanJob, emit func(scanEvent) error) ([]string, error) {
	again, able := q.(rechecker)
	if !able {
		return nil, ipc.OtherVersion()
	}
	ids, err := again.recheck(ctx, job.Mark, job.Recheck)
	e := &acceptedEvent{IDs: ids}
	switch {
	case err != nil && (len(ids) == 0 || ctx.Err() != nil):
		return nil, err
	case err != nil: // what was accepted before the error is still followed
		e.Problem = err.Error()
	}
	return ids, emit(scanEvent{Accepted: e})
}

// recheckPrinter prints what was checked again once all has ended: first what has changed.
type recheckPrinter struct {
	scanPrinter
	changed, rest []*itemEvent
}

func (p *recheckPrinter) take(e scanEvent) error {
	if e.Item == nil {
		return p.scanPrinter.take(e)
	}
	p.failed = p.failed || !e.Item.Answered
	if e.Item.Changed {
		p.changed = append(p.changed, e.Item)
	} else {
		p.rest = append(p.rest, e.Item)
	}
	return nil
}

// end prints what has ended by now.
func (p *recheckPrinter) end() error {
	for _, item := range append(p.changed, p.rest...) {
		err := error(nil)
		if p.json {
			err = printJSONLine(p.out, []byte(item.JSON))
		} else {
			err = printLine(p.out, item.Line)
		}
		if err != nil {
			return err
		}
	}
	if n := len(p.changed); n > 0 {
		say(p.said, i18n.N(n, "%s verdict has changed: it needs a human.", "%s verdicts have changed: they need a human."))
	}
	return nil
}
