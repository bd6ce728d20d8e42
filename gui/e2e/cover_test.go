//go:build e2e && linux

package e2e

import (
	"image"
	"testing"
	"time"

	"assay/client/assert"
)

// The key that covers everything hides a picture at once: from the first pixel that changes on, the screen shows either what it showed before or the
// cover, never anything in between, and within some frames the cover alone.
func TestTheCoverKeyHidesAPictureAtOnce(t *testing.T) {
	desktop, screen := benchDesktop(t)
	v := &fixture{t: t, desktop: desktop, app: open(t, desktop, Options{Theme: "light", Files: []string{manipulated(t)}}, image.Pt(1280, 800))}
	if _, err := v.app.Answers(t.Context(), 1, answerLimit); err != nil {
		t.Fatal(err)
	}
	assert.NoError(t, v.app.Window.Place(t.Context(), 60, 30, 1280, 800))
	assert.NoError(t, v.app.Window.Keys(t.Context(), "ctrl+2"))
	hand := newHand(t, desktop)
	before := still(t, screen, 2*time.Second)
	const picture = 10_000 // different colours of a window with a photograph in it, at the least
	if n := coloursIn(before); n < picture {
		t.Fatalf("there is no picture to hide: %d colours", n)
	}

	type seen struct {
		at     time.Duration
		pixels []byte
	}
	var changed []seen
	began := time.Now()
	hand.key("ctrl+shift+h")
	benchUntil(t, "the screen has changed for a second", func() bool {
		now := time.Since(began)
		last := before
		if len(changed) > 0 {
			last = changed[len(changed)-1].pixels
		}
		if pixels := screen.sample(t); screen.differs(pixels, last, 0) {
			changed = append(changed, seen{now, pixels})
		}
		return len(changed) > 0 && now-changed[0].at > time.Second
	})
	covered := still(t, screen, 300*time.Millisecond)
	if n := coloursIn(covered); n > picture/10 {
		t.Errorf("what covers the window has %d colours", n)
	}
	t.Logf("%d different frames were seen, the first %v after the key", len(changed), changed[0].at)
	const atOnce = 100 * time.Millisecond // a frame takes 17, and the machine may be busy
	const specks = 100                    // pixels, of a million: nobody can tell a picture from so few
	for _, s := range changed {
		if other := neither(s.pixels, before, covered); other > specks {
			t.Errorf("%v after the first change, %d pixels are neither as before nor covered", s.at-changed[0].at, other)
			break
		}
	}
	if late := changed[len(changed)-1].at - changed[0].at; late > atOnce {
		t.Errorf("all is covered %v after the first change", late)
	}

	hand.key("ctrl+shift+h")
	benchUntil(t, "the picture is back", func() bool { return alike(screen.sample(t), before) > 0.99 })

	hand.key("slash")
	benchUntil(t, "a search is being typed", func() bool { return alike(screen.sample(t), before) < 0.99 })
	hand.key("ctrl+shift+h")
	benchUntil(t, "the picture is covered from a field, too", func() bool { return coloursIn(screen.sample(t)) <= picture/10 })
}

// neither counts the pixels that are like those of neither.
func neither(x, y, z []byte) (n int) {
	for i := 0; i < len(x); i += 4 {
		if now := [4]byte(x[i : i+4]); now != [4]byte(y[i:i+4]) && now != [4]byte(z[i:i+4]) {
			n++
		}
	}
	return n
}

// coloursIn counts different pixels.
func coloursIn(x []byte) int {
	met := map[[4]byte]bool{}
	for i := 0; i < len(x); i += 4 {
		met[[4]byte(x[i:i+4])] = true
	}
	return len(met)
}
