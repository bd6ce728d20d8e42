package session

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"assay/client/assert"
	"assay/client/desk/postgres"
)

func TestReadDeskFile(t *testing.T) {
	dir := t.TempDir()
	elsewhere := filepath.Join(t.TempDir(), "ines.pem")
	read := func(t *testing.T, text string) (postgres.Parts, error) {
		t.Helper()
		path := filepath.Join(dir, "newsroom.txt")
		assert.NoError(t, os.WriteFile(path, []byte(text), 0o600))
		return ReadDeskFile(path)
	}
	t.Run("the address, and the certificates beside the file", func(t *testing.T) {
		p, err := read(t, "\ufeff# The newsroom's desk\r\n\r\npostgres://desk.example/assay?sslrootcert=ca.pem&sslcert="+strings.ReplaceAll(elsewhere, `\`, "%5C")+"\r\nnot this\r\n")
		assert.NoError(t, err)
		assert.Equal(t, postgres.Parts{Server: "postgres://desk.example/assay", Authority: filepath.Join(dir, "ca.pem"), Certificate: elsewhere}, p)
	})
	t.Run("with the member's login", func(t *testing.T) {
		p, err := read(t, "postgres://ines@desk.example/assay")
		assert.NoError(t, err)
		assert.Equal(t, postgres.Parts{Server: "postgres://desk.example/assay", Login: "ines"}, p)
	})
	for name, text := range map[string]string{"nothing": "", "a comment alone": "# desk", "something else": "-----BEGIN CERTIFICATE-----", "another address": "https://desk.example"} {
		t.Run(name+" is refused", func(t *testing.T) {
			if _, err := read(t, text); !errors.Is(err, postgres.ErrAddress) {
				t.Error(err)
			}
		})
	}
	t.Run("a password is refused", func(t *testing.T) {
		if _, err := read(t, "postgres://ines:secret@desk.example/assay"); !errors.Is(err, postgres.ErrPasswordInAddress) {
			t.Error(err)
		}
	})
}
