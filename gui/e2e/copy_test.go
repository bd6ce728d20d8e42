//go:build e2e && linux

package e2e

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"path/filepath"
	"testing"
	"time"

	"assay/client/assert"
)

// A phone's HEIC, which the service does not take, leaves as a JPEG once the person says so, and the records have both hashes.
func TestAPhonesPictureIsSentAsACopy(t *testing.T) {
	d := setupConfigured(t)
	d.settings(map[string]any{"copies": "ask"})
	d.keychain(true)
	d.setKey()
	root, err := Root()
	assert.NoError(t, err)
	folder := folderWith(t, map[string]string{"IMG_0042.HEIC": filepath.Join(root, "client", "media", "convert", "testdata", "phone.heic")})
	file := filepath.Join(folder, "IMG_0042.HEIC")
	d.open(file)
	d.sees("1-waits", "the file waits", 20*time.Second, func(s *Shot) bool { return rows(s) == 1 })
	d.nothingSent()
	d.keys("j", "s")
	d.sees("2-sheet", "it shows what would leave", 20*time.Second, reviewSheet)
	d.nothingSent()
	d.keys("shift+Tab", "space") // from "Not now" up to "Send"
	if _, err := d.app.Answers(t.Context(), 1, answerLimit); err != nil {
		t.Fatal(err)
	}
	d.look()
	d.keep("3-answered")
	original := digest(t, file)
	copies := map[string]bool{}
	for _, content := range filesBelow(t, d.service.Dir) {
		if bytes.HasPrefix(content, []byte("\xff\xd8\xff")) {
			sum := sha256.Sum256(content)
			copies[hex.EncodeToString(sum[:])] = true
		}
	}
	sent := ""
	for content := range d.submissions() {
		if content == original {
			t.Error("the file itself was sent")
		}
		if copies[content] {
			sent = content
		}
	}
	if sent == "" {
		t.Fatalf("no JPEG was sent: %v", d.submissions())
	}
	d.keys("ctrl+2")
	d.look()
	d.keep("4-viewer")
	d.close()
	logged := false
	for _, content := range filesBelow(t, d.options.Home) {
		logged = logged || bytes.Contains(content, []byte(original)) && bytes.Contains(content, []byte(sent))
	}
	if !logged {
		t.Error("the records do not have both hashes")
	}
}
