package exchange

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"math/rand/v2"
	"time"

	"assay/client/desk"
	"assay/client/desk/files"
	"assay/client/events"
	"assay/client/retry"
	"assay/client/store"
)

const (
	// filesAtOnce is how many files are looked for at a time.
	filesAtOnce = 50
	// together is how long what has changed is gathered, before files are looked for.
	together = time.Second
)

// filesBackoff are the pauses while files can't be kept or fetched, or are not there yet.
var filesBackoff = retry.Backoff{First: 5 * time.Second, Longest: 10 * time.Minute}

// errNotThere means that files that colleagues have shared are not where they are kept: they may still be on their way there.
var errNotThere = errors.New("some files are not there yet")

// runFiles keeps and fetches files in the background, apart from the connection: neither waits for the other.
func (l *Loop) runFiles(ctx context.Context) {
	var changed *events.Subscription
	if l.Events != nil {
		changed = l.Events.Subscribe(events.Desk, events.Artifacts)
		defer changed.Close()
	}
	failures := 0
	for ctx.Err() == nil {
		pause := lookAgain
		switch err := allFiles(ctx, l.Params); {
		case err == nil:
			failures = 0
		case ctx.Err() == nil:
			if failures++; !errors.Is(err, errNotThere) {
				l.Log.Warn("the desk's files", "error", err)
			}
			pause = filesBackoff.Pause(failures, rand.Float64()) //nolint:gosec // it only spreads the attempts of many
		}
		if !untilChanged(ctx, changed, pause, failures == 0) {
			return
		}
	}
}

// untilChanged waits for a pause, or for a change where that may help. It is false once the context has ended.
func untilChanged(ctx context.Context, changed *events.Subscription, pause time.Duration, helps bool) bool {
	waiting, end := context.WithTimeout(ctx, pause)
	defer end()
	var ready <-chan struct{}
	if changed != nil && helps {
		ready = changed.Ready()
	}
	select {
	case <-waiting.Done():
	case <-ready:
		gathering, end := context.WithTimeout(ctx, together)
		defer end()
		<-gathering.Done()
	}
	if changed != nil {
		changed.Take()
	}
	return ctx.Err() == nil
}

// allFiles keeps all files that are to be shared where the members can reach them, and fetches those of colleagues.
func allFiles(ctx context.Context, p Params) error {
	return errors.Join(sendFiles(ctx, p), fetchFiles(ctx, p))
}

// sendFiles keeps what is to be shared. Each is told of once it is there.
func sendFiles(ctx context.Context, p Params) error {
	for p.Files != nil {
		all, err := p.Store.FilesToShare(ctx, filesAtOnce)
		if err != nil || len(all) == 0 {
			return err
		}
		at, err := p.Files(ctx)
		if err != nil {
			return err
		}
		sent := 0
		for _, f := range all {
			switch err := sendFile(ctx, p, at, f); {
			case err == nil:
				sent++
			case !errors.Is(err, fs.ErrNotExist): // else it has just been given up, or is damaged
				return err
			}
		}
		if sent == 0 {
			return nil
		}
	}
	return nil
}

func sendFile(ctx context.Context, p Params, to files.Place, f store.FileToShare) error {
	kept, err := send(ctx, p, to, f)
	if err != nil {
		return err
	}
	return p.Store.FileShared(ctx, f, desk.File{Size: kept.Size, Stored: kept.Name, Key: kept.Key})
}

func send(ctx context.Context, p Params, to files.Place, f store.FileToShare) (files.Kept, error) {
	if f.ID != "" {
		return sendOriginal(ctx, p, to, f)
	}
	file, _, err := p.Store.Artifact(ctx, f.RequestID, f.Kind, f.Model)
	if err != nil {
		return files.Kept{}, err
	}
	defer file.Close() //nolint:errcheck // only read from
	return files.Send(ctx, to, file, f.Keep == desk.KeepEncrypted)
}

// fetchFiles fetches what colleagues have shared. One that isn't there yet holds up none of the others.
func fetchFiles(ctx context.Context, p Params) error {
	if p.Files == nil {
		return nil
	}
	all, err := p.Store.FilesToFetch(ctx)
	if err != nil || len(all) == 0 {
		return err
	}
	at, err := p.Files(ctx)
	if err != nil {
		return err
	}
	var missing error
	for _, f := range all {
		switch err := fetchFile(ctx, p, at, f); {
		case errors.Is(err, fs.ErrNotExist):
			missing = errNotThere
		case err != nil:
			return err
		}
	}
	return missing
}

func fetchFile(ctx context.Context, p Params, from files.Place, f store.FileToFetch) error {
	kept, err := p.Store.Artifacts(ctx, f.RequestID)
	if err != nil {
		return err
	}
	for _, a := range kept {
		if a.Kind == f.Kind && a.Model == f.Model { // what is here is never replaced
			return p.Store.FileFetched(ctx, f.Event)
		}
	}
	_, err = p.Store.Keep(ctx, f.RequestID, f.Kind, f.Model, func(w io.Writer) error {
		return files.Receive(ctx, from, files.Kept{Name: f.Stored, Size: f.Size, Key: f.Key}, w)
	})
	switch {
	case errors.Is(err, files.ErrOther):
		p.Log.Warn("a file of the desk is not what its author shared", "id", f.Event)
	case err != nil:
		return err
	}
	if err := p.Store.FileFetched(ctx, f.Event); err != nil {
		return err
	}
	if p.Events != nil {
		p.Events.Publish(events.Event{Topic: events.Artifacts, ID: f.ID})
	}
	return nil
}
