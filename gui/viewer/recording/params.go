package recording

import (
	"context"
	"os"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"

	"assay/client"
	"assay/gui/player"
	"assay/gui/work"
)

// Source is what the pane needs of the submissions. Its methods block; they are called on workers.
type Source interface {
	// Aggregation is what was reported of the parts; client.ErrNoArtifact where there is nothing.
	Aggregation(ctx context.Context, id string) (*client.AggregationData, error)
	// OpenSound opens what can be played. The file's name is its path, under which it is read.
	OpenSound(ctx context.Context, id string) (*os.File, error)
}

// Params are what a pane needs.
type Params struct {
	Workers *work.Workers
	// UI runs a closure on the UI thread, later and without waiting for it.
	UI     func(func())
	Source Source
	// Output is where the sound goes; the pane opens nothing before a person plays.
	Output player.Output
	// Clock is the player's; nil for the computer's.
	Clock player.Clock
	// OpenInPlayer opens the sound of a result in the system's own player; nil where that can't be done.
	OpenInPlayer func(id string)
	// OnMoment, where it is set, is told of the moment that is shown, whenever it changes.
	OnMoment func(seconds float64)
	// OnResize, where it is set, is called when the content of a pane that is a part of another may take another height; it refreshes
	// the whole.
	OnResize func()
	// Modifier tells which modifier keys are held; nil asks the window.
	Modifier func() fyne.KeyModifier
	// NoParts is said where nothing was reported of the parts; "" for the usual sentence.
	NoParts string
}

func (p Params) shifted() bool {
	if p.Modifier != nil {
		return p.Modifier()&fyne.KeyModifierShift != 0
	}
	d, ok := fyne.CurrentApp().Driver().(desktop.Driver)
	return ok && d.CurrentKeyModifiers()&fyne.KeyModifierShift != 0
}
