// Package clip shows a clip: its frames, what was reported of its scenes, frames and tubes, and its sound. It is composed of gui/kit, gui/chart and
// gui/viewer/recording, and reads frames by client/media/film. It must be used on the UI thread; what reads a disk or decodes runs on gui/work.
package clip

import (
	"context"
	"errors"
	"image"
	"os"
	"sync"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/layout"

	"assay/client"
	"assay/client/i18n"
	"assay/client/media/film"
	"assay/gui/chart"
	"assay/gui/kit"
	"assay/gui/look"
	"assay/gui/player"
	"assay/gui/present"
	"assay/gui/viewer/recording"
	"assay/gui/work"
)

// Pane shows a clip. Nothing plays before the person asks for it.
type Pane struct {
	Params
	root    *fyne.Container
	parted  *fyne.Container // picture, controls and tracks
	picture *fyne.Container // the frame, with what it is
	tracks  *fyne.Container // of sound and picture, in one card
	card    *kit.Card
	room    float32 // the height that there is without scrolling; 0 if it is unknown
	low     bool    // whether that is little, so that the tracks are low
	tight   bool    // whether it is too little for a line that may be needed later
	frame   *frameView
	caption *kit.Text // says what the picture is, unless it is a frame as it is
	label   *kit.Card // around it, over the picture
	player  *kit.Button
	full    *kit.Button // fills the window with the picture
	plain   *kit.Button // shown while the picture is greyed or blurred
	notice  *kit.Notice // why there are no frames
	lanes   *chart.Lanes
	parts   *kit.Paragraph // remarks on the lanes
	source  *kit.Text      // the field of the answer that the chosen part is from
	sound   *recording.Pane

	shown    present.Viewer
	rolling  *roll // nil unless frames are played with the sound
	rolls    sync.WaitGroup
	timeline present.Timeline
	whyEmpty string // shown if the timeline is empty
	chosen   string // what was reported of the chosen part, with its field
	path     string
	info     *film.Info // nil until the clip was read
	moment   float64
	hasSound soundState
	mute     bool // the clip has no sound
	soundOf  present.Viewer
	soundErr error
	voice    func(present.Timeline) // is told what is shown of the sound's parts; it may be nil
	voiced   present.Timeline       // what it was told

	preview         present.Preview
	still, seen     *image.RGBA // the picture, and as the preview shows it
	stillAt         float64     // its moment in seconds; -1 for the thumbnail or none
	wanted          float64     // the moment of the frame to fetch next
	fetching        float64     // the moment of the frame that is being fetched; -1 for none
	waiting         bool        // whether the clip is being read
	thumbFault      string
	cancelOpen      context.CancelFunc
	cancelThumb     context.CancelFunc
	cancelFrame     context.CancelFunc
	cancelPreview   context.CancelFunc
	cancelData      context.CancelFunc
	cancelSoundInfo context.CancelFunc
}

// New makes an empty pane.
func New(params Params) *Pane {
	nothing := func() {}
	p := &Pane{
		Params: params, cancelOpen: nothing, cancelThumb: nothing, cancelFrame: nothing, cancelPreview: nothing,
		cancelData: nothing, cancelSoundInfo: nothing,
	}
	p.frame = newFrameView(p.frameResized)
	small := kit.TextStyle{Size: look.SizeSmall, Color: look.ColorMuted}
	p.caption = kit.NewText("", kit.TextStyle{Size: look.SizeSmall})
	p.label = kit.NewCard(p.caption)
	p.label.SetPadding(1.5 * look.Space)
	p.player = kit.NewButton(kit.Plain, "", look.IconExternal, p.openInPlayer)
	p.player.SetToolTip(i18n.T("Open in the system player"))
	kit.SetVisible(p.player, params.OpenInPlayer != nil)
	p.full = kit.NewButton(kit.Plain, "", look.IconFull, params.ToggleFull)
	p.full.SetToolTip(i18n.T("Fill the window with the picture, or go back (F)"))
	kit.SetVisible(p.full, params.ToggleFull != nil)
	p.plain = kit.NewButton(kit.Plain, i18n.T("Show as it is"), nil, p.showPlain)
	p.plain.Hide()
	p.notice = kit.NewNotice(look.IconWarning, "", "", nil)
	p.lanes = chart.NewLanes()
	p.lanes.OnTapped, p.lanes.Clock, p.lanes.Gutter = p.choose, present.ClockTick, chart.Gutter()
	p.lanes.OnTypedKey = func(e *fyne.KeyEvent) { p.TypedKey(e) }
	p.parts, p.source = kit.NewParagraph("", small), recording.NewSource()
	p.root, p.tracks = container.NewStack(), container.NewStack() // empty until all parts are made
	p.sound = recording.New(recording.Params{
		Workers: params.Workers, UI: params.UI, Source: soundSource{Source: params.Source}, Output: params.Output, Clock: params.Clock,
		OpenInPlayer: params.OpenInPlayer, OnMoment: p.follow, OnState: p.playState, OnResize: p.refresh, Modifier: params.Modifier,
		OnSource: p.say, OnParts: p.heardParts, Alone: params.Marks != nil, Step: p.step, OnLead: p.goToWorst, Tools: []fyne.CanvasObject{p.plain, p.player, p.full},
	})
	const gap = 2 * look.Space
	p.tracks = container.New(kit.Column{Gap: gap, Grow: -1}, p.sound.Tracks(), p.lanes, p.parts, p.source)
	if params.Marks != nil {
		p.tracks.Objects = []fyne.CanvasObject{recording.NewTrack(params.MarksTitle, params.Marks), p.sound.Tracks()} // marks in sight first
	}
	card := kit.NewCard(p.tracks)
	card.SetPadding(3 * look.Space)
	picture := container.NewStack(p.frame, container.New(layout.NewCustomPaddedLayout(gap, gap, gap, gap), container.NewVBox(layout.NewSpacer(), container.NewHBox(p.label))))
	p.picture = picture
	p.parted = container.New(fitting{p}, picture, p.notice, p.sound.Controls(), card)
	p.card = card
	p.root = container.NewStack(p.parted)
	p.reset()
	return p
}

// Object is the pane's root.
func (p *Pane) Object() fyne.CanvasObject { return p.root }

// SetFull implements viewer.Filler: only the picture is left; the controls and what is heard stand at the foot.
func (p *Pane) SetFull(full bool, over func(inside bool)) fyne.CanvasObject {
	p.frame.over = over
	if !full {
		p.frame.over = func(bool) {}
		p.root.Objects = []fyne.CanvasObject{p.parted}
		p.refresh()
		p.parted.Refresh()
		return nil
	}
	p.root.Objects = []fyne.CanvasObject{p.picture}
	p.root.Refresh()
	return container.New(kit.Column{Gap: 2 * look.Space, Grow: -1}, p.sound.Controls(), p.sound.Tracks())
}

// refresh lays out again what may have another height.
func (p *Pane) refresh() {
	p.tracks.Refresh() // the root does not reach it within its card
	p.root.Refresh()
}

// Show shows a clip. For the clip that is shown it only reads again what was not final.
func (p *Pane) Show(v present.Viewer) {
	if p.shown.ID == v.ID && v.ID != "" {
		wasProvisional := p.shown.Verdict.Provisional
		p.shown = v
		if wasProvisional != v.Verdict.Provisional {
			p.loadData()
		}
		if p.hasSound != soundOwn || p.soundOf.Verdict.Provisional {
			p.loadSoundInfo()
		}
		return
	}
	p.Clear()
	p.shown, p.waiting = v, true
	p.showStill()
	p.loadThumbnail()
	p.openOriginal()
	p.loadData()
	p.loadSoundInfo()
}

// Clear empties the pane, stops the sound and closes what was open.
func (p *Pane) Clear() {
	for _, cancel := range []context.CancelFunc{p.cancelOpen, p.cancelThumb, p.cancelFrame, p.cancelPreview, p.cancelData, p.cancelSoundInfo} {
		cancel()
	}
	p.stopRoll()
	p.sound.Clear()
	if p.path != "" {
		p.Frames.Forget()
	}
	p.reset()
}

// Stop pauses the sound.
func (p *Pane) Stop() { p.sound.Stop() }

// Close is Clear, and waits until everything is closed; call it when the window closes.
func (p *Pane) Close() {
	p.Clear()
	p.rolls.Wait()
	p.sound.Close()
}

func (p *Pane) reset() {
	p.shown, p.timeline, p.whyEmpty = present.Viewer{}, present.Timeline{}, ""
	p.path, p.info, p.moment = "", nil, 0
	p.hasSound, p.soundOf, p.soundErr = soundUnknown, present.Viewer{}, nil
	p.still, p.seen, p.stillAt, p.wanted, p.fetching = nil, nil, -1, 0, -1
	p.waiting, p.thumbFault = false, ""
	p.notice.Hide()
	p.mute = false
	p.lanes.SetMoment(-1)
	p.chosen = ""
	p.showStill()
	p.setAxis()
}

func (p *Pane) openInPlayer() {
	if p.OpenInPlayer != nil && p.shown.ID != "" {
		p.OpenInPlayer(p.shown.ID)
	}
}

// loadData reads what was reported of the clip's parts.
func (p *Pane) loadData() {
	id, provisional := p.shown.ID, p.shown.Verdict.Provisional
	p.cancelData()
	p.cancelData = p.Workers.Do(func(ctx context.Context) func() {
		data, err := p.Source.Aggregation(ctx, id)
		timeline := present.TimelineOf(data)
		return func() {
			switch {
			case err != nil && !errors.Is(err, client.ErrNoArtifact):
				p.setParts(present.Timeline{}, i18n.F("What was reported of the parts can't be shown. %s", present.Problem(err)))
			case provisional:
				p.setParts(timeline, i18n.T("Nothing is reported of scenes and frames yet."))
			default:
				p.setParts(timeline, i18n.T("Nothing was reported of single scenes or frames of this clip."))
			}
		}
	})
}

// setParts shows a timeline, or why there is none.
func (p *Pane) setParts(t present.Timeline, whyEmpty string) {
	p.timeline, p.whyEmpty = t, whyEmpty
	p.sound.SetLead(t.Worst)
	p.chosen = ""
	p.setAxis()
}

// length is the clip's length in seconds, 0 if it is unknown.
func (p *Pane) length() float64 {
	if p.info == nil {
		return 0
	}
	return p.info.Duration.Seconds()
}

// setAxis draws the lanes over the length of the clip, or of what was reported if that is unknown.
func (p *Pane) setAxis() {
	axis := p.length()
	if axis <= 0 {
		axis = p.timeline.End
	}
	lane, span, chosen := p.lanes.Chosen()
	p.lanes.SetLanes(recording.LanesOf(p.timeline, p.shown.Verdict.Provisional), axis)
	if chosen {
		p.lanes.Choose(lane, span)
	}
	words := []string{p.timeline.Unplaced, p.timeline.Beyond(p.length())}
	if len(p.timeline.Lanes) == 0 {
		words = []string{p.whyEmpty, p.timeline.Unplaced}
	}
	p.parts.SetText(sentences(words...))
	kit.SetVisible(p.parts, p.parts.Text() != "")
	kit.SetVisible(p.lanes, len(p.timeline.Lanes) > 0)
	p.sound.SetRuler(len(p.timeline.Lanes) == 0)
	p.showSource()
	p.refresh()
}

// showSource shows which field of the answer the chosen part is from, or a hint to choose one.
func (p *Pane) showSource() {
	parts := len(p.timeline.Lanes) > 0 || p.hasSound == soundOwn
	if p.chosen == "" && parts {
		p.source.SetText(i18n.T(recording.ChooseHint))
	} else {
		p.source.SetText(p.chosen)
	}
	kit.SetVisible(p.source, parts && (p.chosen != "" || !p.tight))
}

// say shows where the numbers of a part stand.
func (p *Pane) say(source string) {
	p.chosen = source
	p.showSource()
}

func sentences(parts ...string) string {
	all := ""
	for _, s := range parts {
		if s != "" && all != "" {
			all += " "
		}
		all += s
	}
	return all
}

// Source reads a clip and its results. Its methods block; they are called on workers.
type Source interface {
	// OpenOriginal opens the clip. The file's name must be its path, by which ffmpeg reads it.
	OpenOriginal(ctx context.Context, id string) (*os.File, error)
	// OpenThumbnail opens the service's thumbnail; fs.ErrNotExist if there is none.
	OpenThumbnail(ctx context.Context, id string) (*os.File, error)
	// Aggregation returns what was reported of the clip's parts; client.ErrNoArtifact if there is nothing.
	Aggregation(ctx context.Context, id string) (*client.AggregationData, error)
	// SoundOf returns the result of the extracted sound; ok is false if it has none.
	SoundOf(ctx context.Context, id string) (v present.Viewer, ok bool, err error)
	// SoundAggregation returns what was reported of that sound's parts.
	SoundAggregation(ctx context.Context, id string) (*client.AggregationData, error)
	// OpenSound opens the extracted sound, or else the clip.
	OpenSound(ctx context.Context, id string) (*os.File, error)
}

// Frames reads frames of clips; it is a *film.Projector.
type Frames interface {
	Probe(ctx context.Context, path string) (film.Info, error)
	Frame(ctx context.Context, path string, at time.Duration, longSide int) (*image.RGBA, error)
	Play(ctx context.Context, path string, from time.Duration, longSide int, visit func(at time.Duration, frame *image.RGBA) error) error
	Forget()
}

// Params are the dependencies of a pane.
type Params struct {
	Workers *work.Workers
	// UI runs a closure on the UI thread, without waiting for it.
	UI     func(func())
	Source Source
	Frames Frames
	// Output plays the sound; it is not opened before the person plays.
	Output player.Output
	// Clock is for the player; nil for the system's.
	Clock player.Clock
	// OpenInPlayer opens a clip in the system's player; nil if that is not possible.
	OpenInPlayer func(id string)
	// ToggleFull fills the window with the picture, or ends that; nil: it can't be done here.
	ToggleFull func()
	// OnPreview is called when the person chooses how disturbing material is shown; if it is nil, they can't choose here.
	OnPreview func(present.Preview)
	// Marks is shown below the waveform, under the name MarksTitle, in place of everything that was reported; nil in the viewer.
	Marks      fyne.CanvasObject
	MarksTitle string
	// OnMoment is called with the moment that is seen, and the clip's length or 0, in seconds; it may be nil.
	OnMoment func(seconds, length float64)
	// Modifier returns the modifier keys that are down; nil asks the window.
	Modifier func() fyne.KeyModifier
}

func (p Params) shifted() bool {
	if p.Modifier != nil {
		return p.Modifier()&fyne.KeyModifierShift != 0
	}
	d, ok := fyne.CurrentApp().Driver().(desktop.Driver)
	return ok && d.CurrentKeyModifiers()&fyne.KeyModifierShift != 0
}

// soundSource gives the recording pane the sound of a clip.
type soundSource struct {
	Source
	own bool // whether the sound has a result of its own
}

// Aggregation returns that of the sound.
func (s soundSource) Aggregation(ctx context.Context, id string) (*client.AggregationData, error) {
	if !s.own {
		return nil, client.ErrNoArtifact
	}
	return s.SoundAggregation(ctx, id)
}
