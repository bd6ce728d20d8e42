//go:build unix

package client_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"assay/client"
	"assay/client/assert"
)

func TestACertificateFileWithoutEndIsRefusedAtOnce(t *testing.T) {
	dir := t.TempDir()
	pipe, large := filepath.Join(dir, "pipe"), filepath.Join(dir, "large.pem")
	assert.NoError(t, syscall.Mkfifo(pipe, 0o600))
	assert.NoError(t, os.WriteFile(large, nil, 0o600))
	assert.NoError(t, os.Truncate(large, 4<<20+1))
	for name, at := range map[string]struct{ path, why string }{
		"a device without end": {"/dev/zero", "It is not an ordinary file."},
		"a pipe":               {pipe, "It is not an ordinary file."},
		"a folder":             {dir, "It is not an ordinary file."},
		"a byte too many":      {large, "It is larger than 4 MB."},
	} {
		t.Run(name, func(t *testing.T) {
			refused := make(chan error, 1)
			go func() {
				_, err := client.New(client.Options{BaseURL: "https://service.example", CAFile: at.path})
				refused <- err
			}()
			select {
			case err := <-refused:
				var e *client.Error
				if !errors.As(err, &e) || e.Kind != client.KindSetup || !strings.Contains(e.Sentence(), at.why) {
					t.Errorf("%v", err)
				}
			case <-time.After(time.Minute):
				if pipe == at.path { // else the reader waits for ever
					if w, err := os.OpenFile(pipe, os.O_WRONLY|syscall.O_NONBLOCK, 0); err == nil {
						_ = w.Close()
					}
				}
				t.Fatal("it reads on")
			}
		})
	}
}
