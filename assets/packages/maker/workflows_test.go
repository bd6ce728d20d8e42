package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"assay/client/assert"
)

var (
	job    = regexp.MustCompile(`^  ([a-z0-9-]+):$`)
	uses   = regexp.MustCompile(`^\s*(?:- )?uses: (.*)$`)
	pinned = regexp.MustCompile(`^[a-z0-9-]+/[a-z0-9-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$`)
	inRun  = regexp.MustCompile(`\$\{\{[^}]*(secrets|github\.(ref|head|event))`)
)

// jobsOf are a workflow's jobs, as their lines; "" is what stands before them.
func jobsOf(t *testing.T, path string) map[string][]string {
	t.Helper()
	content, err := os.ReadFile(path)
	assert.NoError(t, err)
	jobs, name, within := map[string][]string{}, "", false
	for line := range strings.Lines(string(content)) {
		line = strings.TrimRight(line, "\n")
		if line == "jobs:" {
			within = true
		}
		if found := job.FindStringSubmatch(line); within && found != nil {
			name = found[1]
		}
		jobs[name] = append(jobs[name], line)
	}
	return jobs
}

// What the public workflows may do with what they are trusted with. actionlint (make lint) checks that they are valid.
func TestThePublicWorkflows(t *testing.T) {
	paths, err := filepath.Glob(filepath.Join("..", "..", "..", ".github", "workflows", "*.yml"))
	assert.NoError(t, err)
	assert.True(t, len(paths) >= 2, "%d workflows", len(paths))
	for _, path := range paths {
		jobs := jobsOf(t, path)
		assert.True(t, strings.Contains(strings.Join(jobs[""], "\n"), "\npermissions:"), "%s: without permissions of its own it has those of the repository", path)
		for name, lines := range jobs {
			where := filepath.Base(path) + ", " + name
			text := strings.Join(lines, "\n")
			run := -1 // how far a script is indented
			for _, line := range lines {
				if found := uses.FindStringSubmatch(line); found != nil && !pinned.MatchString(found[1]) {
					t.Errorf("%s: %s can change under its name", where, found[1])
				}
				indent := len(line) - len(strings.TrimLeft(line, " "))
				if run >= 0 && strings.TrimSpace(line) != "" && indent <= run {
					run = -1
				}
				if strings.HasPrefix(strings.TrimLeft(line, " -"), "run: ") {
					run = indent
				}
				if run >= 0 && inRun.MatchString(line) {
					t.Errorf("%s: a secret, or what others may name, is in a script's text: %s", where, strings.TrimSpace(line))
				}
			}
			if strings.Contains(text, "uses: actions/checkout@") && !strings.Contains(text, "persist-credentials: false") {
				t.Errorf("%s: the token stays in the folder that is built", where)
			}
			if strings.Contains(text, ": write") && name != "gather" && name != "draft" {
				t.Errorf("%s may write", where)
			}
			if name == "draft" && strings.Contains(text, "uses: actions/checkout@") {
				t.Errorf("%s: what may write runs something of the repository", where)
			}
			if strings.Contains(text, "gh release") && strings.Count(text, "gh release") != strings.Count(text, "--draft") {
				t.Errorf("%s publishes by itself", where)
			}
		}
	}
}
