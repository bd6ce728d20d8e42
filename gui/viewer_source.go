package gui

import (
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"

	"assay/client"
	"assay/client/bounded"
	"assay/client/submission"
	"assay/client/vault"
)

// Heatmap gives a model's heatmap as it was sent.
func (s *submissions) Heatmap(ctx context.Context, id, model string) (png []byte, err error) {
	return s.ofResult(ctx, id, vault.Heatmap, model, client.HeatmapOf(model))
}

// AggregationJSON gives the details of the analysis as they were sent.
func (s *submissions) AggregationJSON(ctx context.Context, id string) ([]byte, error) {
	return s.ofResult(ctx, id, vault.Aggregation, "", client.Aggregation)
}

// Aggregation gives what is recognised of them.
func (s *submissions) Aggregation(ctx context.Context, id string) (*client.AggregationData, error) {
	return recognised(s.AggregationJSON(ctx, id))
}

// clips is submissions with thumbnails that are fetched where they are not kept: for the one clip that is looked at, not for a list.
type clips struct{ *submissions }

// OpenThumbnail implements clip.Source.
func (c clips) OpenThumbnail(ctx context.Context, id string) (*os.File, error) {
	kept, err := c.submissions.OpenThumbnail(ctx, id)
	if !errors.Is(err, fs.ErrNotExist) {
		return kept, err
	}
	switch _, err := c.ofResult(ctx, id, vault.Thumbnail, "", client.Thumbnail); {
	case errors.Is(err, client.ErrNoArtifact):
		return nil, fs.ErrNotExist
	case err != nil:
		return nil, err
	}
	return c.submissions.OpenThumbnail(ctx, id)
}

// Explanation gives the explainability page of a text as it was sent.
func (s *submissions) Explanation(ctx context.Context, id string) (html []byte, err error) {
	return s.ofResult(ctx, id, vault.Explainability, "", client.Explainability)
}

// Raw gives the answer as it was sent.
func (s *submissions) Raw(ctx context.Context, id string) ([]byte, error) {
	sub, err := s.answered(ctx, id)
	if err != nil {
		return nil, err
	}
	return sub.Result.Raw, nil
}

func recognised(aggregation []byte, err error) (*client.AggregationData, error) {
	if err != nil {
		return nil, err
	}
	return client.ReadAggregation(aggregation)
}

// answered is a submission that has a result.
func (s *submissions) answered(ctx context.Context, id string) (submission.Submission, error) {
	sub, err := s.get(ctx, id)
	if err == nil && sub.Result == nil {
		err = client.ErrNoArtifact
	}
	return sub, err
}

// ofResult is an artifact of a submission's result.
func (s *submissions) ofResult(ctx context.Context, id, kind, model string, pick func(*client.Result) string) ([]byte, error) {
	sub, err := s.answered(ctx, id)
	if err != nil {
		return nil, err
	}
	return s.artifact(ctx, sub, kind, model, pick)
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
	file, kept, err := s.store.Artifact(ctx, requestID, kind, model)
	if err != nil {
		return nil, err
	}
	defer file.Close() //nolint:errcheck // only read from
	return bounded.ReadAll(file, kept.Size)
}

// original opens the service's copy of what was submitted: the one that was kept, else the one that is there still, which is then
// kept. own says why the person's own can't be opened.
func (s *submissions) original(ctx context.Context, sub submission.Submission, own error) (*os.File, error) {
	if kept, _, failed := s.store.Artifact(ctx, sub.RequestID, vault.Original, ""); failed == nil {
		return kept, nil
	}
	if client.Original(sub.Result) == "" {
		return nil, errRemoved
	}
	if _, err := s.store.Keep(ctx, sub.RequestID, vault.Original, "", func(w io.Writer) error {
		_, err := s.links(sub).Save(ctx, client.Original, 0, w)
		return err
	}); client.IsKind(err, client.KindRefused) {
		return nil, own // the service has none either: what is wrong with the person's own helps more
	} else if err != nil {
		return nil, err
	}
	kept, _, err := s.store.Artifact(ctx, sub.RequestID, vault.Original, "")
	return kept, err
}

// hasOriginal reports whether the service's copy of what was submitted is here, or there still.
func (s *submissions) hasOriginal(ctx context.Context, sub submission.Submission) bool {
	if client.Original(sub.Result) != "" {
		return true
	}
	kept, _, err := s.store.Artifact(ctx, sub.RequestID, vault.Original, "")
	if err == nil {
		err = errors.Join(err, kept.Close())
	}
	return err == nil
}
