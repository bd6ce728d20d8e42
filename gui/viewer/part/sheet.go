// Package part is the sheet in which a person chooses which part of a clip is sent that is too large for the service, with its view model (model.go, which
// does not use the toolkit). The clip plays in it as it does in the viewer. Its exported methods must be called on the UI thread, and none of them blocks.
package part

import (
	"context"
	"math"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"assay/client/i18n"
	"assay/gui/chart"
	"assay/gui/kit"
	"assay/gui/look"
	"assay/gui/present"
	"assay/gui/viewer/clip"
	"assay/gui/work"
)

// Params are what the sheet needs. Its functions but Begins are called on the UI thread.
type Params struct {
	Sheet   *kit.Sheet
	Workers *work.Workers
	// Clip are the parameters of the pane that plays the clip.
	Clip clip.Params
	// Asked is how a clip is shown that is covered as now says, once the person wants to see it.
	Asked func(now present.Preview) present.Preview
	// Begins returns where a part that is to begin at a moment truly begins. It is called on a worker.
	Begins func(ctx context.Context, id string, from time.Duration) (time.Duration, error)
	// Send is called after the sheet was closed.
	Send func(id string, from, to time.Duration, withoutMetadata bool)
}

// Sheet asks for a part.
type Sheet struct {
	Params
	choice choice
	moment float64
	fields [2]*kit.Field // of beginning and end
	typing bool          // the fields are being filled in by the sheet
	cancel context.CancelFunc

	pane    *clip.Pane // nil while it is closed
	last    *clip.Pane // as it was when it was closed
	preview present.Preview
	marks   *chart.Marks
	words   *kit.Paragraph
	plain   *kit.Check
	send    *kit.Button
}

// New makes a closed sheet.
func New(p Params) *Sheet { return &Sheet{Params: p, cancel: func() {}} }

// Open reports which submission it asks about; "" while it is closed.
func (s *Sheet) Open() string {
	if s.pane == nil {
		return ""
	}
	return s.choice.clip.ID
}

// The sheet's width, and what of a window's height the pane leaves to the rest of it.
const (
	width   float32 = 860
	besides float32 = 280
	mostFor float32 = 640
)

// playerRoom gives the pane what height a window leaves to it, also after the window has another size.
type playerRoom struct {
	pane *clip.Pane
	in   fyne.Canvas
}

// Layout implements fyne.Layout.
func (r playerRoom) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	objects[0].Resize(size)
}

// MinSize implements fyne.Layout.
func (r playerRoom) MinSize(objects []fyne.CanvasObject) fyne.Size {
	height := min(r.in.Size().Height-besides, mostFor)
	r.pane.SetRoom(height)
	least := objects[0].MinSize()
	return fyne.NewSize(least.Width, max(height, least.Height))
}

// Show opens the sheet for a clip.
func (s *Sheet) Show(c Clip) {
	s.Sheet.Close()
	s.choice, s.moment = propose(c, 0), 0
	s.marks = chart.NewMarks()
	s.marks.OnMarks = s.set
	params := s.Clip
	params.Marks, params.MarksTitle, params.OnMoment = s.marks, i18n.T("Part"), s.follow
	s.preview = c.Preview
	params.OnPreview = func(present.Preview) { s.cover(s.Asked(s.preview)) }
	s.pane = clip.New(params)
	s.marks.OnSeek = s.pane.Seek
	s.words = kit.NewParagraph("", kit.TextStyle{})
	s.plain = kit.NewCheck(i18n.T("Without metadata"), func(bool) {})
	notNow := kit.NewButton(kit.Plain, i18n.T("Not now"), nil, s.Sheet.Close)
	s.send = kit.NewButton(kit.Primary, i18n.T("Send this part"), look.IconArrowUp, s.sendIt)
	times := container.New(&kit.Flow{Gap: 2 * look.Space, Line: 2 * look.Space})
	for i, end := range []struct{ name, mark, tip string }{
		{i18n.T("From"), i18n.T("Begins here (I)"), i18n.T("The part begins at the frame that is shown (I)")},
		{i18n.T("To"), i18n.T("Ends here (O)"), i18n.T("The part ends at the frame that is shown (O)")},
	} {
		field := kit.NewField("", func(string) { s.typed(i) })
		field.OnFocusLost = s.fill
		s.fields[i] = field
		mark := kit.NewButton(kit.Plain, end.mark, nil, func() { s.mark(i) })
		mark.SetToolTip(end.tip)
		name := kit.NewText(end.name, kit.TextStyle{Color: look.ColorMuted})
		times.Objects = append(times.Objects, container.New(kit.AtLeast(look.ControlHeight), container.NewCenter(name)),
			container.NewGridWrap(fyne.NewSize(96, look.ControlHeight), field), mark)
	}
	s.Sheet.Show(kit.SheetContent{
		Title: c.Title(),
		Body: container.New(kit.Column{Gap: 2 * look.Space, Grow: -1}, kit.NewParagraph(c.Why(), kit.TextStyle{Color: look.ColorMuted}),
			container.New(playerRoom{s.pane, s.Sheet.Canvas()}, s.pane.Object()), times, s.words),
		Left:      s.plain,
		Buttons:   []*kit.Button{notNow, s.send},
		First:     notNow, // not the one that sends: a key may still be down
		Width:     width,
		TypedKey:  s.pane.TypedKey,
		TypedRune: s.typedRune,
		Closed: func() {
			s.cancel()
			s.last, s.pane = s.pane, nil
			s.last.Clear()
		},
	})
	s.Sheet.Canvas().Unfocus() // the keys are the player's
	s.cover(c.Preview)
	s.pane.Show(present.Viewer{ID: c.ID, Name: c.Name})
	s.fill()
}

// Leave covers again what the person asked to see, and stops the sound.
func (s *Sheet) Leave() {
	if s.pane != nil {
		s.pane.Stop()
		s.cover(s.choice.clip.Preview)
	}
}

func (s *Sheet) cover(preview present.Preview) {
	s.preview = preview
	s.pane.SetPreview(preview)
}

// Close closes the sheet, and waits until everything is closed; call it when the window closes.
func (s *Sheet) Close() {
	if s.pane != nil {
		s.Sheet.Close()
	}
	if s.last != nil {
		s.last.Close()
	}
}

// follow has the moment that is seen, and the length as soon as it is known.
func (s *Sheet) follow(seconds, length float64) {
	if s.pane == nil {
		return
	}
	s.moment = seconds
	s.marks.SetMoment(seconds)
	if length > 0 && s.choice.length == 0 {
		s.choice = propose(s.choice.clip, length)
		s.set(s.choice.from, s.choice.to)
	}
}

func (s *Sheet) typedRune(r rune) bool {
	switch r {
	case 'i', 'I':
		s.mark(0)
	case 'o', 'O':
		s.mark(1)
	default:
		return s.pane.TypedRune(r)
	}
	return true
}

// mark sets the beginning (0) or the end (1) at the moment that is seen; the other one goes along where it would be beyond.
func (s *Sheet) mark(end int) {
	from, to := s.choice.from, s.choice.to
	if end == 0 {
		if from = s.moment; to <= from {
			to = s.choice.length
		}
	} else if to = s.moment; from >= to {
		from = 0
	}
	s.set(from, to)
}

// set has another part chosen.
func (s *Sheet) set(from, to float64) {
	if s.choice.from != from || math.IsNaN(s.choice.begins) {
		s.choice.begins = math.NaN()
		s.ask(from)
	}
	s.choice.from, s.choice.to = from, to
	s.fill()
}

// ask finds out where a part truly begins.
func (s *Sheet) ask(from float64) {
	s.cancel()
	id := s.choice.clip.ID
	s.cancel = s.Workers.Do(func(ctx context.Context) func() {
		begins, err := s.Begins(ctx, id, duration(from))
		return func() {
			if err == nil && s.Open() == id && s.choice.from == from {
				s.choice.begins = begins.Seconds()
				s.show()
			}
		}
	})
}

// typed takes over what stands in a field, if it is a time.
func (s *Sheet) typed(end int) {
	seconds, ok := parseTime(s.fields[end].Text)
	if s.typing || s.pane == nil || !(s.choice.length > 0) {
		return
	}
	if !ok {
		s.words.SetText(i18n.T("Type a time such as 1:20."))
		s.send.Disable()
		return
	}
	if end == 0 {
		s.choice.from, s.choice.begins = seconds, math.NaN()
		s.ask(seconds)
	} else {
		s.choice.to = seconds
	}
	s.show()
}

// fill shows the part, in the fields, too.
func (s *Sheet) fill() {
	s.typing = true
	for i, seconds := range []float64{s.choice.from, s.choice.to} {
		if s.choice.length > 0 {
			s.fields[i].SetText(present.ClockOf(seconds, s.choice.length))
		}
	}
	s.typing = false
	s.show()
}

// show shows the part beside the fields.
func (s *Sheet) show() {
	if s.pane == nil {
		return
	}
	c := s.choice
	s.marks.SetMarks(c.from, c.to, c.length)
	s.pane.SetPart(c.from, c.to)
	s.words.SetText(c.words())
	kit.SetEnabled(s.send, c.problem() == "")
	s.Sheet.Refit()
}

func (s *Sheet) sendIt() {
	c, without := s.choice, s.plain.State() == kit.Checked
	if s.pane == nil || c.problem() != "" {
		return
	}
	s.Sheet.Close()
	s.Send(c.clip.ID, duration(c.from), duration(c.to), without)
}

// duration is a time to the millisecond, which is finer than frames are.
func duration(seconds float64) time.Duration {
	return time.Duration(math.Round(seconds*1000)) * time.Millisecond
}
