package ipc

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
)

// Operation is the name of an operation of the process that holds a folder: it does a job J and answers with Es.
type Operation[J, E any] string

// Handle makes a Handle of a function that does the operation.
func (o Operation[J, E]) Handle(do func(ctx context.Context, job J, answer func(E) error) error) Handle {
	return func(ctx context.Context, r Request, answer func(any) error) error {
		var job J
		if json.Unmarshal(r.Job, &job) != nil {
			return OtherVersion()
		}
		return do(ctx, job, func(e E) error { return answer(e) })
	}
}

// Call is the function Call for this operation.
func (o Operation[J, E]) Call(ctx context.Context, dir string, job J, each func(E) error) error {
	s, err := o.start(Work[J, E]{Dir: dir, Each: each}, job)
	if err != nil {
		return err
	}
	return Call(ctx, s.Dir, s.Request, s.Each)
}

// ErrGaveWay is returned by a holder that stops because another process wants the folder, and can do the rest.
var ErrGaveWay = errors.New("a window opens")

// Work is a job to be done by whichever process holds a folder: this one, or another.
type Work[J, E any] struct {
	Dir string
	// Job returns what is left to do. It is called before each attempt; its error ends the work.
	Job func() (J, error)
	// Each is called with the answers of another process, on the goroutine of Run.
	Each func(E) error
	// Here does what is left as the holder, and closes h. With ErrGaveWay the rest is done through another process.
	Here func(ctx context.Context, h *Holder) error
	Wait Wait // between two attempts; nil means a timer
}

// Run does the work, and switches from one process to another as often as the folder changes hands. It returns nil once an attempt has succeeded.
func (o Operation[J, E]) Run(ctx context.Context, w Work[J, E]) error {
	for gaveWay := false; ; {
		job, err := w.Job()
		if err != nil {
			return err
		}
		s, err := o.start(w, job)
		if err != nil {
			return err
		}
		s.GiveWay = gaveWay
		h, err := TakeOrCall(ctx, s)
		if h != nil {
			err = w.Here(ctx, h)
		}
		if gaveWay = errors.Is(err, ErrGaveWay); !gaveWay && !errors.Is(err, ErrLost) {
			return err
		}
	}
}

func (o Operation[J, E]) start(w Work[J, E], job J) (Start, error) {
	data, err := json.Marshal(job)
	if err != nil {
		return Start{}, fmt.Errorf("encode the job: %w", err)
	}
	return Start{Dir: w.Dir, Request: Request{Op: string(o), Job: data}, Wait: w.Wait, Each: func(data json.RawMessage) error {
		var e E
		if err := json.Unmarshal(data, &e); err != nil {
			return fmt.Errorf("read an answer of the running Assay: %w", err)
		}
		return w.Each(e)
	}}, nil
}
