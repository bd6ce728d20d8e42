// Package picture shows a picture with the heatmaps of its models, at zooms up to single pixels. It may import Fyne, client, and of gui heat, kit,
// look, present and work. It must be used on the UI thread; workers make the pixels.
package picture

import (
	"context"
	"io"
	"os"
	"slices"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/layout"

	"assay/client"
	"assay/client/i18n"
	"assay/client/plain"
	"assay/gui/kit"
	"assay/gui/look"
	"assay/gui/present"
	"assay/gui/work"
)

// Pane shows a picture: its tools, problems, and the stage. Its methods must be called on the UI thread.
type Pane struct {
	p     Params
	root  *fyne.Container
	tools *tools
	stage *stage
	blink *blinker
	// caption is what the heatmap means, in a line below the picture that is reserved for it, so that it covers nothing.
	caption *kit.Text

	over                                          *fyne.Container // notices, over the picture: it never moves for them
	notices                                       *atFoot
	previewed, photoNotice, heatNotice, boxNotice *kit.Notice
	boxesWait                                     bool // what is said of the boxes is shown once the heatmap's notice is closed

	shown       present.Viewer
	heatmapOf   plain.Text              // the model of the heatmap that the stage has or is loading
	opening     bool                    // whether all pixels of the photo are being read, or can't be
	awaited     map[i18n.Key]bool       // what is loading, by its message
	aggregation *client.AggregationData // nil until it was read
	next        *ahead                  // a picture that is likely to be shown next; nil: none
	against     *against                // the answer that the shown one is compared with; nil: there is none

	cancelPhoto, cancelFull, cancelHeat, cancelBoxes, cancelCopy context.CancelFunc
}

// The initial opacity and the step of the keys [ and ], in percent.
const (
	opacityStart = 60
	opacityStep  = 10
)

// New makes an empty pane.
func New(params Params) *Pane {
	if params.After == nil {
		params.After = kit.After
	}
	nothing := func() {}
	p := &Pane{p: params, awaited: map[i18n.Key]bool{}, cancelPhoto: nothing, cancelFull: nothing, cancelHeat: nothing, cancelBoxes: nothing, cancelCopy: nothing}
	p.stage = newStage(params.Workers)
	p.blink = &blinker{after: params.After, turn: p.blinkTurn}
	p.tools = newTools(p)
	p.stage.onRune = p.TypedRune
	p.stage.onZoomed = p.tools.showZoom
	p.stage.onPressed = p.alternate
	p.stage.look = hold{after: params.After, uncover: p.showPlain, cover: func() { p.choosePreview(present.PreviewBlurred) }}
	p.stage.needFull = p.openFull
	p.stage.onDrawn = p.applyCaption
	notice := func(icon look.Icon) *kit.Notice {
		n := kit.NewNotice(icon, "", "", nil)
		n.Hide()
		return n
	}
	p.previewed, p.photoNotice, p.heatNotice, p.boxNotice = notice(look.IconInfo), notice(look.IconWarning), notice(look.IconInfo), notice(look.IconInfo)
	p.previewed.SetAction(i18n.T("Show"), p.showPlain)
	p.stage.setOpacity(opacityStart / 100.0)
	p.caption = kit.NewText("", kit.TextStyle{Size: look.SizeSmall, Color: look.ColorMuted, Ellipsis: look.EllipsisEnd})
	p.notices = &atFoot{picture: p.stage}
	p.over = container.New(p.notices, p.previewed, p.photoNotice, p.heatNotice, p.boxNotice)
	p.root = container.New(kit.Column{Gap: look.Space, Grow: stageAt}, p.tools.object, container.NewStack(p.stage, p.over), p.caption)
	p.tools.fill()
	return p
}

// The places of the picture and of the heatmap's meaning in the pane's root.
const (
	stageAt   = 1
	captionAt = 2
)

// Object is the pane's root.
func (p *Pane) Object() fyne.CanvasObject { return p.root }

// Tools returns the tools, to be placed elsewhere: the root then has none.
func (p *Pane) Tools() fyne.CanvasObject {
	p.root.Objects[0] = layout.NewSpacer()
	p.root.Objects[0].Hide()
	return p.tools.object
}

// Show shows a submission's picture. Another one is loaded from the start, the same one is only updated.
func (p *Pane) Show(v present.Viewer) {
	if v.ID != "" && v.ID == p.shown.ID {
		p.refresh(v)
		return
	}
	p.Clear()
	p.shown = v
	p.stage.name = p.description() // also while it is read
	p.tools.fill()
	p.loadPhoto()
	p.loadBoxes()
	p.root.Refresh()
}

// refresh updates the same submission, for which models may have a heatmap now, or no longer.
func (p *Pane) refresh(v present.Viewer) {
	model := p.model()
	same := slices.Equal(p.shown.Heatmaps, v.Heatmaps)
	p.shown = v
	p.applyBlink()
	if same {
		return
	}
	p.tools.fill()
	p.tools.chooseModel(model)
	if len(v.Heatmaps) == 0 {
		p.dropHeatmap()
		p.setMode(Original)
	}
	p.loadHeatmap()
	p.root.Refresh()
}

// Clear empties the pane, cancels what is under way and releases all pixels.
func (p *Pane) Clear() {
	for _, cancel := range []context.CancelFunc{p.cancelPhoto, p.cancelFull, p.cancelHeat, p.cancelBoxes, p.cancelCopy} {
		cancel()
	}
	p.blink.set(false)
	p.shown, p.heatmapOf, p.opening, p.aggregation = present.Viewer{}, plain.Text{}, false, nil
	clear(p.awaited)
	for _, n := range []*kit.Notice{p.photoNotice, p.heatNotice, p.boxNotice} {
		n.Hide()
	}
	p.boxesWait = false
	p.stage.Show()
	p.stage.setMode(Original)
	p.stage.setPhoto(nil)
	p.stage.boxes.shown = false
	p.caption.SetText("")
	p.await(photoWait, false)
	p.tools.fill()
	p.root.Refresh()
}

// Stop stops blinking, when the pane goes out of sight; Show starts it again.
func (p *Pane) Stop() { p.blink.set(false) }

// applyCaption shows what a heatmap means, once one is shown.
func (p *Pane) applyCaption() {
	text := ""
	if !p.heatmapOf.IsZero() && p.stage.showsHeatmap() {
		text = present.HeatmapNote(p.heatmapOf)
	}
	p.stage.name = p.description()
	if p.against != nil {
		p.against.onCaption(text)
		return
	}
	p.caption.SetText(text)
}

// description describes the picture for screen readers.
func (p *Pane) description() string {
	if p.stage.mode == Original || p.heatmapOf.IsZero() {
		return i18n.F("Picture %s", p.shown.Name)
	}
	return i18n.F("Picture %s, %s with the heatmap of %s.", p.shown.Name, p.stage.mode, p.heatmapOf) + " " + present.HeatmapNote(p.heatmapOf)
}

// applyBlink starts blinking, unless the person wants reduced motion: then Space and clicks switch.
func (p *Pane) applyBlink() {
	p.blink.set(p.stage.mode == Blink && (p.stage.heatmap != nil || p.stage.earlier != nil) && kit.Moves())
}

func (p *Pane) blinkTurn() {
	if !p.root.Visible() || !p.stage.Visible() {
		return // nobody is looking
	}
	p.stage.setStill(!p.stage.still)
}

// alternate switches once, by the person, and stops blinking.
func (p *Pane) alternate() {
	if p.stage.mode != Blink {
		return
	}
	p.blink.set(false)
	p.stage.setStill(!p.stage.still)
}

// Source reads what belongs to a submission. Its methods block, so they are called on workers. Their errors are shown by present.Problem.
type Source interface {
	// OpenOriginal opens the person's own file if its hash still matches, else the service's copy.
	OpenOriginal(ctx context.Context, id string) (*os.File, error)
	// OpenKept opens what OpenOriginal opens if it is on this computer, else it fails: it never asks the service.
	OpenKept(ctx context.Context, id string) (*os.File, error)
	// Heatmap returns a model's heatmap as it was sent. It is called only for models in present.Viewer's Heatmaps.
	Heatmap(ctx context.Context, id, model string) ([]byte, error)
	// Aggregation returns the parsed aggregation JSON; client.ErrNoArtifact if there is none.
	Aggregation(ctx context.Context, id string) (*client.AggregationData, error)
}

// Params are the dependencies of a Pane.
type Params struct {
	Workers *work.Workers // for making pixels
	Askers  *work.Workers // for what may call the service, so that a download does not hold up the zoom
	Source  Source
	// Save asks where to save, suggesting a name, and calls write on a worker; nil: saving is not possible.
	Save func(name string, write func(ctx context.Context, to io.Writer) error)
	// CopyImage copies a PNG to the clipboard, on the UI thread; nil: copying is not possible.
	CopyImage func(png []byte)
	// OnPreview is called when the person chooses how disturbing material is shown; may be nil.
	OnPreview func(present.Preview)
	// CoverAll covers everything that the window shows; nil: it can't be done here.
	CoverAll func()
	// ToggleFull fills the window with the picture, or ends that; nil: it can't be done here.
	ToggleFull func()
	// WithoutBoxes shows no boxes of the aggregation JSON, which then is not read.
	WithoutBoxes bool
	// Sandbox adds to the legend of saved pictures that the result is from the sandbox.
	Sandbox bool
	// After calls do on the UI thread after a time, unless it is stopped; nil for the system's clock.
	After func(d time.Duration, do func()) (stop func())
}

// TypedRune handles a character, and reports whether it used it.
func (p *Pane) TypedRune(r rune) bool {
	if p.stage.photo == nil {
		return false
	}
	switch r {
	case '1', '2', '3', '4', '5':
		p.setMode(Mode(r - '1'))
	case 'o':
		p.toggleOverlay()
	case '[':
		p.changeOpacity(-1)
	case ']':
		p.changeOpacity(1)
	case '+', '=':
		p.stage.zoomStep(true)
	case '-', '−', '_':
		p.stage.zoomStep(false)
	case '0':
		p.stage.zoom(0)
	case 'b':
		p.setBoxes(!p.stage.boxes.visible())
	case 'g':
		p.choosePreview(map[present.Preview]present.Preview{present.PreviewPlain: present.PreviewBlurred}[p.stage.preview])
	default:
		return false
	}
	return true
}

// TypedKey handles another key, and reports whether it used it: arrows only if the picture is larger than its frame.
func (p *Pane) TypedKey(e *fyne.KeyEvent) bool { return p.stage.typedKey(e) }

// Shortcuts are the keys of this pane.
func (p *Pane) Shortcuts() []present.Shortcut {
	return []present.Shortcut{
		{Keys: i18n.T("1 to 5"), Does: i18n.T("Original, overlay, swipe, blink, side by side")},
		{Keys: "O", Does: i18n.T("Heatmap over the picture, on or off")},
		{Keys: "[ ]", Does: i18n.T("Heatmap weaker or stronger")},
		{Keys: "+ − 0", Does: i18n.T("Zoom in, zoom out, fit")},
		{Keys: "← → ↑ ↓", Does: i18n.T("Move about in a zoomed picture; ← → move the divider that has the focus")},
		{Keys: i18n.T("Space"), Does: i18n.T("Blink by hand")},
		{Keys: "B", Does: i18n.T("Boxes on or off")},
		{Keys: i18n.T("Enter"), Does: i18n.T("Next box, and what models say about it")},
		{Keys: "G", Does: i18n.T("Cover it, or show it")},
	}
}
