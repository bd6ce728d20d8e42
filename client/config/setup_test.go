package config

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"assay/client/assert"
)

var start = time.Date(2026, 11, 21, 19, 15, 0, 0, time.UTC)

// open opens the settings of a folder.
func open(t *testing.T, dir string, more ...func(*Params)) *Config {
	t.Helper()
	p := Params{Dir: dir, Now: func() time.Time { return start }}
	for _, set := range more {
		set(&p)
	}
	c, err := Open(p)
	assert.NoError(t, err)
	return c
}

// managedBy writes an administrators' file and has it believed, whoever runs the test.
func managedBy(t *testing.T, text string) func(*Params) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "managed.json")
	write(t, path, text)
	return func(p *Params) {
		p.Managed = path
		p.trust = func(string) error { return nil }
	}
}

func given(from Origin, values map[Key]any) func(*Params) {
	return func(p *Params) {
		p.Given = map[Key]Given{}
		for key, value := range values {
			p.Given[key] = Given{Value: value, From: from}
		}
	}
}

func change(t *testing.T, c *Config, do func(*Settings)) {
	t.Helper()
	assert.NoError(t, c.Change(do))
}

func write(t *testing.T, path, text string) {
	t.Helper()
	assert.NoError(t, os.WriteFile(path, []byte(text), 0o600))
}

// personal writes settings.json into a new folder, which it returns.
func personal(t *testing.T, text string) string {
	t.Helper()
	dir := t.TempDir()
	write(t, filepath.Join(dir, fileName), text)
	return dir
}

func content(t *testing.T, dir string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(dir, fileName))
	assert.NoError(t, err)
	return string(text)
}

// holds compares what the file has with other JSON.
func holds(t *testing.T, dir, want string) {
	t.Helper()
	var has, wanted any
	assert.NoError(t, json.Unmarshal([]byte(content(t, dir)), &has))
	assert.NoError(t, json.Unmarshal([]byte(want), &wanted))
	a, _ := json.Marshal(has)
	b, _ := json.Marshal(wanted)
	if string(a) != string(b) {
		t.Errorf("the file has\n%s, want\n%s", a, b)
	}
}

func names(t *testing.T, dir string) []string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	assert.NoError(t, err)
	var all []string
	for _, entry := range entries {
		if entry.Name() != lockName {
			all = append(all, entry.Name())
		}
	}
	return all
}

func isInvalid(err error, key Key) bool {
	var e *Invalid
	return errors.As(err, &e) && e.Key == key && e.Sentence() != ""
}

func isFixed(err error, key Key, by Origin) bool {
	var e *Fixed
	return errors.As(err, &e) && e.Key == key && e.By == by && e.Sentence() != ""
}
