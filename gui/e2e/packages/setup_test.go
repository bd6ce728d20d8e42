//go:build e2e && packages && linux

// Package packages installs what `make packages` has built, and tries it: nothing of it is compiled into Assay.
package packages

import (
	"os"
	"path/filepath"
	"testing"

	"assay/client/assert"
	"assay/client/release"
	"assay/gui/e2e"
)

// fixture is where the packages are, and what they are of.
type fixture struct {
	root     string // the repository's folder
	packages string // build/packages
	binaries string // build/bin
	version  string
}

// setup finds the packages. That there are none is a failure: `make packages` builds them.
func setup(t *testing.T) *fixture {
	t.Helper()
	root, err := e2e.Root()
	assert.NoError(t, err)
	f := &fixture{root: root, packages: filepath.Join(root, "build", "packages"), binaries: filepath.Join(root, "build", "bin"), version: release.Version()}
	if names, err := os.ReadDir(f.packages); err != nil || len(names) == 0 {
		t.Fatalf("no packages in %s, `make packages` builds them (%v)", f.packages, err)
	}
	return f
}

// built is the path of a package. That it is missing, or empty, is a failure.
func (f *fixture) built(t *testing.T, name string) string {
	t.Helper()
	path := filepath.Join(f.packages, name)
	info, err := os.Stat(path)
	assert.NoError(t, err)
	if info.Size() == 0 {
		t.Fatalf("%s is empty", path)
	}
	return path
}
