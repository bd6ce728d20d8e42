// Package viewer shows one result: the verdict, the medium with what the models saw and heard in it, and what each said. It is
// composed of gui/part and gui/chart and fed by gui/present; its exported methods run on the UI thread, and none of them decodes,
// hashes, reads a disk or waits: that is for gui/work.
package viewer

import (
	"bytes"
	"context"
	"image"
	"os"
	"strconv"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/layout"

	"assay/gui/chart"
	"assay/gui/heat"
	"assay/gui/look"
	"assay/gui/part"
	"assay/gui/present"
	"assay/gui/work"
)

// Source is what the viewer needs of the queue.
type Source interface {
	// Viewer puts a submission into the viewer's parts; ok is false for one without a result. It reads the disk.
	Viewer(ctx context.Context, id string) (v present.Viewer, ok bool, err error)
	// OpenOriginal opens the person's own file, as long as it is the one that was submitted, else the service's copy of it: the
	// one that was kept, else the one that is there still, which is then kept.
	OpenOriginal(ctx context.Context, id string) (*os.File, error)
	// SetNote keeps the person's own note on a result, "" for none.
	SetNote(ctx context.Context, id, note string) error
	// Heatmap gives a model's heatmap as it was sent: the one that was kept, else the service's.
	Heatmap(ctx context.Context, id, model string) (png []byte, err error)
}

// opacity steps and start of the heatmap, in percent.
const (
	opacityStart = 60
	opacityStep  = 10
)

// Viewer shows one result: the verdict, the picture with its heatmaps, and what each model said.
type Viewer struct {
	queue   Source
	readers *work.Workers // read submissions: no picture keeps them waiting
	workers *work.Workers // decode pictures and fetch heatmaps
	root    *fyne.Container
	body    *fyne.Container // hidden while what it shows is not what was asked for

	shown            present.Viewer
	name, facts      *part.Text
	note             *viewerNote
	card             *verdictCard
	modes            *part.Segmented
	models           *part.Select
	choice, strength *fyne.Container // which heatmap, and how strong
	without          *fyne.Container // said where there is none
	opacity          *part.Slider
	percent          *part.Text
	tools            *fyne.Container
	pane             *picturePane
	notice           *part.Notice
	unread           *part.Notice // why the submission can't be shown
	bars             *chart.Bars
	source           *part.Paragraph

	asked       string // the ID of the submission to show
	heatmapOf   string // the model whose heatmap the pane has or is getting
	cancelShow  context.CancelFunc
	cancelPhoto context.CancelFunc
	cancelHeat  context.CancelFunc
}

// New builds an empty viewer. Readers read submissions, w decodes pictures; fromSandbox adds what must be said of such results.
func New(readers, w *work.Workers, queue Source, fromSandbox bool) *Viewer {
	v := &Viewer{queue: queue, readers: readers, workers: w, cancelShow: func() {}, cancelPhoto: func() {}, cancelHeat: func() {}}
	v.name = part.NewText("", part.TextStyle{Size: look.SizeHeading, Weight: look.WeightMedium, Ellipsis: look.EllipsisMiddle})
	v.facts = part.NewText("", part.TextStyle{Size: look.SizeSmall, Color: look.ColorMuted, Ellipsis: look.EllipsisEnd})
	v.note = newViewerNote(v.saveNote)
	v.card = newVerdictCard()
	v.tools = v.newTools()
	v.pane = newPicturePane(w)
	v.notice = part.NewNotice(look.IconInfo, "", "", nil)
	v.notice.Hide()
	v.bars = chart.NewBars(nil, nil)
	v.bars.OnTapped = func(i int) { v.showSource(v.shown.Bars[i].Source()) }
	v.bars.OnTypedRune = func(char rune) { part.PassOn(v.bars, char) }
	v.source = part.NewParagraph("", part.TextStyle{Size: look.SizeCaption, Color: look.ColorMuted})
	models := part.NewCard(container.NewVScroll(container.New(layout.NewCustomPaddedLayout(0, 0, 0, 2*look.Space), // beside the scroll bar
		container.New(layout.NewCustomPaddedVBoxLayout(2*look.Space), v.bars, v.source))))
	models.SetPadding(3 * look.Space)
	body := container.New(viewerBody{}, container.New(part.AtLeast(200), v.pane), models)

	objects := []fyne.CanvasObject{
		container.NewBorder(nil, nil, nil, container.NewCenter(v.note.button),
			container.New(layout.NewCustomPaddedVBoxLayout(0), v.name, v.facts, v.note.line)),
		v.card.card, v.tools, v.notice, body,
	}
	const grow = 4
	if fromSandbox {
		objects = append(objects, part.NewText(present.SandboxNote,
			part.TextStyle{Size: look.SizeSmall, Color: look.ColorMuted, Ellipsis: look.EllipsisEnd}))
	}
	const edge = 4 * look.Space
	v.body = part.NewScroll(container.New(layout.NewCustomPaddedLayout(3*look.Space, edge, edge, edge),
		container.New(part.Column{Gap: 2.5 * look.Space, Grow: grow}, objects...)))
	v.body.Hide()
	v.unread = part.NewNotice(look.IconWarning, "", "Try again", func() { v.Show(v.asked) })
	v.unread.Hide()
	v.root = container.NewStack(v.body, container.New(layout.NewCustomPaddedLayout(edge, edge, edge, edge), container.New(part.Column{Grow: -1}, v.unread)))
	return v
}

// Object is the viewer's root.
func (v *Viewer) Object() fyne.CanvasObject { return v.root }

func (v *Viewer) newTools() *fyne.Container {
	v.modes = part.NewSegmented([]string{"Original", "Overlay", "Side by side"}, func(int) { v.applyMode() })
	v.models = part.NewSelect(part.Plain, nil, func(int) { v.loadHeatmap() })
	v.models.MaxWidth = 180
	v.percent = part.NewText("", part.TextStyle{Tabular: true})
	v.opacity = part.NewSlider(opacityStart, func(value float64) {
		v.percent.SetText(strconv.Itoa(int(value)) + "%")
		v.pane.setOpacity(value / 100)
	})
	v.opacity.Name = "Opacity of the heatmap"
	v.percent.SetText(strconv.Itoa(opacityStart) + "%")
	centred := func(o fyne.CanvasObject) fyne.CanvasObject {
		return container.New(part.AtLeast(look.ControlHeight), container.NewVBox(layout.NewSpacer(), o, layout.NewSpacer()))
	}
	group := func(objects ...fyne.CanvasObject) *fyne.Container {
		return container.New(layout.NewCustomPaddedHBoxLayout(2*look.Space), objects...)
	}
	v.choice = group(centred(part.NewText("Heatmap", part.TextStyle{Color: look.ColorMuted})), v.models)
	v.strength = group(centred(part.NewText("Opacity", part.TextStyle{Color: look.ColorMuted})),
		container.NewGridWrap(fyne.NewSize(120, look.ControlHeight), v.opacity), centred(v.percent))
	v.without = group(centred(part.NewText("No heatmap: one comes with a single model that says FAKE", part.TextStyle{Color: look.ColorMuted})))
	return container.New(&part.Flow{Gap: 4 * look.Space, Line: 2 * look.Space}, v.modes, v.choice, v.strength, v.without)
}

// Show shows a submission that has a result. Until it has been read, nothing is shown: never one for another.
func (v *Viewer) Show(id string) {
	v.cancelShow()
	v.asked = id
	part.SetVisible(v.body, v.shown.ID == id)
	v.unread.Hide()
	v.cancelShow = v.readers.Do(func(ctx context.Context) func() {
		shown, ok, err := v.queue.Viewer(ctx, id)
		switch {
		case err != nil:
			return func() { v.cannot("This result can't be read. " + present.Problem(err)) }
		case !ok:
			return func() { v.cannot("There is no result of this to show.") }
		}
		return func() { v.fill(shown) }
	})
}

// saveNote keeps a note of the result that is shown.
func (v *Viewer) saveNote(note string) {
	id := v.shown.ID
	v.shown.Note = note
	v.root.Refresh()
	v.readers.Do(func(ctx context.Context) func() {
		err := v.queue.SetNote(ctx, id, note)
		return func() {
			if err != nil {
				v.say("The note could not be kept. " + present.Problem(err))
			}
		}
	})
}

// cannot says why there is nothing to show.
func (v *Viewer) cannot(sentence string) {
	v.body.Hide()
	v.unread.SetText(sentence)
	v.unread.Show()
	v.root.Refresh()
}

func (v *Viewer) fill(shown present.Viewer) {
	another := v.shown.ID != shown.ID
	v.shown = shown
	v.name.SetText(v.shown.Name)
	v.facts.SetText(v.shown.Facts)
	if another || !v.note.field.Visible() {
		v.note.set(v.shown.Note)
	}
	v.card.set(v.shown)
	v.bars.SetBars(bars(v.shown.Bars), v.shown.NotBars)
	v.showSource("")
	v.body.Show()
	v.root.Refresh()
	if !another {
		return
	}
	v.cancelPhoto()
	v.cancelHeat()
	v.heatmapOf = ""
	v.pane.setPhoto(nil)
	v.notice.Hide()
	v.modes.Select(0)
	v.models.SetOptions(v.shown.Heatmaps)
	v.setHeatmapTools(len(v.shown.Heatmaps) > 0)
	v.applyMode()
	v.loadPhoto()
	v.root.Refresh() // the tools may take less room than they did
}

// Shown is the ID of the submission that is shown or being read, "" for none.
func (v *Viewer) Shown() string { return v.asked }

// Layers are the images on screen: the photo, and the heatmap over it; nil where one is not shown.
func (v *Viewer) Layers() (photo, heatmap *canvas.Image) { return v.pane.layers() }

func (v *Viewer) setHeatmapTools(usable bool) {
	for i := 1; i <= 2; i++ {
		v.modes.SetDisabled(i, !usable)
	}
	part.SetVisible(v.choice, usable)
	part.SetVisible(v.strength, usable)
	part.SetVisible(v.without, !usable)
	part.SetVisible(v.tools, v.shown.Medium == present.Picture)
	v.tools.Refresh()
}

func (v *Viewer) showSource(text string) {
	if text == "" {
		text = "Choose a row to see where its number stands in the answer. " + present.ScoreMeaning + "."
	}
	v.source.SetText(text)
}

func bars(rows []present.Bar) []chart.Bar {
	out := make([]chart.Bar, len(rows))
	for i, r := range rows {
		out[i] = chart.Bar{Name: r.Name, Mark: look.Mark(r.Mark), Word: r.Gap, Ensemble: r.Ensemble, Source: r.Source()}
		if r.Score != nil {
			out[i].Value, out[i].ValueText = &r.Score.Value, r.Score.Text()
		}
	}
	return out
}

// loadPhoto decodes the person's own file, or the service's copy of it, on a worker.
func (v *Viewer) loadPhoto() {
	if v.shown.Medium != present.Picture {
		v.say("There is no preview for this kind of file yet.")
		return
	}
	id := v.shown.ID
	v.cancelPhoto = v.workers.Do(func(ctx context.Context) func() {
		photo, err := decodeOriginal(ctx, v.queue, id)
		if err != nil {
			return func() { v.say(present.Problem(err)) }
		}
		return func() {
			v.pane.setPhoto(photo)
			v.loadHeatmap()
		}
	})
}

// say puts a sentence in the picture's place.
func (v *Viewer) say(sentence string) {
	v.notice.SetText(sentence)
	v.notice.Show()
	v.root.Refresh()
}

func (v *Viewer) applyMode() {
	v.pane.setMode(paneMode(v.modes.Selected()))
	v.applyCaption()
	v.loadHeatmap()
}

func (v *Viewer) applyCaption() {
	if v.pane.mode == modeOriginal || v.heatmapOf == "" {
		v.pane.setCaption("")
		return
	}
	v.pane.setCaption(present.HeatmapNote(v.heatmapOf))
}

// loadHeatmap fetches and decodes the chosen model's heatmap once it is asked for and the photo is there.
func (v *Viewer) loadHeatmap() {
	if v.pane.mode == modeOriginal || v.pane.photo == nil || len(v.shown.Heatmaps) == 0 {
		return
	}
	id, model := v.shown.ID, v.shown.Heatmaps[v.models.Selected()]
	if model == v.heatmapOf {
		return
	}
	v.cancelHeat()
	v.heatmapOf = model
	v.notice.Hide()
	v.pane.setHeatmap(nil)
	v.applyCaption()
	v.cancelHeat = v.workers.Do(func(ctx context.Context) func() {
		decoded, err := v.decodeHeatmap(ctx, id, model)
		if err != nil {
			return func() {
				v.heatmapOf = ""
				v.applyCaption()
				v.say("The heatmap of " + model + " can't be shown. " + present.Problem(err))
			}
		}
		return func() { v.showHeatmap(decoded) }
	})
}

func (v *Viewer) decodeHeatmap(ctx context.Context, id, model string) (image.Image, error) {
	png, err := v.queue.Heatmap(ctx, id, model)
	if err != nil {
		return nil, err
	}
	picture, err := heat.Decode(ctx, bytes.NewReader(png), heat.Limits{Unsmoothed: true})
	if err != nil {
		return nil, err
	}
	return picture.Image, nil
}

func (v *Viewer) showHeatmap(h image.Image) {
	v.pane.setHeatmap(h)
	if !heat.AspectDiffers(v.pane.photo.Source, v.pane.heatmapSize()) {
		return
	}
	v.say("The heatmap's shape differs from the picture's by more than 1 %: places over the picture would be wrong, so they stand side by side.")
	v.modes.Select(int(modeSideBySide))
}

// ToggleOverlay switches between the picture alone and the heatmap over it.
func (v *Viewer) ToggleOverlay() {
	if v.modes.Selected() == int(modeOverlay) {
		v.modes.Select(int(modeOriginal))
		return
	}
	v.modes.Select(int(modeOverlay))
}

// ChangeOpacity makes the heatmap stronger or weaker by steps of a tenth.
func (v *Viewer) ChangeOpacity(steps int) {
	v.opacity.SetValue(v.opacity.Value() + float64(steps*opacityStep))
}

// viewerBody lays the picture beside the models' card.
type viewerBody struct{}

const (
	modelsWide   float32 = 340
	modelsNarrow float32 = 292
	bodyWide     float32 = 760
)

// Layout implements fyne.Layout.
func (viewerBody) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	side := modelsWide
	if size.Width < bodyWide {
		side = modelsNarrow
	}
	left := max(0, size.Width-side-3*look.Space)
	objects[0].Move(fyne.NewPos(0, 0))
	objects[0].Resize(fyne.NewSize(left, size.Height))
	objects[1].Move(fyne.NewPos(size.Width-side, 0))
	objects[1].Resize(fyne.NewSize(side, size.Height))
}

// MinSize implements fyne.Layout.
func (viewerBody) MinSize(objects []fyne.CanvasObject) fyne.Size {
	a, b := objects[0].MinSize(), objects[1].MinSize()
	return fyne.NewSize(a.Width+3*look.Space+modelsNarrow, max(a.Height, b.Height))
}

// decodeOriginal decodes what was submitted for the screen.
func decodeOriginal(ctx context.Context, from Source, id string) (*heat.Picture, error) {
	file, err := from.OpenOriginal(ctx, id)
	if err != nil {
		return nil, err
	}
	defer file.Close() //nolint:errcheck // only read from
	return heat.Decode(ctx, file, heat.DefaultLimits)
}
