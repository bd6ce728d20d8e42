//go:build e2e && packages && linux

package packages

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"assay/client/assert"
)

func TestTheDebPassesLintian(t *testing.T) {
	f := setup(t)
	amd64, _, _, _ := f.headless(t, "amd64")
	arm64, _, _, _ := f.headless(t, "arm64")
	for _, deb := range []string{f.deb(), amd64, arm64} {
		// What is overridden, and why, is in assets/packages/linux/lintian-overrides, and in headless beside it.
		if said := outside(t, "lintian", "--allow-root", "--pedantic", "--display-info", "--fail-on", "error,warning,info,pedantic", deb); said != "" {
			t.Errorf("%s: %s", deb, said)
		}
	}
}

func TestTheRPMPassesRPMLint(t *testing.T) {
	f := setup(t)
	// rpmlint unpacks with cpio, which would write files of absolute names where they say.
	tools := t.TempDir()
	cpio, err := exec.LookPath("cpio")
	assert.NoError(t, err)
	assert.NoError(t, os.WriteFile(filepath.Join(tools, "cpio"), []byte("#!/bin/sh\nexec "+cpio+" --no-absolute-filenames \"$@\"\n"), 0o755)) //nolint:gosec // a program
	_, amd64, _, _ := f.headless(t, "amd64")
	_, arm64, _, _ := f.headless(t, "arm64")
	for _, rpm := range []string{f.rpm(), amd64, arm64} {
		lint := exec.CommandContext(t.Context(), "rpmlint", "--config", filepath.Join(f.root, "assets", "packages", "linux", "rpmlint.toml"), rpm)
		lint.Env = append(os.Environ(), "PATH="+tools+":"+os.Getenv("PATH"), "TMPDIR="+t.TempDir())
		if code, stdout, stderr := called(t, lint); code != 0 || !strings.Contains(stdout, " 0 errors, 0 warnings") {
			t.Errorf("%s: exit %d: %s%s", rpm, code, stdout, stderr)
		}
	}
}

func TestWhatDesktopsAndStoresReadIsValid(t *testing.T) {
	f := setup(t)
	folder := t.TempDir()
	outside(t, "dpkg-deb", "--extract", f.deb(), folder)
	share := filepath.Join(folder, "usr", "share")
	for _, name := range []string{"news.assay.Assay.desktop", "zz-news.assay.Assay.desktop"} {
		if said := outside(t, "desktop-file-validate", filepath.Join(share, "applications", name)); said != "" {
			t.Error(said)
		}
	}
	said := outside(t, "appstreamcli", "validate", "--no-net", "--pedantic", "--no-color", filepath.Join(share, "metainfo", "news.assay.Assay.metainfo.xml"))
	for line := range strings.Lines(said) {
		// The ID has the product's name as it is written; it is in records, entries and installers.
		if issue := strings.TrimSpace(line); len(issue) > 2 && issue[1] == ':' && !strings.Contains(issue, "cid-contains-uppercase-letter") {
			t.Error(said)
		}
	}
	if !strings.Contains(said, "Validation was successful") {
		t.Error(said)
	}
	// Warnings of the page's source; it is dated by the commit.
	page := exec.CommandContext(t.Context(), "man", "--warnings", "--encoding=UTF-8", "--local-file", filepath.Join(share, "man", "man1", "assay.1.gz"))
	page.Env = append(os.Environ(), "MANWIDTH=100", "LC_ALL=C.UTF-8")
	if code, _, stderr := called(t, page); code != 0 || stderr != "" {
		t.Errorf("exit %d: %s", code, stderr)
	}
}
