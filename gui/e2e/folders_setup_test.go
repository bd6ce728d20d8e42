//go:build e2e && linux

package e2e

import (
	"context"
	"fmt"
	"image"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"assay/client/assert"
)

const (
	// afterQuiet is twice as long as a file has to be at rest before it counts as complete where nothing else says so, so that one that did would show.
	afterQuiet = 4 * time.Second
	// noticeLimit is how long it may take until a complete file shows, on a small machine under load.
	noticeLimit = 40 * time.Second
	// lightSize is how many bytes the pictures have that are only counted.
	lightSize = 64 << 10
)

// rest is a place without controls, at the foot of the rail, where the pointer hovers over nothing.
var rest = image.Pt(36, 560)

// startWatching opens Assay before any folder is watched.
func startWatching(t *testing.T) *fixture {
	t.Helper()
	desktop := setup(t)
	w := &fixture{t: t, desktop: desktop, folder: filepath.Join(desktop.Dir, "home", "incoming"), digests: map[string]int{}}
	assert.NoError(t, os.Mkdir(w.folder, 0o700))
	var err error
	if w.shown, err = desktop.StartNotifications(t.Context()); err != nil {
		t.Fatal(err)
	}
	if w.service, err = desktop.StartService(t.Context(), t.TempDir(), "127.0.0.1:0"); err != nil {
		t.Fatal(err)
	}
	if w.wire, err = StartWire(t.Context(), w.service.URL); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = w.wire.Close() })
	w.options = Options{Theme: "light", Home: t.TempDir(), Server: w.wire.URL(), Key: w.service.Key}
	w.start(image.Pt(1280, 800))
	w.look()
	return w
}

// start opens Assay, on what an earlier one has kept.
func (w *fixture) start(size image.Point) {
	w.t.Helper()
	w.app = open(w.t, w.desktop, w.options, size)
}

// look sees the window at rest, with the pointer out of the way.
func (w *fixture) look() {
	w.t.Helper()
	assert.NoError(w.t, w.app.Window.Point(w.t.Context(), rest))
	shot, err := w.app.Window.Settled(w.t.Context())
	assert.NoError(w.t, err)
	w.shot = shot
}

// keep keeps the screenshot of the window as it was last seen.
func (w *fixture) keep(name string) {
	w.t.Helper()
	if err := w.desktop.Keep(w.shot, name); err != nil {
		w.t.Error(err)
	}
}

// sees waits until the window shows something, and keeps that screenshot.
func (w *fixture) sees(name, what string, limit time.Duration, seen func(*Shot) bool) {
	w.t.Helper()
	err := Until(w.t.Context(), limit, what, func() (bool, error) {
		shot, err := w.app.Window.Settled(w.t.Context())
		if err == nil {
			w.shot = shot
		}
		return err == nil && seen(shot), err
	})
	if err != nil {
		_ = w.desktop.Keep(w.shot, name+", in vain")
		w.t.Fatal(err)
	}
	w.keep(name)
}

// wholeScreen waits until the screen shows something, and keeps that screenshot.
func (w *fixture) wholeScreen(name string, seen func(*Shot) bool) {
	w.t.Helper()
	var screen *Shot
	err := Until(w.t.Context(), noticeLimit, "the screen shows it", func() (bool, error) {
		var err error
		screen, err = w.desktop.Screen(w.t.Context())
		return err == nil && seen(screen), err
	})
	assert.NoError(w.t, err)
	if err := w.desktop.Keep(screen, name); err != nil {
		w.t.Error(err)
	}
}

// tap clicks the middle of a control, whatever comes of it, and takes the pointer away again.
func (w *fixture) tap(control image.Rectangle) {
	w.t.Helper()
	at := middleOf(control)
	assert.NoError(w.t, w.app.Window.Click(w.t.Context(), at.X, at.Y))
	assert.NoError(w.t, w.app.Window.Point(w.t.Context(), rest))
}

// show goes from one screen to another by its key.
func (w *fixture) show(key string) {
	w.t.Helper()
	const another = 0.005 // of the window, which what goes on in a screen does not change
	w.keys(key)
	if _, err := w.app.Window.Differs(w.t.Context(), w.shot, another); err != nil {
		w.t.Fatalf("after %s: %v", key, err)
	}
	w.look()
}

// addByDialog adds the folder through the window: a key, the dialog, the card.
func (w *fixture) addByDialog(sends bool) {
	w.t.Helper()
	w.show("ctrl+4")
	w.keep("1-no-folder-yet")
	w.keys("n")
	w.sees("2-dialog", "the dialog shows the folder beside its parent", patience, func(s *Shot) bool { return len(s.FolderIcons()) == 2 })
	w.tap(w.shot.FolderIcons()[1])
	w.sees("3-dialog-inside", "the dialog shows what is inside", patience, func(s *Shot) bool { return len(s.FolderIcons()) == 1 })
	primary := w.shot.Primary()
	w.tap(primary[len(primary)-1])
	w.fillCard(sends)
}

// fillCard waits for the card of a folder, chooses whether its files are sent by themselves, and adds it.
func (w *fixture) fillCard(sends bool) {
	w.t.Helper()
	w.sees("4-card", "the card asks about the folder", patience, func(s *Shot) bool {
		return len(s.Boxes()) >= 2 && len(s.Primary()) == 1 && s.Primary()[0].Dx() > 100
	})
	if sends {
		others := w.shot.Boxes()
		w.tap(others[len(others)-2]) // before it Ask first, which is chosen, and after it Never leaves
		w.sees("5-card-sends", "another gate is chosen", patience, func(s *Shot) bool {
			now := s.Boxes()
			return len(now) == len(others) && now[len(now)-2] != others[len(others)-2]
		})
	}
	w.tap(w.shot.Primary()[0])
	w.sees("6-watched", "the folder is watched", patience, func(s *Shot) bool {
		const head = 100
		primary := s.Primary()
		return len(primary) == 1 && primary[0].Max.Y < head && len(s.Boxes()) == 0
	})
}

// rows counts the rows of the inbox that are in sight: each has a thumbnail, or a place for one, right of the box of the head, which stands alone
// until the pointer is over a row.
func rows(s *Shot) (n int) {
	boxes := s.Boxes()
	if len(boxes) == 0 {
		return 0
	}
	const inside, least = 24, 30 // pixels right of the box, and how high a thumbnail is at least
	head := boxes[0]
	surface := s.Pixels.RGBAAt(head.Max.X+4, head.Max.Y+2)
	run := 0
	for y := head.Max.Y + 20; y < s.Pixels.Rect.Max.Y; y++ {
		if s.Pixels.RGBAAt(head.Max.X+inside, y) == surface {
			run = 0
		} else if run++; run == least {
			n++
		}
	}
	return n
}

// seesRows waits until the inbox has so many rows.
func (w *fixture) seesRows(name string, n int) {
	w.t.Helper()
	w.sees(name, "the inbox has the rows of all complete files", noticeLimit, func(s *Shot) bool { return rows(s) == n })
}

// expect notes a complete file that is to be sent.
func (w *fixture) expect(name string, content []byte) {
	w.names, w.digests[sum(content)] = append(w.names, name), 1
	slices.Sort(w.names)
}

// put writes a file into the folder, as a program does that saves one.
func (w *fixture) put(name string, seed byte) {
	w.t.Helper()
	content, err := HeavyPNG(seed, lightSize)
	assert.NoError(w.t, err)
	assert.NoError(w.t, os.WriteFile(filepath.Join(w.folder, name), content, 0o600))
	w.expect(name, content)
}

// arrive puts files into the folder at a pace, until some time after Assay was killed or there are so many.
func (w *fixture) arrive(ctx context.Context, killed <-chan struct{}, pace time.Duration, most int) error {
	after := 8
	for i := 1; i <= most && after > 0 && ctx.Err() == nil; i++ {
		select {
		case <-killed:
			after--
		default:
		}
		content, err := HeavyPNG(byte(i), lightSize)
		if err != nil {
			return err
		}
		name := fmt.Sprintf("arriving %03d.png", i)
		if err := os.WriteFile(filepath.Join(w.folder, name), content, 0o600); err != nil {
			return err
		}
		w.expect(name, content)
		time.Sleep(pace)
	}
	return nil
}

func (w *fixture) submissions() map[string]int {
	w.t.Helper()
	counted, err := w.service.Submissions()
	assert.NoError(w.t, err)
	return counted
}

// nothingSent fails where a byte went to the service, or a word was said about a file.
func (w *fixture) nothingSent() {
	w.t.Helper()
	if sent := w.wire.Sent(); sent > 0 {
		w.t.Errorf("%d bytes went to the service before anything was allowed", sent)
	}
	if printed := w.app.Output.Lines(); len(printed) > 0 {
		w.t.Errorf("an answer before anything was allowed: %q", printed)
	}
	if arrived := w.submissions(); len(arrived) > 0 {
		w.t.Errorf("the service has files before anything was allowed: %v", arrived)
	}
}

// eachOnce fails where the service has not every complete file once, and nothing else.
func (w *fixture) eachOnce() {
	w.t.Helper()
	if diff := cmp.Diff(w.digests, w.submissions()); diff != "" {
		w.t.Errorf("times that the service has each file (-want +got):\n%s", diff)
	}
}

// answers waits until these files are answered in this run of Assay, and fails where others are.
func (w *fixture) answers(names ...string) {
	w.t.Helper()
	lines, err := w.app.Answers(w.t.Context(), len(names), answerLimit)
	assert.NoError(w.t, err)
	slices.Sort(names)
	if diff := cmp.Diff(names, namesAnswered(w.t, lines)); diff != "" {
		w.t.Errorf("names answered (-want +got):\n%s", diff)
	}
}

// growing is a file that a cp of its own writes, as slowly as the test feeds it.
type growing struct {
	t       *testing.T
	path    string
	feed    io.WriteCloser
	written int64
	done    chan error
}

// grow starts to copy into a file, which stays open until finish.
func grow(t *testing.T, path string) *growing {
	t.Helper()
	command := exec.CommandContext(context.WithoutCancel(t.Context()), "cp", "/dev/stdin", path)
	feed, err := command.StdinPipe()
	assert.NoError(t, err)
	assert.NoError(t, command.Start())
	g := &growing{t: t, path: path, feed: feed, done: make(chan error, 1)}
	go func() { g.done <- command.Wait() }()
	t.Cleanup(func() { _ = feed.Close() }) // which ends it
	return g
}

// write adds a piece, and waits until it is in the file.
func (g *growing) write(piece []byte) {
	g.t.Helper()
	if _, err := g.feed.Write(piece); err != nil {
		g.t.Fatal(err)
	}
	g.written += int64(len(piece))
	waitFor(g.t, patience, "the piece is in the file", func() bool {
		info, err := os.Stat(g.path)
		return err == nil && info.Size() == g.written
	})
}

// finish closes the file.
func (g *growing) finish() {
	g.t.Helper()
	assert.NoError(g.t, g.feed.Close())
	select {
	case err := <-g.done:
		assert.NoError(g.t, err)
	case <-time.After(20 * time.Second):
		g.t.Fatal("cp does not end")
	}
}
