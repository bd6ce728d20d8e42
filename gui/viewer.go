package gui

import (
	"context"
	"io"
	"path/filepath"
	"sync"

	"fyne.io/fyne/v2"
	"golang.design/x/clipboard"

	"assay/client"
	"assay/client/config"
	"assay/client/durable"
	"assay/client/feedback"
	"assay/client/i18n"
	"assay/client/plain"
	"assay/gui/kit"
	"assay/gui/player/speaker"
	"assay/gui/present"
	"assay/gui/viewer"
	"assay/gui/viewer/clip"
	"assay/gui/viewer/details"
	feedbackbar "assay/gui/viewer/feedback"
	"assay/gui/viewer/picture"
	"assay/gui/viewer/recording"
	"assay/gui/viewer/text"
	"assay/gui/viewer/tree"
	"assay/gui/work"
)

// newViewer builds the viewer. The pane of a medium is made when the first result of it is shown.
func (a *app) newViewer(kept *submissions) *viewer.Viewer {
	a.player = work.New(playersAtATime, a.onUI)
	if a.Output == nil {
		a.Output = speaker.New()
	}
	openInPlayer := func(id string) { a.openInPlayer(kept, id) }
	a.feedbackBar = feedbackbar.New(feedbackbar.Params{
		Workers: a.readers, Source: feedbackSource{kept, a.Feedback}, ScanAgain: a.scanShownAgain, Report: a.reportShown, Sandbox: a.Sandbox,
		OnResize: func() {
			if a.viewer != nil { // it is still being built
				a.viewer.LayOut()
			}
		},
		Now: a.Now,
	})
	a.parts = a.newParts(a.Output)
	return viewer.New(viewer.Params{
		Readers: a.readers,
		Askers:  a.player,
		Source:  kept,
		Sandbox: a.Sandbox,
		Media: map[present.Medium]func() viewer.Pane{
			present.Picture: func() viewer.Pane {
				return picture.New(picture.Params{
					Workers: a.decoders, Askers: a.player, Source: pictures{kept}, Save: a.savePicture, CopyImage: a.copyPicture, OnPreview: a.choosePreview, CoverAll: func() { a.cover.put() }, Sandbox: a.Sandbox,
					ToggleFull: func() { a.viewer.ToggleFull() },
				})
			},
			present.Recording: func() viewer.Pane {
				return recording.New(recording.Params{Workers: a.player, UI: a.onUI, Source: kept, Output: a.Output, OpenInPlayer: openInPlayer})
			},
			present.Clip: func() viewer.Pane {
				return clip.New(clip.Params{
					Workers: a.player, UI: a.onUI, Source: clips{kept}, Frames: a.frames, Output: a.Output, OpenInPlayer: openInPlayer,
					OnPreview: a.choosePreview, ToggleFull: func() { a.viewer.ToggleFull() },
				})
			},
			present.Text: func() viewer.Pane { return text.New(text.Params{Workers: a.player, Source: kept}) },
		},
		Details:     func() viewer.Pane { return details.New(details.Params{Workers: a.player, Source: kept}) },
		Data:        func() viewer.DataPane { return tree.New(tree.Params{Workers: a.player, Documents: documents(kept)}) },
		Compare:     a.compareAnswers,
		CompareNear: a.compareNear,
		ListNear:    a.listNear,
		GetFile:     a.getFile,
		UI:          a.onUI,
		Folded:      a.Home != "" && config.LoadState(a.Home).PanelFolded,
		OnFold:      a.keepFold,
		Feedback:    a.feedbackBar,
		Fill:        a.fill,
		OpenCase:    a.openCase,
		AddToCase:   func(id string) { a.addToCase([]string{id}) },
		EditTags:    func(id string) { a.tag([]string{id}) },
		SetGraphic:  func(id string, on bool) { a.setGraphic([]string{id}, on) },
	})
}

// fill fills the window with an object in place of rail and screens, which then take no keys and no focus; nil shows them again.
func (a *app) fill(o fyne.CanvasObject) {
	a.window.Canvas().Unfocus()
	a.filling.Objects = nil
	if o != nil {
		a.filling.Objects = []fyne.CanvasObject{o}
	}
	kit.SetVisible(a.main, o == nil)
	a.filling.Refresh()
}

// keepFold keeps for the next run whether the viewer's panel is folded.
func (a *app) keepFold(folded bool) {
	if a.Home == "" {
		return
	}
	a.acceptors.Do(func(context.Context) func() {
		if err := config.ChangeState(a.Home, func(kept *config.State) { kept.PanelFolded = folded }); err != nil {
			a.Log.Warn("keep whether the panel is folded", "error", err)
		}
		return nil
	})
}

// framesMemory bounds the frames of clips that are kept, in bytes.
const framesMemory = 48 << 20

// documents are the JSON texts that can be shown as they were sent.
func documents(kept *submissions) []tree.Document {
	hasSound := func(v present.Viewer) bool { return v.HasSound }
	return []tree.Document{
		{Label: i18n.T("Answer"), Absent: i18n.T("There is no answer."), Load: kept.Raw},
		{Label: i18n.T("Analysis"), Absent: i18n.T("The service sent no details of this analysis."), Load: kept.AggregationJSON},
		{Label: i18n.T("Sound: answer"), Absent: i18n.T("There is no answer on the sound."), Load: kept.SoundRaw, For: hasSound},
		{Label: i18n.T("Sound: analysis"), Absent: i18n.T("The service sent no details of the sound."), Load: kept.SoundAggregationJSON, For: hasSound},
	}
}

// scanShownAgain submits the shown submission once more.
func (a *app) scanShownAgain() {
	if id := a.viewer.Shown(); id != "" {
		a.act([]string{id}, present.ScanAgain)
	}
}

// reportShown opens the sheet for a report on the shown submission.
func (a *app) reportShown() {
	if id := a.viewer.Shown(); id != "" {
		a.makeReport([]string{id})
	}
}

// setGraphic marks submissions as graphic, or takes that away.
func (a *app) setGraphic(ids []string, on bool) {
	a.readers.Do(func(ctx context.Context) func() {
		err := a.Store.SetGraphic(context.WithoutCancel(ctx), ids, on)
		return func() {
			if err != nil {
				a.viewer.Say(i18n.F("The mark could not be saved. %s", present.Problem(err)))
				return
			}
			a.thumbs.Mark(ids, on)
			a.tiles.Mark(ids, on)
			a.viewer.Again()
			a.results.Changed()
		}
	})
}

// choosePreview shows the picture in front as the person asked: that one alone, and until they go elsewhere.
func (a *app) choosePreview(p present.Preview) {
	if a.comparing {
		a.compared.Uncover(p)
		return
	}
	a.viewer.Uncover(p)
}

func (a *app) showPreview(p present.PreviewChoice) {
	a.viewer.SetPreview(p)
	a.compared.SetPreview(p)
	a.thumbs.SetPreview(p)
	a.tiles.SetPreview(p)
}

// loadPreview applies the setting of how disturbing material is shown to what is shown from then on.
func (a *app) loadPreview() {
	chosen := present.PreviewChoiceOf(a.Config.Settings().Appearance.Careful)
	a.onUI(func() { a.showPreview(chosen) })
}

// feedbackSource is the feedback of this newsroom, for the bar that asks for it. Its methods block: they are called on workers.
type feedbackSource struct {
	kept   *submissions
	sender *feedback.Sender
}

// Given implements feedback.Source of the bar.
func (s feedbackSource) Given(ctx context.Context, id string) (feedbackbar.GivenFeedback, error) {
	sub, err := s.kept.get(ctx, id)
	if err != nil || sub.RequestID == "" {
		return feedbackbar.GivenFeedback{}, err
	}
	given, err := s.sender.Of(ctx, sub.RequestID)
	if err != nil {
		return feedbackbar.GivenFeedback{}, err
	}
	return feedbackbar.GivenFeedback{RequestID: sub.RequestID, All: given}, nil
}

// Give implements feedback.Source of the bar. It is not cancelled when the window closes.
func (s feedbackSource) Give(ctx context.Context, f client.Feedback) error {
	_, err := s.sender.Give(context.WithoutCancel(ctx), f)
	return err
}

// Undo implements feedback.Source of the bar.
func (s feedbackSource) Undo(ctx context.Context, id string) error {
	return s.sender.Undo(context.WithoutCancel(ctx), id)
}

// Change implements feedback.Source of the bar.
func (s feedbackSource) Change(ctx context.Context, id string, f client.Feedback) error {
	return s.sender.Change(context.WithoutCancel(ctx), id, f)
}

// Hold implements feedback.Source of the bar.
func (s feedbackSource) Hold(ctx context.Context, id string) error { return s.sender.Hold(ctx, id) }

// Release implements feedback.Source of the bar.
func (s feedbackSource) Release(ctx context.Context, id string) error {
	return s.sender.Release(context.WithoutCancel(ctx), id)
}

// Retry implements feedback.Source of the bar.
func (s feedbackSource) Retry(ctx context.Context, id string) error {
	return s.sender.Retry(context.WithoutCancel(ctx), id)
}

// savePicture asks where to save a picture, suggesting name, and calls write on a worker.
func (a *app) savePicture(name string, write func(ctx context.Context, to io.Writer) error) {
	a.dialogs.save(i18n.T("Save the picture"), name, func(path string) {
		a.player.Do(func(ctx context.Context) func() { // it takes a while, and must not delay files that are dropped meanwhile
			err := durable.Write(path, durable.Options{Temp: ".assay-*.tmp", ForOthers: true}, func(to io.Writer) error { return write(ctx, to) })
			return func() {
				if err != nil {
					a.viewer.Say(i18n.F("The picture could not be saved. %s", present.Problem(err)))
					return
				}
				a.viewer.Say(i18n.F("Saved as %s.", plain.From(filepath.Base(path)).String()))
			}
		})
	})
}

// copyPicture puts a PNG on the clipboard.
func (a *app) copyPicture(png []byte) {
	a.acceptors.Do(func(context.Context) func() {
		err := toClipboard(png)
		return func() {
			if err != nil {
				a.viewer.Say(i18n.T("This computer's clipboard does not take pictures. Save it as a file instead."))
				a.Log.Warn("copy a picture", "error", err)
				return
			}
			a.viewer.Say(i18n.T("Copied."))
		}
	})
}

// clipboardReady reports, once for the run, whether there is a clipboard for pictures.
var clipboardReady = sync.OnceValue(clipboard.Init)

func toClipboard(png []byte) error {
	if err := clipboardReady(); err != nil {
		return err
	}
	clipboard.Write(clipboard.FmtImage, png)
	return nil
}
