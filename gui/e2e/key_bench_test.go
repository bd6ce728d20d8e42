//go:build e2e && linux

package e2e

import (
	"path/filepath"
	"testing"
	"time"

	"assay/client/assert"
	"assay/client/benchtest"
)

// B11: at 1280 × 800, what the next result shows first is on the screen so many milliseconds after the key at most.
const benchKeyAim = 50

// How often each program is started, by turns, and how often J is pressed in each.
const (
	benchKeyStarts  = 3
	benchKeyPresses = 15
)

// benchViewer is a column of the screen right of the list of results, in a window at the left edge.
const benchViewer = 480

// BenchmarkB11Key presses J in a list of 1,000,000 results, with the viewer beside it, and in the toolkit's own list with nothing
// beside it, by turns, and prints both times beside the aim of B11. The time is from sending the key to the X server until the
// first pixel of the screen has changed; of Assay, also until the first of the viewer has, which shows the next result by then.
func BenchmarkB11Key(b *testing.B) {
	root, err := Root()
	assert.NoError(b, err)
	assay, err := Binary()
	assert.NoError(b, err)
	desktop, screen := benchDesktop(b)
	home := b.TempDir()
	fillHistory(b, filepath.Join(home, "sandbox"))
	bare := &keyed{name: "^Blank$", command: []string{buildBlank(b, root), "list"}}
	own := &keyed{name: "^Assay$", command: []string{assay, "--sandbox", "--home", home}, before: []string{"ctrl+2"}}
	hand := newHand(b, desktop)
	for range benchKeyStarts {
		for _, program := range []*keyed{bare, own} {
			program.press(b, desktop, screen, hand)
		}
	}
	benchtest.Print(b, "")
	key, viewer, peer := benchtest.Median(own.first)*1e3, benchtest.Median(own.beside)*1e3, benchtest.Median(bare.first)*1e3
	benchtest.Print(b, "B11 J to the next of %d results' first change on screen vs a bare list: %.0f ms against %.0f ms (aim %d ms) %s; to its first change in the viewer: %.0f ms",
		benchHistory, key, peer, benchKeyAim, benchtest.Met(key <= benchKeyAim), viewer)
	b.ReportMetric(key/peer, "x-bare-list")
}

// keyed is a program in which J is pressed.
type keyed struct {
	name    string
	command []string
	before  []string // the keys that bring its list to the front

	first, beside []float64 // seconds from each key to the first change, and to the first right of the list
}

// press starts the program, presses J again and again, each time once the screen is still, and ends it.
func (p *keyed) press(b *testing.B, desktop *Desktop, screen *framebuffer, hand *hand) {
	b.Helper()
	empty := screen.sample(b)
	run := benched{name: p.name, command: p.command}
	process := run.run(b, desktop)
	window, err := desktop.Window(b.Context(), "--name", p.name)
	assert.NoError(b, err)
	assert.NoError(b, window.Place(b.Context(), 0, 0, 1280, 800))
	benchUntil(b, p.name+" paints its window", func() bool { return alike(screen.sample(b), empty) < 0.5 })
	still(b, screen, 2*time.Second)
	if len(p.before) > 0 {
		assert.NoError(b, window.Keys(b.Context(), p.before...))
	}
	hand.key("j") // the first one draws every icon for the first time
	for range benchKeyPresses {
		before := still(b, screen, 300*time.Millisecond)
		var first, beside time.Duration
		began := time.Now()
		hand.key("j")
		benchUntil(b, "the next one shows", func() bool {
			now, after := screen.sample(b), time.Since(began)
			if first == 0 && screen.differs(now, before, 0) {
				first = after
			}
			if beside == 0 && screen.differs(now, before, benchViewer) {
				beside = after
			}
			return first > 0 && beside > 0 || first > 0 && len(p.before) == 0
		})
		p.first, p.beside = append(p.first, first.Seconds()), append(p.beside, beside.Seconds())
	}
	run.end(b, process, screen, empty)
}
