package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"assay/client/assert"
)

func TestSizeNamesWhatIsInABinary(t *testing.T) {
	dir := t.TempDir()
	const table = 300_000 // bytes that only package big has
	for name, content := range map[string]string{
		"go.mod":     "module made\n",
		"main.go":    "package main\n\nimport \"made/big\"\n\nfunc main() { println(len(big.Table), big.Table[3]) }\n",
		"big/big.go": fmt.Sprintf("package big\n\nvar Table = [...]byte{%d: 1}\n", table-1),
	} {
		path := filepath.Join(dir, name)
		assert.NoError(t, os.MkdirAll(filepath.Dir(path), 0o700))
		assert.NoError(t, os.WriteFile(path, []byte(content), 0o600))
	}
	build := exec.CommandContext(t.Context(), "go", "build", "-buildvcs=false", "-o", "made", ".")
	build.Dir, build.Env = dir, append(os.Environ(), "GOOS=linux", "GOARCH=amd64", "CGO_ENABLED=0", "GOFLAGS=", "GOWORK=off")
	said, err := build.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, said)
	}
	rows := map[string]int{}
	for line := range strings.Lines(makes(t, "size", "--least", "1", filepath.Join(dir, "made"))) {
		if fields := strings.Fields(line); len(fields) > 1 {
			n, err := strconv.Atoi(fields[0])
			if err == nil {
				rows[strings.Join(fields[1:], " ")] = n
			}
		}
	}
	assert.Equal(t, table, rows["made/big"])
	for _, name := range []string{"runtime", "main", "types and tables of Go", ".text", ".gopclntab"} {
		if rows[name] == 0 {
			t.Errorf("%s is missing: %v", name, rows)
		}
	}
	facts, err := os.Stat(filepath.Join(dir, "made"))
	assert.NoError(t, err)
	if sections := rows["in all"]; int64(sections) > facts.Size() {
		t.Errorf("%d bytes in all, of a file of %d", sections, facts.Size())
	}
	refuses(t, "size", filepath.Join(dir, "main.go"))
}
