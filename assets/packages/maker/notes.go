package main

import (
	"bufio"
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"assay/client/bounded"
	"assay/client/durable"
	"assay/client/release"
)

const (
	notesFile        = "release-notes.md"
	largestChangelog = 4 << 20
	unreleased       = "Unreleased"
)

// heading begins a version's section of CHANGELOG.md: "## 0.1.0 (2026-11-23)".
var heading = regexp.MustCompile(`^## (\S+)(?: \((\d{4}-\d{2}-\d{2})\))?\s*$`)

// section is what CHANGELOG.md says of a version.
type section struct {
	version, date string // date is "" where none is given
	text          string
}

func newNotes() *cobra.Command {
	var changelog, version string
	var forRelease bool
	cmd := &cobra.Command{
		Use: "notes [FOLDER]", Args: cobra.MaximumNArgs(1),
		Short: "write " + notesFile + ": what is new in the version, the folder's files, and how to check them; without a folder, only see that this can be done",
		RunE: func(_ *cobra.Command, args []string) error {
			text, err := bounded.ReadFile(changelog, largestChangelog)
			if err != nil {
				return err
			}
			sections, err := sectionsOf(text)
			if err != nil {
				return fmt.Errorf("%s: %w", changelog, err)
			}
			about, err := sectionFor(sections, version, forRelease)
			if err != nil {
				return fmt.Errorf("%s: %w", changelog, err)
			}
			if len(args) == 0 {
				return nil
			}
			notes, err := notesOf(args[0], version, about)
			if err != nil {
				return err
			}
			return durable.WriteFile(filepath.Join(args[0], notesFile), notes, durable.Options{ForOthers: true})
		},
	}
	cmd.Flags().StringVar(&changelog, "changelog", "CHANGELOG.md", "what is new, by version")
	cmd.Flags().StringVar(&version, "version", release.Version(), "the version")
	cmd.Flags().BoolVar(&forRelease, "release", false, "fail where the version has no section with a date")
	return cmd
}

// sectionsOf reads the sections of CHANGELOG.md in their order.
func sectionsOf(changelog []byte) ([]section, error) {
	var sections []section
	lines := bufio.NewScanner(bytes.NewReader(changelog))
	lines.Buffer(nil, largestChangelog)
	for lines.Scan() {
		line := lines.Text()
		if strings.HasPrefix(line, "## ") {
			found := heading.FindStringSubmatch(line)
			if found == nil {
				return nil, fmt.Errorf("%q is neither ## %s nor ## VERSION (YYYY-MM-DD)", line, unreleased)
			}
			if slices.ContainsFunc(sections, func(s section) bool { return s.version == found[1] }) {
				return nil, fmt.Errorf("%s is there twice", found[1])
			}
			sections = append(sections, section{version: found[1], date: found[2]})
			continue
		}
		if len(sections) > 0 {
			sections[len(sections)-1].text += line + "\n"
		}
	}
	for i := range sections {
		sections[i].text = strings.TrimSpace(sections[i].text)
	}
	return sections, lines.Err()
}

// sectionFor is a version's section, or where it is not to be released what is not released yet.
func sectionFor(sections []section, version string, forRelease bool) (section, error) {
	for _, s := range sections {
		switch {
		case s.version != version && (forRelease || s.version != unreleased):
			continue
		case s.text == "":
			return section{}, fmt.Errorf("the section of %s is empty", s.version)
		case forRelease && s.date == "":
			return section{}, fmt.Errorf("the section of %s has no date: ## %s (YYYY-MM-DD)", version, version)
		}
		return s, nil
	}
	return section{}, fmt.Errorf("%s has no section: ## %s (YYYY-MM-DD)", version, version)
}

// notesOf is the text of the notes on the packages in a folder.
func notesOf(folder, version string, about section) ([]byte, error) {
	packages, _, err := released(folder)
	if err != nil {
		return nil, err
	}
	key, err := releaseKey()
	if err != nil {
		return nil, err
	}
	out := new(bytes.Buffer)
	line := func(format string, args ...any) { out.WriteString(fmt.Sprintf(format, args...) + "\n") }
	title := "# Assay " + version
	if about.date != "" {
		title += " (" + about.date + ")"
	}
	line("%s\n\n%s\n", title, about.text)
	line("## Files\n\n| File | For | MB |\n|---|---|---|")
	for _, name := range packages {
		k, err := kindOf(name)
		if err != nil {
			return nil, err
		}
		info, err := os.Stat(filepath.Join(folder, name))
		if err != nil {
			return nil, err
		}
		what := k.what
		if strings.HasPrefix(name, headlessPrefix) && k.system != "" {
			what += "; without a window"
		}
		line("| `%s` | %s | %.1f |", name, what, float64(info.Size())/1e6)
	}
	line("\nBeside each program, `NAME.cdx.json` lists all that is in it (CycloneDX).\n")
	line("## Is it what was released?\n\nIn a folder with the file, `%s`, `%s` and `%s`:\n", sumsFile, sealFile, signersFile)
	if key == nil {
		line("```\nsha256sum -c --ignore-missing %s\n```\n\nThese sums have no seal: this is no release.", sumsFile)
		return out.Bytes(), nil
	}
	keyPrint, err := fingerprint(key)
	if err != nil {
		return nil, err
	}
	line("```\nssh-keygen -Y verify -f %s -I %s -n %s -s %s < %s\nsha256sum -c --ignore-missing %s\n```\n", signersFile, sealIdentity, sealNamespace, sealFile, sumsFile, sumsFile)
	line("The first says \"Good\" and names the key: it must be `%s`, and the same as in the releases before.", keyPrint)
	return out.Bytes(), nil
}
