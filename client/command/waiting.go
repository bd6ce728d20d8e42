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

// addTimeout gives a subcommand the flag --timeout; then says what happens when it has passed.
func addTimeout(cmd *cobra.Command, timeout *time.Duration, then string) {
	cmd.Flags().DurationVar(timeout, "timeout", 0, "how long to wait at most, such as 90s or 10m"+then+" (default: as long as it takes)")
}

func checkTimeout(timeout time.Duration) error {
	if timeout < 0 {
		return &session.Misuse{Sentence: "--timeout must be a time such as 90s or 10m, or 0 for no limit."}
	}
	return nil
}

// lookup runs do for a subcommand that asks the service for something, within a timeout (0: none), and tells the person what it waits for: for the
// service, but not while the reader of out, such as a pager, is what blocks.
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

// serviceWait is what calls to the service wait for.
type serviceWait struct {
	over   chan struct{}
	saying sync.WaitGroup

	mu      sync.Mutex
	failed  *client.Error // the last failed attempt of a call
	until   time.Time     // when the next one is made
	printed bool          // something was printed since the last check
	reading bool          // a write is blocked by the reader
}

// sayWaits tells the person what calls with the returned context wait for, once that takes a while, until stop is called.
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

// printing is a writer to out; during its writes nothing is said.
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

// How often a waiting person is told what for.
const (
	remindTick  = 5 * time.Second  // how long a wait lasts before anything is said, and how often it is checked
	remindEvery = time.Minute      // between two reminders
	remindOften = 10               // after this many reminders
	remindRare  = 10 * time.Minute // they come this rarely
)

// reminder decides when to say what is waited for. Its zero value has said nothing yet.
type reminder struct {
	cause    string        // why all wait, as last said
	moved    bool          // there was progress since the last check
	reported bool          // something was said
	since    time.Duration // the time since then
	times    int           // reminders since there was progress
}

// ended notes progress.
func (r *reminder) ended() { r.moved, r.times = true, 0 }

// said notes that why all wait was said otherwise.
func (r *reminder) said(cause string) { r.cause, r.reported, r.since = cause, true, 0 }

// due is called every remindTick and reports whether it is time for a reminder. cause is why all wait, "" if they do not: a change of it is said at
// once.
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
		return i18n.F("Waiting for %s: Assay is asking the service to take it.", s.Name)
	case s.State == submission.Checking:
		return i18n.F("Waiting for %s: Assay is reading it.", s.Name)
	}
	return i18n.F("Waiting for %s: others go first.", s.Name)
}

// leftText says why a scan does not wait for a submission any longer, and what becomes of it.
func leftText(s submission.Submission, why string) string {
	if s.Paused {
		why = i18n.T("You have paused it: resume it in Assay's window.")
	}
	if s.RequestID != "" || !s.Uploaded.IsZero() {
		return why + " " + i18n.T("It was sent: the next scan prints its answer.")
	}
	return why + " " + i18n.T("The next scan goes on with it.")
}

// noAnswerWithin says that the timeout has passed.
func noAnswerWithin(d time.Duration) string {
	return i18n.F("There was no answer within %s.", i18n.Duration(d))
}
