// Package feedback is the bar for feedback on a result. It is composed of gui/kit with data from gui/present; its exported methods must be called on
// the UI thread.
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

// Source stores and sends feedback. Its methods wait for the disk, and are called on workers.
type Source interface {
	// Given returns the feedback on a submission's result.
	Given(ctx context.Context, submissionID string) (GivenFeedback, error)
	// Give stores feedback, to be sent when the time for undoing it is over.
	Give(ctx context.Context, f client.Feedback) error
	// Undo deletes feedback by its own ID, Change replaces its content; both fail once it is being sent.
	Undo(ctx context.Context, id string) error
	Change(ctx context.Context, id string, f client.Feedback) error
	// Hold delays sending while a comment is written, and Release ends that.
	Hold(ctx context.Context, id string) error
	Release(ctx context.Context, id string) error
	// Retry sends feedback again that the service may not have, or sends waiting feedback now.
	Retry(ctx context.Context, id string) error
}

// Params are the dependencies of a Bar. Workers and Source are required.
type Params struct {
	Workers *work.Workers
	Source  Source
	// ScanAgain has what is shown analysed again; nil hides the button.
	ScanAgain func()
	// Report makes a report of what is shown; nil hides the button.
	Report func()
	// Sandbox is whether nothing leaves this computer: FeedbackNotice is then not true, and not said.
	Sandbox bool
	// OnResize is called when the height of the bar may have changed, to lay out what contains it.
	OnResize func()

	Now func() time.Time // nil: time.Now
	// Tick calls do on the UI thread at intervals until stop is called; nil for a ticker that uses fyne.Do.
	Tick func(every time.Duration, do func()) (stop func())
}

// Bar asks for feedback on a result, and shows what became of it. It never changes the verdict shown.
type Bar struct {
	Params
	face

	view      present.Viewer
	given     GivenFeedback
	loaded    bool // whether given is of the result that is shown
	dismissed map[string]bool
	shown     Feedback
	writing   string // ID of the feedback whose comment is being written, or ""
	failed    string // why the last action failed, or ""
	working   int    // number of actions under way
	focusLost bool   // whether the focus was in the bar and no control can have it now

	cancelLoad context.CancelFunc
	stopTicks  func()
}

// New makes an empty bar.
func New(p Params) *Bar {
	if p.Now == nil {
		p.Now = time.Now
	}
	if p.Tick == nil {
		p.Tick = tick
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

// Show shows the feedback on another result. For the same result it reads the feedback again.
func (b *Bar) Show(v present.Viewer) {
	if v.ID != b.view.ID {
		b.Clear()
	}
	b.view = v
	kit.SetVisible(b.scan, b.ScanAgain != nil && (v.Path != "" || v.Link != "")) // else there is nothing here to be sent
	b.Reload()
	b.refresh()
}

// Clear empties the bar. Feedback that was given stays.
func (b *Bar) Clear() {
	b.cancelLoad()
	if b.writing != "" {
		b.leaveComment()
	}
	b.form.Hide()
	b.view, b.given, b.loaded, b.focusLost = present.Viewer{}, GivenFeedback{}, false, false
	b.failed = ""
	b.refresh()
}

// Reload reads the feedback on the result that is shown again, after a change.
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
				b.say(i18n.F("Earlier judgements can't be read. %s", present.Problem(err)))
				return
			}
			b.given, b.loaded = given, true
			b.refresh()
		}
	})
}

// give stores feedback from a click or the form.
func (b *Bar) give(c client.Category, l client.Label, comment string) {
	if b.shown.RequestID == "" || b.working > 0 {
		return
	}
	f := client.Feedback{RequestID: b.shown.RequestID, Category: c, Label: l, Comment: comment}
	b.do(func(ctx context.Context) error { return b.Source.Give(ctx, f) }, func() {
		b.form.Hide()
	})
}

// change replaces the content of the feedback that is shown.
func (b *Bar) change(adjust func(*client.Feedback)) {
	id, f := b.shown.ID, b.shown.Given
	adjust(&f)
	b.do(func(ctx context.Context) error { return b.Source.Change(ctx, id, f) }, func() {
		if b.writing == id {
			b.closeComment()
		}
	})
}

// undo, retry and dismiss act on the feedback that is shown.
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

// do runs an action on a worker, then calls then if it succeeded, and updates the bar. The action goes on if another result is shown.
func (b *Bar) do(action func(ctx context.Context) error, then func()) {
	about := b.view.ID
	b.working++
	b.failed = ""
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

// say shows a sentence below the bar.
func (b *Bar) say(sentence string) {
	b.failed = sentence
	b.refresh()
}

// refresh updates the screen, and starts or stops the countdown.
func (b *Bar) refresh() {
	here := b.focused() || b.typing() || b.awaited()
	b.shown = Of(b.view, b.given, b.dismissed, b.Now())
	if b.writing != "" && b.writing != b.shown.ID {
		b.closeComment()
	}
	b.fill()
	b.count()
	switch {
	case !here:
		b.focusLost = false
	case b.working == 0:
		b.keepFocus()
	}
}

// count starts or stops the countdown.
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
			b.Reload() // it is sent now, or waits for something
			b.refresh()
			return
		}
		if b.shown.Phase == FeedbackWaits {
			b.Reload()
		}
		b.text.SetText(b.shown.Text)
	})
}

// tick calls do on the UI thread at intervals.
func tick(every time.Duration, do func()) (stop func()) {
	stopped := false // used on the UI thread only
	var timer *time.Timer
	timer = time.AfterFunc(every, func() {
		fyne.Do(func() {
			if !stopped {
				do()
			}
			if !stopped { // do may have stopped it
				timer.Reset(every)
			}
		})
	})
	return func() {
		stopped = true
		timer.Stop()
	}
}

// editComment opens the field for a comment on the feedback that is shown, which is not sent meanwhile.
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

// leaveComment closes the field and drops its text.
func (b *Bar) leaveComment() {
	id := b.writing
	b.closeComment()
	b.do(func(ctx context.Context) error { return b.Source.Release(ctx, id) }, nil)
}

func (b *Bar) closeComment() {
	b.writing = ""
	b.commentLine.Hide()
}
