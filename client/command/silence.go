package command

import (
	"sync"
	"time"

	"assay/client/ipc"
	"assay/client/session"
)

// silentFor is how long the process that does the work may give no sign of life before it is said that it does not answer: it gives
// one each remindTick.
const silentFor = 30 * time.Second

// watchSilence passes a scan's events on, which may come from another process, and says where that has begun to give signs of life
// and gives none any more. stop ends the watch.
func (s *scanStart) watchSilence() (note func(scanEvent) error, stop func()) {
	var emitting sync.Mutex
	heard, over := make(chan struct{}, 1), make(chan struct{})
	var watching sync.WaitGroup
	watching.Go(func() {
		var silent <-chan time.Time
		for {
			select {
			case <-heard:
				silent = s.after(silentFor)
			case <-silent:
				silent = s.after(remindRare)
				emitting.Lock()
				_ = s.emit(scanEvent{Said: session.SentenceOf(ipc.ErrSilent)}) // whoever does not take it is told by the next item
				emitting.Unlock()
			case <-over:
				return
			}
		}
	})
	note = func(e scanEvent) error {
		if e.Alive {
			select {
			case heard <- struct{}{}:
			default:
			}
			return nil
		}
		emitting.Lock()
		defer emitting.Unlock()
		return s.note(e)
	}
	return note, func() {
		close(over)
		watching.Wait()
	}
}
