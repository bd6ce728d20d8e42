// Package compare shows two answers on one content beside each other: their verdicts, the scores of each model, and where the models reacted. Two files
// that nearly look the same are shown side by side too, each with its own verdict. Its view model is in model.go, free of the toolkit; it is built
// from gui/kit, gui/chart and the panes of the viewer. Its exported methods must be called on the UI thread, and none of them blocks.
package compare

import (
	"context"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/layout"

	"assay/client"
	"assay/client/i18n"
	"assay/gui/kit"
	"assay/gui/look"
	"assay/gui/present"
	"assay/gui/work"
)

// Source reads what is compared. Its methods block and end early with ctx; they are called on workers.
type Source interface {
	// Compared returns two answers; unseen says that the later one's verdict differs from that before it, and that nobody has marked this as seen.
	Compared(ctx context.Context, first, second present.AnswerRef) (a, b Answer, unseen bool, err error)
	// MarkSeen records that a person has looked at how a submission's answer differs from the one before.
	MarkSeen(ctx context.Context, id string) error
	// Aggregation returns the parsed aggregation JSON of a submission's answer; client.ErrNoArtifact if there is none.
	Aggregation(ctx context.Context, id string) (*client.AggregationData, error)
}

// Pane shows a medium of two answers, or of two files.
type Pane interface {
	Object() fyne.CanvasObject
	ShowBoth(first, second present.Viewer, names [2]string)
	Clear()
	TypedRune(r rune) bool // reports whether it uses the key
	TypedKey(e *fyne.KeyEvent) bool
	Shortcuts() []present.Shortcut
}

// Params are what the screen needs.
type Params struct {
	Readers *work.Workers // for reading submissions
	Source  Source
	Sandbox bool // whether results come from the sandbox, which is then shown
	// Answers makes the pane for two answers on one content of a medium, and Files that for two files; nil for a medium that has none.
	Answers func(m present.Medium) Pane
	Files   func(m present.Medium) Pane
	Open    func(id string)    // opens a result in its viewer
	Report  func(ids []string) // makes a report on results
	Now     func() time.Time
	Close   func() // goes back to where the comparison was opened
}

// Screen compares two answers.
type Screen struct {
	Params
	root    *fyne.Container
	scroll  *container.Scroll
	column  *fyne.Container
	body    *fyne.Container
	unread  *kit.Notice
	head    *head
	cards   [2]*card
	change  *changeCard
	models  *modelsCard
	medium  *fyne.Container // the card with the pane
	answers *fyne.Container
	foot    *foot
	panes   map[paneOf]Pane

	asked   [2]present.AnswerRef
	shown   Model
	current Pane
	preview present.PreviewChoice
	cancel  context.CancelFunc

	uncovered   bool // the person asked to see what is compared
	uncoveredAs present.Preview
}

// paneOf is which pane: of a medium, for two answers on one content or for two files.
type paneOf struct {
	medium present.Medium
	same   bool
}

const (
	screenEdge float32 = 4 * look.Space
	screenGap  float32 = 3 * look.Space
)

// New builds the screen, with nothing in it.
func New(p Params) *Screen {
	s := &Screen{Params: p, panes: map[paneOf]Pane{}, cancel: func() {}}
	s.head = newHead(func() { s.Close() })
	s.cards = [2]*card{newCard(s.layOut), newCard(s.layOut)}
	s.change = newChangeCard()
	s.models = newModelsCard(s.layOut)
	s.medium = container.NewStack()
	s.answers = container.New(&answers{}, s.change.root, s.models.root, s.medium)
	s.foot = newFoot(func(i int) { s.Open(s.shown.Sides[i].ID) }, s.markSeen, s.MakeReport)
	objects := []fyne.CanvasObject{s.head.root, container.New(&evenPair{}, s.cards[0].root, s.cards[1].root), s.answers}
	if p.Sandbox {
		objects = append(objects, kit.NewText(i18n.T(present.SandboxNote), kit.TextStyle{Size: look.SizeSmall, Color: look.ColorMuted, Ellipsis: look.EllipsisEnd}))
	}
	s.column = container.New(kit.Column{Gap: screenGap, Grow: 2}, objects...)
	scroll := kit.NewScroll(container.New(layout.NewCustomPaddedLayout(screenGap, screenGap, screenEdge, screenEdge), s.column))
	s.body = container.NewBorder(nil, s.foot.root, nil, nil, scroll)
	s.scroll = scroll.Objects[0].(*container.Scroll)
	for _, part := range []*fyne.Container{s.head.root, s.cards[0].inner, s.cards[1].inner} {
		kit.RevealWhenReached(part, s.reveal)
	}
	s.unread = kit.NewNotice(look.IconWarning, "", i18n.T("Try again"), func() { s.Show(s.asked[0], s.asked[1]) })
	back := kit.NewButton(kit.Plain, i18n.T("Back"), look.IconChevronLeft, func() { s.Close() })
	s.root = container.NewStack(kit.NewFill(look.ColorBackground), s.body,
		container.New(layout.NewCustomPaddedLayout(screenEdge, screenEdge, screenEdge, screenEdge), container.New(kit.Column{Gap: screenGap, Grow: -1}, container.NewHBox(back), s.unread)))
	s.empty()
	return s
}

// reveal scrolls a control that has got the focus into sight.
func (s *Screen) reveal(o fyne.CanvasObject) { kit.RevealIn(s.scroll, o) }

// Object is the screen's root.
func (s *Screen) Object() fyne.CanvasObject { return s.root }

// empty shows nothing, until what was asked for is read.
func (s *Screen) empty() {
	s.body.Hide()
	s.root.Objects[2].Hide()
}

// Uncover shows what is compared as the person asked, until another comparison is shown or the person goes elsewhere.
func (s *Screen) Uncover(as present.Preview) {
	s.uncovered, s.uncoveredAs = true, s.preview.Asked(s.previewNow(), as)
	s.applyPreview()
}

// Cover covers again what the person has asked to see.
func (s *Screen) Cover() {
	s.uncovered = false
	s.applyPreview()
}

// Show compares two answers.
func (s *Screen) Show(first, second present.AnswerRef) {
	s.cancel()
	if s.asked != [2]present.AnswerRef{first, second} {
		s.Clear()
	}
	s.asked = [2]present.AnswerRef{first, second}
	s.cancel = s.Readers.Do(func(ctx context.Context) func() {
		a, b, unseen, err := s.Source.Compared(ctx, first, second)
		if err != nil {
			return func() { s.cannot(i18n.F("These answers can't be read. %s", present.Problem(err))) }
		}
		m := Of(a, b, unseen, s.Now())
		return func() { s.fill(m) }
	})
}

// Again reads both once more, such as after one was marked as seen.
func (s *Screen) Again() {
	if s.asked != [2]present.AnswerRef{} {
		s.Show(s.asked[0], s.asked[1])
	}
}

// markSeen records that a person has looked at what is shown.
func (s *Screen) markSeen() {
	id, asked := s.shown.Sides[1].ID, s.asked
	s.Readers.Do(func(ctx context.Context) func() {
		err := s.Source.MarkSeen(ctx, id)
		return func() {
			switch {
			case s.asked != asked || !s.body.Visible():
			case err != nil:
				s.change.fail(i18n.F("The mark could not be saved. %s", present.Problem(err)))
				s.layOut()
			default:
				s.Again()
			}
		}
	})
}

// MakeReport makes a report on what is shown.
func (s *Screen) MakeReport() {
	if !s.body.Visible() {
		return
	}
	ids := []string{s.shown.Sides[0].ID}
	if other := s.shown.Sides[1].ID; other != ids[0] {
		ids = append(ids, other)
	}
	s.Report(ids)
}

// cannot says why nothing is shown.
func (s *Screen) cannot(sentence string) {
	s.Clear()
	s.unread.SetText(sentence)
	s.root.Objects[2].Show()
	s.root.Refresh()
}

// Clear empties the screen and stops what runs.
func (s *Screen) Clear() {
	s.cancel()
	s.Leave()
	if s.current != nil {
		s.current.Clear()
	}
	s.shown = Model{}
	s.empty()
}

// Leave stops what runs, such as blinking, and covers again what was uncovered; call it when the screen goes out of sight.
func (s *Screen) Leave() {
	if stopper, ok := s.current.(interface{ Stop() }); ok {
		stopper.Stop()
	}
	s.Cover()
}

func (s *Screen) fill(m Model) {
	another := m.Sides[0].ID != s.shown.Sides[0].ID || m.Sides[1].ID != s.shown.Sides[1].ID || !s.body.Visible()
	s.shown = m
	s.head.set(m)
	for i, side := range m.Sides {
		s.cards[i].set(side)
	}
	kit.SetVisible(s.change.root, m.Same)
	s.change.set(m.Sentence)
	kit.SetVisible(s.models.root, m.Same)
	s.foot.set(m)
	if another {
		s.models.set(m)
		s.showMedium(m)
	}
	s.root.Objects[2].Hide()
	s.body.Show()
	s.layOut()
	s.root.Refresh() // what was never drawn before can't ask for a frame by itself
}

// showMedium shows the medium in a pane, where there is one for it.
func (s *Screen) showMedium(m Model) {
	key := paneOf{m.Medium, m.Same}
	newPane := s.Files
	if m.Same {
		newPane = s.Answers
	}
	pane := s.panes[key]
	if pane == nil {
		if pane = newPane(m.Medium); pane == nil {
			pane = newNoPane()
		}
		s.panes[key] = pane
		kit.RevealWhenReached(pane.Object(), s.reveal)
	}
	if s.current != nil && s.current != pane {
		s.current.Clear()
	}
	s.current = pane
	frame := kit.NewCard(pane.Object())
	frame.SetPadding(3.5 * look.Space)
	s.medium.Objects = []fyne.CanvasObject{frame}
	s.applyPreview() // before anything is visible
	pane.ShowBoth(m.Sides[0].Viewer, m.Sides[1].Viewer, [2]string{sideName(m, 0), sideName(m, 1)})
	s.medium.Refresh()
}

// sideName is what a side is called on the picture.
func sideName(m Model, i int) string {
	side := m.Sides[i]
	if side.Short == side.Heading {
		return side.Heading
	}
	return present.Joined(side.Heading, side.Short)
}

// SetPreview sets how disturbing material is shown.
func (s *Screen) SetPreview(p present.PreviewChoice) {
	s.preview = p
	s.applyPreview()
}

// previewNow is how what is compared is shown.
func (s *Screen) previewNow() present.Preview {
	if s.uncovered {
		return s.uncoveredAs
	}
	return s.preview.For(present.Care{Watched: s.shown.Watched, Graphic: s.shown.Covered})
}

// applyPreview shows what is compared as previewNow says.
func (s *Screen) applyPreview() {
	previewer, ok := s.current.(interface{ SetPreview(present.Preview) })
	if !ok {
		return
	}
	previewer.SetPreview(s.previewNow())
}

// layOut lays out all parts again, after the height of one changed.
func (s *Screen) layOut() {
	kit.RelayoutTwice(s.column, s.cards[0].inner, s.cards[1].inner, s.answers, s.models.inner, s.models.words)
}

// TypedRune handles a key of one character, and reports whether it does anything.
func (s *Screen) TypedRune(r rune) bool {
	return s.body.Visible() && s.current != nil && s.current.TypedRune(r)
}

// TypedKey handles a key without a character: Escape goes back.
func (s *Screen) TypedKey(e *fyne.KeyEvent) bool {
	if e.Name == fyne.KeyEscape {
		s.Close()
		return true
	}
	return s.body.Visible() && s.current != nil && s.current.TypedKey(e)
}

// Shortcuts are the keys of what is shown.
func (s *Screen) Shortcuts() []present.Shortcut {
	own := []present.Shortcut{{Keys: i18n.T("Esc"), Does: i18n.T("Back")}}
	if s.current != nil {
		own = append(own, s.current.Shortcuts()...)
	}
	return own
}
