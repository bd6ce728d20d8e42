package main

import (
	"errors"
	"fmt"
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

// readChanges reads the sections of CHANGELOG.md, the latest version first. What is not released yet counts as of the version that is built.
func readChanges(path, version string, built time.Time) ([]changes, error) {
	text, err := bounded.ReadFile(path, largestSource)
	if err != nil {
		return nil, fmt.Errorf("changelog: %w", err)
	}
	sections, err := sectionsOf(text)
	if err != nil {
		return nil, fmt.Errorf("changelog: %w", err)
	}
	var all []changes
	for _, s := range sections {
		c := changes{version: s.version, date: built}
		if s.date != "" {
			if c.date, err = time.Parse(time.DateOnly, s.date); err != nil {
				return nil, fmt.Errorf("changelog: %w", err)
			}
		}
		for line := range strings.Lines(s.text) {
			if entry, is := strings.CutPrefix(line, "- "); is {
				c.entries = append(c.entries, strings.TrimSpace(entry))
			}
		}
		all = append(all, c)
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
