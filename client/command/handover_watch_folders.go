package command

import (
	"context"

	"assay/client/folders"
	"assay/client/intake"
	"assay/client/submission"
)

// folderQueue is a queue that can watch folders: the session's.
type folderQueue interface {
	queue
	// WatchFolders returns the watched folders. Where nobody watches any yet, it begins with none.
	WatchFolders(ctx context.Context) (watchedFolders, error)
	// Inbox returns all submissions that are in the inbox.
	Inbox() []submission.Submission
	// Approve is intake.Queue.Approve.
	Approve(o intake.ApproveOptions, ids ...string)
	// TryAgain lets the queue go on where the service's refusal has stopped it, and not where a person has.
	TryAgain()
}

// watchedFolders is *folderq.session.Folders.
type watchedFolders interface {
	AddTemporary(ctx context.Context, s folders.Settings, begin folders.Begin) (id string, err error)
	Release(ctx context.Context, id string) error // once for each AddTemporary
	Get(id string) (folders.Folder, bool)
}

// openFolders returns the watched folders of the session, always the same.
func (o *operations) openFolders(ctx context.Context, q folderQueue) (f watchedFolders, err error) {
	o.watching.Lock()
	defer o.watching.Unlock()
	if o.folders == nil {
		if f, err = q.WatchFolders(ctx); err != nil {
			return nil, err
		}
		o.folders = f
	}
	return o.folders, nil
}

// WatchFolders implements folderQueue. It is called by one goroutine at a time.
func (q sessionQueue) WatchFolders(ctx context.Context) (watchedFolders, error) {
	if q.session.Folders == nil {
		if err := q.session.Watch(ctx, true); err != nil {
			return nil, err
		}
	}
	return q.session.Folders, nil
}

// Inbox implements folderQueue.
func (q sessionQueue) Inbox() []submission.Submission { return q.All() }

// TryAgain implements folderQueue.
func (q sessionQueue) TryAgain() {
	switch q.Queue.QueueStatus().Cause {
	case intake.NoKey, intake.NoQuota:
		q.ResumeAll()
	}
}
