package command_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"assay/client/assert"
	"assay/client/sandbox"
)

func TestWatchWaitsForTheWriter(t *testing.T) {
	setKey(t)
	service, folder := startService(t, sandbox.Options{}), t.TempDir()
	w := service.watch(t, 1, "--gate", "send", "--home", t.TempDir(), folder)
	data, err := os.ReadFile(picture("generated.png"))
	assert.NoError(t, err)
	file, err := os.Create(filepath.Join(folder, "slow.png"))
	assert.NoError(t, err)
	defer file.Close() //nolint:errcheck // a second time
	if _, err := file.Write(data[:len(data)/2]); err != nil {
		t.Fatal(err)
	}
	// What comes later and is complete at once overtakes it.
	put(t, folder, "quick.png", "poster.png")
	if line := w.prints(); !strings.HasPrefix(line, "quick.png: ") {
		t.Errorf("it prints %q", line)
	}
	assert.Equal(t, 1, service.uploads.Load())
	if _, err := file.Write(data[len(data)/2:]); err != nil {
		t.Fatal(err)
	}
	assert.NoError(t, file.Close())
	if line := w.prints(); !strings.HasPrefix(line, "slow.png: Likely manipulated") {
		t.Errorf("it prints %q", line)
	}
	w.end()
	assert.Equal(t, 2, service.uploads.Load())
}
