package command

import (
	"context"

	"assay/client/folders"
	"assay/client/intake"
	"assay/client/submission"
)

// folderTaker is a taker that can watch folders: the session.
type folderTaker interface {
	taker
	// WatchFolders returns the watched folders. Where nobody watches any yet, it begins with none.
	WatchFolders(ctx context.Context) (watchedFolders, error)
	// Inbox returns all submissions that are in the inbox.
	Inbox() []submission.Submission
	// Allow is intake.Queue.Approve.
	Allow(ids ...string)
	// TryAgain lets the queue go on where the service's refusal has stopped it, and not where a person has.
	TryAgain()
}

// watchedFolders is *folders.Folders.
type watchedFolders interface {
	AddPassing(ctx context.Context, s folders.Settings, begin folders.Begin) (id string, err error)
	Release(ctx context.Context, id string) error // once for each AddPassing
	Get(id string) (folders.Folder, bool)
}

// openFolders returns the watched folders of the desk's session, always the same.
func (d *desk) openFolders(ctx context.Context, t folderTaker) (f watchedFolders, err error) {
	d.watching.Lock()
	defer d.watching.Unlock()
	if d.folders == nil {
		if f, err = t.WatchFolders(ctx); err != nil {
			return nil, err
		}
		d.folders = f
	}
	return d.folders, nil
}

// WatchFolders implements folderTaker. It is called by one goroutine at a time.
func (s sessionTaker) WatchFolders(ctx context.Context) (watchedFolders, error) {
	if s.Folders == nil {
		if err := s.Session.Watch(ctx, true); err != nil {
			return nil, err
		}
	}
	return s.Folders, nil
}

// Inbox implements folderTaker.
func (s sessionTaker) Inbox() []submission.Submission { return s.Queue.All() }

// Allow implements folderTaker.
func (s sessionTaker) Allow(ids ...string) { s.Queue.Approve(intake.ApproveOptions{}, ids...) }

// TryAgain implements folderTaker.
func (s sessionTaker) TryAgain() {
	switch s.Queue.QueueStatus().Cause {
	case intake.NoKey, intake.NoQuota:
		s.Queue.ResumeAll()
	}
}
