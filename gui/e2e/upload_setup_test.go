//go:build e2e && linux

package e2e

import (
	"image"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"assay/client/assert"
)

const (
	// heavySize is how many bytes a picture of an upload has, and slowRate how many of them go through in a second at first: the three of a
	// test take some ten seconds together, in which it does what it is about.
	heavySize = 8 << 20
	slowRate  = 2500 << 10
	// bodyUnderWay is how many bytes are sent once bodies are well on their way, and none can have arrived.
	bodyUnderWay = heavySize * 5 / 8
	// handOverLimit is how long a second start may take, on a small machine under load.
	handOverLimit = 30 * time.Second
	// resumeLimit is how long it may take until what was interrupted is answered.
	resumeLimit = 90 * time.Second
)

// startUploading drags a file from the file manager into the window, and hands it two more by a second start. Faults and latency are the
// service's arguments.
func startUploading(t *testing.T, rate int64, serviceArguments ...string) *fixture {
	t.Helper()
	u := &fixture{t: t, desktop: setup(t), digests: map[string]int{}}
	var err error
	if u.service, err = u.desktop.StartService(t.Context(), t.TempDir(), "127.0.0.1:0", serviceArguments...); err != nil {
		t.Fatal(err)
	}
	if u.wire, err = StartWire(t.Context(), u.service.URL); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = u.wire.Close() })
	u.wire.SetRate(rate)
	u.options = Options{Theme: "light", Home: t.TempDir(), Server: u.wire.URL(), Key: u.service.Key}
	u.app = open(t, u.desktop, u.options, image.Pt(1280, 800))
	if u.empty, err = u.app.Window.Settled(t.Context()); err != nil {
		t.Fatal(err)
	}

	dragged, others := t.TempDir(), t.TempDir()
	u.heavyPicture(dragged, "dragged from the file manager.png", 1)
	second := u.options
	second.Files = []string{u.heavyPicture(others, "handed over 1.png", 2), u.heavyPicture(others, "handed over 2.png", 3)}
	slices.Sort(u.names)
	files, err := u.desktop.OpenFolder(t.Context(), dragged)
	assert.NoError(t, err)
	assert.NoError(t, files.DragTo(t.Context(), u.app.Window, image.Pt(640, 400)))
	if _, err := u.app.Window.Differs(t.Context(), u.empty, 0.02); err != nil { // a row shows what is on disk
		t.Fatal("nothing shows that the file was dropped:", err)
	}
	handOver(t, u.desktop, second)
	return u
}

// handOver starts Assay once more, which gives its files to the window that is open and ends.
func handOver(t *testing.T, desktop *Desktop, options Options) {
	t.Helper()
	process, err := desktop.Launch(options)
	assert.NoError(t, err)
	code, err := process.Wait(handOverLimit)
	assert.NoError(t, err)
	if code != 0 {
		t.Fatalf("the second start ended with exit code %d: %s", code, process.Errors)
	}
}

// heavyPicture writes a small picture in a large file.
func (u *fixture) heavyPicture(folder, name string, seed byte) string {
	u.t.Helper()
	content, err := HeavyPNG(seed, heavySize)
	assert.NoError(u.t, err)
	path := filepath.Join(folder, name)
	assert.NoError(u.t, os.WriteFile(path, content, 0o600))
	u.names, u.digests[sum(content)] = append(u.names, name), 1
	return path
}

// waitFor waits for something that a test needs before it goes on.
func waitFor(t *testing.T, limit time.Duration, what string, asked func() bool) {
	t.Helper()
	assert.NoError(t, Until(t.Context(), limit, what, func() (bool, error) { return asked(), nil }))
}

// awaitBody waits until the bytes of files are on their way and none has arrived whole.
func (u *fixture) awaitBody() {
	u.t.Helper()
	waitFor(u.t, patience, "bytes of files are sent", func() bool { return u.wire.Sent() > bodyUnderWay })
	if arrived := u.submissions(); len(arrived) > 0 {
		u.t.Fatalf("too late: %d uploads have arrived", len(arrived))
	}
}

// kill ends Assay as a crash does.
func (u *fixture) kill() {
	u.t.Helper()
	if printed := u.app.Output.Lines(); len(printed) > 0 {
		u.t.Fatalf("too late: answers were printed already: %q", printed)
	}
	assert.NoError(u.t, u.app.Kill())
}

// startAgain opens Assay on what it had kept, with nothing handed over.
func (u *fixture) startAgain() {
	u.t.Helper()
	u.wire.LetAnswers()
	u.app = open(u.t, u.desktop, u.options, image.Pt(1280, 800))
}

// allAnsweredOnce waits for the answers, and fails where a file has none, or the service has got one of them twice.
func (u *fixture) allAnsweredOnce() {
	u.t.Helper()
	lines, err := u.app.Answers(u.t.Context(), len(u.names), resumeLimit)
	assert.NoError(u.t, err)
	inbox := keep(u.t, u.desktop, u.app.Window, "answered")
	if share := inbox.Changed(u.empty); share < 0.02 {
		u.t.Errorf("the window looks as if nothing had been handed over: %.2f %% differ", 100*share)
	}
	if diff := cmp.Diff(u.names, namesAnswered(u.t, lines)); diff != "" {
		u.t.Errorf("names answered (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(u.digests, u.submissions()); diff != "" {
		u.t.Errorf("times that the service has each file (-want +got):\n%s", diff)
	}
	list, err := u.desktop.Launch(Options{Home: u.t.TempDir(), Server: u.service.URL, Key: u.service.Key}, "list", "--json")
	assert.NoError(u.t, err)
	if code, err := list.Wait(handOverLimit); err != nil || code != 0 {
		u.t.Fatalf("assay list ended with exit code %d, %v: %s", code, err, list.Errors)
	}
	if listed := list.Output.Lines(); len(listed) != len(u.names) {
		u.t.Errorf("the service lists %d submissions, want %d:\n%s", len(listed), len(u.names), strings.Join(listed, "\n"))
	}
}
