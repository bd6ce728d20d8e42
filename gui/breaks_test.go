package gui

import (
	"context"
	"testing"
	"time"

	"fyne.io/fyne/v2"

	"assay/client/assert"
	"assay/gui/guitest"
	"assay/gui/look"
	"assay/gui/screens"
)

func TestTheReminderOfABreak(t *testing.T) {
	ui := guitest.NewUI(t)
	guitest.App(t, look.ModeLight)
	waits, pass := make(chan time.Duration), make(chan struct{})
	b := newBreaks(screens.NewRail(func(screens.ID) {}), ui.Do, func(ctx context.Context, d time.Duration) error {
		select {
		case waits <- d:
		case <-ctx.Done():
			return ctx.Err()
		}
		select {
		case <-pass:
			return nil
		case <-ctx.Done():
			return ctx.Err()
		}
	})
	t.Cleanup(func() { b.end(); b.close() })
	window := guitest.Window(t, b.root, fyne.NewSize(900, 600))
	reminds := func() bool { return guitest.Reads(window.Content(), "Time for a break?") }
	b.follow(0)
	assert.True(t, !reminds(), "nobody asked for it")
	b.follow(30)
	assert.Equal(t, 30*time.Minute, <-waits)
	assert.True(t, !reminds(), "at once")
	pass <- struct{}{}
	ui.Next()
	assert.True(t, reminds(), "half an hour is over")
	assert.Equal(t, 30*time.Minute, <-waits) // and again, whether or not it was read
	guitest.ButtonIn(window.Content(), "OK").OnTapped()
	assert.True(t, !reminds(), "it was read")
	b.follow(60)
	assert.Equal(t, 60*time.Minute, <-waits)
	pass <- struct{}{}
	ui.Next()
	assert.True(t, reminds(), "an hour is over")
	b.follow(0)
	assert.True(t, !reminds(), "it was turned off")
}
