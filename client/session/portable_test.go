package session

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"assay/client/assert"
)

// portableProgram is a program with the marker beside it, and the folder that it should use.
func portableProgram(t *testing.T) (program, home string) {
	t.Helper()
	folder, err := filepath.EvalSymlinks(t.TempDir())
	assert.NoError(t, err)
	program = filepath.Join(folder, "assay")
	for _, name := range []string{program, filepath.Join(folder, "portable")} {
		assert.NoError(t, os.WriteFile(name, nil, 0o600))
	}
	return program, filepath.Join(folder, "assay-home")
}

func homeOf(t *testing.T, o Options) string {
	t.Helper()
	home, err := o.HomeFolder()
	assert.NoError(t, err)
	return home
}

func TestPortableHomeIsBesideTheProgram(t *testing.T) {
	program, home := portableProgram(t)
	o := Options{Machine: Machine{Program: program}}
	assert.Equal(t, home, homeOf(t, o))
	assert.Equal(t, home, homeOf(t, o)) // it is there already
	left, err := os.ReadDir(home)
	assert.NoError(t, err)
	assert.Equal(t, 0, len(left))

	link := filepath.Join(t.TempDir(), "assay")
	if err := os.Symlink(program, link); err == nil { // not everybody may on Windows
		assert.Equal(t, home, homeOf(t, Options{Machine: Machine{Program: link}}))
	}
}

func TestHomeIsTheSystemsWhereNothingSaysPortable(t *testing.T) {
	usual := homeOf(t, Options{})
	program, home := portableProgram(t)
	given := t.TempDir()
	assert.Equal(t, given, homeOf(t, Options{Home: given, Machine: Machine{Program: program}}))

	marker := filepath.Join(filepath.Dir(program), "portable")
	assert.NoError(t, os.Remove(marker))
	assert.Equal(t, usual, homeOf(t, Options{Machine: Machine{Program: program}}))
	assert.NoError(t, os.Mkdir(marker, 0o700)) // some folder of the person's
	assert.Equal(t, usual, homeOf(t, Options{Machine: Machine{Program: program}}))
	assert.Equal(t, usual, homeOf(t, Options{Machine: Machine{Program: program + "-removed"}}))
	if _, err := os.Stat(home); err == nil {
		t.Error("the folder beside the program was made")
	}
}

// Records that belong on a stick must not be left on the computer that it is in.
func TestPortableHomeIsNeverReplacedByAnother(t *testing.T) {
	program, home := portableProgram(t)
	assert.NoError(t, os.WriteFile(home, nil, 0o600)) // nobody can write into a file as if it were a folder, root neither
	_, err := (&Options{Machine: Machine{Program: program}}).HomeFolder()
	var misuse *Misuse
	if !errors.As(err, &misuse) || !strings.Contains(misuse.Sentence, home) || !strings.Contains(misuse.Sentence, "--home") {
		t.Errorf("it says %v", err)
	}
}
