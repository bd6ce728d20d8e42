package gui

import (
	"context"
	"sync"

	"assay/client"
	"assay/client/intake"
	"assay/client/submission"
	"assay/gui/present"
)

// submissions is the queue as the viewer sees it: through view models, and with the artifacts of its results.
type submissions struct {
	*intake.Queue
	client *client.Client

	mu        sync.Mutex
	artifacts map[string]*client.Artifacts // by requestId: those that share links share their refresh
}

func newSubmissions(q *intake.Queue, c *client.Client) *submissions {
	return &submissions{Queue: q, client: c, artifacts: map[string]*client.Artifacts{}}
}

// Viewer implements screen.Submissions.
func (s *submissions) Viewer(id string) (v present.Viewer, ok bool) {
	submission, ok := s.Get(id)
	if !ok || submission.Result == nil {
		return present.Viewer{}, false
	}
	return present.ViewerOf(submission), true
}

// Heatmap implements screen.Submissions. It blocks; ctx ends it.
func (s *submissions) Heatmap(ctx context.Context, id, model string) (png []byte, err error) {
	submission, ok := s.Get(id)
	if !ok || submission.Result == nil {
		return nil, client.ErrNoArtifact
	}
	return s.of(submission).Fetch(ctx, client.HeatmapOf(model), 0)
}

func (s *submissions) of(submission submission.Submission) *client.Artifacts {
	s.mu.Lock()
	defer s.mu.Unlock()
	known := s.artifacts[submission.RequestID]
	if known == nil {
		known = client.NewArtifacts(s.client, submission.Result, submission.Answered)
		s.artifacts[submission.RequestID] = known
	}
	return known
}
