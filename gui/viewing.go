package gui

import (
	"context"

	"assay/gui/film"
	"assay/gui/present"
	"assay/gui/sound/speaker"
	"assay/gui/viewer"
	"assay/gui/viewer/clip"
	"assay/gui/viewer/details"
	"assay/gui/viewer/feedback"
	"assay/gui/viewer/picture"
	"assay/gui/viewer/recording"
	"assay/gui/viewer/text"
	"assay/gui/viewer/tree"
	"assay/gui/work"
)

// previewFact is under which name the store keeps how disturbing material is shown.
const previewFact = "preview"

// newViewer builds the viewer. The pane of a medium is made when one is looked at first.
func (a *app) newViewer(kept *submissions) *viewer.Viewer {
	a.player = work.New(playersAtATime, a.onUI)
	output := a.Output
	if output == nil {
		output = speaker.New()
	}
	openInPlayer := func(id string) { a.openInPlayer(kept, id) }
	a.bar = feedback.New(feedback.Params{
		Workers: a.readers, Source: judgements{kept, a.Feedback}, ScanAgain: a.scanShownAgain, OnSaid: a.feedbackSaid,
		OnResize: func() {
			if a.viewer != nil { // it is being built round the bar
				a.viewer.LayOut()
			}
		},
		Now: a.Now,
	})
	return viewer.New(viewer.Params{
		Readers: a.readers,
		Askers:  a.player,
		Source:  kept,
		Sandbox: a.Sandbox,
		Media: map[present.Medium]func() viewer.Pane{
			present.Picture: func() viewer.Pane {
				return picture.New(picture.Params{
					Workers: a.workers, Askers: a.player, Source: kept, Save: a.savePicture, CopyImage: a.copyPicture, OnPreview: a.choosePreview, Sandbox: a.Sandbox,
				})
			},
			present.Recording: func() viewer.Pane {
				return recording.New(recording.Params{Workers: a.player, UI: a.onUI, Source: kept, Output: output, OpenInPlayer: openInPlayer})
			},
			present.Clip: func() viewer.Pane {
				return clip.New(clip.Params{
					Workers: a.player, UI: a.onUI, Source: clips{kept}, Frames: film.New(framesMemory), Output: output, OpenInPlayer: openInPlayer,
					OnPreview: a.choosePreview,
				})
			},
			present.Text: func() viewer.Pane { return text.New(text.Params{Workers: a.player, Source: kept}) },
		},
		Details:  func() viewer.Pane { return details.New(details.Params{Workers: a.player, Source: kept}) },
		Data:     func() viewer.DataPane { return tree.New(tree.Params{Workers: a.player, Documents: documents(kept)}) },
		Feedback: a.bar,
	})
}

// framesMemory bounds the frames of clips that are kept, in bytes.
const framesMemory = 48 << 20

// documents are what can be looked at as it was sent.
func documents(kept *submissions) []tree.Document {
	hasSound := func(v present.Viewer) bool { return v.HasSound }
	return []tree.Document{
		{Label: "Answer", Absent: "There is no answer.", Load: kept.Raw},
		{Label: "Analysis", Absent: "The service sent no details of this analysis.", Load: kept.AggregationJSON},
		{Label: "Sound: answer", Absent: "There is no answer on the sound.", Load: kept.SoundRaw, For: hasSound},
		{Label: "Sound: analysis", Absent: "The service sent no details of the sound.", Load: kept.SoundAggregationJSON, For: hasSound},
	}
}

// scanShownAgain submits what is shown once more.
func (a *app) scanShownAgain() {
	if id := a.viewer.Shown(); id != "" {
		a.scanAgain([]string{id})
	}
}

// choosePreview keeps how disturbing material is shown, and shows all of it so.
func (a *app) choosePreview(p present.Preview) {
	choice := present.PreviewChoice{Made: true, Preview: p}
	a.showPreview(choice)
	a.takers.Do(func(ctx context.Context) func() {
		if err := a.Store.SetFact(context.WithoutCancel(ctx), previewFact, choice.Kept()); err != nil {
			a.Log.Error("keep the preview", "error", err)
		}
		return nil
	})
}

func (a *app) showPreview(p present.PreviewChoice) {
	a.viewer.SetPreview(p)
	a.thumbs.SetPreview(p)
}

// loadPreview has material shown as it was chosen in an earlier run: what is brought to the screen after it is. It reads the disk.
func (a *app) loadPreview(ctx context.Context) {
	kept, err := a.Store.Fact(ctx, previewFact)
	if err != nil {
		if ctx.Err() == nil {
			a.Log.Error("read the preview", "error", err)
		}
		return
	}
	a.onUI(func() { a.showPreview(present.PreviewChoiceOf(kept)) })
}
