//go:build e2e && linux

// Package exhibit makes media of every kind and a service on loopback that answers each with what was laid down for it: every status, and
// what a viewer has to bear besides. What it says of them is made up, to be looked at. It imports the standard library alone.
package exhibit

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
)

// Exhibit is a file, and the service's answer to it.
type Exhibit struct {
	// Key names it in the names of screenshots.
	Key string
	// Name is the file's own, with its extension.
	Name      string
	Content   []byte
	Answer    Answer
	Artifacts map[string][]byte // by what comes below the object's address, such as aggregation.json
	// Sound is the answer to a clip's extracted sound, nil for none.
	Sound *Exhibit
	// Removed says that the service keeps no original any more, nor does the person.
	Removed bool
	// Refused is said to any feedback on it, "" where feedback is taken.
	Refused string
}

// What comes below an object's address.
const (
	aggregationFile = "aggregation.json"
	explanationFile = "explanation.html"
	thumbnailFile   = "thumbnail.jpg"
	heatmapsFolder  = "heatmaps/"
)

// Final reports whether the answer will not change any more: no model is at work, and its status is one that is known to be an end.
func (e *Exhibit) Final() bool {
	if e.Answer.OverallStatus == Unheard {
		return false
	}
	for _, m := range e.Answer.Models {
		if m.Status == Analyzing {
			return false
		}
	}
	return true
}

// Write puts the file into a folder, which is made where it is missing.
func (e *Exhibit) Write(folder string) (path string, err error) {
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return "", fmt.Errorf("exhibit %s: %w", e.Key, err)
	}
	path = filepath.Join(folder, e.Name)
	if err := os.WriteFile(path, e.Content, 0o600); err != nil {
		return "", fmt.Errorf("exhibit %s: %w", e.Key, err)
	}
	return path, nil
}

// with adds an artifact.
func (e *Exhibit) with(name string, content []byte) *Exhibit {
	if e.Artifacts == nil {
		e.Artifacts = map[string][]byte{}
	}
	e.Artifacts[name] = content
	return e
}

// aggregated adds the aggregation JSON.
func (e *Exhibit) aggregated(of any) *Exhibit {
	content, err := json.MarshalIndent(of, "", "  ")
	if err != nil {
		panic(fmt.Sprintf("exhibit %s: %v", e.Key, err)) // it is made of maps, lists, texts and finite numbers
	}
	return e.with(aggregationFile, content)
}
