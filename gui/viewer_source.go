package gui

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"os"
	"slices"

	"assay/client"
	"assay/client/bounded"
	"assay/client/media/facts"
	"assay/client/media/picture"
	"assay/client/submission"
	"assay/client/vault"
	"assay/gui/present"
	"assay/gui/viewer/details"
)

// Heatmap returns a model's heatmap as it was sent.
func (s *submissions) Heatmap(ctx context.Context, id, model string) (png []byte, err error) {
	return s.ofResult(ctx, id, vault.Heatmap, model, client.HeatmapOf(model))
}

// AggregationJSON returns the details of the analysis as they were sent.
func (s *submissions) AggregationJSON(ctx context.Context, id string) ([]byte, error) {
	return s.ofResult(ctx, id, vault.Aggregation, "", client.Aggregation)
}

// Aggregation returns what can be read of them.
func (s *submissions) Aggregation(ctx context.Context, id string) (*client.AggregationData, error) {
	return recognised(s.AggregationJSON(ctx, id))
}

// clips is submissions whose thumbnails are fetched if they are not in the vault: for the one clip that is shown, not for a list.
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

// pictures is submissions for what is shown as a picture.
type pictures struct{ *submissions }

// OpenOriginal implements picture.Source: in place of a file that can't be decoded here, such as an AVIF, it opens the copy that was sent.
func (p pictures) OpenOriginal(ctx context.Context, id string) (*os.File, error) {
	const headSize = 512
	file, err := p.submissions.OpenOriginal(ctx, id)
	if err != nil {
		return p.sharedThumbnail(ctx, id, err)
	}
	head := make([]byte, headSize)
	n, _ := file.ReadAt(head, 0) // what can't be read is said by who decodes it
	if picture.Shows(head[:n]) {
		return file, nil
	}
	sub, err := p.get(ctx, id)
	if err != nil || sub.Copy.Format == "" || sub.Result == nil {
		return file, nil //nolint:nilerr // then it is said why the file itself can't be shown
	}
	sent, err := p.original(ctx, sub, errNoFile)
	if err != nil {
		return file, nil //nolint:nilerr // as above
	}
	return sent, file.Close()
}

// Explanation returns the explainability page of a text as it was sent.
func (s *submissions) Explanation(ctx context.Context, id string) (html []byte, err error) {
	return s.ofResult(ctx, id, vault.Explainability, "", client.Explainability)
}

// Raw returns the answer as it was sent.
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

// answered returns a submission that has a result, or an error.
func (s *submissions) answered(ctx context.Context, id string) (submission.Submission, error) {
	sub, err := s.get(ctx, id)
	if err == nil && sub.Result == nil {
		err = client.ErrNoArtifact
	}
	return sub, err
}

// ofResult returns an artifact of a submission's result.
func (s *submissions) ofResult(ctx context.Context, id, kind, model string, pick func(*client.Result) string) ([]byte, error) {
	sub, err := s.answered(ctx, id)
	if err != nil {
		return nil, err
	}
	return s.artifact(ctx, sub, kind, model, pick)
}

// artifact returns an artifact from the vault, or fetches the one that pick chooses and keeps it there.
func (s *submissions) artifact(ctx context.Context, sub submission.Submission, kind, model string, pick func(*client.Result) string) ([]byte, error) {
	if content, err := s.fromVault(ctx, sub.RequestID, kind, model); err == nil || ctx.Err() != nil {
		return content, err
	}
	if sub.AnsweredBy.Name != "" { // the key here may be that of another account
		return nil, s.theirs(ctx, sub, kind, errTheirs)
	}
	content, err := s.links(sub).Fetch(ctx, pick, 0)
	if err != nil {
		return nil, err
	}
	// If it can't be kept, it is shown all the same, and fetched again another time.
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

// original opens the service's copy of what was submitted: from the vault, or else from the service, and then keeps it. own is why the person's own
// file can't be opened.
func (s *submissions) original(ctx context.Context, sub submission.Submission, own error) (*os.File, error) {
	if kept, _, failed := s.store.Artifact(ctx, sub.RequestID, vault.Original, ""); failed == nil {
		return kept, nil
	}
	if sub.AnsweredBy.Name != "" {
		return nil, cmp.Or(own, error(errNoFile))
	}
	if client.Original(sub.Result) == "" {
		return nil, errRemoved
	}
	if _, err := s.store.Keep(ctx, sub.RequestID, vault.Original, "", func(w io.Writer) error {
		_, err := s.links(sub).Save(ctx, client.Original, 0, w)
		return err
	}); client.IsKind(err, client.KindRefused) {
		return nil, own // the service has none either: the fault of the person's own file is more helpful
	} else if err != nil {
		return nil, err
	}
	kept, _, err := s.store.Artifact(ctx, sub.RequestID, vault.Original, "")
	return kept, err
}

// hasOriginal reports whether the service's copy of what was submitted is in the vault, or may be fetched.
func (s *submissions) hasOriginal(ctx context.Context, sub submission.Submission) bool {
	if client.Original(sub.Result) != "" && sub.AnsweredBy.Name == "" {
		return true
	}
	kept, _, err := s.store.Artifact(ctx, sub.RequestID, vault.Original, "")
	if err == nil {
		err = errors.Join(err, kept.Close())
	}
	return err == nil
}

// SoundOf returns the result of a clip's extracted sound, from the vault, or else from the service.
func (s *submissions) SoundOf(ctx context.Context, id string) (v present.Viewer, ok bool, err error) {
	sound, ok, err := s.soundOf(ctx, id)
	if err != nil || !ok {
		return v, false, err
	}
	return present.ViewerOf(sound, s.now()), true, nil
}

// SoundRaw returns the answer on a clip's sound as it was sent.
func (s *submissions) SoundRaw(ctx context.Context, id string) ([]byte, error) {
	sound, ok, err := s.soundOf(ctx, id)
	if err == nil && !ok {
		err = client.ErrNoArtifact
	}
	if err != nil {
		return nil, err
	}
	return sound.Result.Raw, nil
}

// SoundAggregation returns what can be read of the aggregation JSON of a clip's sound.
func (s *submissions) SoundAggregation(ctx context.Context, id string) (*client.AggregationData, error) {
	return recognised(s.SoundAggregationJSON(ctx, id))
}

// SoundAggregationJSON returns that of the sound's own result, or else the one that the clip's result links to.
func (s *submissions) SoundAggregationJSON(ctx context.Context, id string) ([]byte, error) {
	sound, ok, err := s.soundOf(ctx, id)
	if err == nil && ok {
		content, failed := s.artifact(ctx, sound, vault.Aggregation, "", client.Aggregation)
		if failed == nil || ctx.Err() != nil {
			return content, failed
		}
	}
	return s.ofResult(ctx, id, vault.AudioAggregation, "", client.AudioAggregation)
}

// OpenSound opens what can be played: a recording itself; for a clip its extracted sound if the service has it, else the clip.
func (s *submissions) OpenSound(ctx context.Context, id string) (*os.File, error) {
	if sound, ok, err := s.soundOf(ctx, id); err == nil && ok && s.hasOriginal(ctx, sound) {
		if file, err := s.original(ctx, sound, errNoFile); err == nil || ctx.Err() != nil {
			return file, err
		}
	}
	return s.OpenOriginal(ctx, id)
}

// soundOf is a clip's sound as a submission of its own, with the clip's ID; ok is false if the clip has none, or its result is not known yet.
func (s *submissions) soundOf(ctx context.Context, id string) (sound submission.Submission, ok bool, err error) {
	clip, err := s.answered(ctx, id)
	if err != nil {
		return sound, false, err
	}
	request, ok := clip.Result.Sound(clip.RequestID)
	if !ok {
		return sound, false, nil
	}
	sound = submission.Submission{ID: clip.ID, Name: clip.Name, Source: clip.Source, State: submission.Done, Type: client.Audio, RequestID: request,
		Accepted: clip.Accepted, Uploaded: clip.Uploaded, Answered: clip.Answered, AnsweredBy: clip.AnsweredBy}
	if sound.Result = clip.Result.Voice; sound.Result != nil {
		return sound, true, nil
	}
	if raw, err := s.fromVault(ctx, clip.RequestID, vault.AudioResult, ""); err == nil {
		var kept client.Result
		if json.Unmarshal(raw, &kept) == nil {
			sound.Result = &kept
			_ = s.store.AnswerVoice(ctx, clip.RequestID, &kept) // if it can't be kept there, it is read from here again
			return sound, true, nil
		}
	}
	if sound.AnsweredBy.Name != "" {
		return sound, false, nil
	}
	if sound.Result, err = s.client.Result(ctx, request); err != nil {
		return sound, false, err
	}
	if sound.Result.Final() {
		_, _ = s.store.Keep(ctx, clip.RequestID, vault.AudioResult, "", func(w io.Writer) error { // if it can't be kept, it is fetched again
			_, err := w.Write(client.Shareable(sound.Result.Raw))
			return err
		})
		_ = s.store.AnswerVoice(ctx, clip.RequestID, sound.Result) // likewise
	}
	return sound, true, nil
}

// mostPast bounds the answers on one content that are compared.
const mostPast = 20

// History implements viewer.Source: all answers on a submission's content, whichever submission they belong to, and the custody log.
func (s *submissions) History(ctx context.Context, id string) (present.History, error) {
	sub, err := s.get(ctx, id)
	if err != nil {
		return present.History{}, err
	}
	all, err := s.store.SameContent(ctx, sub.Content(), mostPast)
	if err != nil {
		return present.History{}, err
	}
	if !slices.ContainsFunc(all, func(o submission.Submission) bool { return o.ID == id }) && sub.Result != nil {
		all = append([]submission.Submission{sub}, all...)
	}
	var answers []present.AnsweredAt
	for _, of := range all {
		past, err := s.answersOf(ctx, of)
		if err != nil {
			return present.History{}, err
		}
		answers = append(answers, past...)
	}
	slices.SortStableFunc(answers, func(a, b present.AnsweredAt) int { return b.At.Compare(a.At) })
	log, err := s.store.Custody(ctx, id)
	if err != nil {
		return present.History{}, err
	}
	return present.HistoryOf(answers[:min(len(answers), mostPast)], log, id, s.now()), nil
}

// answersOf are a submission's answers, the newest first.
func (s *submissions) answersOf(ctx context.Context, of submission.Submission) ([]present.AnsweredAt, error) {
	changes, err := s.store.History(ctx, of.ID)
	if err != nil || len(changes) == 0 {
		return []present.AnsweredAt{{At: of.Answered, Of: of, Result: of.Result}}, err
	}
	slices.Reverse(changes)
	past := make([]present.AnsweredAt, len(changes))
	for i, c := range changes {
		result, _, err := s.store.EarlierAnswer(ctx, of.ID, c.RawSHA256)
		if err != nil {
			return nil, err
		}
		past[i] = present.AnsweredAt{At: c.At, Of: of, Result: result, RawSHA256: c.RawSHA256}
	}
	return past, nil
}

// Details returns what is known of a submission, and what its file says of itself.
func (s *submissions) Details(ctx context.Context, id string) (details.Details, error) {
	sub, err := s.get(ctx, id)
	if err != nil {
		return details.Details{}, err
	}
	file, err := s.OpenOriginal(ctx, id)
	if err != nil {
		return details.Of(sub, facts.Facts{}, err, false), ctx.Err()
	}
	defer file.Close() //nolint:errcheck // only read from
	said, err := facts.ReadFile(ctx, file, sub.Name)
	return details.Of(sub, said, err, file.Name() != sub.Path), ctx.Err()
}
