package main

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"assay/client/assert"
	"assay/client/release"
)

// make runs the maker and returns what it printed.
func makes(t *testing.T, args ...string) string {
	t.Helper()
	printed := new(bytes.Buffer)
	assert.NoError(t, run(args, printed))
	return printed.String()
}

// refuses runs the maker, which must fail, and returns what it says.
func refuses(t *testing.T, args ...string) string {
	t.Helper()
	err := run(args, new(bytes.Buffer))
	if err == nil {
		t.Fatalf("maker %q succeeds", args)
	}
	return err.Error()
}

func TestVersion(t *testing.T) {
	assert.Equal(t, release.Version()+"\n", makes(t, "version"))
}

func TestWhatIsNoCommandIsRefused(t *testing.T) {
	for _, args := range [][]string{nil, {"seal-all"}, {"version", "0.2.0"}} {
		refuses(t, args...)
	}
}

const commitDate = "1795410736" // 2026-11-23 05:12:16 UTC

func read(t *testing.T, path string) []byte {
	t.Helper()
	content, err := os.ReadFile(path)
	assert.NoError(t, err)
	return content
}

// releaseFolder is a folder with packages, which are no packages but for their names.
func releaseFolder(t *testing.T) string {
	t.Helper()
	t.Setenv(keyVariable, "")
	t.Setenv(keyFileVariable, "")
	folder := t.TempDir()
	for _, name := range []string{"assay_0.1.0_amd64.deb", "assay-headless-0.1.0-1.aarch64.rpm", "assay-0.1.0-windows-x64-setup.exe", "assay_0.1.0_amd64.deb.cdx.json"} {
		assert.NoError(t, os.WriteFile(filepath.Join(folder, name), []byte(name), 0o600))
	}
	return folder
}
