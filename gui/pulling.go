package gui

import (
	"context"

	"assay/client/pull"
	"assay/gui/results"
)

// carryPull shows how the fetching of the service's own list stands, until ctx ends.
func (a *app) carryPull(ctx context.Context) {
	for {
		state, fetched := a.Pull.State(), a.Pull.Fetched(ctx)
		a.onUI(func() {
			a.results.SetPull(results.Pull{
				Running: state.Phase == pull.Running,
				Found:   state.Found,
				New:     state.Added,
				Problem: state.Problem.String(),
				Fetched: fetched,
			})
			a.results.Changed()
		})
		if a.Wait(ctx, frame) != nil {
			return
		}
		select {
		case <-a.Pull.Changed():
		case <-ctx.Done():
			return
		}
	}
}
