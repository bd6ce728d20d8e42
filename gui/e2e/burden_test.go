//go:build e2e && linux

package e2e

import (
	"bytes"
	"fmt"
	"image"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"assay/client/assert"
)

// keyLimit is how long the window may take to show that a key was pressed, however much the computer has to do.
const keyLimit = 3 * time.Second

// aRail is the window's rail, where nothing changes but what was chosen.
var aRail = image.Rect(8, 40, 60, 240)

// screenKeys choose the screens of the rail in turn, each another than the one before.
var screenKeys = []string{"ctrl+2", "ctrl+3", "ctrl+4", "ctrl+1"}

// answersKey presses a key that chooses another screen, and returns how long the rail took to show it.
func answersKey(t *testing.T, window *Window, hand *hand, key string) time.Duration {
	t.Helper()
	before, err := window.Shot(t.Context())
	assert.NoError(t, err)
	began := time.Now()
	hand.key(key)
	var took time.Duration
	benchUntil(t, "the rail shows the screen of "+key, func() bool {
		now, err := window.Shot(t.Context())
		assert.NoError(t, err)
		took = time.Since(began)
		return now.ChangedIn(aRail, before) > 0
	})
	return took
}

// wantQuick fails the test if the window was slow to answer one of the keys.
func wantQuick(t *testing.T, waits []time.Duration) {
	t.Helper()
	slices.Sort(waits)
	longest := waits[len(waits)-1]
	t.Logf("%d keys while it was busy: half of them within %s, the longest %s", len(waits), waits[len(waits)/2].Round(time.Millisecond), longest.Round(time.Millisecond))
	if longest > keyLimit {
		t.Errorf("a key took %s", longest)
	}
}

// A folder of very many files is dropped: the window answers keys all the while, and each file is answered once. ASSAY_FILES is how many there are.
func TestAFolderOfManyFilesIsDropped(t *testing.T) {
	n := 300
	if asked := os.Getenv("ASSAY_FILES"); asked != "" {
		var err error
		n, err = strconv.Atoi(asked)
		assert.NoError(t, err)
	}
	desktop := setup(t)
	outer := t.TempDir()
	folder := filepath.Join(outer, "many")
	assert.NoError(t, os.Mkdir(folder, 0o700))
	for i := range n {
		text := fmt.Sprintf("Statement %d of the press office. The council met on day %d and said that it had nothing to say on the matter.\n", i, i%365)
		assert.NoError(t, os.WriteFile(filepath.Join(folder, fmt.Sprintf("statement-%06d.txt", i)), []byte(text), 0o600))
	}
	service, err := desktop.StartService(t.Context(), t.TempDir(), "127.0.0.1:0", "--latency", "0")
	assert.NoError(t, err)
	app := open(t, desktop, Options{Theme: "light", Server: service.URL, Key: service.Key}, image.Pt(1280, 800))
	files, err := desktop.OpenFolder(t.Context(), outer)
	assert.NoError(t, err)
	assert.NoError(t, files.DragTo(t.Context(), app.Window, image.Pt(640, 400)))
	assert.NoError(t, app.Window.Activate(t.Context()))
	hand := newHand(t, desktop)
	began := time.Now()
	limit := began.Add(answerLimit + time.Duration(n)*60*time.Millisecond)
	var waits []time.Duration
	for round := 0; ; round++ {
		waits = append(waits, answersKey(t, app.Window, hand, screenKeys[round%len(screenKeys)]))
		if round == 2*len(screenKeys) {
			keepNow(t, desktop, app.Window, "1-under-way")
		}
		if strings.Count(app.Output.String(), "\n") >= n {
			break
		}
		if time.Now().After(limit) {
			t.Fatalf("%d of %d are answered after %s", strings.Count(app.Output.String(), "\n"), n, time.Since(began))
		}
		time.Sleep(min(time.Second, time.Duration(n)*time.Millisecond))
	}
	t.Logf("%d files in %s, for each %d ms of a processor; then %d MiB", n, time.Since(began).Round(time.Second),
		10*processorTicks(t, app.Process)/n, int(residentMiB(t, app.Process, "VmRSS"))) // a tick is 10 ms
	wantQuick(t, waits)
	names := namesAnswered(t, app.Output.Lines())
	if different := len(slices.Compact(slices.Clone(names))); len(names) != n || different != n { // they are in order
		t.Errorf("%d answers on %d files, of %d", len(names), different, n)
	}
	assert.NoError(t, app.Window.Keys(t.Context(), "ctrl+2"))
	keep(t, desktop, app.Window, "2-results")
	assert.NoError(t, app.Window.Keys(t.Context(), "ctrl+1"))
	keep(t, desktop, app.Window, "3-inbox")
}

// A clip and a text as large as the service takes them are handed over, looked at, and the window answers keys all the while. ASSAY_MEGABYTES is the
// clip's size.
func TestALargeClipAndALongText(t *testing.T) {
	size := "12"
	if asked := os.Getenv("ASSAY_MEGABYTES"); asked != "" {
		size = asked
	}
	desktop := setup(t)
	clip, text := filepath.Join(t.TempDir(), "from the bridge.mp4"), filepath.Join(t.TempDir(), "minutes.txt")
	noise := exec.CommandContext(t.Context(), "ffmpeg", "-loglevel", "error", "-f", "lavfi", //nolint:gosec // the size is the test's own
		"-i", "testsrc2=size=1280x720:rate=25", "-f", "lavfi", "-i", "sine=frequency=440",
		"-vf", "noise=alls=60:allf=t", "-c:v", "libx264", "-preset", "ultrafast", "-qp", "10", "-pix_fmt", "yuv420p", "-c:a", "aac", "-t", "300", "-fs", size+"M", clip)
	if out, err := noise.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	var long bytes.Buffer
	for i := 0; long.Len() < 4_900_000; i++ {
		fmt.Fprintf(&long, "%d. The council met and said that it had nothing to say. — Решение принято единогласно. 会議は終わった。\n\n", i)
	}
	assert.NoError(t, os.WriteFile(text, long.Bytes(), 0o600))
	app := open(t, desktop, Options{Theme: "light"}, image.Pt(1280, 800))
	second := Options{Theme: "light", Files: []string{clip, text}}
	handOver(t, desktop, second)
	assert.NoError(t, app.Window.Activate(t.Context()))
	hand := newHand(t, desktop)
	began := time.Now()
	var waits []time.Duration
	for round := 0; strings.Count(app.Output.String(), "\n") < 2; round++ {
		waits = append(waits, answersKey(t, app.Window, hand, screenKeys[round%len(screenKeys)]))
		if time.Since(began) > 3*answerLimit {
			t.Fatalf("answered after %s: %q", time.Since(began), app.Output)
		}
		time.Sleep(200 * time.Millisecond)
	}
	t.Logf("both are answered after %s", time.Since(began).Round(time.Second))
	keep(t, desktop, app.Window, "1-answered")
	assert.NoError(t, app.Window.Keys(t.Context(), "ctrl+3"))
	keep(t, desktop, app.Window, "2-cases")
	waits = append(waits, answersKey(t, app.Window, hand, "ctrl+2"))
	for i, name := range []string{"3-first", "4-second"} {
		hand.key([]string{"k", "j"}[i])                                        // the newest is shown at first
		for _, key := range []string{"ctrl+1", "ctrl+2", "ctrl+1", "ctrl+2"} { // while it is read, decoded and laid out
			waits = append(waits, answersKey(t, app.Window, hand, key))
		}
		keep(t, desktop, app.Window, name)
	}
	t.Logf("then %d MiB", int(residentMiB(t, app.Process, "VmRSS")))
	wantQuick(t, waits)
}

// An answer as large as is read is shown on each page while the window answers keys; a larger one says so in a sentence.
func TestAnAnswerOf16MB(t *testing.T) {
	desktop := setup(t)
	const number = 20 // bytes, most of the sine's
	service := newBatchService(t, func(name string) int {
		if strings.HasPrefix(name, "larger") {
			return 18 << 20 / number / 6 // models
		}
		return 15 << 20 / number / 6
	})
	folder := t.TempDir()
	picture, err := os.ReadFile(pictures(t)[0])
	assert.NoError(t, err)
	large, larger := filepath.Join(folder, "large"+filepath.Ext(pictures(t)[0])), filepath.Join(folder, "larger"+filepath.Ext(pictures(t)[0]))
	assert.NoError(t, os.WriteFile(large, picture, 0o600))
	assert.NoError(t, os.WriteFile(larger, append(picture, 0), 0o600)) // another content
	app := open(t, desktop, Options{Theme: "light", Server: service.url, Key: batchKey, Files: []string{large}}, image.Pt(1280, 800))
	_, err = app.Answers(t.Context(), 1, answerLimit)
	assert.NoError(t, err)
	hand := newHand(t, desktop)
	assert.NoError(t, app.Window.Activate(t.Context()))
	waits := []time.Duration{answersKey(t, app.Window, hand, "ctrl+2")}
	keep(t, desktop, app.Window, "1-models")
	for i, page := range []struct {
		name string
		tab  int
	}{{"2-details", 1076}, {"3-data", 1138}, {"4-history", 1202}} {
		assert.NoError(t, app.Window.Click(t.Context(), page.tab, 197))
		waits = append(waits, answersKey(t, app.Window, hand, screenKeys[1+i%2]), answersKey(t, app.Window, hand, "ctrl+2"))
		keep(t, desktop, app.Window, page.name)
	}
	handOver(t, desktop, Options{Theme: "light", Server: service.url, Key: batchKey, Files: []string{larger}})
	assert.NoError(t, app.Window.Activate(t.Context()))
	waits = append(waits, answersKey(t, app.Window, hand, "ctrl+1"))
	answers, err := app.Answers(t.Context(), 2, answerLimit)
	assert.NoError(t, err)
	if last := answers[1]; !strings.Contains(last, "too large for Assay") {
		t.Errorf("of the larger answer it says %q", last)
	}
	keep(t, desktop, app.Window, "5-larger")
	t.Logf("then %d MiB", int(residentMiB(t, app.Process, "VmRSS")))
	wantQuick(t, waits)
}

// A text of 5 MB, and what begins as a link of as many, is pasted where nothing has the keyboard, and into a field: the window answers keys at once.
func TestAVeryLongTextIsPasted(t *testing.T) {
	desktop := setup(t)
	long := filepath.Join(t.TempDir(), "minutes.txt")
	assert.NoError(t, os.WriteFile(long, bytes.Repeat([]byte("The council met and said that it had nothing to say.\n"), 100_000), 0o600))
	assert.NoError(t, desktop.Copy(t.Context(), "UTF8_STRING", long))
	app := open(t, desktop, Options{Theme: "light"}, image.Pt(1280, 800))
	hand := newHand(t, desktop)
	var waits []time.Duration
	paste := func(name string, at image.Point) {
		if at != (image.Point{}) {
			assert.NoError(t, app.Window.Click(t.Context(), at.X, at.Y))
		}
		assert.NoError(t, app.Window.Keys(t.Context(), "ctrl+v"))
		keep(t, desktop, app.Window, name)
		waits = append(waits, answersKey(t, app.Window, hand, "ctrl+4"), answersKey(t, app.Window, hand, "ctrl+1"))
	}
	assert.NoError(t, app.Window.Activate(t.Context()))
	paste("1-nowhere", image.Point{})
	paste("2-link", image.Pt(860, 424))
	assert.NoError(t, os.WriteFile(long, append([]byte("https://example.org/"), bytes.Repeat([]byte("minutes"), 700_000)...), 0o600))
	assert.NoError(t, desktop.Copy(t.Context(), "UTF8_STRING", long))
	for tries := 0; len(app.Output.Lines()) == 0; tries++ { // until the clipboard has it
		if tries == 20 {
			t.Fatal("nothing is said of the link")
		}
		paste("3-link-nowhere", image.Point{})
	}
	wantQuick(t, waits)
}
