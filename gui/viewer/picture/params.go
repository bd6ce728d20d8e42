package picture

import (
	"context"
	"io"
	"os"
	"time"

	"assay/client"
	"assay/gui/present"
	"assay/gui/work"
)

// Source gives what belongs to a submission. Its methods block: the pane calls them on workers. Their errors are shown in words, see
// present.Problem.
type Source interface {
	// OpenOriginal opens the person's own file where its hash still matches, else the service's copy.
	OpenOriginal(ctx context.Context, id string) (*os.File, error)
	// Heatmap gives a model's heatmap as it was sent. It is only called for models in present.Viewer's Heatmaps.
	Heatmap(ctx context.Context, id, model string) ([]byte, error)
	// Aggregation gives what is recognised of the aggregation JSON; client.ErrNoArtifact where there is none.
	Aggregation(ctx context.Context, id string) (*client.AggregationData, error)
}

// Params are what a Pane is made of.
type Params struct {
	Workers *work.Workers // make pixels
	Askers  *work.Workers // open what may have to be fetched from the service: no download keeps the zoom waiting
	Source  Source
	// Save asks for a place to save to, by a name to begin with, and has write called on a worker; nil: nothing can be saved.
	Save func(name string, write func(ctx context.Context, to io.Writer) error)
	// CopyImage takes a PNG for the clipboard, on the UI thread; nil: nothing can be copied.
	CopyImage func(png []byte)
	// OnPreview is told when the person chose how disturbing material is shown; may be nil.
	OnPreview func(present.Preview)
	// Sandbox adds to what is saved that it comes from there.
	Sandbox bool
	// After calls do on the UI thread after a while, unless it is stopped; nil for the clock.
	After func(d time.Duration, do func()) (stop func())
}
