package command

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"assay/client/i18n"
	"assay/client/ipc"
)

// here is what a subcommand needs to work by itself, as the process that holds the folder.
type here struct {
	// open opens the session. Its closing waits until all is on disk, and beside that for what would else be fetched anew by the next
	// run, until its ctx ends.
	open func(ctx context.Context) (t taker, closing func(ctx context.Context), err error)
	own  func() serviceAnswer // the embedded sandbox, once the session is open; nil: there is none
	warn func(error)          // logs: later starts can't reach this one
}

// opener is here.open for a subcommand: opened is called with the session.
func opener(s *service, said io.Writer, opened func(*Session)) func(context.Context) (taker, func(context.Context), error) {
	return func(ctx context.Context) (taker, func(context.Context), error) {
		session, err := openSession(ctx, s)
		if err != nil {
			return nil, nil, err
		}
		saySetAside(said, session.SetAside())
		opened(session)
		return sessionTaker{session}, func(ctx context.Context) {
			session.settle(ctx, said)
			session.Close()
		}, nil
	}
}

// saySetAside says under which name damaged records were set aside; "" for none.
func saySetAside(said io.Writer, name string) {
	if name != "" {
		say(said, i18n.F("damaged records were set aside as %s", name))
	}
}

// work opens the session, has do work with it and serves later starts meanwhile. working ends, and errLeft is returned, where a
// window wants the folder; ctx goes on then.
func (w here) work(ctx context.Context, h *ipc.Holder, do func(working context.Context, d *desk) error) (err error) {
	defer func() { err = errors.Join(err, h.Close()) }()
	working, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	d := newDesk()
	d.leave = func() { stop(errLeft) }
	if err := h.Serve(ctx, d.handle); err != nil {
		w.warn(err)
	}
	t, closing, err := w.open(ctx)
	if err != nil {
		return err
	}
	defer func() { closing(working) }()
	defer h.StopServing() // before the session closes, which its calls work with; the folder is given free after that
	if w.own != nil {
		d.service = w.own()
	}
	d.serveFor(t)
	if err = do(working, d); err != nil {
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
