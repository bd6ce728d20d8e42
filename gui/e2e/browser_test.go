//go:build e2e && linux

package e2e

import (
	"bytes"
	"context"
	"encoding/json"
	"image/png"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"assay/client/assert"
)

// The report as a page is opened in a real browser: a file with a name made to run a script is shown with that name, nothing runs, and nothing but the
// page itself is loaded.
func TestTheReportInABrowserLoadsAndRunsNothing(t *testing.T) {
	browser, err := exec.LookPath("chromium")
	assert.NoError(t, err)
	home, folder := t.TempDir(), t.TempDir()
	content, err := os.ReadFile(manipulated(t))
	assert.NoError(t, err)
	write(t, filepath.Join(folder, `<img src=x onerror=document.title='ran'>.jpg`), content)
	title := `"><svg onload=document.title='ran'>`
	subcommand(t, home, "case", "new", title)
	lines := subcommand(t, home, "scan", "--json", folder)
	var answered struct {
		RequestID string `json:"requestId"`
	}
	assert.NoError(t, json.Unmarshal(bytes.Split(lines, []byte("\n"))[0], &answered))
	subcommand(t, home, "case", "add", title, answered.RequestID)
	subcommand(t, home, "case", "note", title, `<a href="javascript:document.title='ran'">javascript:document.title='ran'</a> https://other.example/x.png`)
	page := filepath.Join(folder, "report.html")
	subcommand(t, home, "export", "--case", title, "--out", page)

	root, err := Root()
	assert.NoError(t, err)
	shots := filepath.Join(root, "build", "e2e", t.Name())
	assert.NoError(t, os.MkdirAll(shots, 0o750))
	log, shot := filepath.Join(folder, "net.json"), filepath.Join(shots, "page.png")
	dom := browse(t, browser, "--log-net-log="+log, "--dump-dom", "file://"+page)
	browse(t, browser, "--hide-scrollbars", "--window-size=1000,1400", "--screenshot="+shot, "file://"+page)
	for _, want := range []string{"&lt;img src=x onerror=", "javascript:document.title='ran'", "<html"} {
		if !bytes.Contains(dom, []byte(want)) {
			t.Errorf("the browser does not show %q", want)
		}
	}
	if bytes.Contains(dom, []byte("<title>ran")) {
		t.Error("a script of the page ran")
	}
	if loaded := requested(t, log); len(loaded) > 0 {
		t.Errorf("the page loads %s", loaded)
	}
	control := filepath.Join(folder, "control.html") // what would be seen if it did
	write(t, control, []byte(`<!doctype html><img src="https://other.example/x.png">`))
	browse(t, browser, "--log-net-log="+log, "--dump-dom", "file://"+control)
	assert.Equal(t, []string{"https://other.example/x.png"}, requested(t, log))
	file, err := os.Open(shot)
	assert.NoError(t, err)
	defer file.Close() //nolint:errcheck // only read
	img, err := png.Decode(file)
	assert.NoError(t, err)
	colours := map[any]bool{}
	for y := 0; y < img.Bounds().Dy(); y += 3 {
		for x := 0; x < img.Bounds().Dx(); x += 3 {
			colours[img.At(x, y)] = true
		}
	}
	assert.True(t, len(colours) > blankBelow, "the page is shown as blank: %d colours", len(colours))
}

// subcommand runs a subcommand on the embedded sandbox, and returns what it prints.
func subcommand(t *testing.T, home string, arguments ...string) []byte {
	t.Helper()
	binary, err := Binary()
	assert.NoError(t, err)
	ctx, cancel := context.WithTimeout(t.Context(), answerLimit)
	defer cancel()
	command := exec.CommandContext(ctx, binary, append([]string{"--sandbox", "--home", home}, arguments...)...) //nolint:gosec // the program under test
	var said strings.Builder
	command.Stderr = &said
	printed, err := command.Output()
	if err != nil {
		t.Fatalf("%s: %v: %s", arguments, err, said.String())
	}
	return printed
}

// browse opens a page without a window and with nothing to reach, and returns what is printed.
func browse(t *testing.T, browser string, arguments ...string) []byte {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	command := exec.CommandContext(ctx, browser, append([]string{"--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-sync", //nolint:gosec // found by LookPath
		"--disable-background-networking", "--disable-component-update", "--disable-default-apps", "--disable-extensions", "--host-resolver-rules=MAP * ~NOTFOUND",
		"--virtual-time-budget=5000", "--user-data-dir=" + t.TempDir()}, arguments...)...)
	command.Env = append(os.Environ(), "HOME="+t.TempDir())
	printed, err := command.Output()
	assert.NoError(t, err)
	return printed
}

// requested are the addresses that pages requested, as a browser's network log has them. What the browser asks of its makers has no origin.
func requested(t *testing.T, path string) (addresses []string) {
	t.Helper()
	content, err := os.ReadFile(path)
	assert.NoError(t, err)
	var log struct {
		Events []struct {
			Params struct {
				URL       string `json:"url"`
				Initiator string `json:"initiator"`
			} `json:"params"`
		} `json:"events"`
	}
	assert.NoError(t, json.Unmarshal(content, &log))
	assert.True(t, len(log.Events) > 0, "the browser logged nothing")
	for _, e := range log.Events {
		if from := e.Params.Initiator; from != "" && from != "not an origin" && !slices.Contains(addresses, e.Params.URL) {
			addresses = append(addresses, e.Params.URL)
		}
	}
	return addresses
}
