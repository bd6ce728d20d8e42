package config

import "assay/client/submission"

// Gate is whether a submission may be sent: the strictest of its own gate, which may be a flag's or its folder's, and of what the settings
// say of where it comes from. lock is what IT's locks alone say, GateSend where they forbid nothing: they hold also for what was accepted
// before. It returns at once.
func (c *Config) Gate(s submission.Submission) (gate, lock submission.Gate) {
	now := c.now.Load()
	locked := func(key Key) bool { return now.origins[key] == Locked }
	gates := now.settings.Gates
	set := submission.GateSend
	switch {
	case s.Source == submission.Watched: // Gates.Folders is but what a new folder begins with, unless it is locked
		switch {
		case locked("gates.folders"):
			lock = gates.Folders.ofSubmissions()
		case locked("gates.files"): // else to watch a folder would be a way round it
			lock = gates.Files.ofSubmissions()
		}
	case s.Link != "":
		set = gates.Links.ofSubmissions()
		if locked("gates.links") {
			lock = set
		}
	default:
		set = gates.Files.ofSubmissions()
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
func (c *Config) NewFolderGate() submission.Gate { return c.Settings().Gates.Folders.ofSubmissions() }

// ofSubmissions is the gate as submissions have it.
func (g Gate) ofSubmissions() submission.Gate {
	switch g {
	case GatePublic:
		return submission.GateSend
	case GateNever:
		return submission.GateNever
	}
	return submission.GateAsk
}
