package main

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
	"time"

	"assay/client/bounded"
)

// changes are what CHANGELOG.md says of one version.
type changes struct {
	version string
	date    time.Time // of the release; for a version that is not released, that of the build
	entries []string  // as they stand there, each on one line
}

// heading begins a version's section: "## 0.1.0 (2026-11-23)", with no date before it is released.
var heading = regexp.MustCompile(`^## (\S+)(?: \((\d{4}-\d\d-\d\d)\))?$`)

// unreleased is the section of what the next version will bring.
const unreleased = "Unreleased"

// readChanges reads the sections of CHANGELOG.md, the latest version first. What is not released yet counts as of the version that is built.
func readChanges(path, version string, built time.Time) ([]changes, error) {
	text, err := bounded.ReadFile(path, largestSource)
	if err != nil {
		return nil, fmt.Errorf("changelog: %w", err)
	}
	var all []changes
	for line := range strings.Lines(string(text)) {
		line = strings.TrimRight(line, "\n")
		if found := heading.FindStringSubmatch(line); found != nil {
			section := changes{version: found[1], date: built}
			if found[2] != "" {
				if section.date, err = time.Parse(time.DateOnly, found[2]); err != nil {
					return nil, fmt.Errorf("changelog: %w", err)
				}
			}
			all = append(all, section)
			continue
		}
		if entry, is := strings.CutPrefix(line, "- "); is && len(all) > 0 {
			last := &all[len(all)-1]
			last.entries = append(last.entries, strings.TrimSpace(entry))
		}
	}
	if len(all) > 0 && all[0].version == unreleased {
		all[0].version = version
		if len(all) > 1 && all[1].version == version {
			all[1].entries = append(all[0].entries, all[1].entries...)
			all = all[1:]
		}
	}
	if len(all) == 0 || all[0].version != version {
		return nil, errors.New("changelog: its first section is not of version " + version)
	}
	return all, nil
}

// plainWords are an entry without its marks of Markdown.
func plainWords(entry string) string { return strings.NewReplacer("**", "", "`", "").Replace(entry) }
