package clip

import (
	"context"
	"image"
	"os"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"

	"assay/client"
	"assay/client/media/film"
	"assay/gui/player"
	"assay/gui/present"
	"assay/gui/work"
)

// Source is what the pane needs of the submissions. Its methods block; they are called on workers.
type Source interface {
	// OpenOriginal opens the clip. The file's name is its path, under which it is read.
	OpenOriginal(ctx context.Context, id string) (*os.File, error)
	// OpenThumbnail opens the service's thumbnail; fs.ErrNotExist where there is none.
	OpenThumbnail(ctx context.Context, id string) (*os.File, error)
	// Aggregation is what was reported of the clip's parts; client.ErrNoArtifact where there is nothing.
	Aggregation(ctx context.Context, id string) (*client.AggregationData, error)
	// SoundOf is the extracted sound's own result; ok is false where there is none.
	SoundOf(ctx context.Context, id string) (v present.Viewer, ok bool, err error)
	// SoundAggregation is what was reported of that sound's parts.
	SoundAggregation(ctx context.Context, id string) (*client.AggregationData, error)
	// OpenSound opens what can be heard: the extracted sound, else the clip.
	OpenSound(ctx context.Context, id string) (*os.File, error)
}

// Frames takes frames out of clips; *film.Projector does.
type Frames interface {
	Probe(ctx context.Context, path string) (film.Info, error)
	Frame(ctx context.Context, path string, at time.Duration, longSide int) (*image.RGBA, error)
	Forget()
}

// Params are what a pane needs.
type Params struct {
	Workers *work.Workers
	// UI runs a closure on the UI thread, later and without waiting for it.
	UI     func(func())
	Source Source
	Frames Frames
	// Output is where the sound goes; the pane opens nothing before a person plays.
	Output player.Output
	// Clock is the player's; nil for the computer's.
	Clock player.Clock
	// OpenInPlayer opens a clip in the system's own player; nil where that can't be done.
	OpenInPlayer func(id string)
	// OnPreview is told when the person chose how disturbing material is shown; nil: they can't choose it here.
	OnPreview func(present.Preview)
	// Modifier tells which modifier keys are held; nil asks the window.
	Modifier func() fyne.KeyModifier
}

func (p Params) shifted() bool {
	if p.Modifier != nil {
		return p.Modifier()&fyne.KeyModifierShift != 0
	}
	d, ok := fyne.CurrentApp().Driver().(desktop.Driver)
	return ok && d.CurrentKeyModifiers()&fyne.KeyModifierShift != 0
}

// soundSource gives the recording pane the sound of a clip in place of the clip.
type soundSource struct {
	Source
	own bool // the sound has a result of its own
}

// Aggregation is the sound's.
func (s soundSource) Aggregation(ctx context.Context, id string) (*client.AggregationData, error) {
	if !s.own {
		return nil, client.ErrNoArtifact
	}
	return s.SoundAggregation(ctx, id)
}
