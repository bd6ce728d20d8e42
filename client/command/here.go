package command

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"

	"assay/client/i18n"
	"assay/client/ipc"
	"assay/client/session"
)

// here is what a subcommand needs to work by itself, as the process that holds the folder.
type here struct {
	// open opens the session. Its closing waits until all is on disk, and beside that for what would else be fetched anew by the next
	// run, until its ctx ends.
	open func(ctx context.Context) (q queue, closing func(ctx context.Context), err error)
	own  func() session.SandboxAddress // the embedded sandbox, once the session is open; nil: there is none
	warn func(error)                   // logs: later starts can't reach this one
}

// opener is here.open for a subcommand: opened is called with the session.
func opener(s *session.Service, said io.Writer, opened func(*session.Session)) func(context.Context) (queue, func(context.Context), error) {
	return func(ctx context.Context) (queue, func(context.Context), error) {
		opening, err := session.Open(ctx, s)
		if err != nil {
			return nil, nil, err
		}
		saySetAside(said, opening.SetAside())
		opened(opening)
		return sessionQueue{opening.Queue, opening}, func(ctx context.Context) {
			settle(ctx, opening, said)
			opening.Close()
		}, nil
	}
}

// settleFor is how long a subcommand waits at its end for the copies of what stands behind the answers, where those come in.
const settleFor = time.Minute

// settle waits for these copies, and says so where it takes a while.
func settle(ctx context.Context, s *session.Session, said io.Writer) {
	ctx, cancel := context.WithTimeout(ctx, settleFor)
	defer cancel()
	defer time.AfterFunc(remindTick, func() {
		say(said, i18n.T("The pictures and details behind the answers are being kept."))
	}).Stop()
	s.Settle(ctx)
}

// saySetAside says under which name damaged records were set aside; "" for none.
func saySetAside(said io.Writer, name string) {
	if name != "" {
		say(said, i18n.F("damaged records were set aside as %s", name))
	}
}

// work opens the session, has do work with it and serves later starts meanwhile. working ends, and errLeft is returned, where a
// window wants the folder; ctx goes on then.
func (w here) work(ctx context.Context, h *ipc.Holder, do func(working context.Context, o *operations) error) (err error) {
	defer func() { err = errors.Join(err, h.Close()) }()
	working, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	e := session.NewEndpoint()
	e.GiveWay = func() { stop(errLeft) }
	if err := h.Serve(ctx, e.Handle); err != nil {
		w.warn(err)
	}
	q, closing, err := w.open(ctx)
	if err != nil {
		return err
	}
	defer func() { closing(working) }()
	defer h.StopServing() // before the session closes, which its calls work with; the folder is given free after that
	var sandbox session.SandboxAddress
	if w.own != nil {
		sandbox = w.own()
	}
	o := newOperations(q, false)
	e.Open(q, sandbox, o.handlers())
	if err = do(working, o); err != nil {
		stop(err) // nobody waits for more
	}
	if err != nil && ctx.Err() == nil && errors.Is(context.Cause(working), errLeft) {
		return errLeft
	}
	return err
}

// there has a job done by the process that holds the folder, and has note take each of its events. Where none does, the folder is
// this process's, and its Holder is returned.
func there[E any](ctx context.Context, start ipc.Start, job any, note func(E) error) (*ipc.Holder, error) {
	options, err := json.Marshal(job)
	if err != nil {
		return nil, fmt.Errorf("encode the job: %w", err)
	}
	start.Request.Options = options
	start.Each = func(data json.RawMessage) error {
		var e E
		if err := json.Unmarshal(data, &e); err != nil {
			return fmt.Errorf("read an answer of the running Assay: %w", err)
		}
		return note(e)
	}
	return ipc.TakeOrCall(ctx, start)
}
