package main

import (
	"crypto/ed25519"
	"crypto/rand"
	"encoding/pem"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/crypto/ssh"

	"assay/client/assert"
)

// newKey makes a key as ssh-keygen -t ed25519 does, and returns its text.
func newKey(t *testing.T, passphrase string) string {
	t.Helper()
	_, key, err := ed25519.GenerateKey(rand.Reader)
	assert.NoError(t, err)
	block, err := ssh.MarshalPrivateKey(key, "")
	if passphrase != "" {
		block, err = ssh.MarshalPrivateKeyWithPassphrase(key, "", []byte(passphrase))
	}
	assert.NoError(t, err)
	return string(pem.EncodeToMemory(block))
}

// verified reports whether the commands that the release notes give pass in a folder.
func verified(t *testing.T, folder string) bool {
	t.Helper()
	notes := string(read(t, filepath.Join(folder, notesFile)))
	_, after, _ := strings.Cut(notes, "```\n")
	commands, _, found := strings.Cut(after, "```")
	assert.True(t, found && strings.Contains(commands, "sha256sum"), "the notes say how: %s", notes)
	shell := exec.CommandContext(t.Context(), "sh", "-ec", commands) //nolint:gosec // what the notes tell people to do
	shell.Dir = folder
	said, err := shell.CombinedOutput()
	t.Logf("%s", said)
	return err == nil
}

func notesIn(t *testing.T, folder string) {
	t.Helper()
	changelog := filepath.Join(t.TempDir(), "CHANGELOG.md")
	assert.NoError(t, os.WriteFile(changelog, []byte("# What is new\n\n## 0.1.0 (2026-11-23)\n\n- All of it.\n"), 0o600))
	makes(t, "notes", "--release", "--version", "0.1.0", "--changelog", changelog, folder)
}

// People check with the commands that the notes give: what they would be deceived by is refused.
func TestSealedSumsAreVerified(t *testing.T) {
	for _, from := range []string{keyVariable, keyFileVariable} {
		folder, key := releaseFolder(t), newKey(t, "")
		if from == keyFileVariable {
			path := filepath.Join(t.TempDir(), "key")
			assert.NoError(t, os.WriteFile(path, []byte(key), 0o600))
			t.Setenv(from, path)
		} else {
			t.Setenv(from, strings.TrimSpace(key)) // as a secret is pasted
		}
		notesIn(t, folder)
		makes(t, "sums", "--release", folder)
		assert.True(t, verified(t, folder), "what was made is refused")
		if sums := string(read(t, filepath.Join(folder, sumsFile))); strings.Count(sums, "\n") != 6 || !strings.Contains(sums, "  "+signersFile+"\n") {
			t.Errorf("the sums are %s", sums)
		}
		before := read(t, filepath.Join(folder, sealFile))
		makes(t, "sums", "--release", folder)
		assert.Equal(t, before, read(t, filepath.Join(folder, sealFile)))

		for _, name := range []string{"assay_0.1.0_amd64.deb", sumsFile, sealFile, signersFile, notesFile, "assay_0.1.0_amd64.deb.cdx.json"} {
			path := filepath.Join(folder, name)
			whole := read(t, path)
			flipped := append([]byte{}, whole...)
			flipped[len(flipped)/2] ^= 1
			assert.NoError(t, os.WriteFile(path, flipped, 0o600))
			shown := name != notesFile // the commands are read from there: the sums have it all the same
			if shown && verified(t, folder) {
				t.Errorf("a flipped bit in %s is not found", name)
			}
			assert.NoError(t, os.WriteFile(path, whole, 0o600))
		}
	}
}

func TestSumsNameEveryFile(t *testing.T) {
	folder := releaseFolder(t)
	if said := makes(t, "sums", folder); !strings.Contains(said, "no seal") {
		t.Errorf("without a key it says %q", said)
	}
	var names []string
	for line := range strings.Lines(string(read(t, filepath.Join(folder, sumsFile)))) {
		names = append(names, strings.Fields(line)[1])
	}
	assert.Equal(t, []string{"assay-0.1.0-windows-x64-setup.exe", "assay-headless-0.1.0-1.aarch64.rpm", "assay_0.1.0_amd64.deb", "assay_0.1.0_amd64.deb.cdx.json"}, names)
	assert.NoError(t, os.WriteFile(filepath.Join(folder, "core"), []byte("x"), 0o600))
	if said := refuses(t, "sums", folder); !strings.Contains(said, "core") {
		t.Errorf("of a file that is no package it says %q", said)
	}
}

func TestReleaseIsSealedByAKeyThatCanBeRead(t *testing.T) {
	folder := releaseFolder(t)
	makes(t, "sums", folder)
	refuses(t, "sums", "--release", folder)
	refuses(t, "sums", "--release") // asked before anything is built
	for what, key := range map[string]string{"passphrase": newKey(t, "secret"), "no Ed25519 key": "AAAAC3NzaC1lZDI1NTE5 is no key"} {
		t.Setenv(keyVariable, key)
		said := refuses(t, "sums", "--release", folder)
		if !strings.Contains(said, what) || strings.Contains(said, strings.Fields(key)[0]) {
			t.Errorf("it says %q", said)
		}
	}
	t.Setenv(keyVariable, newKey(t, ""))
	makes(t, "sums", folder)
	t.Setenv(keyVariable, "")
	makes(t, "sums", folder)
	if _, err := os.Stat(filepath.Join(folder, sealFile)); err == nil {
		t.Error("the seal of before is left beside sums without one")
	}
}
