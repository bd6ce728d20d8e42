package gui

import (
	"context"
	"encoding/json"
	"io"
	"os"

	"assay/client"
	"assay/client/submission"
	"assay/client/vault"
	"assay/gui/present"
)

// SoundOf gives the result of a clip's extracted sound, as the vault keeps it, else as the service has it.
func (s *submissions) SoundOf(ctx context.Context, id string) (v present.Viewer, ok bool, err error) {
	sound, ok, err := s.soundOf(ctx, id)
	if err != nil || !ok {
		return v, false, err
	}
	return present.ViewerOf(sound, s.now()), true, nil
}

// SoundRaw is the answer on a clip's sound as it was sent.
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

// SoundAggregation gives what is recognised of what was reported on a clip's sound.
func (s *submissions) SoundAggregation(ctx context.Context, id string) (*client.AggregationData, error) {
	return recognised(s.SoundAggregationJSON(ctx, id))
}

// SoundAggregationJSON gives what belongs to the sound's own result, else what the clip's links to.
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

// OpenSound opens what can be heard: a recording itself; of a clip the extracted sound where the service has it, else the clip.
func (s *submissions) OpenSound(ctx context.Context, id string) (*os.File, error) {
	if sound, ok, err := s.soundOf(ctx, id); err == nil && ok && s.hasOriginal(ctx, sound) {
		if file, err := s.original(ctx, sound, errNoFile); err == nil || ctx.Err() != nil {
			return file, err
		}
	}
	return s.OpenOriginal(ctx, id)
}

// soundOf is a clip's sound as a submission of its own, under the clip's ID; ok is false where the clip has none, or its result is
// not known yet.
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
		Accepted: clip.Accepted, Uploaded: clip.Uploaded, Answered: clip.Answered}
	if raw, err := s.fromVault(ctx, clip.RequestID, vault.AudioResult, ""); err == nil {
		var kept client.Result
		if json.Unmarshal(raw, &kept) == nil {
			sound.Result = &kept
			return sound, true, nil
		}
	}
	if sound.Result, err = s.client.Result(ctx, request); err != nil {
		return sound, false, err
	}
	if sound.Result.Final() {
		_, _ = s.store.Keep(ctx, clip.RequestID, vault.AudioResult, "", func(w io.Writer) error { // what can't be kept is asked for again
			_, err := w.Write(client.Shareable(sound.Result.Raw))
			return err
		})
	}
	return sound, true, nil
}
