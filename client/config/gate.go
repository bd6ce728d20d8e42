package config

import (
	"encoding/json"
	"errors"

	"assay/client/submission"
)

// Gate is whether a submission may be sent: the strictest of its own gate, which may be a flag's or its folder's, and of what the settings
// say of where it comes from. lock is what IT's locks alone say, GateSend where they forbid nothing: they hold also for what was accepted
// before. It returns at once.
func (c *Config) Gate(s submission.Submission) (gate, lock submission.Gate) {
	now := c.now.Load()
	locked := func(key Key) bool { return now.origins[key] == Locked }
	gates := now.settings.Gates
	set := submission.GateSend
	lock = submission.GateSend
	switch {
	case s.Source == submission.Watched: // Gates.Folders is but what a new folder begins with, unless it is locked
		switch {
		case locked("gates.folders"):
			lock = gates.Folders
		case locked("gates.files"): // else to watch a folder would be a way round it
			lock = gates.Files
		}
	case s.Link != "":
		set = gates.Links
		if locked("gates.links") {
			lock = set
		}
	default:
		set = gates.Files
		if locked("gates.files") {
			lock = set
		}
	}
	if c.managed.unread {
		lock = submission.Stricter(lock, submission.GateAsk)
	}
	return submission.Stricter(s.Gate, submission.Stricter(set, lock)), lock
}

// LocksUnread reports whether the administrators' file can't be read, so that a lock is Assay's own caution and not what they have set.
func (c *Config) LocksUnread() bool { return c.managed.unread }

// NewFolderGate is what a newly watched folder begins with.
func (c *Config) NewFolderGate() submission.Gate { return c.Settings().Gates.Folders }

// gateWords are the gates as settings.json and the administrators' file have them.
var gateWords = map[submission.Gate]string{submission.GateSend: "public", submission.GateAsk: "sensitive", submission.GateNever: "never"}

// errNoGate is of a word that stands for no gate.
var errNoGate = errors.New("not one of the gates")

// decodeGate reads a gate as the files have it.
func decodeGate(raw json.RawMessage) (submission.Gate, error) {
	var written string
	if err := json.Unmarshal(raw, &written); err != nil {
		return "", err
	}
	for gate, word := range gateWords {
		if word == written {
			return gate, nil
		}
	}
	return "", errNoGate
}
