package assets

import (
	"cmp"
	"embed"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
)

var (
	//go:embed fonts/OFL.txt
	interLicence string
	//go:embed reportfonts/NotoSans.txt
	notoLicence string
	//go:embed reportfonts/DejaVuSansMono.txt
	dejaVuLicence string
	// The terms of MinGW-w64's parts that the linker takes into binaries of Windows, as Debian's mingw-w64-common lists them.
	//go:embed mingw-w64.txt
	mingwLicence string
)

// licences holds go.txt, and of each module that is in the binary on any system the texts that it came with, in the file that
// licenceFile names. `make licences` collects them.
//
//go:embed licences/*.txt
var licences embed.FS

// Licence is the text under which a part of Assay is passed on, plain and broken into lines. Version may be empty.
type Licence struct{ Name, Version, Text string }

// Licences are those of all that is in this binary: the font, Go, what is linked in besides, then the modules by name.
func Licences() []Licence {
	var modules []*debug.Module
	if info, ok := debug.ReadBuildInfo(); ok {
		modules = info.Deps
	}
	return licencesOf(modules, linked())
}

// LicencesOf are those of all that is in another binary of Assay, for packages. The texts are those that this program has.
func LicencesOf(binary *debug.BuildInfo) []Licence {
	made := map[string]string{}
	for _, s := range binary.Settings {
		made[s.Key] = s.Value
	}
	var linked []Licence
	if made["GOOS"] == "windows" && made["CGO_ENABLED"] == "1" {
		linked = append(linked, mingw())
	}
	all := licencesOf(binary.Deps, linked)
	if made["-tags"] == "headless" {
		// Without a window it has the fonts of PDFs alone, which else come with the toolkit.
		all = append([]Licence{{Name: "Noto Sans", Text: notoLicence}, {Name: "DejaVu Sans Mono", Text: dejaVuLicence}}, all[1:]...)
	}
	return all
}

func mingw() Licence { return Licence{Name: "MinGW-w64", Text: mingwLicence} }

// licencesOf lists the font, Go, what is linked in besides, and modules.
func licencesOf(modules []*debug.Module, linked []Licence) []Licence {
	all := []Licence{{Name: "Inter", Text: interLicence}}
	add := func(name, version, file string) {
		if text, err := licences.ReadFile(file); err == nil { // of what tests alone use there is none
			all = append(all, Licence{Name: name, Version: version, Text: string(text)})
		}
	}
	add("Go", strings.TrimPrefix(runtime.Version(), "go"), "licences/go.txt")
	all = append(all, linked...)
	modules = slices.SortedFunc(slices.Values(modules), func(a, b *debug.Module) int {
		return cmp.Compare(strings.ToLower(a.Path), strings.ToLower(b.Path))
	})
	for _, m := range modules {
		add(m.Path, m.Version, licenceFile(m.Path))
	}
	return all
}

// licenceFile is where a module's texts are.
func licenceFile(module string) string {
	return "licences/" + strings.ReplaceAll(module, "/", "_") + ".txt"
}
