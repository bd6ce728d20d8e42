package kit

import (
	"time"

	"fyne.io/fyne/v2"
)

// After calls do on the UI thread after a time. cancel must be called there too: do is never called after it.
func After(d time.Duration, do func()) (cancel func()) {
	cancelled := false // used on the UI thread only
	timer := time.AfterFunc(d, func() {
		fyne.Do(func() {
			if !cancelled {
				do()
			}
		})
	})
	return func() {
		cancelled = true
		timer.Stop()
	}
}
