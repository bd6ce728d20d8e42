package gui

import (
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"sync"
	"time"

	"assay/client"
	"assay/client/intake"
	"assay/client/media"
	"assay/client/store"
	"assay/client/submission"
	"assay/gui/present"
)

// submissions is what was handed over as the viewer sees it: as the queue has it in memory, else as the store keeps it; with
// the artifacts of its results, from the vault, else from the service. Its methods block: they are called on workers.
type submissions struct {
	queue  inMemory
	store  *store.Store
	client *client.Client
	now    func() time.Time

	mu        sync.Mutex
	artifacts map[string]*client.Artifacts // by requestId: those that share links share their refresh
}

// The vault's kinds.
const (
	kindThumbnail = "thumbnail"
	kindHeatmap   = "heatmap"
)

// maxArtifacts bounds the results whose links are remembered.
const maxArtifacts = 100

// inMemory is what the queue has without reading the disk, but for the file that it opens; *intake.Queue is one.
type inMemory interface {
	Get(id string) (submission.Submission, bool)
	OpenFile(id string) (*os.File, error)
}

func newSubmissions(q inMemory, s *store.Store, c *client.Client, now func() time.Time) *submissions {
	return &submissions{queue: q, store: s, client: c, now: now, artifacts: map[string]*client.Artifacts{}}
}

// errNoSubmission is for an ID that neither queue nor store knows.
var errNoSubmission = errors.New("there is no such submission any more")

// Viewer implements screen.Submissions.
func (s *submissions) Viewer(ctx context.Context, id string) (v present.Viewer, ok bool, err error) {
	sub, err := s.get(ctx, id)
	switch {
	case errors.Is(err, errNoSubmission):
		return v, false, nil
	case err != nil:
		return v, false, err
	case sub.Result == nil:
		return v, false, nil
	}
	return present.ViewerOf(sub, s.now()), true, nil
}

// get returns a submission, with the answer of the earlier one that it shows.
func (s *submissions) get(ctx context.Context, id string) (submission.Submission, error) {
	if sub, ok := s.queue.Get(id); ok {
		return sub, nil
	}
	sub, ok, err := s.store.Get(ctx, id)
	if err != nil || !ok {
		return sub, errors.Join(err, missing(ok, err))
	}
	if sub.Result == nil && sub.Earlier != "" {
		first, ok, err := s.store.Get(ctx, sub.Earlier)
		if err != nil || !ok {
			return sub, err
		}
		sub.Result, sub.RequestID, sub.Uploaded, sub.Answered = first.Result, first.RequestID, first.Uploaded, first.Answered
	}
	return sub, nil
}

func missing(ok bool, err error) error {
	if err == nil && !ok {
		return errNoSubmission
	}
	return nil
}

// OpenFile implements screen.Files.
func (s *submissions) OpenFile(ctx context.Context, id string) (*os.File, error) {
	if _, ok := s.queue.Get(id); ok {
		return s.queue.OpenFile(id)
	}
	sub, err := s.get(ctx, id)
	if err != nil {
		return nil, err
	}
	if sub.Path == "" || sub.SHA256 == "" {
		return nil, errNoFile
	}
	return media.Open(intake.FileOf(sub))
}

var errNoFile = errors.New("no file of it is on this computer")

// OpenThumbnail implements screen.Files.
func (s *submissions) OpenThumbnail(ctx context.Context, id string) (*os.File, error) {
	sub, err := s.get(ctx, id)
	if err != nil {
		return nil, err
	}
	if sub.RequestID == "" {
		return nil, fs.ErrNotExist
	}
	file, _, err := s.store.Artifact(ctx, sub.RequestID, kindThumbnail, "")
	return file, err
}

// Heatmap implements screen.Submissions.
func (s *submissions) Heatmap(ctx context.Context, id, model string) (png []byte, err error) {
	sub, err := s.get(ctx, id)
	if err != nil {
		return nil, err
	}
	if sub.Result == nil {
		return nil, client.ErrNoArtifact
	}
	return s.artifact(ctx, sub, kindHeatmap, model, client.HeatmapOf(model))
}

// artifact gives what the vault keeps, else fetches it, by what pick chooses, and keeps it there.
func (s *submissions) artifact(ctx context.Context, sub submission.Submission, kind, model string, pick func(*client.Result) string) ([]byte, error) {
	if content, err := s.fromVault(ctx, sub.RequestID, kind, model); err == nil || ctx.Err() != nil {
		return content, err
	}
	content, err := s.links(sub).Fetch(ctx, pick, 0)
	if err != nil {
		return nil, err
	}
	// What can't be kept is shown all the same, and fetched again another time.
	_, _ = s.store.Keep(ctx, sub.RequestID, kind, model, func(w io.Writer) error {
		_, err := io.Copy(w, bytes.NewReader(content))
		return err
	})
	return content, nil
}

func (s *submissions) fromVault(ctx context.Context, requestID, kind, model string) ([]byte, error) {
	file, _, err := s.store.Artifact(ctx, requestID, kind, model)
	if err != nil {
		return nil, err
	}
	defer file.Close() //nolint:errcheck // only read from
	return io.ReadAll(file)
}

// links are a result's links, kept fresh. Those of an answer that was read back are refreshed before they are used.
func (s *submissions) links(sub submission.Submission) *client.Artifacts {
	s.mu.Lock()
	defer s.mu.Unlock()
	known := s.artifacts[sub.RequestID]
	if known == nil {
		if len(s.artifacts) >= maxArtifacts {
			clear(s.artifacts)
		}
		known = client.NewArtifacts(s.client, sub.Result, s.fetched(sub))
		s.artifacts[sub.RequestID] = known
	}
	return known
}

// fetched is when a result's links were got; zero where they are not to be used.
func (s *submissions) fetched(sub submission.Submission) time.Time {
	if _, ok := s.queue.Get(sub.ID); ok {
		return sub.Answered
	}
	return time.Time{}
}
