// Package viewer shows one result: the verdict, the medium with what the models found in it, and the score of each model. It is composed of its
// subpackages, gui/kit and gui/chart, with data from gui/present. Its exported methods must be called on the UI thread, and never decode, hash, read
// a disk or wait: that runs on gui/work.
package viewer

import (
	"context"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/layout"

	"assay/client/i18n"
	"assay/gui/kit"
	"assay/gui/look"
	"assay/gui/present"
	"assay/gui/work"
)

// Source reads what the viewer shows. Its methods block and end early with ctx; they are called on workers.
type Source interface {
	// Viewer returns a submission's result as the viewer shows it; ok is false if it has none.
	Viewer(ctx context.Context, id string) (v present.Viewer, ok bool, err error)
	// SoundOf returns the same for a clip's extracted sound, which has a result of its own; ok is false if there is none.
	SoundOf(ctx context.Context, id string) (v present.Viewer, ok bool, err error)
	// History returns earlier answers for the same content, and the custody log.
	History(ctx context.Context, id string) (present.History, error)
	// SetNote stores the person's own note on a result, "" for none.
	SetNote(ctx context.Context, id, note string) error
}

// Pane shows a medium, or a page about a result.
type Pane interface {
	Object() fyne.CanvasObject
	Show(v present.Viewer) // starts again for another submission; updates for the same one
	Clear()                // empties it, and stops what runs
	TypedRune(r rune) bool // reports whether it uses the key
	TypedKey(e *fyne.KeyEvent) bool
	Shortcuts() []present.Shortcut
}

// Previewer is a Pane that can hide disturbing material.
type Previewer interface{ SetPreview(p present.Preview) }

// Params are the dependencies of a viewer.
type Params struct {
	Readers *work.Workers // for reading submissions; never kept waiting by pictures or the network
	Askers  *work.Workers // for what may call the service
	Source  Source
	Sandbox bool // whether results come from the sandbox, which is then shown
	// Media makes the pane of each medium, called when it is shown first.
	Media map[present.Medium]func() Pane
	// Details and Data make these pages, called when they are shown first.
	Details func() Pane
	Data    func() DataPane
	// Compare compares two answers on one content; nil: that is not possible.
	Compare func(shown, other present.AnswerRef)
	// CompareNear shows one of the results that are nearly the same beside the one that is shown, or opens it; ListNear shows all of them.
	CompareNear func(shownID string, near present.Near)
	ListNear    func(shownID string, all []present.Near)
	// GetFile gets a file that a colleague has shared, and tells moved how many bytes of it have come, on the worker; nil: that is not possible.
	GetFile func(ctx context.Context, id string, moved func(bytes int64)) error
	// UI calls do on the UI thread; required with GetFile.
	UI func(do func())
	// Folded is whether the panel of pages begins folded; OnFold is called when the person folds it or not; it may be nil.
	Folded bool
	OnFold func(folded bool)
	// Fill fills the window with an object, or shows the screens again for nil; nil: nothing fills the window.
	Fill func(o fyne.CanvasObject)
	// After calls do on the UI thread after a time, unless it is cancelled; nil: kit.After.
	After func(d time.Duration, do func()) (cancel func())
	// Feedback is the bar at the bottom; nil for none.
	Feedback Pane
	// OpenCase shows a case, and AddToCase asks for one to put a submission into; nil: nothing is said of cases.
	OpenCase func(id string)
	// SetGraphic marks a submission as graphic, or takes that away; nil: it can't be done here.
	SetGraphic func(id string, on bool)
	AddToCase  func(id string)
	EditTags   func(id string) // asks for the tags of a result; nil: nothing is said of tags
}

// tooled is a Pane with tools above it, over the whole width of the viewer.
type tooled interface{ Tools() fyne.CanvasObject }

// DataPane is the page of the raw data.
type DataPane interface {
	Pane
	Reveal(field string) // a field of the answer, such as models[2].finalScore
}

// Viewer shows one result.
type Viewer struct {
	Params
	root             *fyne.Container
	body             *fyne.Container   // hidden until the result that was asked for has been read
	none             fyne.CanvasObject // says that there is no result to show
	unread           *kit.Notice       // why the submission can't be shown
	said             *kit.Text         // a sentence on an action, in a line that is reserved for it where there is height
	saidLine, column *fyne.Container
	head             *head
	cards            *cards
	near             *nearRow
	theirs           *theirFile
	pages            *pages
	full             *fullView

	tightness   tightness
	height      float32 // of all, 0 before it is laid out
	shown       present.Viewer
	asked       string // the ID of the submission to show
	next        string // the ID of the one that is likely to be shown after it, "" for none
	nextMedium  present.Medium
	preview     present.PreviewChoice
	uncovered   bool // the person asked to see this one
	uncoveredAs present.Preview
	cancelShow  context.CancelFunc
	cancelSide  context.CancelFunc // cancels reading the clip's sound
}

const edge = 4 * look.Space

// New builds an empty viewer.
func New(p Params) *Viewer {
	if p.After == nil {
		p.After = kit.After
	}
	v := &Viewer{Params: p, cancelShow: func() {}, cancelSide: func() {}}
	v.cards = newCards(v.tellScore, func(sound present.Viewer) { v.Say(sound.ScoreSource()) })
	v.near = newNearRow(func(n present.Near) { v.CompareNear(v.shown.ID, n) }, func(all []present.Near) { v.ListNear(v.shown.ID, all) })
	v.theirs = newTheirFile(v)
	v.pages = newPages(v)
	v.full = newFullView(v)
	v.head = newHead(v)
	small := kit.TextStyle{Size: look.SizeSmall, Ellipsis: look.EllipsisEnd}
	v.said = kit.NewText("", small)
	line := []fyne.CanvasObject{v.said}
	if p.Sandbox {
		small.Color = look.ColorMuted
		line = append(line, kit.NewText(i18n.T(present.SandboxNote), small))
	}
	const mediumAt = 5
	v.saidLine = container.New(&saidLayout{}, line...)
	v.column = container.New(layout.NewCustomPaddedLayout(1.5*look.Space, look.Space, edge, edge),
		container.New(kit.Column{Gap: 2 * look.Space, Grow: mediumAt}, v.head.root, v.cards.root, v.near.root, v.theirs.root, v.pages.tools, v.pages.both, v.saidLine))
	v.body = container.New(room{v}, kit.NewScroll(v.column)) // it scrolls only where a large text or much to show leaves no room
	if p.Feedback != nil {
		v.body.Add(p.Feedback.Object())
	}
	v.body.Hide()
	v.unread = kit.NewNotice(look.IconWarning, "", i18n.T("Try again"), func() { v.Show(v.asked) })
	v.unread.Hide()
	v.none = container.NewCenter(kit.NewText(i18n.T("No result to show"), kit.TextStyle{Color: look.ColorMuted}))
	v.none.Hide()
	v.root = container.NewStack(v.body, v.none, container.New(layout.NewCustomPaddedLayout(edge, edge, edge, edge), container.New(kit.Column{Grow: -1}, v.unread)))
	return v
}

// Object is the viewer's root.
func (v *Viewer) Object() fyne.CanvasObject { return v.root }

// LayOut lays out all parts again, after the height of one changed.
func (v *Viewer) LayOut() { v.body.Refresh() }

// Shown is the ID of the submission that is shown or being read, "" for none.
func (v *Viewer) Shown() string { return v.asked }

// Show shows a submission that has a result, or nothing for "". Until it is read, nothing is shown, rather than another's result.
func (v *Viewer) Show(id string) {
	v.cancelShow()
	if id != v.asked {
		v.next = ""
	}
	v.asked = id
	kit.SetVisible(v.body, id != "" && v.shown.ID == id)
	kit.SetVisible(v.full.inner, v.body.Visible())
	v.unread.Hide()
	kit.SetVisible(v.none, id == "")
	if id == "" {
		v.full.end()
		v.cancelSide()
		v.shown = present.Viewer{}
		v.pages.clear()
		v.root.Refresh()
		return
	}
	v.cancelShow = v.Readers.Do(func(ctx context.Context) func() {
		shown, ok, err := v.Source.Viewer(ctx, id)
		switch {
		case err != nil:
			return func() { v.cannot(i18n.F("This result can't be read. %s", present.Problem(err))) }
		case !ok:
			return func() { v.cannot(i18n.T("There is no result to show for this.")) }
		}
		return func() { v.fill(shown) }
	})
}

// ReadAhead has the pane of its medium get ready for a result that is likely to be shown next, "" for none, once what Show was called with is shown. Nothing
// is fetched from the service for it.
func (v *Viewer) ReadAhead(id string, medium present.Medium) {
	v.next, v.nextMedium = id, medium
	if v.shown.ID == v.asked {
		v.pages.readAhead(id, medium)
	}
}

// Again reads the result that is shown again, and shows what changed.
func (v *Viewer) Again() {
	if v.asked != "" {
		v.Show(v.asked)
	}
}

// Say shows a sentence below the medium, on an action with what is shown. Nothing moves for it.
func (v *Viewer) Say(sentence string) {
	v.said.SetText(sentence)
	v.showSaid()
	v.body.Refresh()
}

// tellScore says which field of the answer the score came from. Asked twice, it is shown in its place among the data.
func (v *Viewer) tellScore(shown present.Viewer) {
	source := shown.ScoreSource()
	switch {
	case source == "":
	case v.said.Text() == source:
		v.reveal(shown.Verdict.Score.Field)
	default:
		v.Say(source)
	}
}

// onFold tells that the person has folded the panel, or unfolded it.
func (v *Viewer) onFold(folded bool) {
	if v.OnFold != nil {
		v.OnFold(folded)
	}
}

// Leave stops what runs, such as sound; call it when the viewer goes out of sight.
func (v *Viewer) Leave() {
	if stopper, ok := v.pages.current.(interface{ Stop() }); ok {
		stopper.Stop()
	}
	v.Cover()
	v.full.end()
	v.ReadAhead("", v.nextMedium)
}

// Close stops what runs and waits for it; call it before the workers are closed.
func (v *Viewer) Close() {
	for _, pane := range v.pages.media {
		if closer, ok := pane.(interface{ Close() }); ok {
			closer.Close()
		}
	}
}

// cannot shows why the submission can't be shown.
func (v *Viewer) cannot(sentence string) {
	v.full.end()
	v.body.Hide()
	v.pages.clear()
	v.unread.SetText(sentence)
	v.unread.Show()
	v.root.Refresh()
}

func (v *Viewer) fill(shown present.Viewer) {
	another := v.shown.ID != shown.ID
	if another || shown.Graphic && !v.shown.Graphic {
		v.uncovered = false
	}
	v.shown = shown
	v.head.set(shown, another)
	if another {
		v.cancelSide()
		v.said.SetText("")
		v.showSaid()
		v.cards.show(shown, nil)
		v.pages.setSound(nil)
	} else {
		v.cards.show(shown, v.cards.sound)
	}
	v.cards.setTightness(v.cardTightness())
	v.showNear()
	v.theirs.show(shown)
	v.pages.show(shown)
	if v.Feedback != nil {
		v.Feedback.Show(shown)
	}
	v.body.Show()
	v.full.set(shown)
	v.root.Refresh()
	v.loadSound()
	v.pages.readAhead(v.next, v.nextMedium)
}

// loadSound shows the verdict of the extracted sound beside the clip's.
func (v *Viewer) loadSound() {
	if !v.shown.HasSound {
		return
	}
	shown := v.shown
	v.cancelSide()
	v.cancelSide = v.Askers.Do(func(ctx context.Context) func() {
		sound, ok, err := v.Source.SoundOf(ctx, shown.ID)
		return func() {
			switch {
			case err != nil:
				v.Say(i18n.F("The sound has its own result, which can't be shown. %s", present.Problem(err)))
			case ok:
				v.cards.show(shown, &sound)
				v.pages.setSound(&sound)
			}
			v.root.Refresh()
		}
	})
}

// saveNote stores a note on the result that is shown.
func (v *Viewer) saveNote(note string) {
	id := v.shown.ID
	v.shown.Note = note
	v.root.Refresh()
	v.Readers.Do(func(ctx context.Context) func() {
		err := v.Source.SetNote(ctx, id, note)
		return func() {
			if err != nil && v.shown.ID == id {
				v.Say(i18n.F("The note could not be saved. %s", present.Problem(err)))
				v.root.Refresh()
			}
		}
	})
}

// reveal shows the field of the answer that a number came from.
func (v *Viewer) reveal(field string) {
	v.pages.open(dataPage)
	if data, ok := v.pages.panels[dataPage].(DataPane); ok {
		data.Reveal(field)
	}
}

// previewNow is how what is shown is previewed.
func (v *Viewer) previewNow() present.Preview {
	if v.uncovered {
		return v.uncoveredAs
	}
	return v.preview.For(v.shown.Care)
}

// Uncover shows the picture in front as the person asked, until another result is shown or the person goes elsewhere.
func (v *Viewer) Uncover(as present.Preview) {
	v.uncovered, v.uncoveredAs = true, v.preview.Asked(v.previewNow(), as)
	v.pages.setPreview()
}

// Cover covers again what the person has asked to see.
func (v *Viewer) Cover() {
	v.uncovered = false
	v.pages.setPreview()
}

// SetPreview sets how disturbing material is shown.
func (v *Viewer) SetPreview(p present.PreviewChoice) {
	v.preview = p
	v.pages.setPreview()
}
