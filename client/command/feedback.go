package command

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"assay/client"
	"assay/client/feedback"
	"assay/client/i18n"
	"assay/client/ipc"
	"assay/client/plain"
	"assay/client/session"
	"assay/client/store"
	"assay/client/wait"
)

func newFeedback(f *session.Options) *cobra.Command {
	var label, category, comment string
	var timeout time.Duration
	cmd := &cobra.Command{
		Use:   "feedback ID --label LABEL --category CATEGORY",
		Short: "Tell the service what your desk thinks of a result",
		Long: "Sends your desk's own judgement of a result. The service stores it with your name, e-mail address and organisation.\n" +
			"Without a network Assay keeps it and sends it once, at a later start. While Assay's window is open, it is sent from there.\n" +
			"Labels: real, synthetic, manipulated, unknown. Categories: false-positive, false-negative, confirmation, other.",
		Args: oneID,
		RunE: func(cmd *cobra.Command, args []string) error {
			given := client.Feedback{
				RequestID: args[0],
				Label:     client.Label(strings.ToUpper(label)),
				Category:  client.Category(strings.ToUpper(strings.ReplaceAll(category, "-", "_"))),
				Comment:   comment,
			}
			if !given.Label.Valid() {
				return &session.Misuse{Sentence: "--label must be real, synthetic, manipulated or unknown."}
			}
			if !given.Category.Valid() {
				return &session.Misuse{Sentence: "--category must be false-positive, false-negative, confirmation or other."}
			}
			s, err := f.Service()
			if err != nil {
				return err
			}
			start := feedbackStart{Service: s, wait: wait.For, said: cmd.ErrOrStderr(), job: feedbackJob{ID: rand.Text(), Feedback: given}}
			var a feedbackAnswer
			err = lookup(cmd, timeout, time.After, func(ctx context.Context, _ io.Writer) (err error) {
				a, err = start.run(ctx)
				if a.State != "" && errors.Is(context.Cause(ctx), errOutOfTime) { // the state says what becomes of it
					a.Problem, err = cmp.Or(a.Problem, noAnswerWithin(timeout)), nil
				}
				return err
			})
			if err != nil {
				return err
			}
			return a.print(cmd.OutOrStdout(), given)
		},
	}
	cmd.Flags().StringVar(&label, "label", "", "real, synthetic, manipulated or unknown")
	cmd.Flags().StringVar(&category, "category", "", "false-positive, false-negative, confirmation or other")
	cmd.Flags().StringVar(&comment, "comment", "", "a comment, kept by the service")
	addTimeout(cmd, &timeout, "; what is kept by then is sent by a later start")
	return cmd
}

// feedbackJob is what `assay feedback` asks for. Its ID is the feedback's: if the job is done twice, the feedback is kept once.
type feedbackJob struct {
	ID       string          `json:"id"`
	Feedback client.Feedback `json:"feedback"`
}

// feedbackAnswer is the state of the feedback after it was sent, or failed to be.
type feedbackAnswer struct {
	State    store.FeedbackState `json:"state"`
	Problem  string              `json:"problem,omitempty"` // a sentence
	RecordID plain.Text          `json:"recordId,omitzero"` // of the service's record of it
}

func feedbackAnswerOf(f store.Feedback) feedbackAnswer {
	a := feedbackAnswer{State: f.State, Problem: f.Problem.String()}
	var record client.FeedbackRecord
	if json.Unmarshal(f.Record, &record) == nil { // it may be no JSON, or nothing
		a.RecordID = record.ID
	}
	return a
}

// print prints the outcome; the error is a sentence.
func (a feedbackAnswer) print(out io.Writer, given client.Feedback) error {
	switch a.State {
	case store.FeedbackSent:
		return printLine(out, i18n.F("sent: %s, %s %s", strings.ToLower(string(given.Label)),
			strings.ReplaceAll(strings.ToLower(string(given.Category)), "_", "-"), a.RecordID.Clip(longestListed)))
	case store.FeedbackRefused:
		return errors.New(a.Problem)
	case store.FeedbackWaiting:
		return errors.New(i18n.T("Assay keeps the feedback and sends it at a later start.") + " " + a.Problem)
	}
	return errors.New(i18n.T("Assay does not know whether the service has this feedback.") + " " + a.Problem)
}

// feedbackSender keeps feedback and sends it, as feedback.Sender.Send does.
type feedbackSender interface {
	SendFeedback(ctx context.Context, id string, f client.Feedback) (store.Feedback, error)
}

// SendFeedback implements feedbackSender.
func (q sessionQueue) SendFeedback(ctx context.Context, id string, f client.Feedback) (store.Feedback, error) {
	return q.session.Feedback.Send(ctx, id, f)
}

// feedback does the job for another process.
func (o *operations) feedback(ctx context.Context, job feedbackJob, answer func(feedbackAnswer) error) error {
	sender, able := o.queue.(feedbackSender)
	if !able || job.ID == "" {
		return ipc.OtherVersion()
	}
	kept, err := sender.SendFeedback(ctx, job.ID, job.Feedback)
	if err != nil {
		return err
	}
	return answer(feedbackAnswerOf(kept))
}

// feedbackStart is a start of `assay feedback`: it sends the feedback itself if it can hold the folder, and else through the process that holds it.
type feedbackStart struct {
	*session.Service
	wait ipc.Wait
	said io.Writer
	job  feedbackJob
}

// run returns the state of the feedback after it was sent, or failed to be; with an error, its state if there is one.
func (s *feedbackStart) run(ctx context.Context) (a feedbackAnswer, err error) {
	here := false
	err = opFeedback.Run(ctx, ipc.Work[feedbackJob, feedbackAnswer]{
		Dir:  s.Folder,
		Job:  func() (feedbackJob, error) { return s.job, nil }, // doing it twice keeps it once
		Each: func(there feedbackAnswer) error { a = there; return nil },
		Here: func(ctx context.Context, h *ipc.Holder) error {
			here = true
			return session.Hold(ctx, h, s.Log, func(working context.Context, _ *session.Endpoint) error { // later starts wait until this process ends, which is soon
				defer s.Close()
				if err := s.Connect(ctx); err != nil {
					return err
				}
				kept, err := s.send(working)
				a = feedbackAnswerOf(kept)
				return err
			})
		},
		Wait: s.wait,
	})
	switch {
	case a.State != "":
	case err == nil:
		err = ipc.OtherVersion()
	case ctx.Err() != nil && !here: // the other process may have it
		a.State = store.FeedbackUnknown
	}
	return a, err
}

// send keeps the feedback in the service's records, and sends it with any other feedback that waits there.
func (s *feedbackStart) send(ctx context.Context) (kept store.Feedback, err error) {
	records, err := store.Open(ctx, s.Folder, store.Options{Log: s.Log})
	if err != nil {
		return kept, err
	}
	defer func() {
		if err := records.Close(); err != nil {
			s.Log.Error("close the records", "error", err)
		}
	}()
	if name := records.SetAside(); name != "" {
		say(s.said, i18n.F("damaged records were set aside as %s", name))
	}
	sender, err := feedback.Open(ctx, feedback.Params{Store: records, Client: s.Client, Log: s.Log})
	if err != nil {
		return kept, err
	}
	defer sender.Close()
	kept, err = sender.Send(ctx, s.job.ID, s.job.Feedback)
	if ctx.Err() != nil && kept.ID != "" {
		sender.Close() // it may be answered yet
		if now, ok, failed := records.FeedbackByID(context.WithoutCancel(ctx), s.job.ID); failed == nil && ok {
			kept = now
		}
	}
	return kept, err
}
