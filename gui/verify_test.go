package gui

import (
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"assay/client/assert"
	"assay/client/report/bundle"
	"assay/gui/guitest"
	"assay/gui/screens"
)

// writtenBundle is a small bundle as a folder, without a seal.
func writtenBundle(t *testing.T, name string) (folder string) {
	t.Helper()
	report := `{"schema":"assay.report/1","results":[]}`
	files := map[string]string{
		bundle.BagItFile: bundle.BagItText, bundle.InfoFile: fmt.Sprintf("Payload-Oxum: %d.1\nAssay-Bundle: 1\n", len(report)), "data/report.json": report,
	}
	line := func(name string) string { return fmt.Sprintf("%x  %s\n", sha256.Sum256([]byte(files[name])), name) }
	files[bundle.ManifestFile] = line("data/report.json")
	files[bundle.TagManifestFile] = line(bundle.BagItFile) + line(bundle.InfoFile) + line(bundle.ManifestFile)
	folder = filepath.Join(t.TempDir(), name)
	assert.NoError(t, os.MkdirAll(filepath.Join(folder, "data"), 0o700))
	for name, content := range files {
		assert.NoError(t, os.WriteFile(filepath.Join(folder, filepath.FromSlash(name)), []byte(content), 0o600))
	}
	return folder
}

// overlay are the words of the sheet that is open, "" where none is.
func (d *fixture) overlay() string {
	if top := d.window.Canvas().Overlays().Top(); top != nil {
		return guitest.Words(top)
	}
	return ""
}

func TestABundleThatIsHandedOverIsVerified(t *testing.T) {
	t.Run("dropped with a picture, which is submitted", func(t *testing.T) {
		d := setup(t)
		d.drop(writtenBundle(t, "case.assay"), copied(t))
		d.Until("it was verified", func() bool { return strings.Contains(d.overlay(), "Intact, but not sealed") })
		if !strings.Contains(d.overlay(), "case.assay") {
			t.Error(d.overlay())
		}
		d.Until("the picture is in the inbox", func() bool { return len(d.Queue.All()) == 1 })
	})
	t.Run("two are verified one after the other", func(t *testing.T) {
		d := setup(t)
		changed := writtenBundle(t, "changed")
		assert.NoError(t, os.WriteFile(filepath.Join(changed, "data", "report.json"), []byte("{}"), 0o600))
		d.drop(changed, writtenBundle(t, "whole"))
		d.Until("the first was verified", func() bool { return strings.Contains(d.overlay(), "data/report.json was changed.") })
		d.sheet.Close()
		d.Until("the second was verified", func() bool { return strings.Contains(d.overlay(), "Intact, but not sealed") })
		d.sheet.Close()
		d.Until("nothing is left", func() bool { return d.overlay() == "" })
		if n := len(d.Queue.All()); n != 0 {
			t.Errorf("%d were submitted", n)
		}
	})
	t.Run("dropped on the watched folders, it is not watched", func(t *testing.T) {
		d := setup(t)
		d.rail.Select(screens.Folders)
		d.drop(writtenBundle(t, "case.assay"))
		d.Until("it was verified", func() bool { return strings.Contains(d.overlay(), "Intact, but not sealed") })
		if d.rail.Selected() != screens.Folders {
			t.Error("another screen is shown")
		}
	})
	t.Run("a folder that is none is submitted as ever", func(t *testing.T) {
		d := setup(t)
		folder := t.TempDir()
		assert.NoError(t, os.WriteFile(filepath.Join(folder, "bagit.txt"), []byte(bundle.BagItText), 0o600)) // another program's
		assert.NoError(t, os.Rename(copied(t), filepath.Join(folder, "a.jpg")))
		d.drop(folder)
		d.Until("the picture is in the inbox", func() bool { return len(d.Queue.All()) > 0 })
		assert.Equal(t, "", d.overlay())
	})
}

// copied is a picture in a folder of its own.
func copied(t *testing.T) (path string) {
	t.Helper()
	content, err := os.ReadFile(photoFile("mountains-spliced.jpg"))
	assert.NoError(t, err)
	return guitest.File(t, "a.jpg", content)
}
