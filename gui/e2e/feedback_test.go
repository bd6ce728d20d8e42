//go:build e2e && linux

package e2e

import (
	"image"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"assay/client/assert"
)

// undoFor is how long feedback can be taken back, untilItWaits how long a service is tried to reach after that, and feedbackLimit how long it
// may take until the service has it.
const (
	undoFor       = 5 * time.Second
	untilItWaits  = 5 * time.Second
	feedbackLimit = 30 * time.Second
)

// What the desk thinks goes to the service with one click: not when it was taken back, once, and later where the service is away.
func TestFeedbackReachesTheServiceOnce(t *testing.T) {
	desktop := setup(t)
	service, err := desktop.StartService(t.Context(), t.TempDir(), "127.0.0.1:0")
	assert.NoError(t, err)
	v := viewWith(t, desktop, Options{Server: service.URL, Key: service.Key}, manipulated(t))
	has := func(t *testing.T, want ...string) {
		t.Helper()
		if diff := cmp.Diff(want, categories(t, service)); diff != "" {
			t.Errorf("categories of the feedback that the service has (-want +got):\n%s", diff)
		}
	}

	t.Run("once, and not the one that was taken back before", func(t *testing.T) {
		v := v.in(t)
		v.click("2-agreed", middleOf(v.feedback("1-agree")))
		v.click("3-undone", middleOf(v.feedback("undo")))
		has(t)
		v.click("5-agreed", middleOf(v.feedback("4-agree"))) // it is sent after the one before would have been
		v.noWordsLeft("6-a-second-later")
		waitFor(t, feedbackLimit, "the service has the feedback", func() bool { return len(categories(t, service)) > 0 })
		keep(t, desktop, v.app.Window, "7-sent")
		has(t, "CONFIRMATION")
	})
	t.Run("later where the service is away", func(t *testing.T) {
		v := v.in(t)
		v.feedback("8-agree")
		disagree := v.next("9-disagree")
		assert.NoError(t, service.Stop())
		v.click("10-disagreed", middleOf(disagree))
		time.Sleep(undoFor + untilItWaits)
		keepNow(t, desktop, v.app.Window, "11-waits")
		address := service.URL[len("http://"):]
		if service, err = desktop.StartService(t.Context(), service.Dir, address); err != nil {
			t.Fatal(err)
		}
		waitFor(t, feedbackLimit, "the service has the feedback", func() bool { return len(categories(t, service)) > 1 })
		keep(t, desktop, v.app.Window, "12-sent")
		time.Sleep(time.Second)
		has(t, "CONFIRMATION", "FALSE_POSITIVE")
	})
}

// categories are those of the feedback that the service has, sorted.
func categories(t *testing.T, service *Service) []string {
	t.Helper()
	given, err := service.Feedback()
	assert.NoError(t, err)
	var all []string
	for _, j := range given {
		all = append(all, j.Category)
	}
	slices.Sort(all)
	return all
}

// feedback gives the keyboard to the bar at the foot, unless it is there already, and finds the button that has it: the first that can be used.
func (v *fixture) feedback(name string) image.Rectangle {
	v.t.Helper()
	v.pointAway()
	shot, err := v.app.Window.Settled(v.t.Context())
	assert.NoError(v.t, err)
	v.shot = shot
	if _, ok := shot.Ring(); !ok {
		v.press(name, "v")
	}
	return v.ring()
}

// noWordsLeft fails where words that a button shows under the pointer are still there a second after the click that took the button away.
func (v *fixture) noWordsLeft(name string) {
	v.t.Helper()
	time.Sleep(time.Second)
	under := keepNow(v.t, v.desktop, v.app.Window, name)
	v.pointAway()
	away, err := v.app.Window.Settled(v.t.Context())
	assert.NoError(v.t, err)
	// A second counted down and a button under the pointer are less.
	if share := away.Changed(under); share > 0.005 {
		v.t.Errorf("moving the pointer away changes %.1f %% of the window: something was left under it", 100*share)
	}
}

// pointAway moves the pointer to where nothing shows words under it.
func (v *fixture) pointAway() {
	v.t.Helper()
	assert.NoError(v.t, v.app.Window.Point(v.t.Context(), image.Pt(640, 400)))
}

// next takes the keyboard to the next control, and finds it.
func (v *fixture) next(name string) image.Rectangle {
	v.t.Helper()
	v.press(name, "Tab")
	return v.ring()
}

func (v *fixture) ring() image.Rectangle {
	v.t.Helper()
	control, ok := v.shot.Ring()
	if !ok {
		v.t.Fatal("nothing shows which control has the keyboard")
	}
	return control
}
