//go:build e2e && packages && linux

package packages

import (
	"archive/tar"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"assay/client/assert"
)

// output runs a program in a folder, and returns what it prints; that it fails is a failure of the test.
func output(t *testing.T, folder, program string, args ...string) []byte {
	t.Helper()
	command := exec.CommandContext(t.Context(), program, args...)
	command.Dir = folder
	printed, err := command.Output()
	if err != nil {
		t.Fatalf("%s %q: %v: %s", program, args, err, printed)
	}
	return printed
}

func sha256Of(content []byte) string {
	sum := sha256.Sum256(content)
	return hex.EncodeToString(sum[:])
}

// A bug report names the commit by what the released binary says of itself.
func TestTheBinarySaysWhatItWasBuiltFrom(t *testing.T) {
	f := setup(t)
	commit := strings.TrimSpace(string(output(t, f.root, "git", "rev-parse", "HEAD")))
	for folder, suffix := range map[string]string{"linux-amd64": "\n", "headless-linux-amd64": ", without a window\n"} {
		said := string(output(t, f.root, filepath.Join(f.binaries, folder, "assay"), "--version"))
		if !strings.HasPrefix(said, "Assay "+f.version+"\ncommit "+commit) || !strings.HasSuffix(said, " for linux/amd64"+suffix) {
			t.Errorf("that of %s says %q of commit %s", folder, said, commit)
		}
	}
}

func TestEveryFileHasItsSum(t *testing.T) {
	f := setup(t)
	output(t, f.packages, "sha256sum", "--check", "--strict", "--quiet", "SHA256SUMS")
	sums := string(output(t, f.packages, "cat", "SHA256SUMS"))
	for _, name := range f.names(t) {
		if name != "SHA256SUMS" && name != "SHA256SUMS.sig" && !strings.Contains(sums, "  "+name+"\n") {
			t.Errorf("%s has no sum", name)
		}
	}
}

// names are those of the files that were built, sorted.
func (f *fixture) names(t *testing.T) (names []string) {
	t.Helper()
	entries, err := os.ReadDir(f.packages)
	assert.NoError(t, err)
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

// sbom is what the tests read of a list of contents.
type sbom struct {
	Metadata struct {
		Component struct {
			Hashes             []struct{ Content string }
			ExternalReferences []struct {
				URL    string
				Hashes []struct{ Content string }
			}
		}
	}
	Components []struct{ Name, Version string }
}

// Whoever looks for a weak module finds it in the list of each package, by the binary that is in it.
func TestEveryPackageListsWhatIsInItsBinary(t *testing.T) {
	f := setup(t)
	binaries := map[string]string{} // by their sums
	found, err := filepath.Glob(filepath.Join(f.binaries, "*", "assay*"))
	assert.NoError(t, err)
	for _, path := range found {
		content, err := os.ReadFile(path)
		assert.NoError(t, err)
		binaries[sha256Of(content)] = path
	}
	listed := 0
	for _, name := range f.names(t) {
		if !strings.HasPrefix(name, "assay") || strings.HasSuffix(name, ".cdx.json") || strings.HasSuffix(name, "-debug.tar.xz") {
			continue
		}
		listed++
		content, err := os.ReadFile(filepath.Join(f.packages, name+".cdx.json"))
		assert.NoError(t, err)
		var list sbom
		assert.NoError(t, json.Unmarshal(content, &list))
		about := list.Metadata.Component
		pack, err := os.ReadFile(filepath.Join(f.packages, name))
		assert.NoError(t, err)
		assert.Equal(t, name, about.ExternalReferences[0].URL)
		assert.Equal(t, sha256Of(pack), about.ExternalReferences[0].Hashes[0].Content)
		binary := binaries[about.Hashes[0].Content]
		if binary == "" {
			t.Errorf("%s lists a binary that is not in %s", name, f.binaries)
			continue
		}
		var want, have []string
		for line := range strings.Lines(string(output(t, f.root, "go", "version", "-m", binary))) {
			switch fields := strings.Fields(line); {
			case len(fields) >= 3 && fields[0] == "dep":
				want = append(want, fields[1]+" "+fields[2])
			case strings.HasPrefix(line, binary):
				want = append(want, "std "+strings.TrimPrefix(fields[len(fields)-1], "go"))
			}
		}
		for _, c := range list.Components {
			have = append(have, c.Name+" "+c.Version)
		}
		slices.Sort(want)
		slices.Sort(have)
		assert.True(t, len(want) > 20, "%s has %d modules", binary, len(want))
		assert.Equal(t, want, have)
		if packed := f.packedBinary(t, name); packed != nil && sha256Of(packed) != about.Hashes[0].Content {
			t.Errorf("the binary in %s is not the one that is listed", name)
		}
	}
	assert.True(t, listed >= 6, "only %d packages are there", listed)
}

// packedBinary takes the binary out of a package of a kind for which there is a program here, else it is nil.
func (f *fixture) packedBinary(t *testing.T, name string) []byte {
	t.Helper()
	path, folder := filepath.Join(f.packages, name), strings.TrimSuffix(strings.TrimSuffix(name, ".tar.xz"), ".zip")
	switch {
	case strings.HasSuffix(name, ".deb"):
		content := tar.NewReader(bytes.NewReader(output(t, f.packages, "dpkg-deb", "--fsys-tarfile", path)))
		for {
			head, err := content.Next()
			assert.NoError(t, err)
			if strings.TrimPrefix(head.Name, ".") == "/usr/bin/assay" {
				binary, err := io.ReadAll(content)
				assert.NoError(t, err)
				return binary
			}
		}
	case strings.HasSuffix(name, ".tar.xz"):
		return output(t, f.packages, "tar", "--extract", "--to-stdout", "--file", path, folder+"/assay")
	case strings.HasSuffix(name, ".zip"):
		return output(t, f.packages, "unzip", "-p", path, folder+"/assay.exe")
	}
	return nil
}

// The folders of whoever builds are nobody's business, and would differ on another machine.
func TestNoBinaryNamesAFolderOfThisMachine(t *testing.T) {
	f := setup(t)
	var folders []string
	for _, variable := range []string{"GOROOT", "GOMODCACHE", "GOCACHE"} {
		folders = append(folders, strings.TrimSpace(string(output(t, f.root, "go", "env", variable))))
	}
	home, err := os.UserHomeDir()
	assert.NoError(t, err)
	folders = append(folders, f.root, home+"/")
	// Go writes /tmp/go-build in the place of the folder in which it has C compiled, which ends with a number.
	work := regexp.MustCompile(`/go-build[0-9]+`)
	files, err := filepath.Glob(filepath.Join(f.binaries, "*", "assay*"))
	assert.NoError(t, err)
	assert.True(t, len(files) >= 4, "binaries are missing: %q", files)
	for _, path := range files {
		content, err := os.ReadFile(path)
		assert.NoError(t, err)
		if found := work.Find(content); found != nil {
			t.Errorf("%s has %s", path, found)
		}
		for _, folder := range folders {
			if at := bytes.Index(content, []byte(folder)); at >= 0 {
				t.Errorf("%s has %s: %q", path, folder, content[at:min(len(content), at+len(folder)+60)])
			}
		}
	}
}

// What a person sends of a crash must say where it was, though the symbols are not in the binary.
func TestACrashNamesItsFunctions(t *testing.T) {
	f := setup(t)
	for _, folder := range []string{"linux-amd64", "headless-linux-amd64"} {
		command := exec.CommandContext(t.Context(), "sh", "-c", `"$BINARY" sandbox --dir "$FOLDER" >"$FOLDER/out" & pid=$!
			until grep -q '^key: ' "$FOLDER/out"; do kill -0 $pid || exit 9; sleep 0.1; done
			kill -QUIT $pid; wait $pid`)
		command.Env = append(os.Environ(), "BINARY="+filepath.Join(f.binaries, folder, "assay"), "FOLDER="+t.TempDir(), "HOME="+t.TempDir(), "XDG_CONFIG_HOME=")
		said, err := command.CombinedOutput()
		if err == nil || !bytes.Contains(said, []byte("assay/client/command.Main(")) || !bytes.Contains(said, []byte("root.go:")) {
			t.Errorf("that of %s says (%v) %s", folder, err, said)
		}
	}
}

// A debugger finds the symbols by the number that both have, and by the name in the binary.
func TestDebugSymbolsAreApart(t *testing.T) {
	f := setup(t)
	name := "assay-" + f.version + "-debug"
	to := t.TempDir()
	output(t, to, "tar", "xf", filepath.Join(f.packages, name+".tar.xz"))
	for _, folder := range []string{"linux-amd64", "headless-linux-amd64", "headless-linux-arm64"} {
		binary, symbols := filepath.Join(f.binaries, folder, "assay"), filepath.Join(to, name, folder, "assay.debug")
		sections := func(path string) string { return string(output(t, to, "readelf", "--wide", "--sections", path)) }
		if in := sections(binary); strings.Contains(in, ".debug_info") || strings.Contains(in, ".symtab") || !strings.Contains(in, ".gnu_debuglink") {
			t.Errorf("%s has %s", binary, in)
		}
		if in := sections(symbols); !strings.Contains(in, ".debug_info") && !strings.Contains(in, ".zdebug_info") || !strings.Contains(in, ".symtab") {
			t.Errorf("%s has %s", symbols, in)
		}
		numbers := func(path string) string { return string(output(t, to, "readelf", "--notes", path)) }
		if folder == "linux-amd64" {
			_, id, found := strings.Cut(numbers(binary), "Build ID: ")
			assert.True(t, found && len(id) > 40, "%s has no number", binary)
			assert.True(t, strings.Contains(numbers(symbols), "Build ID: "+id[:40]), "%s is of another binary", symbols)
		}
	}
}

// The archive is unpacked anywhere, moved elsewhere, and leaves nothing on the computer that it is in.
func TestPortableKeepsEverythingBesideTheProgram(t *testing.T) {
	f := setup(t)
	name := fmt.Sprintf("assay-%s-linux-x64", f.version)
	stick, computer := t.TempDir(), t.TempDir()
	output(t, stick, "tar", "xf", f.built(t, name+".tar.xz"))
	picture := filepath.Join(f.root, "testdata", "pictures", "mountains-spliced.jpg")
	scan := func(folder string) string {
		command := exec.CommandContext(t.Context(), filepath.Join(stick, folder, "assay"), "scan", "--sandbox", "--json", picture)
		command.Env = []string{"HOME=" + computer, "PATH=" + os.Getenv("PATH"), "LANG=C.UTF-8"}
		printed, err := command.Output()
		assert.NoError(t, err)
		return string(printed)
	}
	if said := scan(name); !strings.Contains(said, `"status":"FAKE"`) || strings.Contains(said, `"earlier":true`) {
		t.Errorf("it says %s", said)
	}
	if _, err := os.Stat(filepath.Join(stick, name, "assay-home", "sandbox", "assay.db")); err != nil {
		t.Error(err)
	}
	assert.NoError(t, os.Rename(filepath.Join(stick, name), filepath.Join(stick, "moved")))
	if said := scan("moved"); !strings.Contains(said, `"earlier":true`) {
		t.Errorf("moved elsewhere it says %s", said)
	}
	left, err := os.ReadDir(computer)
	assert.NoError(t, err)
	assert.Equal(t, 0, len(left))
	for _, file := range []string{"portable", "LICENSE", "README.md", "third-party.txt", "assay.1", "completion/assay.bash"} {
		if _, err := os.Stat(filepath.Join(stick, "moved", file)); err != nil {
			t.Error(err)
		}
	}
}
