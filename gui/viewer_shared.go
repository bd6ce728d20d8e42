package gui

import (
	"context"
	"errors"
	"io/fs"
	"os"

	"assay/client"
	"assay/client/desk/exchange"
	"assay/client/i18n"
	"assay/client/plain"
	"assay/client/submission"
	"assay/client/vault"
	"assay/gui/present"
)

// shared adds to the view of a colleague's answer the heatmaps that they have shared, of which the answer here has no links, and says that it is their small
// picture that is shown.
func (s *submissions) shared(ctx context.Context, sub submission.Submission, v *present.Viewer) error {
	if sub.AnsweredBy.Name == "" || sub.RequestID == "" {
		return nil
	}
	kept, err := s.store.Artifacts(ctx, sub.RequestID)
	if err != nil {
		return err
	}
	heatmaps, small, whole := map[plain.Text]bool{}, false, false
	for _, a := range kept {
		heatmaps[plain.From(a.Model)] = heatmaps[plain.From(a.Model)] || a.Kind == vault.Heatmap
		small, whole = small || a.Kind == vault.Thumbnail, whole || a.Kind == vault.Original
	}
	v.Heatmaps = nil
	for _, m := range sub.Result.Models {
		if m.Status == client.Fake && !m.IsEnsemble() && heatmaps[m.Name] {
			v.Heatmaps = append(v.Heatmaps, m.Name)
		}
	}
	if to, by, coming, err := s.store.OriginalToCome(ctx, sub.RequestID); err != nil {
		return err
	} else if coming && sub.Path == "" {
		v.Theirs = present.TheirFile{By: plain.From(by), Size: to.Size}
	}
	if small && !whole && sub.Path == "" && sub.Result.MediaType == client.Image {
		v.Facts = present.Joined(v.Facts, i18n.T("small picture only"))
	}
	return nil
}

// sharedThumbnail opens the small picture that a colleague has shared of what is not here. why is said where there is none.
func (s *submissions) sharedThumbnail(ctx context.Context, id string, why error) (*os.File, error) {
	sub, err := s.get(ctx, id)
	if err != nil || sub.AnsweredBy.Name == "" || sub.RequestID == "" {
		return nil, why
	}
	if file, _, err := s.store.Artifact(ctx, sub.RequestID, vault.Thumbnail, ""); err == nil {
		return file, nil
	}
	return nil, s.theirs(ctx, sub, vault.Thumbnail, why)
}

// theirs is why an artifact of a colleague's answer is not here: they have shared it and it is on its way, or else why.
func (s *submissions) theirs(ctx context.Context, sub submission.Submission, kind string, why error) error {
	if coming, err := s.store.FileToCome(ctx, sub.RequestID, kind); err == nil && coming {
		return errNotYet
	}
	return why
}

// getFile gets the file itself that a colleague has shared of a result.
func (a *app) getFile(ctx context.Context, id string, moved func(bytes int64)) error {
	sub, found, err := a.Store.Get(ctx, id)
	if err == nil && !found {
		err = errNoSubmission
	}
	if err != nil {
		return err
	}
	p, err := a.exchangeWith(ctx)
	if err != nil {
		return err
	}
	err = exchange.FetchOriginal(ctx, p, sub.RequestID, moved)
	if errors.Is(err, fs.ErrNotExist) {
		return errNotYet
	}
	return err
}
