package command

import (
	"context"
	"errors"
	"io"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"assay/client"
	"assay/client/i18n"
	"assay/client/intake"
	"assay/client/session"
	"assay/client/submission"
)

// addTimeout gives a subcommand its --timeout; then says what comes after it.
func addTimeout(cmd *cobra.Command, timeout *time.Duration, then string) {
	cmd.Flags().DurationVar(timeout, "timeout", 0, "how long to wait at most, such as 90s or 10m"+then+" (default: as long as it takes)")
}

func checkTimeout(timeout time.Duration) error {
	if timeout < 0 {
		return &session.Misuse{Sentence: "--timeout is a time such as 90s or 10m, or 0 for none."}
	}
	return nil
}

// lookup runs a subcommand that asks the service something, within a timeout, 0 for none, and says what it waits for: the service, but not
// the reader of what do prints on out, such as a pager, for whom nothing is said.
func lookup(cmd *cobra.Command, timeout time.Duration, after func(time.Duration) <-chan time.Time, do func(ctx context.Context, out io.Writer) error) error {
	if err := checkTimeout(timeout); err != nil {
		return err
	}
	ctx := cmd.Context()
	within, cancel := context.WithCancel(ctx)
	if timeout > 0 {
		within, cancel = context.WithTimeoutCause(ctx, timeout, errOutOfTime)
	}
	defer cancel()
	within, w := sayWaits(within, cmd.ErrOrStderr(), after)
	err := do(within, w.printing(interruptible(ctx, cmd.OutOrStdout())))
	w.stop()
	if err != nil && ctx.Err() == nil && errors.Is(context.Cause(within), errOutOfTime) {
		return errors.New(noAnswerWithin(timeout))
	}
	return err
}

// serviceWait says what calls to the service wait for.
type serviceWait struct {
	over   chan struct{}
	saying sync.WaitGroup

	mu      sync.Mutex
	failed  *client.Error // why a call is made again
	until   time.Time     // and when
	printed bool          // something was, since it was looked at last
	reading bool          // the reader of what is printed is waited for
}

// sayWaits says what calls with the returned context wait for, once that takes a while, until stop is called.
func sayWaits(ctx context.Context, said io.Writer, after func(time.Duration) <-chan time.Time) (context.Context, *serviceWait) {
	w := &serviceWait{over: make(chan struct{})}
	w.saying.Go(func() {
		var r reminder
		for {
			select {
			case <-after(remindTick):
				if sentence := w.due(&r); sentence != "" {
					say(said, sentence)
				}
			case <-w.over:
				return
			}
		}
	})
	return client.OnWait(ctx, func(err *client.Error, again time.Time) {
		w.mu.Lock()
		defer w.mu.Unlock()
		w.failed, w.until = err, again
	}), w
}

// due is what is to be said now, "" for nothing.
func (w *serviceWait) due(r *reminder) string {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.printed {
		r.ended()
	}
	if w.printed = w.reading; w.reading {
		return ""
	}
	cause, sentence := "", i18n.T("Waiting for the service to answer.")
	if now := time.Now(); w.until.After(now) {
		cause, sentence = string(w.failed.Kind), w.failed.WaitMessage(w.until, now).String()
	}
	if !r.due(cause) {
		return ""
	}
	return sentence
}

// printing is a writer to out, during whose writes nothing is said.
func (w *serviceWait) printing(out io.Writer) io.Writer {
	return writerFunc(func(data []byte) (int, error) {
		w.setReading(true)
		defer w.setReading(false)
		return out.Write(data)
	})
}

func (w *serviceWait) setReading(is bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.reading, w.printed = is, true
}

func (w *serviceWait) stop() {
	close(w.over)
	w.saying.Wait()
}

// How often a person who waits is told what for.
const (
	remindTick  = 5 * time.Second  // how long a wait lasts before a word is said, and how often is looked whether one is due
	remindEvery = time.Minute      // between two words
	remindOften = 10               // after so many of them
	remindRare  = 10 * time.Minute // come so rarely
)

// reminder decides when it is said what is waited for. Its zero value has said nothing yet.
type reminder struct {
	cause    string        // why all waited, as told last
	moved    bool          // something came of the wait since it was looked at last
	reported bool          // a word was said
	since    time.Duration // since then
	times    int           // words, since something came of the wait
}

// ended notes that something came of the wait.
func (r *reminder) ended() { r.moved, r.times = true, 0 }

// said notes why all waits, where that was told at once.
func (r *reminder) said(cause string) { r.cause, r.reported, r.since = cause, true, 0 }

// due is called each remindTick and reports whether it is time for a word. cause says why all waits, "" where it does not: when it
// changes, that is told without waiting for the time.
func (r *reminder) due(cause string) bool {
	every := remindEvery
	if r.times >= remindOften {
		every = remindRare
	}
	r.since += remindTick
	changed, moved := cause != "" && cause != r.cause, r.moved
	if r.moved = false; changed {
		r.cause = cause
	}
	if !changed && (moved || r.reported && r.since < every) {
		return false
	}
	r.reported, r.since = true, 0
	r.times++
	return true
}

// waitText says what a submission waits for.
func waitText(s submission.Submission, status intake.QueueStatus) string {
	switch {
	case s.Paused:
		return i18n.F("Waiting for %s: you have paused it. Resume it in Assay's window.", s.Name)
	case status.Cause != intake.Running:
		return status.Reason.String()
	case !s.Delay.IsZero():
		return i18n.F("%s: %s", s.Name, s.Delay)
	case s.State == submission.Analysing:
		return i18n.F("Waiting for %s: the service has it and has not finished.", s.Name)
	case s.State == submission.Sending && s.Sends() > 0:
		return i18n.F("Waiting for %s: %s sent.", s.Name, i18n.SizeOf(s.Sent, s.Sends()))
	case s.State == submission.Sending:
		return i18n.F("Waiting for %s: the service is asked to take it.", s.Name)
	case s.State == submission.Checking:
		return i18n.F("Waiting for %s: it is being read.", s.Name)
	}
	return i18n.F("Waiting for %s: others go first.", s.Name)
}

// leftText says why a scan ends without the answer to a submission, and what becomes of that.
func leftText(s submission.Submission, why string) string {
	if s.Paused {
		why = i18n.T("You have paused it: resume it in Assay's window.")
	}
	if s.RequestID != "" || !s.Uploaded.IsZero() {
		return why + " " + i18n.T("It was sent: the next scan prints its answer.")
	}
	return why + " " + i18n.T("The next scan goes on with it.")
}

// noAnswerWithin says that the time that was given has passed.
func noAnswerWithin(d time.Duration) string {
	return i18n.F("There was no answer within %s.", i18n.Duration(d))
}
