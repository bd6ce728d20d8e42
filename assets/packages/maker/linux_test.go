package main

import (
	"encoding/json"
	"encoding/xml"
	"fmt"
	"image"
	_ "image/png" // reads icons
	"os"
	"path/filepath"
	"regexp"
	"runtime/debug"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"assay/assets"
	"assay/client/assert"
	"assay/client/release"
)

// epoch is a time at which packages are built: 2026-11-23, 10:13:20 UTC.
const epoch = "1795428800"

const repository = "../../.."

// written puts a file into a folder of the test's own.
func written(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "file")
	assert.NoError(t, os.WriteFile(path, []byte(text), 0o600))
	return path
}

func TestTheManualHasEveryCommandAndEveryFlag(t *testing.T) {
	t.Setenv("SOURCE_DATE_EPOCH", epoch)
	t.Setenv("ASSAY_SERVER", "https://build.example.org")
	page := makes(t, "man")
	plain := strings.NewReplacer(`\-`, "-", `\(aq`, "'", `\&...`, "…").Replace(page)
	if !strings.HasPrefix(plain, `.TH ASSAY 1 2026-11-23 "Assay `+release.Version()+`"`) {
		t.Errorf("it begins %q", plain[:80])
	}
	if strings.Contains(page, "build.example") {
		t.Error("it has the environment of whoever built it")
	}
	var visit func(c *cobra.Command)
	visit = func(c *cobra.Command) {
		if c.HasParent() && !strings.Contains(plain, "\n.SS "+c.CommandPath()) {
			t.Errorf("%s is missing", c.CommandPath())
		}
		c.LocalFlags().VisitAll(func(f *pflag.Flag) {
			if f.Name != "help" && !f.Hidden && !strings.Contains(plain, ".B --"+f.Name) {
				t.Errorf("%s --%s is missing", c.CommandPath(), f.Name)
			}
		})
		for _, below := range c.Commands() {
			if listed(below) {
				visit(below)
			}
		}
	}
	visit(commandTree(true))
	if without := makes(t, "man", "--headless"); strings.Contains(without, `\-\-hidden`) || !strings.Contains(without, "no window") {
		t.Error("that of the build without a window tells of one")
	}
	t.Setenv("SOURCE_DATE_EPOCH", "")
	refuses(t, "man")
}

func TestShellsComplete(t *testing.T) {
	for _, shell := range []string{"bash", "zsh", "fish"} {
		if script := makes(t, "completion", shell); !strings.Contains(script, "__complete") || !strings.Contains(script, "assay") {
			t.Errorf("%s: %.200s", shell, script)
		}
	}
	refuses(t, "completion", "csh")
}

func TestIconsOfEverySize(t *testing.T) {
	theme := t.TempDir()
	svg := filepath.Join(repository, "assets", "icon.svg")
	makes(t, "icons", svg, theme)
	for folder, side := range map[string]int{"16x16": 16, "22x22": 22, "24x24": 24, "32x32": 32, "48x48": 48, "64x64": 64, "96x96": 96, "128x128": 128, "256x256": 256, "512x512": 512} {
		file, err := os.Open(filepath.Join(theme, folder, "apps", "news.assay.Assay.png"))
		assert.NoError(t, err)
		icon, _, err := image.Decode(file)
		assert.NoError(t, file.Close())
		assert.NoError(t, err)
		assert.Equal(t, image.Rect(0, 0, side, side), icon.Bounds())
		// A corner is clear, the background is blue, and the letter is white.
		_, _, _, corner := icon.At(0, 0).RGBA()
		_, _, blue, opaque := icon.At(side/2, side/8).RGBA()
		red, _, _, _ := icon.At(side/2, side*10/32).RGBA()
		if corner > 0xa000 || opaque < 0xf000 || blue < 0xc000 || red < 0xb000 {
			t.Errorf("%s: corner %x, background %x %x, letter %x", folder, corner, blue, opaque, red)
		}
	}
	want, err := os.ReadFile(svg)
	assert.NoError(t, err)
	have, err := os.ReadFile(filepath.Join(theme, "scalable", "apps", "news.assay.Assay.svg"))
	assert.NoError(t, err)
	assert.Equal(t, string(want), string(have))
	refuses(t, "icons", written(t, "<svg"), theme)
}

const twoVersions = "# What is new\n\n## Unreleased\n\n- **Bold** and `code <x>`.\n\n## 0.0.9 (2026-01-31)\n\n- Old & good.\n"

func TestMetainfoHasTheReleases(t *testing.T) {
	t.Setenv("SOURCE_DATE_EPOCH", epoch)
	template := filepath.Join("..", "linux", "news.assay.Assay.metainfo.xml")
	var read struct {
		ID       string `xml:"id"`
		Releases []struct {
			Version string `xml:"version,attr"`
			Date    string `xml:"date,attr"`
			Entries []struct {
				Text string `xml:",innerxml"`
			} `xml:"description>ul>li"`
		} `xml:"releases>release"`
	}
	assert.NoError(t, xml.Unmarshal([]byte(makes(t, "metainfo", template, written(t, twoVersions))), &read))
	assert.Equal(t, appID, read.ID)
	assert.Equal(t, 2, len(read.Releases))
	latest, old := read.Releases[0], read.Releases[1]
	assert.Equal(t, release.Version()+" 2026-11-23 Bold and <code>code &lt;x&gt;</code>.", latest.Version+" "+latest.Date+" "+latest.Entries[0].Text)
	assert.Equal(t, "0.0.9 2026-01-31 Old &amp; good.", old.Version+" "+old.Date+" "+old.Entries[0].Text)
	refuses(t, "metainfo", written(t, "<component/>"), written(t, twoVersions))
}

func TestTheChangelogIsDebians(t *testing.T) {
	t.Setenv("SOURCE_DATE_EPOCH", epoch)
	want := "assay (" + release.Version() + `) stable; urgency=medium

  * Bold and code <x>.

 -- Assay <packages@assay.news>  Mon, 23 Nov 2026 10:13:20 +0000

assay (0.0.9) stable; urgency=medium

  * Old & good.

 -- Assay <packages@assay.news>  Sat, 31 Jan 2026 00:00:00 +0000
`
	assert.Equal(t, want, makes(t, "changelog", written(t, twoVersions), "assay"))
	for line := range strings.Lines(makes(t, "changelog", filepath.Join(repository, "CHANGELOG.md"), "assay")) {
		if len(line) > 81 {
			t.Errorf("%d bytes: %s", len(line), line)
		}
	}
	t.Run("what is not released yet belongs to the version that is built, which may have a section", func(t *testing.T) {
		both := "## Unreleased\n\n- New.\n\n## " + release.Version() + "\n\n- First.\n"
		if got := makes(t, "changelog", written(t, both), "assay"); strings.Count(got, "assay (") != 1 || !strings.Contains(got, "  * New.\n  * First.\n") {
			t.Error(got)
		}
	})
	t.Run("nfpm gets the same", func(t *testing.T) {
		var versions []struct {
			Semver, Date string
			Changes      []struct{ Note string }
		}
		assert.NoError(t, json.Unmarshal([]byte(makes(t, "changelog", "--json", written(t, twoVersions), "assay")), &versions))
		got := fmt.Sprint(versions)
		assert.Equal(t, "[{"+release.Version()+"-1 2026-11-23T10:13:20Z [{Bold and code <x>.}]} {0.0.9-1 2026-01-31T00:00:00Z [{Old & good.}]}]", got)
	})
	t.Run("a version with no section is refused", func(t *testing.T) {
		refuses(t, "changelog", written(t, "## 0.0.9 (2026-01-31)\n\n- Old.\n"), "assay")
	})
}

func TestCopyrightIsOfAllThatIsInTheBinary(t *testing.T) {
	own, err := os.Executable()
	assert.NoError(t, err)
	text := makes(t, "copyright", own)
	for _, want := range []string{"\nFiles: *\nCopyright: 2026, the authors of Assay\nLicense: Apache-2.0\n", "\nFiles: github.com/spf13/cobra@v", "\nFiles: github.com/spf13/pflag@v",
		"\nCopyright: 2012 Alex Ogier", "\nLicense: BSD-3-Clause\n", " /usr/share/common-licenses/Apache-2.0.\n"} {
		if !strings.Contains(text, want) {
			t.Errorf("without %q", want)
		}
	}
	if strings.Contains(text, "Work or Derivative Works") {
		t.Error("it repeats the Apache License")
	}
	for _, line := range strings.Split(text, "\n") {
		if line != "" && !regexp.MustCompile(`^( +\S|[A-Z][A-Za-z-]+: \S)`).MatchString(line) {
			t.Errorf("not a line of the format: %q", line)
		}
	}
	if names := makes(t, "copyright", "--names", own); !strings.HasPrefix(names, "Apache-2.0 AND BSD-2-Clause AND BSD-3-Clause AND ") {
		t.Error(names)
	}
	assert.Equal(t, "Unlicense OR BSD-3-Clause", namesIn("the UNLICENSE or the BSD license:\n\nSPDX-License-Identifier: Unlicense OR BSD-3-Clause\n"))
	t.Run("every licence is known by its text, and one that is not known is refused", func(t *testing.T) {
		_, err := partsOf(assets.Licences())
		assert.NoError(t, err)
		if _, err := partsOf([]assets.Licence{{Name: "example.org/x", Text: "All rights reserved."}}); err == nil {
			t.Error("it is taken")
		}
	})
	windows, err := partsOf(assets.LicencesOf(&debug.BuildInfo{Settings: []debug.BuildSetting{{Key: "GOOS", Value: "windows"}, {Key: "CGO_ENABLED", Value: "1"}}}))
	assert.NoError(t, err)
	if last := windows[len(windows)-1]; last.Name != "MinGW-w64" || !strings.Contains(last.names, "ZPL-2.1") {
		t.Errorf("%s: %s", last.Name, last.names)
	}
	refuses(t, "copyright", written(t, "no binary"))
}
