package config

import (
	"encoding/json"
	"path/filepath"
	"sync"

	"assay/client/bounded"
	"assay/client/durable"
)

const (
	stateName      = "state.json"
	stateTempNames = ".state-*.tmp"
)

// State is what Assay remembers by itself from run to run. Nobody chose it, and its loss does not matter.
type State struct {
	WindowWidth  int    `json:"windowWidth,omitempty"` // in the toolkit's units; 0: not known
	WindowHeight int    `json:"windowHeight,omitempty"`
	CrashSeen    string `json:"crashSeen,omitempty"` // name of the last crash report that the person was told of
}

// LoadState reads what SaveState wrote to a folder; where there is nothing that can be read, the zero State.
func LoadState(dir string) State {
	var s State
	content, err := bounded.ReadFile(filepath.Join(dir, stateName), largest)
	if err != nil || json.Unmarshal(content, &s) != nil {
		return State{}
	}
	return s
}

var changingState sync.Mutex

// ChangeState lets do change what is remembered in a folder, so that what others of this process remember there stays. It reads and writes
// the disk: not for the UI thread.
func ChangeState(dir string, do func(*State)) error {
	changingState.Lock()
	defer changingState.Unlock()
	before := LoadState(dir)
	after := before
	do(&after)
	if after == before {
		return nil
	}
	return SaveState(dir, after)
}

// SaveState keeps s for the next run. It writes to the disk: not for the UI thread.
func SaveState(dir string, s State) error {
	content, err := json.MarshalIndent(s, "", "  ")
	if err != nil {
		return err
	}
	return durable.WriteFile(filepath.Join(dir, stateName), content, durable.Options{Temp: stateTempNames})
}
