//go:build e2e && linux

package e2e

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"encoding/json"
	"image"
	"io"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"assay/client/assert"
)

// What the service does not take leaves as a copy, or in part, once the person says so: a phone's picture by the sheet before sending, others by the button
// in their row, and of a clip that is too large the part that is chosen while it is looked at. The custody log has the hashes of both, and the part's times.
func TestWhatTheServiceDoesNotTakeIsSentAsACopy(t *testing.T) {
	d := setupConfigured(t)
	d.settings(map[string]any{"copies": "ask"})
	d.keychain(true)
	d.setKey()
	root, err := Root()
	assert.NoError(t, err)
	folder := folderWith(t, map[string]string{"IMG_0042.HEIC": filepath.Join(root, "client", "media", "convert", "testdata", "phone.heic")})
	var files []string
	for _, name := range []string{"IMG_0042.HEIC", "scan.tiff", "harbour.mkv", "evening.mp4"} {
		files = append(files, filepath.Join(folder, name))
	}
	phone, scan, clip, large := files[0], files[1], files[2], files[3]
	made := func(arguments ...string) {
		_, err := d.desktop.Run(t.Context(), "ffmpeg", append([]string{"-v", "error"}, arguments...)...)
		assert.NoError(t, err)
	}
	encoded := []string{"-f", "lavfi", "-i", "testsrc2=size=320x180:rate=25", "-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt", "yuv420p", "-g", "25", "-t"}
	made("-i", pngPicture(t), scan)
	made(append(encoded, "2", clip)...)
	made(append(encoded, "60", large)...)
	enlarge(t, large, 260<<20)

	d.open(files...)
	d.sees("1-waits", "the files wait", patience, func(s *Shot) bool { return len(inRows(s)) == len(files) })
	d.nothingSent()
	d.keys("j", "s")
	d.sees("2-sheet", "it shows what would leave", patience, reviewSheet)
	d.nothingSent()
	d.keys("shift+Tab", "space") // from "Not now" up to "Send"
	d.look()
	waiting := inRows(d.shot)
	waiting = waiting[len(waiting)-3:] // beneath the first row, which has no button on the way
	for _, button := range waiting {
		d.tap(button)
	}
	d.sees("3-part", "a part can be sent", patience, func(s *Shot) bool { return reviewSheet(s) && len(s.Primary()) == 1 })
	d.keys("Right", "Right", "Right", "i", "Right", "Right", "Right", "Right", "o")
	d.look()
	d.keep("4-marked")
	d.tap(d.shot.Primary()[0])
	_, err = d.app.Answers(t.Context(), len(files), answerLimit)
	assert.NoError(t, err)
	d.look()
	d.keep("5-answered")
	d.close()

	has := map[string][]byte{} // what the service keeps, by its hash
	for _, content := range filesBelow(t, d.service.Dir) {
		has[sum(content)] = content
	}
	logged, submitted := d.custodyLog(), d.submissions()
	for file, want := range map[string]struct{ format, magic string }{
		phone: {"JPEG", "\xff\xd8\xff"}, scan: {"JPEG", "\xff\xd8\xff"}, clip: {"MP4", "ftypisom"}, large: {"MP4", "ftypisom"},
	} {
		entry, original := logged[filepath.Base(file)], digest(t, file)
		if entry.SHA256 != original || entry.Format != want.format || submitted[original] != 0 || submitted[entry.Sent] != 1 {
			t.Errorf("%s is %s; the log says %+v; the service has %v", filepath.Base(file), original, entry, submitted)
		}
		if sent := has[entry.Sent]; !bytes.Contains(sent[:min(16, len(sent))], []byte(want.magic)) {
			t.Errorf("what was sent for %s is no %s, but begins with %q", filepath.Base(file), want.format, sent[:min(16, len(sent))])
		}
	}
	if len(submitted) != len(files) {
		t.Errorf("for %d files the service has %v", len(files), submitted)
	}
	const from, to, frames = 3, 7, 0.08
	part := logged[filepath.Base(large)]
	for what, seconds := range map[string]struct {
		told string
		want float64
	}{
		"in the log, the part begins at": {part.From, from}, "in the log, it ends at": {part.To, to},
		"what was sent is as long as": {d.lengthOf(has[part.Sent]), to - from},
	} {
		if told, err := strconv.ParseFloat(seconds.told, 64); err != nil || math.Abs(told-seconds.want) > frames {
			t.Errorf("%s %q s, and by the marks it is %g", what, seconds.told, seconds.want)
		}
	}
}

// inRows are the buttons in the rows of the inbox, one in each, from top to bottom.
func inRows(s *Shot) []image.Rectangle {
	const head = 186
	var found []image.Rectangle
	for _, button := range s.Outlined() {
		if button.Min.Y > head {
			found = append(found, button)
		}
	}
	return found
}

// enlarge makes an MP4 larger, by a box at its end that readers pass over. It has a hole, so that it takes no room on the disk.
func enlarge(t *testing.T, path string, size int64) {
	t.Helper()
	file, err := os.OpenFile(path, os.O_WRONLY, 0)
	assert.NoError(t, err)
	defer file.Close() //nolint:errcheck // what is written is checked by its reader
	end, err := file.Seek(0, io.SeekEnd)
	assert.NoError(t, err)
	box := append(binary.BigEndian.AppendUint32(nil, uint32(size-end)), "free"...) //nolint:gosec // less than 4 GB
	_, err = file.Write(box)
	assert.NoError(t, err)
	assert.NoError(t, file.Truncate(size))
}

// lengthOf is the length of a clip in seconds, as ffprobe tells it.
func (d *fixture) lengthOf(clip []byte) string {
	d.t.Helper()
	said, err := d.desktop.Run(d.t.Context(), "ffprobe", "-v", "error", "-show_entries", "format=duration", "-of", "csv=p=0", writeFile(d.t, "part.mp4", clip))
	assert.NoError(d.t, err)
	return strings.TrimSpace(string(said))
}

// custodyEntry is what the custody log says of a file when the service had answered.
type custodyEntry struct {
	Name   string `json:"name"`
	SHA256 string `json:"sha256"`
	Sent   string `json:"sentSha256"`
	Format string `json:"sentFormat"`
	From   string `json:"sentFrom"`
	To     string `json:"sentTo"`
}

// custodyLog is that of all that the service has answered, by the files' names, as a bundle has it. The whole log must be intact.
func (d *fixture) custodyLog() map[string]custodyEntry {
	d.t.Helper()
	run := func(words ...string) *Process {
		d.t.Helper()
		process, err := d.desktop.Launch(d.options, words...)
		assert.NoError(d.t, err)
		if code, err := process.Wait(answerLimit); err != nil || code != 0 {
			d.t.Fatalf("assay %q: %v, exit code %d: %s%s", words, err, code, process.Output, process.Errors)
		}
		return process
	}
	export := []string{"export"}
	for _, line := range run("list", "--json").Output.Lines() {
		var listed struct {
			RequestID string `json:"requestId"`
		}
		assert.NoError(d.t, json.Unmarshal([]byte(line), &listed))
		export = append(export, listed.RequestID)
	}
	bundle := filepath.Join(d.t.TempDir(), "bundle")
	run(append(export, "--names", "real", "--out", bundle)...)
	run("verify", "--log")
	entries, err := os.ReadFile(filepath.Join(bundle, "data", "custody", "entries.ndjson"))
	assert.NoError(d.t, err)
	found := map[string]custodyEntry{}
	for lines := bufio.NewScanner(bytes.NewReader(entries)); lines.Scan(); {
		var entry struct {
			Deed  string       `json:"deed"`
			Facts custodyEntry `json:"facts"`
		}
		assert.NoError(d.t, json.Unmarshal(lines.Bytes(), &entry))
		if entry.Deed == "answered" {
			found[entry.Facts.Name] = entry.Facts
		}
	}
	return found
}
