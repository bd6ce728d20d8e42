package vault

import (
	"context"
	"time"

	"assay/client"
)

// The kinds of what is kept, as the vault is told them.
const (
	Thumbnail        = "thumbnail"
	Heatmap          = "heatmap"
	Explainability   = "explainability"
	Aggregation      = "aggregation"
	AudioAggregation = "audio-aggregation"
	Original         = "original"
	// AudioResult is the raw JSON of the result of a video's sound, kept under the video's own requestId; what belongs to that
	// result is kept under the sound's.
	AudioResult = "audio-result"
)

// rank is the order in which pieces are fetched: the small ones first.
type rank int

const (
	rankLook rank = iota
	rankThumbnail
	rankHeatmap
	rankExplainability
	rankAggregation
	rankAudioAggregation
	rankAudioResult
	rankLookLater // at a result that is to be fetched
	rankOriginal
)

// piece is one thing to do for a job.
type piece struct {
	job  *job
	rank rank
	do   func(context.Context, *piece) error

	requestID, kind, model string
	pick                   func(*client.Result) string
	from                   *client.Artifacts
	sound                  string // the requestId of a video's sound, of an AudioResult

	running  bool
	failing  bool // it waits, while it runs, for another attempt at a call
	worked   int  // Keeper.worked when it was begun
	attempts int  // that failed
	counted  int  // of these, those that it may be given up for
	due      time.Time
}

// before reports whether p comes before other.
func (p *piece) before(other *piece) bool {
	if p.rank != other.rank {
		return p.rank < other.rank
	}
	return p.job.seq < other.job.seq
}

// wanted are the pieces of a result, whatever is kept of them. original says whether the media itself is one.
func (k *Keeper) wanted(j *job, r *client.Result, requestID string, from *client.Artifacts, original bool) []*piece {
	var pieces []*piece
	want := func(rank rank, kind, model string, pick func(*client.Result) string) {
		if pick(r) != "" {
			pieces = append(pieces, &piece{job: j, rank: rank, do: k.fetch, requestID: requestID, kind: kind, model: model, pick: pick, from: from})
		}
	}
	want(rankThumbnail, Thumbnail, "", client.Thumbnail)
	for _, h := range r.UsableHeatmaps() {
		name := h.Model.Verbatim()
		want(rankHeatmap, Heatmap, name, client.HeatmapOf(name))
	}
	want(rankExplainability, Explainability, "", client.Explainability)
	want(rankAggregation, Aggregation, "", client.Aggregation)
	if r.ShowAudioResult {
		want(rankAudioAggregation, AudioAggregation, "", client.AudioAggregation)
	}
	if original {
		want(rankOriginal, Original, "", client.Original)
	}
	return pieces
}

// missing are the pieces of a job's result that the vault does not hold.
func (k *Keeper) missing(ctx context.Context, j *job, r *client.Result, from *client.Artifacts) ([]*piece, error) {
	pieces, kept, err := k.absent(ctx, k.wanted(j, r, j.RequestID, from, k.Originals(j.Submission)), j.RequestID)
	if err != nil {
		return nil, err
	}
	sound, ok := r.Sound(j.RequestID)
	if !ok {
		return pieces, nil
	}
	if kept[[2]string{AudioResult, ""}] {
		_, of, err := k.absent(ctx, nil, sound)
		if err != nil {
			return nil, err
		}
		if of[[2]string{Original, ""}] && of[[2]string{Aggregation, ""}] {
			return pieces, nil
		}
	}
	return append(pieces, &piece{job: j, rank: rankAudioResult, do: k.listen, requestID: j.RequestID, kind: AudioResult, sound: sound}), nil
}

// absent leaves out the pieces that the vault holds under a requestId. kept is what it holds, by kind and model.
func (k *Keeper) absent(ctx context.Context, pieces []*piece, requestID string) (left []*piece, kept map[[2]string]bool, err error) {
	artifacts, err := k.Vault.Artifacts(ctx, requestID)
	if err != nil {
		return nil, nil, &vaultError{err}
	}
	kept = map[[2]string]bool{}
	for _, a := range artifacts {
		kept[[2]string{a.Kind, a.Model}] = true
	}
	for _, p := range pieces {
		if !kept[[2]string{p.kind, p.model}] {
			left = append(left, p)
		}
	}
	return left, kept, nil
}
