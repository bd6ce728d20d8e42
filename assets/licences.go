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
	return licencesOf(modules)
}

// LicencesOf are those of all that is in another binary of Assay, for packages. The texts are those that this program has.
func LicencesOf(binary *debug.BuildInfo) []Licence {
	all := licencesOf(binary.Deps)
	if slices.ContainsFunc(binary.Settings, func(s debug.BuildSetting) bool { return s.Key == "-tags" && s.Value == "headless" }) {
		// Without a window it has the fonts of PDFs alone, which else come with the toolkit.
		all = append([]Licence{{Name: "Noto Sans", Text: notoLicence}, {Name: "DejaVu Sans Mono", Text: dejaVuLicence}}, all[1:]...)
	}
	return all
}

func licencesOf(modules []*debug.Module) []Licence {
	all := []Licence{{Name: "Inter", Text: interLicence}}
	add := func(name, version, file string) {
		if text, err := licences.ReadFile(file); err == nil { // of what tests alone use there is none
			all = append(all, Licence{Name: name, Version: version, Text: string(text)})
		}
	}
	add("Go", strings.TrimPrefix(runtime.Version(), "go"), "licences/go.txt")
	all = append(all, linked()...)
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
