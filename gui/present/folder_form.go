package present

import (
	"path"
	"slices"
	"strings"
	"time"

	"assay/client"
	"assay/client/folders"
	"assay/client/i18n"
	"assay/client/submission"
	"assay/watch"
)

// FolderGate is what becomes of a watched folder's files, as the screen offers it.
type FolderGate int

// The gates, in the order in which they are offered; what is nothing else asks first.
const (
	FolderAsks FolderGate = iota
	FolderSends
	FolderKeeps
)

// FolderGates are the gates in words.
func FolderGates() []FolderChoice {
	return []FolderChoice{
		FolderAsks:  {i18n.T("Ask first"), i18n.T("Each file waits in the inbox. It leaves this computer once you allow it.")},
		FolderSends: {i18n.C("gate", "Send"), i18n.T("Each file is sent to the service as soon as it is complete.")},
		FolderKeeps: {i18n.T("Never leaves"), i18n.T("Files are listed in the inbox and never leave this computer.")},
	}
}

// Words are what the gate is called.
func (g FolderGate) Words() string { return FolderGates()[g].Words }

func folderGateOf(g submission.Gate) FolderGate {
	switch g {
	case submission.GateSend:
		return FolderSends
	case submission.GateNever:
		return FolderKeeps
	}
	return FolderAsks
}

func (g FolderGate) gate() submission.Gate {
	switch g {
	case FolderSends:
		return submission.GateSend
	case FolderKeeps:
		return submission.GateNever
	}
	return submission.GateAsk
}

// FolderForm is the settings of a folder as they are filled in. It can be compared.
type FolderForm struct {
	Path       string // absolute, as the system gives it
	Gate       FolderGate
	Lock       submission.Gate // what IT has locked of its files, GateSend for nothing
	Pictures   bool
	Clips      bool
	Recordings bool
	Texts      bool
	Subfolders bool
	Only, Skip string        // patterns of names, with commas between
	Quiet      time.Duration // 0: chosen by Assay
	MoveTo     string        // "" for nowhere
	Paused     bool
}

// NewFolderForm is the form for a folder that is not watched yet: what the settings have it begin with, and what IT has locked.
func NewFolderForm(path string, begins, lock submission.Gate) FolderForm {
	s := folders.Default(path)
	s.Gate = begins
	f := FolderFormOf(s)
	f.Lock = lock
	return f
}

// InForce is what becomes of the folder's files, whatever was chosen.
func (f FolderForm) InForce() FolderGate {
	return folderGateOf(submission.Stricter(f.Gate.gate(), f.Lock))
}

// Forbids reports whether IT has locked something stricter than a gate.
func (f FolderForm) Forbids(g FolderGate) bool {
	return submission.Stricter(g.gate(), f.Lock) != g.gate()
}

// LockWords say why not every gate can be chosen, "" where each can.
func (f FolderForm) LockWords() string {
	switch {
	case !f.Forbids(FolderSends):
		return ""
	case f.Forbids(FolderAsks):
		return i18n.T("Your organisation's IT has set that files of watched folders never leave this computer.")
	}
	return i18n.T("Your organisation's IT has set that files of watched folders wait until you allow them, or never leave.")
}

// FolderFormOf fills the form in with what was chosen before.
func FolderFormOf(s folders.Settings) FolderForm {
	counts := func(t client.MediaType) bool { return len(s.Types) == 0 || slices.Contains(s.Types, t) }
	return FolderForm{Path: s.Path, Gate: folderGateOf(s.Gate), Pictures: counts(client.Image), Clips: counts(client.Video),
		Recordings: counts(client.Audio), Texts: counts(client.Text), Subfolders: s.Subfolders,
		Only: joinPatterns(s.Only), Skip: joinPatterns(s.Skip), Quiet: s.Quiet, MoveTo: s.MoveTo, Paused: s.Paused}
}

// FolderRefusals say for each field why it can't be so, in a sentence; "" where it can.
type FolderRefusals struct{ Types, Only, Skip, MoveTo string }

// Any reports whether something can't be so.
func (r FolderRefusals) Any() bool { return r != FolderRefusals{} }

// Settings are what was filled in. They are to be used where nothing was refused.
func (f FolderForm) Settings() (folders.Settings, FolderRefusals) {
	s := folders.Settings{Path: f.Path, Gate: f.Gate.gate(), Subfolders: f.Subfolders, Quiet: f.Quiet, Paused: f.Paused, MoveTo: f.MoveTo}
	var refused FolderRefusals
	for _, t := range []struct {
		ticked bool
		kind   client.MediaType
	}{{f.Pictures, client.Image}, {f.Clips, client.Video}, {f.Recordings, client.Audio}, {f.Texts, client.Text}} {
		if t.ticked {
			s.Types = append(s.Types, t.kind)
		}
	}
	switch len(s.Types) {
	case 0:
		refused.Types = i18n.T("Choose at least one kind of file.")
	case 4:
		s.Types = nil
	}
	s.Only, refused.Only = patterns(f.Only)
	s.Skip, refused.Skip = patterns(f.Skip)
	if f.MoveTo != "" && f.MoveTo == f.Path {
		refused.MoveTo = i18n.T("Files can't be moved to the folder that is watched: choose another one.")
	}
	return s, refused
}

// patterns takes what was typed apart at its commas, and says what of it is no pattern.
func patterns(typed string) (all []string, refused string) {
	for _, p := range splitPatterns(typed) {
		_, err := path.Match(p, "")
		switch {
		case strings.Contains(p, "/"):
			return nil, i18n.F("“%s” names a folder: patterns are for names alone, without “/”.", p)
		case err != nil:
			return nil, i18n.F("“%s” is no pattern: a bracket is not closed, or nothing follows the backslash.", p)
		case !slices.Contains(all, p):
			all = append(all, p)
		}
	}
	return all, ""
}

// splitPatterns leaves commas alone that stand in brackets or behind a backslash.
func splitPatterns(typed string) (all []string) {
	var b strings.Builder
	end := func() {
		if p := strings.TrimSpace(b.String()); p != "" {
			all = append(all, p)
		}
		b.Reset()
	}
	bracket, escaped := false, false
	for _, r := range typed {
		switch {
		case escaped:
			escaped = false
		case r == '\\':
			escaped = true
		case r == '[':
			bracket = true
		case r == ']':
			bracket = false
		case r == ',' && !bracket, r == '\n':
			end()
			continue
		}
		b.WriteRune(r)
	}
	end()
	return all
}

// joinPatterns writes patterns as they are typed; a comma in one of them goes into brackets.
func joinPatterns(all []string) string {
	written := make([]string, len(all))
	for i, p := range all {
		if len(splitPatterns(p)) > 1 {
			p = strings.ReplaceAll(p, ",", "[,]")
		}
		written[i] = p
	}
	return strings.Join(written, ", ")
}

// FolderNeverCounts says which names are passed over in every folder.
func FolderNeverCounts() string {
	return i18n.F("These never count: %s.", strings.Join(watch.NamesThatNeverCount(), ", "))
}

// FolderQuiets are the times to choose how long a file must rest, with their words; the one that is set is among them.
func FolderQuiets(set time.Duration) (all []time.Duration, words []string) {
	all = []time.Duration{0, 2 * time.Second, 5 * time.Second, 10 * time.Second, 30 * time.Second, time.Minute, 5 * time.Minute}
	if !slices.Contains(all, set) {
		all = append(all, set)
		slices.Sort(all)
	}
	for _, d := range all {
		words = append(words, quietText(d))
	}
	return all, words
}

// quietText says a time exactly: it is a setting, not an estimate.
func quietText(d time.Duration) string {
	switch {
	case d == 0:
		return i18n.T("Automatic")
	case d >= time.Minute && d%time.Minute == 0:
		return i18n.F("%d min", d/time.Minute)
	case d%time.Second == 0:
		return i18n.F("%d s", d/time.Second)
	}
	return d.String()
}
