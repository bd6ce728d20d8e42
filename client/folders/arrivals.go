package folders

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"

	"github.com/google/uuid"

	"assay/client/i18n"
	"assay/client/intake"
	"assay/client/plain"
	"assay/client/store"
	"assay/client/submission"
	"assay/watch"
)

// errNotWatched is the error for files of a folder that is not watched any more.
var errNotWatched = errors.New("the folder is not watched any more")

// submissionID is the ID of the submission of a content of a folder: the same each time it is announced, so that it is accepted once. After the
// folder was removed and added again, it is another one.
func (k *record) submissionID(content watch.Sum) string {
	return uuid.NewSHA1(idSpace, fmt.Appendf(nil, "%s %d %x", k.id, k.added.UnixNano(), content)).String()
}

// announce is watch.Params.Announce: when it returns without an error, the submissions of the files are on disk.
func (f *Folders) announce(ctx context.Context, files []watch.File) error {
	if len(files) == 0 {
		return nil
	}
	f.mu.Lock()
	e := f.entry(files[0].Folder)
	f.mu.Unlock()
	if e == nil {
		return errNotWatched
	}
	e.taking.Lock()
	defer e.taking.Unlock()
	if e.released {
		return errNotWatched
	}
	f.mu.Lock()
	k := e.record
	f.mu.Unlock()
	var arrivals []intake.Input
	var ids []string
	for _, file := range files {
		if !k.counts(file.Path) {
			continue
		}
		id := k.submissionID(file.SHA256)
		arrivals = append(arrivals, intake.Input{ID: id, Path: file.Path, Folder: k.Path, Gate: k.Gate})
		ids = append(ids, id)
	}
	if len(arrivals) == 0 {
		return nil
	}
	f.batches.expect(ids)
	known := f.knownOf(ids)
	options := intake.Options{Source: submission.Watched, Case: k.Case, By: f.Person}
	_, err := f.Queue.Accept(ctx, arrivals, options)
	var ungathered i18n.Message
	if errors.Is(err, store.ErrNoCase) { // no reason to leave the files alone
		ungathered = CaseGone
		options.Case = ""
		_, err = f.Queue.Accept(ctx, arrivals, options)
	}
	f.batches.accepted(f.Now(), ids, func(id string) bool { return err == nil && !known[id] && f.inQueue(id) })
	f.mu.Lock()
	switch {
	case err == nil:
		e.untaken = i18n.Message{}
		if e.Case == k.Case { // else it was changed meanwhile
			e.ungathered = ungathered
		}
		last := arrivals[len(arrivals)-1]
		e.lastName, e.lastAt = plain.From(filepath.Base(last.Path)).String(), f.Now()
	case ctx.Err() == nil: // else nobody waits for it any more
		e.untaken = messageOf(err, i18n.M("Assay could not add the files of this folder. It tries again."))
	}
	f.mu.Unlock()
	f.notify()
	if err != nil {
		return err
	}
	f.counts.note(k.Path)
	return nil
}

// knownOf reports which submissions are in the queue already: they were accepted before a crash.
func (f *Folders) knownOf(ids []string) map[string]bool {
	known := map[string]bool{}
	for _, id := range ids {
		known[id] = f.inQueue(id)
	}
	return known
}

func (f *Folders) inQueue(id string) bool {
	_, ok := f.Queue.Get(id)
	return ok
}

// memory implements watch.Memory with the store.
type memory struct{ store Store }

// Known implements watch.Memory.
func (m memory) Known(ctx context.Context, folder string, each func(watch.Known)) error {
	return m.store.KnownFiles(ctx, folder, func(f store.FolderFile) error {
		each(watch.Known(f))
		return ctx.Err()
	})
}

// Announced implements watch.Memory.
func (m memory) Announced(ctx context.Context, folder string, contents []watch.Sum) ([]bool, error) {
	return m.store.AnnouncedContents(ctx, folder, contents)
}

// Remember implements watch.Memory.
func (m memory) Remember(ctx context.Context, folder string, files []watch.Known) error {
	rows := make([]store.FolderFile, len(files))
	for i, f := range files {
		rows[i] = store.FolderFile(f)
	}
	return m.store.RememberFiles(ctx, folder, rows)
}

// Forget implements watch.Memory.
func (m memory) Forget(ctx context.Context, folder string, names []string) error {
	return m.store.ForgetFiles(ctx, folder, names)
}
