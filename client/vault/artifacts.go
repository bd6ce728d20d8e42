package vault

import (
	"context"
	"time"

	"assay/client"
)

// The kinds of artifacts, as the vault has them.
const (
	Thumbnail        = "thumbnail"
	Heatmap          = "heatmap"
	Explainability   = "explainability"
	Aggregation      = "aggregation"
	AudioAggregation = "audio-aggregation"
	Original         = "original"
	// AudioResult is the raw JSON of the result of a video's sound, kept under the video's request ID; the artifacts of that result are kept under
	// the sound's.
	AudioResult = "audio-result"
)

// rank is the order in which tasks are done: small artifacts first.
type rank int

const (
	rankPlan        rank = iota
	rankAudioResult      // what is said of a voice belongs to the verdict: nobody is to wait for it
	rankThumbnail
	rankHeatmap
	rankExplainability
	rankAggregation
	rankAudioAggregation
	rankPlanLater // for a result that must be fetched first
	rankOriginal
)

// task is one thing to do for a job.
type task struct {
	job  *job
	rank rank
	do   func(context.Context, *task) error

	requestID, kind, model string
	pick                   func(*client.Result) string
	from                   *client.Artifacts
	sound                  string // the request ID of a video's sound, for an AudioResult

	running  bool
	failing  bool // while it runs, a call waits for another attempt
	worked   int  // Fetcher.worked when it began
	attempts int  // that failed
	counted  int  // of these, those that count towards giving it up
	due      time.Time
}

// before reports whether p is to be done before other.
func (p *task) before(other *task) bool {
	if p.rank != other.rank {
		return p.rank < other.rank
	}
	return p.job.seq < other.job.seq
}

// wantedTasks are the tasks of a result, whether done or not. original says whether the media itself is fetched.
func (f *Fetcher) wantedTasks(j *job, r *client.Result, requestID string, from *client.Artifacts, original bool) []*task {
	var tasks []*task
	want := func(rank rank, kind, model string, pick func(*client.Result) string) {
		if pick(r) != "" {
			tasks = append(tasks, &task{job: j, rank: rank, do: f.download, requestID: requestID, kind: kind, model: model, pick: pick, from: from})
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
	return tasks
}

// missingTasks are the tasks of a job's result whose artifacts are not in the vault.
func (f *Fetcher) missingTasks(ctx context.Context, j *job, r *client.Result, from *client.Artifacts) ([]*task, error) {
	tasks, kept, err := f.withoutKept(ctx, f.wantedTasks(j, r, j.RequestID, from, f.Originals(j.Submission)), j.RequestID)
	if err != nil {
		return nil, err
	}
	sound, ok := r.Sound(j.RequestID)
	if !ok {
		return tasks, nil
	}
	if j.voiced && kept[[2]string{AudioResult, ""}] {
		_, of, err := f.withoutKept(ctx, nil, sound)
		if err != nil {
			return nil, err
		}
		if of[[2]string{Original, ""}] && of[[2]string{Aggregation, ""}] {
			return tasks, nil
		}
	}
	return append(tasks, &task{job: j, rank: rankAudioResult, do: f.fetchAudioResult, requestID: j.RequestID, kind: AudioResult, sound: sound}), nil
}

// withoutKept leaves out the tasks whose artifacts the vault has under a request ID. kept are those artifacts, by kind and model.
func (f *Fetcher) withoutKept(ctx context.Context, tasks []*task, requestID string) (left []*task, kept map[[2]string]bool, err error) {
	artifacts, err := f.Vault.Artifacts(ctx, requestID)
	if err != nil {
		return nil, nil, &vaultError{err}
	}
	kept = map[[2]string]bool{}
	for _, a := range artifacts {
		kept[[2]string{a.Kind, a.Model}] = true
	}
	for _, p := range tasks {
		if !kept[[2]string{p.kind, p.model}] {
			left = append(left, p)
		}
	}
	return left, kept, nil
}
