package main

import (
	"bytes"
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
