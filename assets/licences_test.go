package assets

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime/debug"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
)

var write = flag.Bool("write", false, "TestLicencesAreThoseOfTheBinary writes the texts anew (make licences)")

// systems are those for which Assay is built; headless ones have no window.
var systems = []string{
	"linux/amd64", "linux/arm64", "windows/amd64", "darwin/amd64", "darwin/arm64",
	"headless linux/amd64", "headless linux/arm64", "headless windows/amd64", "headless darwin/arm64",
}

// module is one that has packages in the binary.
type module struct {
	path, version, dir string
	packages           map[string]bool // their folders
}

func TestLicencesAreThoseOfTheBinary(t *testing.T) {
	if testing.Short() {
		t.Skip("go list takes seconds, and nothing here runs beside anything")
	}
	if _, err := os.ReadFile("../go.mod"); err != nil { // so that go test runs this again, and keeps no answer, where it has changed
		t.Fatal(err)
	}
	bySystem, want := map[string][]*module{}, map[string]string{}
	for _, system := range systems {
		bySystem[system] = modulesOn(t, system)
		for _, m := range bySystem[system] {
			text := textsOf(t, m)
			if text == "" {
				t.Errorf("%s has no licence in its folder: it may not be passed on", m.path)
			}
			// Which of a module's packages are in the binary differs from system to system.
			if file := licenceFile(m.path); len(text) > len(want[file]) {
				want[file] = text
			}
		}
	}
	if *write {
		rewrite(t, want)
		return
	}
	have := files(t, licences)
	for file, text := range want {
		switch {
		case !slices.Contains(have, file):
			t.Errorf("%s is not there: run `make licences`", file)
		case read(t, file) != text:
			t.Errorf("%s is not what the module comes with: run `make licences`", file)
		}
	}
	for _, file := range have {
		if _, ok := want[file]; !ok && file != "licences/go.txt" {
			t.Errorf("%s is of no module in the binary: run `make licences`", file)
		}
	}
	for system, modules := range bySystem {
		t.Run("on "+system+" each module is listed with its version and text", func(t *testing.T) {
			var deps []*debug.Module
			want, listed := map[string]string{}, map[string]string{}
			for _, m := range modules {
				deps = append(deps, &debug.Module{Path: m.path, Version: m.version})
				want[m.path] = m.version
			}
			for _, l := range licencesOf(deps, nil)[2:] { // the font and Go come first
				if listed[l.Name] = l.Version; l.Text == "" {
					t.Errorf("%s has no text", l.Name)
				}
			}
			if diff := cmp.Diff(want, listed); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestLicencesAreListedInOrder(t *testing.T) {
	want := []string{"Inter", "Go"}
	for _, l := range linked() {
		want = append(want, l.Name)
	}
	want = append(want, "github.com/BurntSushi/toml", "github.com/google/uuid", "modernc.org/sqlite")
	var names []string
	for _, l := range licencesOf([]*debug.Module{{Path: "modernc.org/sqlite"}, {Path: "github.com/google/uuid"}, {Path: "github.com/google/go-cmp"}, {Path: "github.com/BurntSushi/toml"}}, linked()) {
		names = append(names, l.Name)
		if l.Text == "" {
			t.Errorf("%s has no text", l.Name)
		}
	}
	if diff := cmp.Diff(want, names); diff != "" {
		t.Error("the font, Go, what is linked in, the modules by name, without those of the tests:", diff)
	}
}

func TestWithoutAWindowTheFontsAreThoseOfPDFs(t *testing.T) {
	names := func(tags string) (fonts []string) {
		for _, l := range LicencesOf(&debug.BuildInfo{Settings: []debug.BuildSetting{{Key: "-tags", Value: tags}}}) {
			if strings.Contains(l.Text, "Font Software") {
				fonts = append(fonts, l.Name)
			}
		}
		return fonts
	}
	if diff := cmp.Diff([]string{"Noto Sans", "DejaVu Sans Mono"}, names("headless")); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{"Inter"}, names("migrated_fynedo")); diff != "" {
		t.Error(diff)
	}
}

func TestLicencesAreWhatTheySay(t *testing.T) {
	if text := read(t, "licences/go.txt"); !strings.Contains(text, "The Go Authors") {
		t.Errorf("Go's own begins with %.60q", text)
	}
	for _, file := range files(t, licences) {
		text := read(t, file)
		if !utf8.ValidString(text) || strings.ContainsFunc(text, func(r rune) bool { return r != '\n' && r != '\t' && unicode.IsControl(r) }) {
			t.Errorf("%s holds what is not text", file)
		}
		if !regexp.MustCompile(`(?i)licen[cs]e|permission|redistribution|public domain`).MatchString(text) {
			t.Errorf("%s does not look like a licence: %.60q", file, text)
		}
	}
}

// modulesOn asks Go which modules are in the binary of a system.
func modulesOn(t *testing.T, system string) (modules []*module) {
	t.Helper()
	tag, cgo := "migrated_fynedo", "1"
	if machine, headless := strings.CutPrefix(system, "headless "); headless {
		system, tag, cgo = machine, "headless", "0"
	}
	goos, arch, _ := strings.Cut(system, "/")
	list := exec.CommandContext(t.Context(), "go", "list", "-deps", "-tags="+tag, "-json=Dir,Module", "assay")
	list.Env = append(os.Environ(), "GOOS="+goos, "GOARCH="+arch, "CGO_ENABLED="+cgo)
	out, err := list.Output()
	if err != nil {
		if exit := (*exec.ExitError)(nil); errors.As(err, &exit) {
			t.Logf("%s", exit.Stderr)
		}
		t.Fatal("go list: ", err)
	}
	known := map[string]*module{}
	for packages := json.NewDecoder(bytes.NewReader(out)); ; {
		var p struct {
			Dir    string
			Module *struct {
				Path, Version, Dir string
				Main               bool
			}
		}
		switch err := packages.Decode(&p); {
		case errors.Is(err, io.EOF):
			return modules
		case err != nil:
			t.Fatal(err)
		case p.Module == nil || p.Module.Main:
			continue
		}
		m := known[p.Module.Path]
		if m == nil {
			m = &module{p.Module.Path, p.Module.Version, p.Module.Dir, map[string]bool{}}
			known[m.path], modules = m, append(modules, m)
		}
		m.packages[p.Dir] = true
	}
}

var (
	licenceName = regexp.MustCompile(`(?i)licen[cs]e|copying|notice|copyright`)
	programName = regexp.MustCompile(`\.(go|c|h|s|js|json|py|sh|ya?ml)$`)
)

// textsOf are a module's licences and notices: its own first, then those of what it has taken over from others, each under its place.
// Those of packages that are not in the binary are left out.
func textsOf(t *testing.T, m *module) string {
	t.Helper()
	var found []string
	err := filepath.WalkDir(m.dir, func(path string, d fs.DirEntry, err error) error {
		switch name := d.Name(); {
		case err != nil:
			return err
		case d.IsDir() && path != m.dir && (name == "testdata" || strings.HasPrefix(name, ".") || strings.HasPrefix(name, "_")):
			return filepath.SkipDir
		case m.path == "modernc.org/sqlite" && name == "LICENSE-3RD-PARTY.md":
			// A list of all modules that its tools and tests need as well. Those in the binary are here by themselves, and what they have taken over is in theirs.
		case d.Type().IsRegular() && licenceName.MatchString(name) && !programName.MatchString(name) && passedOn(m, filepath.Dir(path)):
			found = append(found, path)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	depth := func(path string) int { return strings.Count(path, string(filepath.Separator)) }
	slices.SortStableFunc(found, func(a, b string) int { return depth(a) - depth(b) })
	var all strings.Builder
	for i, path := range found {
		content, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if place := filepath.ToSlash(strings.TrimPrefix(path, m.dir+string(filepath.Separator))); i > 0 {
			all.WriteString("\n\n" + place + "\n" + strings.Repeat("-", len(place)) + "\n\n")
		}
		all.WriteString(strings.Trim(strings.ReplaceAll(string(content), "\r\n", "\n"), "\n") + "\n")
	}
	return all.String()
}

// passedOn reports whether what is in a module's folder is in the binary: its packages, and what lies without packages of its own.
func passedOn(m *module, dir string) bool {
	sources, err := filepath.Glob(filepath.Join(dir, "*.go"))
	return dir == m.dir || m.packages[dir] || err == nil && len(sources) == 0
}

// rewrite makes the folder anew.
func rewrite(t *testing.T, texts map[string]string) {
	t.Helper()
	root, err := exec.CommandContext(t.Context(), "go", "env", "GOROOT").Output()
	if err != nil {
		t.Fatal(err)
	}
	content, err := os.ReadFile(filepath.Join(strings.TrimSpace(string(root)), "LICENSE"))
	if err != nil {
		t.Fatal(err)
	}
	texts["licences/go.txt"] = string(content)
	for _, file := range files(t, os.DirFS(".")) {
		if _, ok := texts[file]; !ok {
			if err := os.Remove(filepath.FromSlash(file)); err != nil {
				t.Fatal(err)
			}
		}
	}
	for file, text := range texts {
		if err := os.WriteFile(filepath.FromSlash(file), []byte(text), 0o644); err != nil { //nolint:gosec // they are for everybody
			t.Fatal(err)
		}
	}
}

func files(t *testing.T, in fs.FS) []string {
	t.Helper()
	names, err := fs.Glob(in, "licences/*.txt")
	if err != nil {
		t.Fatal(err)
	}
	return names
}

func read(t *testing.T, file string) string {
	t.Helper()
	text, err := licences.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestLicencesOfAnotherBinary(t *testing.T) {
	for name, test := range map[string]struct {
		settings []debug.BuildSetting
		want     string
	}{
		"Linux":                    {[]debug.BuildSetting{{Key: "GOOS", Value: "linux"}, {Key: "CGO_ENABLED", Value: "1"}}, "Inter, Go"},
		"Windows":                  {[]debug.BuildSetting{{Key: "GOOS", Value: "windows"}, {Key: "CGO_ENABLED", Value: "1"}}, "Inter, Go, MinGW-w64"},
		"Windows without a window": {[]debug.BuildSetting{{Key: "GOOS", Value: "windows"}, {Key: "CGO_ENABLED", Value: "0"}, {Key: "-tags", Value: "headless"}}, "Noto Sans, DejaVu Sans Mono, Go"},
	} {
		var names []string
		for _, l := range LicencesOf(&debug.BuildInfo{Settings: test.settings}) {
			names = append(names, l.Name)
			if l.Text == "" {
				t.Errorf("%s: %s has no text", name, l.Name)
			}
		}
		if got := strings.Join(names, ", "); got != test.want {
			t.Errorf("%s: %s", name, got)
		}
	}
}
