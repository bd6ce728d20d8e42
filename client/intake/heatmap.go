package intake

import (
	"context"

	"assay/client"
)

// maxHeatmap is the largest heatmap that is read, in bytes.
const maxHeatmap = 64 << 20

// Heatmap fetches the PNG of a model's heatmap. Its link lives for minutes only: a denied one is
// replaced once by fetching the result again. It blocks; ctx ends it.
func (q *Queue) Heatmap(ctx context.Context, id, model string) ([]byte, error) {
	s, ok := q.Get(id)
	if !ok || s.Result == nil {
		return nil, noHeatmap
	}
	png, err := q.heatmap(ctx, s.Result, model)
	if !client.IsKind(err, client.KindExpired) {
		return png, err
	}
	fresh, err := q.Service.Result(ctx, s.RequestID)
	if err != nil {
		return nil, err
	}
	return q.heatmap(ctx, fresh, model)
}

func (q *Queue) heatmap(ctx context.Context, r *client.Result, model string) ([]byte, error) {
	for _, h := range r.UsableHeatmaps() {
		if h.Model == model {
			return q.Service.Artifact(ctx, h.URL, maxHeatmap)
		}
	}
	return nil, noHeatmap
}

var noHeatmap = &client.Error{Op: "fetch the heatmap", Kind: client.KindAnswer, Message: "The service gave no heatmap for this model."}
