// Package feedback is the bar in which a person gives feedback on a result. It is composed of gui/kit and fed by gui/present; its exported
// methods run on the UI thread.
package feedback

import (
	"context"
	"time"

	"fyne.io/fyne/v2"

	"assay/client"
	"assay/client/i18n"
	"assay/gui/kit"
	"assay/gui/present"
	"assay/gui/work"
)

// Source is where feedback is kept and sent from. Its methods wait for the disk, and are called on workers.
type Source interface {
	// Given returns the feedback on a submission's result.
	Given(ctx context.Context, submissionID string) (GivenFeedback, error)
	// Give keeps feedback, to be sent when the time to take it back has passed.
	Give(ctx context.Context, f client.Feedback) error
	// Undo takes feedback back by its own ID, Change gives it other words, and both fail once it is being sent.
	Undo(ctx context.Context, id string) error
	Change(ctx context.Context, id string, f client.Feedback) error
	// Hold keeps it from being sent while a comment is written, and Release ends that.
	Hold(ctx context.Context, id string) error
	Release(ctx context.Context, id string) error
	// Retry sends again one of which it is not known whether the service has it, or tries now one that waits.
	Retry(ctx context.Context, id string) error
}

// Params are what a Bar is built from. Workers and Source are required.
type Params struct {
	Workers *work.Workers
	Source  Source
	// ScanAgain has what is shown analysed again; nil hides the button.
	ScanAgain func()
	// OnNoticeShown is called once present.FeedbackNotice was shown and feedback given: NoticeSeen is to be true from now on.
	OnNoticeShown func()
	// OnResize is called when the bar may need another height: what it stands in is to be laid out again.
	OnResize func()

	Now func() time.Time // nil: time.Now
	// Tick calls do on the UI thread again and again until stop is called; nil: a ticker by way of fyne.Do.
	Tick func(every time.Duration, do func()) (stop func())
}

// Bar asks what people think of a result, and shows what becomes of the answer. It never changes the verdict shown.
type Bar struct {
	Params
	face

	view      present.Viewer
	given     GivenFeedback
	loaded    bool // given is of what is shown
	dismissed map[string]bool
	shown     Feedback
	telling   bool   // what goes along was said for the first time, and is read just now
	writing   string // the feedback whose comment is being written, ""
	working   int    // actions under way
	bereft    bool   // the keyboard was here, and there is no control that could have it

	cancelLoad context.CancelFunc
	stopTicks  func()
}

// New builds a bar that shows nothing.
func New(p Params) *Bar {
	if p.Now == nil {
		p.Now = time.Now
	}
	if p.Tick == nil {
		p.Tick = tick
	}
	if p.OnNoticeShown == nil {
		p.OnNoticeShown = func() {}
	}
	if p.OnResize == nil {
		p.OnResize = func() {}
	}
	b := &Bar{Params: p, dismissed: map[string]bool{}, cancelLoad: func() {}, stopTicks: func() {}}
	b.build()
	b.refresh()
	return b
}

// Object is the bar's root.
func (b *Bar) Object() fyne.CanvasObject { return b.root }

// Show asks about another result. The same one again reads its feedback again.
func (b *Bar) Show(v present.Viewer) {
	if v.ID != b.view.ID {
		b.Clear()
	}
	b.view = v
	b.Reload()
	b.refresh()
}

// Clear asks about nothing. What was given stays given.
func (b *Bar) Clear() {
	b.cancelLoad()
	if b.writing != "" {
		b.leaveComment()
	}
	b.form.Hide()
	b.view, b.given, b.loaded, b.telling, b.bereft = present.Viewer{}, GivenFeedback{}, false, false, false
	b.problem.SetText("")
	b.refresh()
}

// Reload reads the feedback on what is shown again: some of it has changed.
func (b *Bar) Reload() {
	id := b.view.ID
	if id == "" {
		return
	}
	b.cancelLoad()
	b.cancelLoad = b.Workers.Do(func(ctx context.Context) func() {
		given, err := b.Source.Given(ctx, id)
		return func() {
			if err != nil {
				b.say(i18n.F("What was judged before can't be read. %s", present.Problem(err)))
				return
			}
			b.given, b.loaded = given, true
			b.refresh()
		}
	})
}

// give keeps feedback of one click or of the form.
func (b *Bar) give(c client.Category, l client.Label, comment string) {
	if b.shown.RequestID == "" || b.working > 0 {
		return
	}
	f := client.Feedback{RequestID: b.shown.RequestID, Category: c, Label: l, Comment: comment}
	first := b.shown.Notice != ""
	b.do(func(ctx context.Context) error { return b.Source.Give(ctx, f) }, func() {
		b.form.Hide()
		if first {
			b.telling = true
			b.OnNoticeShown()
		}
	})
}

// change gives the feedback that is shown other words.
func (b *Bar) change(adjust func(*client.Feedback)) {
	id, f := b.shown.ID, b.shown.Given
	adjust(&f)
	b.do(func(ctx context.Context) error { return b.Source.Change(ctx, id, f) }, func() {
		if b.writing == id {
			b.closeComment()
		}
	})
}

// undo, retry and dismiss are for the feedback that is shown.
func (b *Bar) undo() {
	id := b.shown.ID
	b.closeComment()
	b.do(func(ctx context.Context) error { return b.Source.Undo(ctx, id) }, nil)
}

func (b *Bar) retry() {
	id := b.shown.ID
	b.do(func(ctx context.Context) error { return b.Source.Retry(ctx, id) }, nil)
}

func (b *Bar) dismiss() {
	b.dismissed[b.shown.ID] = true
	b.refresh()
}

// do does an action on a worker, then what follows from its success, and shows how things stand. An action outlives what is shown.
func (b *Bar) do(action func(ctx context.Context) error, then func()) {
	about := b.view.ID
	b.working++
	b.problem.SetText("")
	b.refresh()
	b.Workers.Do(func(ctx context.Context) func() {
		err := action(context.WithoutCancel(ctx))
		return func() {
			b.working--
			if about != b.view.ID {
				b.refresh()
				return
			}
			if err != nil {
				b.say(present.Problem(err))
			} else if then != nil {
				then()
			}
			b.Reload()
		}
	})
}

// say puts a sentence under the bar.
func (b *Bar) say(sentence string) {
	b.problem.SetText(sentence)
	b.refresh()
}

// refresh puts what is known on screen, and counts seconds where there are some to count.
func (b *Bar) refresh() {
	here := b.focused() || b.typing() || b.awaited()
	b.shown = Of(b.view, b.given, b.dismissed, b.Now())
	if b.shown.Phase == FeedbackOpen && b.working == 0 && b.given.NoticeSeen {
		b.telling = false
	}
	if b.writing != "" && b.writing != b.shown.ID {
		b.closeComment()
	}
	b.fill()
	b.count()
	switch {
	case !here:
		b.bereft = false
	case b.working == 0:
		b.keepFocus()
	}
}

// count starts or stops the ticking.
func (b *Bar) count() {
	b.stopTicks()
	b.stopTicks = func() {}
	if !b.shown.Countdown {
		return
	}
	b.stopTicks = b.Tick(time.Second, func() {
		before := b.shown.Phase
		b.shown = Of(b.view, b.given, b.dismissed, b.Now())
		if b.shown.Phase != before {
			b.Reload() // it is sent, or waits for something
			b.refresh()
			return
		}
		if b.shown.Phase == FeedbackWaits {
			b.Reload()
		}
		b.text.SetText(b.shown.Text)
	})
}

// tick is how time passes on the screen.
func tick(every time.Duration, do func()) (stop func()) {
	stopped := false // on the UI thread, like all of this
	var timer *time.Timer
	timer = time.AfterFunc(every, func() {
		fyne.Do(func() {
			if !stopped {
				do()
			}
			if !stopped { // by do
				timer.Reset(every)
			}
		})
	})
	return func() {
		stopped = true
		timer.Stop()
	}
}

// editComment opens the field for a comment on the feedback that is shown. It is not sent meanwhile.
func (b *Bar) editComment() {
	id := b.shown.ID
	b.writing = id
	b.comment.SetText(b.shown.Given.Comment)
	b.do(func(ctx context.Context) error {
		return b.Source.Hold(ctx, id)
	}, nil)
	kit.SetVisible(b.commentLine, true)
	b.laidOut()
	b.focusOn(b.comment)
}

// leaveComment closes the field without what is written in it.
func (b *Bar) leaveComment() {
	id := b.writing
	b.closeComment()
	b.do(func(ctx context.Context) error { return b.Source.Release(ctx, id) }, nil)
}

func (b *Bar) closeComment() {
	b.writing = ""
	b.commentLine.Hide()
}
