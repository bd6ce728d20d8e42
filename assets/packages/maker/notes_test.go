package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"assay/client/assert"
)

func TestNotesHaveTheSectionOfTheVersion(t *testing.T) {
	const changelog = "# What is new\n\nOn top.\n\n## Unreleased\n\n- Later.\n\n## 0.2.0 (2026-12-24)\n\n- Newer, `## not a heading`.\n\n### More\n\n## 0.1.0\n\n- First.\n\n## 0.0.9 (2026-01-31)\n"
	folder := releaseFolder(t)
	path := filepath.Join(t.TempDir(), "CHANGELOG.md")
	assert.NoError(t, os.WriteFile(path, []byte(changelog), 0o600))
	for _, c := range []struct{ version, release, want, refused string }{
		{"0.2.0", "true", "# Assay 0.2.0 (2026-12-24)\n\n- Newer, `## not a heading`.\n\n### More\n\n## Files\n", ""},
		{"0.1.0", "false", "# Assay 0.1.0\n\n- Later.\n\n## Files\n", ""},
		{"0.3.0", "false", "# Assay 0.3.0\n\n- Later.\n\n## Files\n", ""},
		{"0.3.0", "true", "", "0.3.0 has no section"},
		{"0.1.0", "true", "", "no date"},
		{"0.0.9", "true", "", "is empty"},
	} {
		args := []string{"notes", "--changelog", path, "--version", c.version, "--release=" + c.release, folder}
		if c.refused != "" {
			if said := refuses(t, args...); !strings.Contains(said, c.refused) {
				t.Errorf("of %s it says %q", c.version, said)
			}
			continue
		}
		makes(t, args...)
		if notes := string(read(t, filepath.Join(folder, notesFile))); !strings.HasPrefix(notes, c.want) {
			t.Errorf("the notes on %s begin with %.120q", c.version, notes)
		}
	}
	notes := string(read(t, filepath.Join(folder, notesFile)))
	for _, row := range []string{"| `assay_0.1.0_amd64.deb` | Debian", "| `assay-headless-0.1.0-1.aarch64.rpm` | Fedora, openSUSE, RHEL; without a window |", "| `assay-0.1.0-windows-x64-setup.exe` | Windows, for one person |"} {
		if !strings.Contains(notes, row) {
			t.Errorf("the notes lack %q: %s", row, notes)
		}
	}
	if strings.Contains(notes, "| `assay_0.1.0_amd64.deb.cdx.json`") {
		t.Error("the lists of contents are listed")
	}
}

// The project's own must be one that a release can be made of.
func TestChangelogIsRead(t *testing.T) {
	sections, err := sectionsOf(read(t, filepath.Join("..", "..", "..", "CHANGELOG.md")))
	assert.NoError(t, err)
	assert.True(t, len(sections) > 0 && sections[0].text != "", "CHANGELOG.md has no section")
	for _, broken := range []string{"## 0.1.0 (yesterday)\n", "## 0.1.0 - 2026-11-23\n", "## 0.1.0\n## 0.1.0\n"} {
		if _, err := sectionsOf([]byte(broken)); err == nil {
			t.Errorf("%q is read", broken)
		}
	}
}
