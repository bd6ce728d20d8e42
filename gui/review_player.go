package gui

import (
	"context"
	"os"

	"fyne.io/fyne/v2"

	"assay/client"
	"assay/client/i18n"
	"assay/gui/present"
	"assay/gui/viewer/recording"
)

// reviewPlayer plays recordings before they are sent. It belongs to the UI thread.
type reviewPlayer struct{ pane *recording.Pane }

func (a *app) newReviewPlayer() *reviewPlayer {
	return &reviewPlayer{recording.New(recording.Params{Workers: a.player, UI: a.onUI, Source: heldSounds{a}, Output: a.Output,
		NoParts: i18n.T("Nothing plays by itself.")})}
}

// Object implements review.Player.
func (p *reviewPlayer) Object() fyne.CanvasObject { return p.pane.Object() }

// Show implements review.Player.
func (p *reviewPlayer) Show(id string) { p.pane.Show(present.Viewer{ID: id}) }

// Clear implements review.Player.
func (p *reviewPlayer) Clear() { p.pane.Clear() }

// heldSounds are the recordings that wait for the person's decision.
type heldSounds struct{ app *app }

// Aggregation implements recording.Source: nothing is reported yet.
func (heldSounds) Aggregation(context.Context, string) (*client.AggregationData, error) {
	return nil, client.ErrNoArtifact
}

// OpenSound implements recording.Source.
func (s heldSounds) OpenSound(_ context.Context, id string) (*os.File, error) {
	return s.app.Queue.OpenFile(id)
}
