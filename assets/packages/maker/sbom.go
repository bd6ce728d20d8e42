package main

import (
	"debug/buildinfo"
	"fmt"
	"io"
	"net/url"
	"path/filepath"
	"runtime/debug"
	"strings"
	"time"

	cdx "github.com/CycloneDX/cyclonedx-go"
	"github.com/spf13/cobra"

	"assay/assets"
	"assay/client/durable"
	"assay/client/release"
)

const sbomSuffix = ".cdx.json"

func newSBOM() *cobra.Command {
	var binary, version string
	cmd := &cobra.Command{
		Use: "sbom --binary FILE|FOLDER PACKAGE|FOLDER", Args: cobra.ExactArgs(1),
		Short: "write what is in the binary of a package to PACKAGE" + sbomSuffix + " (CycloneDX 1.6); of all packages in a folder, with .ci/binary's folder of binaries",
		RunE: func(_ *cobra.Command, args []string) error {
			at, err := sourceDate()
			if err != nil {
				return err
			}
			if !isFolder(args[0]) {
				return writeSBOM(args[0], binary, version, at)
			}
			packages, _, err := released(args[0])
			if err != nil {
				return err
			}
			for _, name := range packages {
				k, err := kindOf(name)
				if err != nil {
					return err
				}
				if k.system == "" {
					continue // symbols are no program
				}
				from, err := k.binary(name)
				if err != nil {
					return err
				}
				if err := writeSBOM(filepath.Join(args[0], name), filepath.Join(binary, from, k.program()), version, at); err != nil {
					return err
				}
			}
			return nil
		},
	}
	cmd.Flags().StringVar(&binary, "binary", "", "the binary that is in the package, or the folder of all binaries")
	cmd.Flags().StringVar(&version, "version", release.Version(), "the version")
	return cmd
}

// writeSBOM writes the list of what is in a package's binary beside the package.
func writeSBOM(path, binary, version string, at time.Time) error {
	info, err := buildinfo.ReadFile(binary)
	if err != nil {
		return fmt.Errorf("%s: %w", binary, err)
	}
	ofBinary, err := sha256Of(binary)
	if err != nil {
		return err
	}
	ofPackage, err := sha256Of(path)
	if err != nil {
		return err
	}
	name := "assay"
	if strings.Contains(setting(info, "-tags"), "headless") {
		name = headlessPrefix
	}
	main := cdx.Component{
		BOMRef: "pkg:generic/" + name + "@" + version, Type: cdx.ComponentTypeApplication, Name: name, Version: version,
		PackageURL: "pkg:generic/" + name + "@" + version, Licenses: &cdx.Licenses{{License: &cdx.License{ID: "Apache-2.0"}}},
		Hashes: &[]cdx.Hash{{Algorithm: cdx.HashAlgoSHA256, Value: ofBinary}},
		ExternalReferences: &[]cdx.ExternalReference{{
			Type: cdx.ERTypeDistribution, URL: url.PathEscape(filepath.Base(path)), Hashes: &[]cdx.Hash{{Algorithm: cdx.HashAlgoSHA256, Value: ofPackage}},
		}},
		Properties: &[]cdx.Property{{Name: "go:system", Value: setting(info, "GOOS") + "/" + setting(info, "GOARCH")}, {Name: "go:tags", Value: setting(info, "-tags")}},
	}
	components := componentsOf(info)
	refs := make([]string, len(components))
	for i := range components {
		refs[i] = components[i].BOMRef
	}
	bom := cdx.NewBOM() // with neither a number nor a time of its own, so that two are the same
	bom.Metadata = &cdx.Metadata{Timestamp: at.Format(time.RFC3339), Component: &main}
	bom.Components = &components
	bom.Dependencies = &[]cdx.Dependency{{Ref: main.BOMRef, Dependencies: &refs}}
	return durable.Write(path+sbomSuffix, durable.Options{ForOthers: true}, func(w io.Writer) error {
		return cdx.NewBOMEncoder(w, cdx.BOMFileFormatJSON).SetPretty(true).SetEscapeHTML(false).EncodeVersion(bom, cdx.SpecVersion1_6)
	})
}

// componentsOf are Go's own packages and the modules that are linked into a binary, as `go version -m` lists them.
func componentsOf(info *debug.BuildInfo) []cdx.Component {
	texts := map[string]string{}
	for _, l := range assets.LicencesOf(info) {
		texts[l.Name] = l.Text
	}
	std := strings.TrimPrefix(info.GoVersion, "go")
	all := []cdx.Component{{
		BOMRef: "pkg:golang/std@" + std, Type: cdx.ComponentTypeLibrary, Name: "std", Version: std, PackageURL: "pkg:golang/std@" + std, Licenses: licencesIn(texts["Go"]),
	}}
	for _, m := range info.Deps {
		licences := licencesIn(texts[m.Path])
		if m.Replace != nil {
			m = m.Replace
		}
		purl := "pkg:golang/" + m.Path + "@" + url.QueryEscape(m.Version)
		c := cdx.Component{BOMRef: purl, Type: cdx.ComponentTypeLibrary, Name: m.Path, Version: m.Version, PackageURL: purl, Licenses: licences}
		if m.Sum != "" { // over all of a module's files, in a way of Go's own: no SHA-256 of any file
			c.Properties = &[]cdx.Property{{Name: "go:sum", Value: m.Sum}}
		}
		all = append(all, c)
	}
	return all
}

// licencesIn are the licences that a text has, by SPDX's names; nil where none is recognised.
func licencesIn(text string) *cdx.Licenses {
	switch names := namesIn(text); {
	case names == "":
		return nil
	case strings.Contains(names, " "):
		return &cdx.Licenses{{Expression: names}}
	default:
		return &cdx.Licenses{{License: &cdx.License{ID: names}}}
	}
}

// setting is one of those that a binary was built with, "" where it is not known.
func setting(info *debug.BuildInfo, key string) string {
	for _, s := range info.Settings {
		if s.Key == key {
			return s.Value
		}
	}
	return ""
}
