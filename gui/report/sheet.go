// Package report is the sheet in which a report is made: how it is written, a preview of it, and what became of the file, with its view model
// (model*.go, which do not use the toolkit). Its exported methods must be called on the UI thread, and none of them blocks.
package report

import (
	"context"
	"errors"
	"path/filepath"
	"strings"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"assay/client/i18n"
	"assay/client/plain"
	"assay/gui/kit"
	"assay/gui/look"
	"assay/gui/present"
	"assay/gui/work"
)

// Params are what the sheet needs. Its functions are called on the UI thread.
type Params struct {
	Sheet   *kit.Sheet
	Workers *work.Workers // read previews, and write the file
	// AskWhere asks the person for the file to write, suggesting a name, and calls then with its path. It has asked whether a file that is there
	// may be replaced.
	AskWhere func(name string, then func(path string))
	// Open opens a file of this computer with the system's program for it, and Reveal its folder.
	Open, Reveal func(path string)
	// InBrowser opens a page that write writes to a private file, which is removed at the end of the run. It calls then with a sentence if that failed, else with "".
	InBrowser func(write func(ctx context.Context, path string) error, then func(problem string))
	OnUI      func(func()) // runs a closure on the UI thread
	// Authorities are the hosts of the time stamp authorities that the settings name; nil or none: no time stamp is offered.
	Authorities func() []string
	Kept        Choice       // how the last report was written
	Keep        func(Choice) // keeps it for the next one; nil: nothing is kept
	Now         func() time.Time
}

// Sheet is where a report is made.
type Sheet struct {
	Params
	source  Source // nil while it is closed
	subject Subject
	choice  Choice
	made    time.Time
	phase   phase
	path    string             // of the file that is written
	stop    context.CancelFunc // ends the writing

	controls *controls
	preview  *preview
	state    *state
}

// phase is how far a report is.
type phase int

const (
	reading  phase = iota // what it is about is being read
	choosing              // the person chooses
	writing
	written
)

// New makes a closed sheet.
func New(p Params) *Sheet {
	if p.Authorities == nil {
		p.Authorities = func() []string { return nil }
	}
	if p.Keep == nil {
		p.Keep = func(Choice) {}
	}
	return &Sheet{Params: p, stop: func() {}}
}

// sheetWidth fits the choices beside a page.
const sheetWidth float32 = 1080

// Show opens the sheet for a report, in place of what the window's sheet shows.
func (s *Sheet) Show(source Source) {
	s.Sheet.Close()
	s.source, s.subject, s.choice, s.made, s.phase, s.path = source, Subject{}, s.Kept, s.Now(), reading, ""
	s.preview = newPreview(s)
	s.controls = newControls(s)
	s.state = newState(s)
	s.open(i18n.T("Report"))
	s.stop = s.Workers.Do(func(ctx context.Context) func() {
		subject, err := source.Subject(ctx)
		return func() {
			if err != nil {
				s.say(present.Problem(err))
				return
			}
			s.subject, s.choice, s.phase = subject, subject.Usual(s.Kept), choosing
			s.controls = newControls(s)
			s.open(subject.title())
			s.changed()
		}
	})
}

// open shows the sheet with its present parts.
func (s *Sheet) open(title string) {
	source := s.source
	if s.Sheet.Open() {
		s.Sheet.Canvas().Unfocus()
	}
	s.Sheet.OnClosed(nil) // the parts stay, under another title
	s.state.show()
	s.Sheet.Show(kit.SheetContent{
		Title:   title,
		Body:    container.New(&columns{canvas: s.Sheet.Canvas()}, s.controls.root, s.preview.root),
		Left:    s.state.root,
		Buttons: s.state.buttons,
		First:   s.state.save,
		Width:   sheetWidth,
		TypedKey: func(e *fyne.KeyEvent) bool {
			return s.preview.typedKey(e)
		},
		Closed: s.closed,
	})
	s.source = source
	s.state.keepFocus()
}

// closed ends what is under way for the sheet.
func (s *Sheet) closed() {
	s.stop()
	s.preview.cancel()
	s.source, s.stop = nil, func() {}
}

// changed shows what the present choice gives.
func (s *Sheet) changed() {
	if s.phase == written {
		s.phase = choosing
	}
	s.say("")
	s.controls.show()
	s.preview.load()
	s.state.show()
	s.Sheet.Refit()
}

// say shows a sentence on what went wrong; "" for nothing.
func (s *Sheet) say(problem string) {
	s.state.problem = problem
	s.state.show()
	s.Sheet.Refit()
}

// save asks where to write the report, and writes it.
func (s *Sheet) save() {
	source := s.source
	s.AskWhere(s.subject.fileName(s.choice, s.made), func(path string) {
		if s.source == source && s.phase != writing { // else the sheet was closed meanwhile
			s.write(withEnding(path, s.choice.Format))
		}
	})
}

// withEnding is a path that ends as the format wants it, whatever was typed.
func withEnding(path, ending string) string {
	if strings.EqualFold(filepath.Ext(path), ending) {
		return path
	}
	return path + ending
}

// write writes the report to a file, which replaces one that is there.
func (s *Sheet) write(path string) {
	source, w := s.source, Writing{s.choice.options(s.made), s.choice.Stamp && len(s.Authorities()) > 0, s.choice.Unsealed}
	s.phase, s.path, s.state.progress, s.state.notes = writing, path, Progress{Total: int64(s.subject.Results)}, nil
	s.say("")
	s.Kept = s.subject.Kept(s.choice, s.Kept)
	s.Keep(s.Kept)
	progress := s.state.follow()
	s.stop = s.Workers.Do(func(ctx context.Context) func() {
		notes, err := source.Write(ctx, path, w, progress)
		return func() {
			s.phase, s.state.notes = written, notes
			if err != nil {
				s.phase = choosing
				s.controls.offerUnsealed(errors.Is(err, ErrNoKey))
				s.say(present.Problem(err))
			}
			s.controls.show()
			s.state.show()
			s.Sheet.Refit()
		}
	})
}

// stopWriting ends the writing, after which there is no file.
func (s *Sheet) stopWriting() {
	s.stop()
	s.stop = func() {}
	s.phase = choosing
	s.say(i18n.T("Stopped. Nothing was saved."))
}

// browse shows the report as a page in the browser, before it is written anywhere else.
func (s *Sheet) browse() {
	source, w := s.source, Writing{Options: s.choice.options(s.made)}
	s.InBrowser(func(ctx context.Context, path string) error {
		_, err := source.Write(ctx, path, w, func(Progress) {})
		return err
	}, func(problem string) {
		if s.source == source {
			s.say(problem)
		}
	})
}

// shownPath is the name of a file in a sentence.
func shownPath(path string) string { return plain.From(filepath.Base(path)).String() }

// columns lays out the choices beside the preview, which has more than half of the width, as high as the window allows.
type columns struct{ canvas fyne.Canvas }

// The measures of the sheet's body, in device-independent pixels.
const (
	choicesWidth float32 = 264 // at most
	choicesLeast float32 = 180
	choicesShare float32 = 0.4 // of the width
	columnsGap   float32 = 5 * look.Space
	aroundBody   float32 = 2*kit.SheetEdge + 2*kit.SheetPad + 2*kit.SheetInset + 2*kit.SheetGap + 80 // what is above and below it in the window
	lowest       float32 = 120
	highest      float32 = 1100
)

// Layout implements fyne.Layout.
func (c *columns) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	choices := min(choicesWidth, max(choicesLeast, choicesShare*size.Width))
	kit.PlaceAt(objects[0], 0, 0, choices, size.Height)
	x := choices + columnsGap
	kit.PlaceAt(objects[1], x, 0, max(0, size.Width-x), size.Height)
}

// MinSize implements fyne.Layout.
func (c *columns) MinSize([]fyne.CanvasObject) fyne.Size {
	return fyne.NewSize(0, min(highest, max(lowest, c.canvas.Size().Height-aroundBody)))
}
