package main

import (
	"archive/zip"
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"assay/client/assert"
)

// writeFiles writes files into a folder, each with its mode and a time of its own, and returns the folder.
func writeFiles(t *testing.T, mode os.FileMode, at time.Time) string {
	t.Helper()
	folder := t.TempDir()
	for name, content := range map[string]string{"assay": "a program", "docs/b.txt": "b", "docs/a.txt": strings.Repeat("a", 1000)} {
		path := filepath.Join(folder, filepath.FromSlash(name))
		assert.NoError(t, os.MkdirAll(filepath.Dir(path), 0o700))
		assert.NoError(t, os.WriteFile(path, []byte(content), 0o600))
		assert.NoError(t, os.Chtimes(path, at, at))
	}
	assert.NoError(t, os.Chmod(filepath.Join(folder, "assay"), mode))
	return folder
}

func TestArchiveOfTheSameContentIsTheSame(t *testing.T) {
	t.Setenv("SOURCE_DATE_EPOCH", commitDate)
	for _, ending := range []string{".tar.xz", ".zip"} {
		var archives [2]string
		for i, mode := range []os.FileMode{0o755, 0o700} {
			folder := writeFiles(t, mode, time.Unix(int64(i*1e6), 0))
			members := []string{"assay=" + filepath.Join(folder, "assay"), "doc=" + filepath.Join(folder, "docs")}
			if i == 1 {
				members[0], members[1] = members[1], members[0]
				t.Setenv("XZ_DEFAULTS", "-0") // of whoever builds
				t.Setenv("TZ", "Pacific/Auckland")
			}
			archives[i] = filepath.Join(t.TempDir(), "assay"+ending)
			makes(t, append([]string{"archive", "--out", archives[i], "--folder", "assay-0.1.0"}, members...)...)
		}
		if !bytes.Equal(read(t, archives[0]), read(t, archives[1])) {
			t.Errorf("two %s of the same content differ", ending)
		}
	}
}

// As people unpack it, with programs that are not Go's.
func TestArchiveIsUnpacked(t *testing.T) {
	t.Setenv("SOURCE_DATE_EPOCH", commitDate)
	folder, out := writeFiles(t, 0o700, time.Now()), t.TempDir()
	for name, unpack := range map[string][]string{"assay.tar.xz": {"tar", "xf"}, "assay.zip": {"unzip", "-q"}} {
		archive := filepath.Join(out, name)
		makes(t, "archive", "--out", archive, "--folder", "assay-0.1.0", "assay="+filepath.Join(folder, "assay"), "doc="+filepath.Join(folder, "docs"))
		to := t.TempDir()
		command := exec.CommandContext(t.Context(), unpack[0], append(unpack[1:], archive)...) //nolint:gosec // of the table
		command.Dir = to
		if said, err := command.CombinedOutput(); err != nil {
			t.Fatalf("%s: %v: %s", name, err, said)
		}
		program := filepath.Join(to, "assay-0.1.0", "assay")
		info, err := os.Stat(program)
		assert.NoError(t, err)
		assert.Equal(t, os.FileMode(0o755), info.Mode())
		assert.Equal(t, int64(1795410736), info.ModTime().Unix())
		assert.Equal(t, "a program", string(read(t, program)))
		assert.Equal(t, strings.Repeat("a", 1000), string(read(t, filepath.Join(to, "assay-0.1.0", "doc", "a.txt"))))
	}
	listed, err := zip.OpenReader(filepath.Join(out, "assay.zip"))
	assert.NoError(t, err)
	defer listed.Close() //nolint:errcheck // only read from
	var names []string
	for _, f := range listed.File {
		names = append(names, f.Name)
	}
	assert.Equal(t, []string{"assay-0.1.0/", "assay-0.1.0/assay", "assay-0.1.0/doc/", "assay-0.1.0/doc/a.txt", "assay-0.1.0/doc/b.txt"}, names)
}

func TestArchiveRefusesWhatIsMistaken(t *testing.T) {
	t.Setenv("SOURCE_DATE_EPOCH", commitDate)
	file, out := filepath.Join(writeFiles(t, 0o700, time.Now()), "assay"), filepath.Join(t.TempDir(), "a.zip")
	for _, members := range [][]string{{"assay"}, {"../assay=" + file}, {"a=" + file, "a=" + file}, {"a=" + file + "-missing"}} {
		refuses(t, append([]string{"archive", "--out", out, "--folder", "f"}, members...)...)
	}
	refuses(t, "archive", "--out", out+".rar", "a="+file)
	t.Setenv("SOURCE_DATE_EPOCH", "")
	if said := refuses(t, "archive", "--out", out, "a="+file); !strings.Contains(said, "SOURCE_DATE_EPOCH") {
		t.Errorf("without a date it says %q", said)
	}
	if _, err := os.Stat(out); err == nil {
		t.Error("something was written")
	}
}
