//go:build e2e && linux

package e2e

import (
	"image"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"assay/client/assert"
)

// Files come into a watched folder as they do on a desk: pasted in the file manager, copied slowly, and downloaded under another name. Whole
// ones alone show, and none leaves the computer before it is allowed. What lay there before is left alone.
func TestAWatchedFolderAsksBeforeAnythingIsSent(t *testing.T) {
	w := startWatching(t)
	layOut(t, w.folder, map[string]string{"from last week.jpg": pictures(t)[0]})
	w.addByDialog(false)

	// Pasted.
	source := t.TempDir()
	copies := map[string]string{}
	for i, name := range []string{"Fährhafen 1.jpg", "Fährhafen 2.jpg", "Fährhafen 3.jpg"} {
		copies[name] = pictures(t)[i+1]
	}
	layOut(t, source, copies)
	from, err := w.desktop.OpenFolder(t.Context(), source)
	assert.NoError(t, err)
	assert.NoError(t, from.CopyAll(t.Context()))
	to, err := w.desktop.OpenBelow(t.Context(), w.folder)
	assert.NoError(t, err)
	assert.NoError(t, to.Paste(t.Context()))
	for name, path := range copies {
		content, err := os.ReadFile(path)
		assert.NoError(t, err)
		w.expect(name, content)
	}
	waitFor(t, patience, "the files are pasted", func() bool {
		there, err := os.ReadDir(w.folder)
		return err == nil && len(there) == len(copies)+1
	})
	w.show("ctrl+1")
	w.seesRows("7-pasted", len(copies))
	w.wholeScreen("7-pasted-whole-screen", (*Shot).notified)
	w.nothingSent()

	// Copied slowly, while a download lies there under the name that it has until it is complete.
	slow, err := HeavyPNG(1, heavySize)
	assert.NoError(t, err)
	download, err := HeavyPNG(2, lightSize)
	assert.NoError(t, err)
	part := filepath.Join(w.folder, "downloaded.png.part")
	assert.NoError(t, os.WriteFile(part, download[:len(download)/2], 0o600))
	file := grow(t, filepath.Join(w.folder, "copied slowly.png"))
	for _, piece := range [][]byte{slow[:len(slow)/3], slow[len(slow)/3 : len(slow)-1]} {
		file.write(piece)
		time.Sleep(afterQuiet)
		if w.look(); rows(w.shot) != len(copies) {
			t.Errorf("a file that is not complete shows: %d rows", rows(w.shot))
		}
	}
	file.write(slow[len(slow)-1:])
	file.finish()
	w.expect("copied slowly.png", slow)
	w.seesRows("8-copied-slowly", len(copies)+1)
	assert.NoError(t, os.WriteFile(part, download, 0o600))
	assert.NoError(t, os.Rename(part, filepath.Join(w.folder, "downloaded.png")))
	w.expect("downloaded.png", download)
	w.seesRows("9-held", len(w.names))
	w.show("ctrl+4")
	w.keep("10-folders-held")
	w.nothingSent()

	// Allowed.
	w.show("ctrl+1")
	send := w.heldButtons()[0]
	w.tap(send)
	w.sees("11-sheet", "it shows what would leave", patience, reviewSheet)
	w.nothingSent()
	w.tap(w.shot.Boxes()[0]) // decides on all at once
	w.sees("11-sheet-for-all", "it can send all", patience, func(s *Shot) bool { return len(choices(s)) > 2 })
	w.keep("11-sheet-for-all")
	offered := choices(w.shot)
	w.tap(offered[len(offered)-3])
	w.answers(w.names...)
	w.sees("12-answered", "nothing waits any more", patience, func(s *Shot) bool { return len(held(s)) < 2 })
	w.eachOnce()
	w.show("ctrl+4")
	w.keep("13-folders-answered")

	// Seen again in the dark, in a small window.
	assert.NoError(t, w.app.Terminate(stopLimit))
	w.options.Theme = "dark"
	small := image.Pt(900, 600)
	w.start(small)
	w.look()
	w.keep("14-inbox-dark")
	if brightness := w.shot.Brightness(); brightness > 100 {
		t.Errorf("the dark window has a mean brightness of %.0f of 255", brightness)
	}
	fits(t, w.app.Window, "inbox", small)
	w.show("ctrl+4")
	w.keep("15-folders-dark")
	fits(t, w.app.Window, "folders", small)
	if printed := w.app.Output.Lines(); len(printed) > 0 {
		t.Errorf("after a new start it takes what it had taken: %q", printed)
	}
	w.eachOnce()
}

// Where a folder's files are sent by themselves, one notification tells of all that came together, and the next start goes on: what came
// meanwhile is taken, and nothing else.
func TestAWatchedFolderSendsByItself(t *testing.T) {
	w := startWatching(t)
	w.addByDialog(true)
	for i, name := range []string{"agency 1.png", "agency 2.png", "agency 3.png", "agency 4.png"} {
		w.put(name, byte(i+1))
	}
	w.answers(w.names...)
	w.eachOnce()
	waitFor(t, noticeLimit, "a notification tells of it", func() bool { return len(w.shown.Shown()) > 0 })
	w.wholeScreen("7-notification", (*Shot).notified)
	said := w.shown.Shown()
	if want := regexp.MustCompile(`^4 files checked: [a-z0-9 ,]+\.$`); len(said) != 1 || said[0].Title != "Assay" || !want.MatchString(said[0].Text) {
		t.Errorf("want one notification about four files, in fixed words and numbers, got %q", said)
	}
	w.show("ctrl+1")
	w.seesRows("8-inbox", len(w.names))

	assert.NoError(t, w.app.Terminate(stopLimit))
	before := slices.Clone(w.names)
	w.put("came while Assay was closed.png", 5)
	w.start(image.Pt(1280, 800))
	w.answers("came while Assay was closed.png")
	w.seesRows("9-inbox-after-a-new-start", len(w.names))
	w.show("ctrl+4")
	w.keep("10-folders-after-a-new-start")
	w.put("came later.png", 6)
	w.answers("came while Assay was closed.png", "came later.png")
	w.eachOnce()
	for _, notification := range w.shown.Shown() {
		for _, name := range append(before, w.names...) {
			if text := notification.Title + " " + notification.Text; strings.Contains(text, strings.TrimSuffix(name, ".png")) {
				t.Errorf("a notification names a file: %q", text)
			}
		}
	}
}

// Killed while files arrive, Assay submits each file of the folder once all the same, whether it had been taken, was under way, or came while
// nothing ran.
func TestAWatchedFolderIsCaughtUpWithAfterAKill(t *testing.T) {
	const pace, most, fewest = 120 * time.Millisecond, 60, 4
	w := startWatching(t)
	w.addByDialog(true)
	killed, arriving := make(chan struct{}), make(chan error, 1)
	var sender sync.WaitGroup
	sender.Go(func() { arriving <- w.arrive(t.Context(), killed, pace, most) })
	t.Cleanup(sender.Wait)
	waitFor(t, 60*time.Second, "the service has some of the files", func() bool { return len(w.submissions()) >= fewest })
	assert.NoError(t, w.app.Kill())
	close(killed)
	assert.NoError(t, <-arriving)
	early, printed := len(w.submissions()), w.app.Output.Lines()
	if early >= len(w.names) {
		t.Fatalf("too late: the service had all of %d files before Assay was killed", early)
	}
	t.Logf("killed with %d of %d files at the service", early, len(w.names))
	w.start(image.Pt(1280, 800))
	waitFor(t, answerLimit, "the service has every file", func() bool { return len(w.submissions()) >= len(w.names) })
	w.put("the last one.png", 255)
	waitFor(t, answerLimit, "the last file is answered", func() bool { return strings.Contains(w.app.Output.String(), "the last one.png: ") })
	keepNow(t, w.desktop, w.app.Window, "7-caught-up")
	answered := namesAnswered(t, append(printed, w.app.Output.Lines()...))
	if once := slices.Compact(slices.Clone(answered)); len(once) != len(answered) {
		t.Errorf("a file is answered twice: %q", answered)
	}
	w.eachOnce()
}

// A folder is dropped on the screen of the watched ones. Renamed away, it is said to be gone, and when it is back, nothing of it is new.
func TestAWatchedFolderVanishesAndComesBack(t *testing.T) {
	w := startWatching(t)
	files, err := w.desktop.OpenFolder(t.Context(), filepath.Dir(w.folder))
	assert.NoError(t, err)
	w.show("ctrl+4")
	assert.NoError(t, files.DragTo(t.Context(), w.app.Window, image.Pt(640, 400)))
	w.fillCard(true)
	w.put("before.png", 1)
	w.answers("before.png")
	const atRest = time.Second
	w.look()
	watching, since := w.shot, time.Now()
	w.sees("7-watching", "the folder's state is at rest", patience, func(s *Shot) bool {
		if s.ChangedIn(folderState, watching) > 0 {
			watching, since = s, time.Now()
		}
		return time.Since(since) > atRest
	})
	away := w.folder + " put away"
	assert.NoError(t, os.Rename(w.folder, away))
	w.sees("8-gone", "the folder's state changes", noticeLimit, func(s *Shot) bool { return s.ChangedIn(folderState, watching) > 0.01 })
	assert.NoError(t, os.Rename(away, w.folder))
	w.sees("9-back", "the folder's state is as before", noticeLimit, func(s *Shot) bool { return s.ChangedIn(folderState, watching) == 0 })
	w.put("after.png", 2)
	w.answers("after.png", "before.png")
	w.eachOnce()
	w.show("ctrl+1")
	w.seesRows("10-inbox", 2)
}

// folderState is where the state of the first folder is said, in a window of 1280 × 800.
var folderState = image.Rect(440, 70, 700, 140)

// dropStrip is where the strip ends that takes files and says what waits.
const dropStrip = 88

// held are the buttons of that strip by which is decided on all that waits: one to send, and one not to.
func held(s *Shot) []image.Rectangle {
	var found []image.Rectangle
	for _, button := range s.Outlined() {
		if button.Max.Y < dropStrip && button.Min.X > 600 {
			found = append(found, button)
		}
	}
	return found
}

// choices are what the sheet before sending offers and does not recommend: at the end to send, not now, and never.
func choices(s *Shot) []image.Rectangle {
	return s.shaped(notSurface, func(p Patch) bool { return p.Dx() > 300 && p.Dy() > 40 && p.Dy() < 70 && p.Pixels < p.Dx()*p.Dy()/3 })
}

func (w *fixture) heldButtons() []image.Rectangle {
	w.t.Helper()
	found := held(w.shot)
	if len(found) != 2 {
		w.t.Fatalf("want a button to send and one to keep, found %v", found)
	}
	return found
}
