package client

import (
	"context"
	"net/http/httptrace"
	"sync/atomic"
	"time"

	"assay/client/i18n"
)

// progressInterval is how often an upload's progress is read and its movement checked.
const progressInterval = 100 * time.Millisecond

// watchUpload reports progress and ends a transfer that does not move, until stop is closed.
func (c *Client) watchUpload(stop <-chan struct{}, sent func() int64, size int64, progress func(int64), cancel context.CancelCauseFunc) {
	tick := time.NewTicker(min(progressInterval, c.stallTimeout/4))
	defer tick.Stop()
	stall := stallWatch{size: size, moving: c.stallTimeout, answer: c.answerTimeout, last: c.now()}
	for {
		select {
		case <-stop:
			if n := sent(); progress != nil && n > stall.sent {
				progress(n)
			}
			return
		case <-tick.C:
			n := sent()
			if progress != nil && n > stall.sent {
				progress(n)
			}
			if stall.at(n, c.now()) {
				cancel(&Error{Op: "upload the file", Kind: KindStalled, Message: i18n.T("The upload stopped moving."),
					Hint: i18n.T("The connection may be down; Assay tries again.")})
				return
			}
		}
	}
}

// stallWatch tells a slow transfer from one that has stopped.
type stallWatch struct {
	size           int64
	moving, answer time.Duration // how long without a byte, and how long for the answer after the last byte
	sent           int64
	last           time.Time
}

// at takes what has been sent at a time and reports whether the transfer is stalled.
func (s *stallWatch) at(sent int64, now time.Time) bool {
	if sent > s.sent {
		s.sent, s.last = sent, now
		return false
	}
	limit := s.moving
	if s.sent >= s.size {
		limit = max(s.answer, s.moving)
	}
	return now.Sub(s.last) >= limit
}

// handover tells whether the transport has given the whole file to the network.
type handover struct {
	whole atomic.Bool
	ended chan struct{} // holds one: an attempt to write the request has ended
}

func (h *handover) observe(ctx context.Context) context.Context {
	return httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{WroteRequest: func(info httptrace.WroteRequestInfo) {
		h.whole.Store(info.Err == nil)
		select {
		case h.ended <- struct{}{}:
		default:
		}
	}})
}

// complete is asked once there is an answer, which may come before the transport has noted that all was written.
func (h *handover) complete() bool {
	if h.whole.Load() {
		return true
	}
	patience := time.NewTimer(5 * time.Second)
	defer patience.Stop()
	select {
	case <-h.ended:
	case <-patience.C:
	}
	return h.whole.Load()
}
