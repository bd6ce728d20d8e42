package picture

import (
	"time"

	"fyne.io/fyne/v2"
)

// blinkEvery is how long photo and heatmap stand still by turns: far slower than what can harm anybody.
const blinkEvery = time.Second

// blinker calls turn about once a second while it runs.
type blinker struct {
	after func(d time.Duration, do func()) (stop func())
	turn  func()
	stop  func() // nil while it does not run
}

// set lets it run or not.
func (b *blinker) set(running bool) {
	switch {
	case running && b.stop == nil:
		b.wait()
	case !running && b.stop != nil:
		b.stop()
		b.stop = nil
	}
}

func (b *blinker) wait() {
	b.stop = b.after(blinkEvery, func() {
		if b.stop == nil {
			return // stopped when it had fired already
		}
		b.turn()
		if b.stop != nil {
			b.wait()
		}
	})
}

// afterOnUI calls do on the UI thread once, unless it is stopped before. The runtime holds the waiting; nothing has to be waited for.
func afterOnUI(d time.Duration, do func()) (stop func()) {
	timer := time.AfterFunc(d, func() { fyne.Do(do) })
	return func() { timer.Stop() }
}
