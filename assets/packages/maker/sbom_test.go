package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	cdx "github.com/CycloneDX/cyclonedx-go"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"assay/client/assert"
)

// sbomOf makes the list of what is in this test's binary, as if it were in a package.
func sbomOf(t *testing.T) (binary, path string) {
	t.Helper()
	t.Setenv("SOURCE_DATE_EPOCH", commitDate)
	binary, err := os.Executable()
	assert.NoError(t, err)
	path = filepath.Join(t.TempDir(), "assay_0.1.0_amd64.deb")
	assert.NoError(t, os.WriteFile(path, []byte("a package"), 0o600))
	makes(t, "sbom", "--binary", binary, path)
	return binary, path + sbomSuffix
}

func TestSBOMHasWhatGoSaysIsLinked(t *testing.T) {
	binary, path := sbomOf(t)
	said, err := exec.CommandContext(t.Context(), "go", "version", "-m", binary).Output() //nolint:gosec // this test
	assert.NoError(t, err)
	var want []string
	for line := range strings.Lines(string(said)) {
		if fields := strings.Fields(line); len(fields) >= 3 && fields[0] == "dep" {
			want = append(want, fields[1]+" "+fields[2])
		}
	}
	var bom cdx.BOM
	assert.NoError(t, cdx.NewBOMDecoder(bytes.NewReader(read(t, path)), cdx.BOMFileFormatJSON).Decode(&bom))
	var have []string
	for _, c := range (*bom.Components)[1:] {
		have = append(have, c.Name+" "+c.Version)
		assert.Equal(t, "pkg:golang/"+c.Name+"@"+strings.ReplaceAll(c.Version, "+", "%2B"), c.PackageURL)
		if _, err := os.Stat(filepath.Join("..", "..", "licences", strings.ReplaceAll(c.Name, "/", "_")+".txt")); err == nil { // else it is the maker's alone
			assert.True(t, c.Licenses != nil, "%s has no licence", c.Name)
		}
		assert.True(t, c.Hashes == nil, "%s has a hash that nobody computed", c.Name)
	}
	slices.Sort(want)
	slices.Sort(have)
	assert.True(t, len(want) > 3, "go version -m lists %q", said)
	assert.Equal(t, want, have)
	assert.Equal(t, "std", (*bom.Components)[0].Name)
	sum, err := sha256Of(binary)
	assert.NoError(t, err)
	assert.Equal(t, sum, (*bom.Metadata.Component.Hashes)[0].Value)
	assert.Equal(t, "assay_0.1.0_amd64.deb", (*bom.Metadata.Component.ExternalReferences)[0].URL)
	assert.Equal(t, len(*bom.Components), len(*(*bom.Dependencies)[0].Dependencies))
}

func TestSBOMIsAsItsSchemaSays(t *testing.T) {
	_, path := sbomOf(t)
	found, err := exec.CommandContext(t.Context(), "go", "list", "-m", "-f", "{{.Dir}}", "github.com/CycloneDX/cyclonedx-go").Output()
	assert.NoError(t, err)
	folder := filepath.Join(strings.TrimSpace(string(found)), "schema")
	compiler := jsonschema.NewCompiler()
	spdx := map[string]bool{}
	for _, name := range []string{"bom-1.6.schema.json", "spdx.schema.json", "jsf-0.82.schemax.json"} {
		content := read(t, filepath.Join(folder, name))
		schema, err := jsonschema.UnmarshalJSON(bytes.NewReader(content))
		assert.NoError(t, err)
		assert.NoError(t, compiler.AddResource("http://cyclonedx.org/schema/"+strings.Replace(name, "schemax", "schema", 1), schema))
		if name == "spdx.schema.json" {
			var names struct{ Enum []string }
			assert.NoError(t, json.Unmarshal(content, &names))
			for _, id := range names.Enum {
				spdx[id] = true
			}
		}
	}
	schema, err := compiler.Compile("http://cyclonedx.org/schema/bom-1.6.schema.json")
	assert.NoError(t, err)
	bom, err := jsonschema.UnmarshalJSON(bytes.NewReader(read(t, path)))
	assert.NoError(t, err)
	assert.NoError(t, schema.Validate(bom))

	texts, err := filepath.Glob(filepath.Join("..", "..", "licences", "*.txt"))
	assert.NoError(t, err)
	assert.True(t, len(texts) > 50, "there are %d texts", len(texts))
	for _, file := range texts {
		licences := licencesIn(string(read(t, file)))
		if licences == nil {
			t.Errorf("%s is of no known licence", file)
			continue
		}
		expression := (*licences)[0].Expression
		if expression == "" {
			expression = (*licences)[0].License.ID
		}
		for id := range strings.FieldsSeq(strings.NewReplacer(" AND ", " ", " OR ", " ").Replace(expression)) {
			if !spdx[id] {
				t.Errorf("%s has %q, which is no name of SPDX", file, id)
			}
		}
	}
}

func TestSBOMIsTheSameEachTime(t *testing.T) {
	_, one := sbomOf(t)
	_, two := sbomOf(t)
	assert.Equal(t, string(read(t, one)), string(read(t, two)))
}

// What the build scripts name must be found where .ci/binary puts it.
func TestKindsNameTheirBinary(t *testing.T) {
	for name, want := range map[string]string{
		"assay_0.1.0_amd64.deb":                      "linux-amd64/assay",
		"assay-0.1.0-1.x86_64.rpm":                   "linux-amd64/assay",
		"assay_0.1.0_x86_64.apk":                     "linux-amd64/assay",
		"assay-0.1.0-1-x86_64.pkg.tar.zst":           "linux-amd64/assay",
		"assay-headless_0.1.0_arm64.deb":             "headless-linux-arm64/assay",
		"assay-headless-0.1.0-1-aarch64.pkg.tar.zst": "headless-linux-arm64/assay",
		"assay-headless-0.1.0-linux-x64.tar.xz":      "headless-linux-amd64/assay",
		"assay-headless-0.1.0-windows-x64.zip":       "headless-windows-amd64/assay.exe",
		"assay-headless-0.1.0-macos-arm64.tar.xz":    "headless-darwin-arm64/assay",
		"assay-0.1.0-windows-x64-setup.exe":          "windows-amd64-updates/assay.exe",
		"assay-0.1.0-windows-x64.msi":                "windows-amd64/assay.exe",
		"assay-0.1.0-windows-x64.zip":                "windows-amd64-updates/assay.exe",
		"assay-0.1.0-linux-x64.tar.xz":               "linux-amd64-updates/assay",
	} {
		k, err := kindOf(name)
		assert.NoError(t, err)
		folder, err := k.binary(name)
		assert.NoError(t, err)
		assert.Equal(t, want, fmt.Sprintf("%s/%s", folder, k.program()))
	}
}
