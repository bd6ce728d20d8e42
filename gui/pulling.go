package gui

import (
	"context"

	"assay/client/events"
	"assay/client/pull"
	"assay/gui/results"
)

// gatherPull has the screen show how the fetching of the service's own list stands.
func (a *app) gatherPull(ctx context.Context, _ events.Changes) func() {
	state, fetched := a.Pull.State(), a.Pull.Fetched(ctx)
	return func() {
		a.results.SetPull(results.Pull{
			Running: state.Phase == pull.Running,
			Found:   state.Found,
			New:     state.Added,
			Problem: state.Problem.String(),
			Fetched: fetched,
		})
		a.results.Changed()
	}
}
