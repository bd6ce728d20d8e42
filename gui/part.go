package gui

import (
	"context"
	"io/fs"
	"os"
	"time"

	"assay/client"
	"assay/client/intake"
	"assay/client/media"
	"assay/client/media/convert"
	"assay/client/submission"
	"assay/gui/player"
	"assay/gui/present"
	"assay/gui/viewer/clip"
	"assay/gui/viewer/part"
)

// newParts makes the sheet in which a part of a clip is chosen, closed.
func (a *app) newParts(output player.Output) *part.Sheet {
	return part.New(part.Params{
		Sheet:   a.sheet,
		Workers: a.lookers,
		Clip:    clip.Params{Workers: a.player, UI: a.onUI, Source: unsent{a}, Frames: a.frames, Output: output},
		Asked: func(now present.Preview) present.Preview {
			return present.PreviewChoiceOf(a.Config.Settings().Appearance.Careful).Asked(now, present.PreviewPlain)
		},
		Begins: func(ctx context.Context, id string, from time.Duration) (time.Duration, error) {
			file, err := a.Queue.OpenFile(id)
			if err != nil {
				return 0, err
			}
			defer file.Close() //nolint:errcheck // only read from
			info, err := file.Stat()
			if err != nil {
				return 0, err
			}
			return convert.PartOf(ctx, file, file.Name(), info.Size(), from)
		},
		Send: func(id string, from, to time.Duration, withoutMetadata bool) {
			a.Queue.Approve(intake.ApproveOptions{Part: submission.Part{From: from, To: to}, WithoutMetadata: withoutMetadata}, id)
		},
	})
}

// choosePart asks which part of a clip is sent that is too large.
func (a *app) choosePart(s submission.Submission) {
	a.lookers.Do(func(ctx context.Context) func() {
		preview := a.previewBefore(ctx, s)
		return func() {
			if a.sheet.Open() { // the person went on to something else
				return
			}
			a.parts.Show(part.Clip{ID: s.ID, Name: s.Name, Size: s.Size, Most: media.Limits(nil).Cap(client.Video), Preview: preview})
		}
	})
}

// unsent gives the player what is on this computer of a clip of which nothing was sent.
type unsent struct{ app *app }

// OpenOriginal implements clip.Source.
func (u unsent) OpenOriginal(_ context.Context, id string) (*os.File, error) {
	return u.app.Queue.OpenFile(id)
}

// OpenSound implements clip.Source.
func (u unsent) OpenSound(_ context.Context, id string) (*os.File, error) {
	return u.app.Queue.OpenFile(id)
}

// OpenThumbnail implements clip.Source.
func (unsent) OpenThumbnail(context.Context, string) (*os.File, error) { return nil, fs.ErrNotExist }

// Aggregation implements clip.Source.
func (unsent) Aggregation(context.Context, string) (*client.AggregationData, error) {
	return nil, client.ErrNoArtifact
}

// SoundAggregation implements clip.Source.
func (unsent) SoundAggregation(context.Context, string) (*client.AggregationData, error) {
	return nil, client.ErrNoArtifact
}

// SoundOf implements clip.Source.
func (unsent) SoundOf(context.Context, string) (v present.Viewer, ok bool, err error) {
	return v, false, nil
}
