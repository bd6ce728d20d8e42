//go:build e2e && linux

package e2e

import (
	"image"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"assay/client/assert"
)

// answerLimit is how long the sandbox may take over the pictures of one test, on a small machine under load.
const answerLimit = 90 * time.Second

// answered is the line that Assay prints for an item with a verdict: its name, the words of design.md §5, the ensemble's score.
var answered = regexp.MustCompile(`^(.+): (Likely manipulated or AI-generated|Suspicious: needs a human look|` +
	`No sign of manipulation found by these models|Not assessable)\b.*$`)

// threadComplaint is how the toolkit logs a call from the wrong goroutine; only builds without the tag migrated_fynedo do.
const threadComplaint = "Error in Fyne call thread"

// signature is in every signed address of the sandbox, whose query is a secret.
const signature = "X-Sandbox-Signature"

// setup starts a desktop wide enough for the file manager beside a window of 1280 × 800; its screenshots go to build/e2e/TEST.
func setup(t *testing.T) *Desktop {
	t.Helper()
	root, err := Root()
	assert.NoError(t, err)
	shots := filepath.Join(root, "build", "e2e", t.Name())
	assert.NoError(t, os.RemoveAll(shots))
	desktop, err := StartDesktop(t.Context(), t.TempDir(), shots, 1720, 860)
	assert.NoError(t, err)
	t.Cleanup(func() {
		if err := desktop.Close(); err != nil {
			t.Error(err)
		}
	})
	return desktop
}

// open starts Assay, puts its window to the right of the file manager's place, and watches what it logs.
func open(t *testing.T, desktop *Desktop, options Options, size image.Point) *Assay {
	t.Helper()
	app, err := desktop.StartAssay(t.Context(), options)
	assert.NoError(t, err)
	t.Cleanup(func() {
		if logged := app.Errors.String(); strings.Contains(logged, threadComplaint) {
			t.Errorf("the window was touched from the wrong goroutine:\n%s", logged)
		}
		if logged := app.Errors.String(); strings.Contains(logged, signature) {
			t.Error("a signed address was logged")
		}
		if t.Failed() {
			t.Logf("printed:\n%s\nlogged:\n%s", app.Output, app.Errors)
		}
	})
	assert.NoError(t, app.Window.Place(t.Context(), 430, 30, size.X, size.Y))
	return app
}

// keep writes a screenshot of the window, once it has come to rest.
func keep(t *testing.T, desktop *Desktop, window *Window, name string) *Shot {
	t.Helper()
	shot, err := window.Settled(t.Context())
	assert.NoError(t, err)
	if err := desktop.Keep(shot, name); err != nil {
		t.Error(err)
	}
	return shot
}

// keepNow writes a screenshot of the window as it is, at rest or not.
func keepNow(t *testing.T, desktop *Desktop, window *Window, name string) *Shot {
	t.Helper()
	shot, err := window.Shot(t.Context())
	assert.NoError(t, err)
	if err := desktop.Keep(shot, name); err != nil {
		t.Error(err)
	}
	return shot
}

// press presses a key, waits until the window has changed by it, and writes the screenshot.
func press(t *testing.T, desktop *Desktop, window *Window, before *Shot, name string, keys ...string) *Shot {
	t.Helper()
	assert.NoError(t, window.Keys(t.Context(), keys...))
	shot, err := window.ChangedFrom(t.Context(), before)
	if err != nil {
		t.Fatalf("%s after the keys %q: %v", name, keys, err)
	}
	if err := desktop.Keep(shot, name); err != nil {
		t.Error(err)
	}
	return shot
}

// pictures are the files of testdata/pictures, sorted by name.
func pictures(t *testing.T) []string {
	t.Helper()
	root, err := Root()
	assert.NoError(t, err)
	files, err := Pictures(root)
	assert.NoError(t, err)
	return files
}

// manipulated is a picture that an analyser reacts to, so that there is a heatmap to see: the spliced one, or else the first.
func manipulated(t *testing.T) string {
	t.Helper()
	all := pictures(t)
	spliced := slices.IndexFunc(all, func(path string) bool { return strings.Contains(filepath.Base(path), "splice") })
	return all[max(spliced, 0)]
}

// folderWith makes a folder of copies, each under the name given for it.
func folderWith(t *testing.T, copies map[string]string) string {
	t.Helper()
	folder := t.TempDir()
	layOut(t, folder, copies)
	return folder
}

// layOut puts copies into a folder, each under the name given for it, which may lie in a folder below.
func layOut(t *testing.T, folder string, copies map[string]string) {
	t.Helper()
	for name, from := range copies {
		content, err := os.ReadFile(from)
		assert.NoError(t, err)
		path := filepath.Join(folder, filepath.FromSlash(name))
		assert.NoError(t, os.MkdirAll(filepath.Dir(path), 0o700))
		assert.NoError(t, os.WriteFile(path, content, 0o600))
	}
}

// namesAnswered are the names in printed lines, sorted; a line that is no answer with a verdict fails the test.
func namesAnswered(t *testing.T, lines []string) []string {
	t.Helper()
	var names []string
	for _, line := range lines {
		found := answered.FindStringSubmatch(line)
		if found == nil {
			t.Errorf("not an answer with a verdict: %q", line)
			continue
		}
		names = append(names, found[1])
	}
	slices.Sort(names)
	return names
}

// fixture is Assay on a desktop of its own. What a test has no use for is not set.
type fixture struct {
	t       *testing.T
	desktop *Desktop
	app     *Assay
	shot    *Shot // the window as it was last seen at rest
	options Options
	// service is in another process, behind a wire on which every byte is counted.
	service *Service
	wire    *Wire
	shown   *Notifications
	folder  string         // that is watched, alone in the home at which the dialog begins
	empty   *Shot          // the window before anything was handed over
	names   []string       // of the complete files that were handed over or put into the folder
	digests map[string]int // 1 for each of them, by its SHA-256
}

// view hands a file over to Assay with the sandbox in it, waits for the answer and opens the viewer.
func view(t *testing.T, desktop *Desktop, file string) *fixture {
	t.Helper()
	return viewWith(t, desktop, Options{}, file)
}

// viewWith is view with the service, say, that the options name.
func viewWith(t *testing.T, desktop *Desktop, options Options, file string) *fixture {
	t.Helper()
	options.Theme, options.Files = "light", []string{file} // by whose colours things are found
	v := &fixture{t: t, desktop: desktop, app: open(t, desktop, options, image.Pt(1280, 800))}
	if _, err := v.app.Answers(t.Context(), 1, answerLimit); err != nil {
		t.Fatal(err)
	}
	inbox, err := v.app.Window.Settled(t.Context())
	assert.NoError(t, err)
	v.shot = press(t, desktop, v.app.Window, inbox, "1-viewer", "ctrl+2")
	return v
}

// in makes what is done next part of a subtest.
func (v *fixture) in(t *testing.T) *fixture {
	within := *v
	within.t = t
	return &within
}

// press presses keys, waits until the window has changed by it and keeps the screenshot.
func (v *fixture) press(name string, keys ...string) *Shot {
	v.t.Helper()
	v.shot = press(v.t, v.desktop, v.app.Window, v.shot, name, keys...)
	return v.shot
}

// keys presses keys, whatever comes of it.
func (v *fixture) keys(keys ...string) {
	v.t.Helper()
	assert.NoError(v.t, v.app.Window.Keys(v.t.Context(), keys...))
}

// drag drags something inside the window, waits until the window has changed by it and keeps the screenshot.
func (v *fixture) drag(name string, from, to image.Point) *Shot {
	v.t.Helper()
	assert.NoError(v.t, v.app.Window.Drag(v.t.Context(), from, to))
	return v.changed(name)
}

// wheel turns the wheel over a place in the window, waits until the window has changed by it and keeps the screenshot.
func (v *fixture) wheel(name string, at image.Point, direction string, notches int) *Shot {
	v.t.Helper()
	assert.NoError(v.t, v.app.Window.Wheel(v.t.Context(), at, direction, notches))
	return v.changed(name)
}

// click clicks a place in the window, waits until the window has changed by it and keeps the screenshot.
func (v *fixture) click(name string, at image.Point) *Shot {
	v.t.Helper()
	assert.NoError(v.t, v.app.Window.Click(v.t.Context(), at.X, at.Y))
	return v.changed(name)
}

func (v *fixture) changed(name string) *Shot {
	v.t.Helper()
	shot, err := v.app.Window.ChangedFrom(v.t.Context(), v.shot)
	if err != nil {
		v.t.Fatalf("%s: %v", name, err)
	}
	v.shot = shot
	if err := v.desktop.Keep(shot, name); err != nil {
		v.t.Error(err)
	}
	return shot
}

// writeFile writes a file that a test hands over, and returns where it is.
func writeFile(t *testing.T, name string, content []byte) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	assert.NoError(t, os.WriteFile(path, content, 0o600))
	return path
}
