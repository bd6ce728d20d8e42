//go:build e2e && linux

package e2e

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"assay/client/assert"
)

// What is sensitive is shown before it leaves, and leaves as a copy without what identifies.
func TestSensitiveFilesAreReviewedBeforeTheyAreSent(t *testing.T) {
	d := setupConfigured(t)
	d.settings(map[string]any{"gates": map[string]any{"files": "sensitive"}})
	d.keychain(true)
	d.setKey()
	file, planted := withOwner(t, filepath.Join(t.TempDir(), "from the ministry.png"), pngPicture(t))
	d.open(file)
	d.sees("1-waits", "the file waits", patience, func(s *Shot) bool { return rows(s) == 1 })
	d.nothingSent()
	d.keys("j", "s")
	d.sees("2-sheet", "it shows what would leave", patience, reviewSheet)
	d.nothingSent()
	if boxes := d.shot.Boxes(); len(boxes) > 0 {
		d.tap(boxes[len(boxes)-1]) // under a neutral name
	}
	d.look()
	d.keep("3-without-metadata")
	d.keys("ctrl+Return") // a copy without metadata
	if _, err := d.app.Answers(t.Context(), 1, answerLimit); err != nil {
		t.Fatal(err)
	}
	d.look()
	d.keep("4-answered")
	sent := filesBelow(t, d.service.Dir)
	if len(sent) == 0 {
		t.Fatal("the service has nothing")
	}
	for path, content := range sent {
		if bytes.Contains(content, planted) || bytes.Contains(content, []byte("ministry")) {
			t.Errorf("what identifies reached the service: %s", filepath.Base(path))
		}
	}
	for content := range d.submissions() {
		if content == digest(t, file) {
			t.Error("the file itself was sent")
		}
	}
	d.close()
}

// reviewSheet reports whether the window asks how something is to leave: what lies behind it is dimmed.
func reviewSheet(s *Shot) bool {
	const inRail, halfDown = 40, 400
	return s.Pixels.RGBAAt(inRail, halfDown).R < 0xd0
}

// filesBelow are the contents of all files of a folder.
func filesBelow(t *testing.T, folder string) map[string][]byte {
	t.Helper()
	found := map[string][]byte{}
	err := filepath.WalkDir(folder, func(path string, entry os.DirEntry, err error) error {
		if err == nil && entry.Type().IsRegular() {
			found[path], err = os.ReadFile(path)
		}
		return err
	})
	assert.NoError(t, err)
	return found
}

// pngPicture is one of the pictures.
func pngPicture(t *testing.T) string {
	t.Helper()
	all := pictures(t)
	return all[slices.IndexFunc(all, func(path string) bool { return filepath.Ext(path) == ".png" })]
}
