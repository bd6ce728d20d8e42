package exchange

import (
	"context"
	"encoding/hex"
	"time"
)

// answerPatience is how long somebody waits for the desk's answer to a question: whatever is asked goes on without it.
const answerPatience = 2 * time.Second

// question is whether somebody at the desk has checked a content.
type question struct {
	content []byte // SHA-256
	answer  chan bool
}

// CheckedElsewhere reports whether somebody has checked a content, by its SHA-256 in hex, in a case that this computer's member is not in, where the desk tells
// that much. It waits a short time at most, and not at all without a connection: false, then, says nothing. The desk keeps nothing of what it is asked.
func (l *Loop) CheckedElsewhere(ctx context.Context, content string) bool {
	sum, err := hex.DecodeString(content)
	s := l.Status()
	connecting := s.Trying && s.Problem == nil
	if err != nil || !s.Connected && !connecting || l.late.Load() {
		return false
	}
	ctx, end := context.WithTimeout(ctx, answerPatience)
	defer end()
	q := question{sum, make(chan bool, 1)}
	select {
	case l.questions <- q:
		select {
		case elsewhere := <-q.answer:
			return elsewhere
		case <-ctx.Done():
		}
	case <-ctx.Done():
	}
	l.late.Store(true) // until it has time again, nobody else waits for it
	return false
}

// answer asks the desk what somebody on this computer has asked.
func (x *exchange) answer(ctx context.Context, q question) error {
	mine, elsewhere, err := x.conn.Checked(ctx, q.content)
	q.answer <- err == nil && elsewhere && len(mine) == 0
	if refused(err) {
		return nil
	}
	return err
}
