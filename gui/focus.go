package gui

import (
	"context"
	"time"

	"fyne.io/fyne/v2"

	"assay/gui/work"
)

// drawnTries bounds the frames that are waited for until something has been drawn: it may be out of sight by then.
const drawnTries = 100

// onceDrawn calls focus on the UI thread once an object has been drawn, for the toolkit knows its canvas only then, and unless the
// keyboard is somewhere by that time. It returns at once; w ends the waiting.
func (p Params) onceDrawn(w *work.Workers, c fyne.Canvas, o fyne.CanvasObject, focus func()) {
	wait, onUI := p.Wait, p.OnUI
	w.Do(func(ctx context.Context) func() {
		untilDrawn(ctx, wait, onUI, c, o, focus)
		return nil
	})
}

func untilDrawn(ctx context.Context, wait func(context.Context, time.Duration) error, onUI func(func()), c fyne.Canvas, o fyne.CanvasObject, focus func()) {
	for range drawnTries {
		if wait(ctx, frame) != nil {
			return
		}
		tried := make(chan bool, 1)
		onUI(func() {
			drawn := fyne.CurrentApp().Driver().CanvasForObject(o) != nil
			if drawn && c.Focused() == nil && o.Visible() {
				focus()
			}
			tried <- drawn
		})
		select {
		case drawn := <-tried:
			if drawn {
				return
			}
		case <-ctx.Done():
			return
		}
	}
}
