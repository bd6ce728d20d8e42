package folders

import (
	"path"
	"slices"
	"strings"
	"time"

	"assay/client"
	clientfolders "assay/client/folders"
	"assay/client/i18n"
	"assay/client/submission"
	"assay/gui/present"
	"assay/watch"
)

// gates are the gates of a watched folder in the order of the menu.
var gates = []submission.Gate{submission.GateAsk, submission.GateSend, submission.GateNever}

// gateIndex is the index of a gate in gates; that of GateAsk for any other.
func gateIndex(g submission.Gate) int { return max(slices.Index(gates, g), 0) }

// Gates are the options for the gate, in order.
func Gates() []present.Option {
	return []present.Option{
		{Words: i18n.T("Ask first"), Means: i18n.T("Each file waits in the inbox. It leaves this computer once you allow it.")},
		{Words: i18n.C("gate", "Send"), Means: i18n.T("Each file is sent to the service as soon as it is complete.")},
		{Words: i18n.T("Never leaves"), Means: i18n.T("Files are listed in the inbox and never leave this computer.")},
	}
}

// GateWords is the name of a gate.
func GateWords(g submission.Gate) string { return Gates()[gateIndex(g)].Words }

// Form is the settings of a folder as they are filled in. It can be compared.
type Form struct {
	Path        string // absolute, as the system spells it
	Gate        submission.Gate
	Lock        submission.Gate // the gate that IT has locked for its files, GateSend for none
	LocksUnread bool            // whether IT's locks can't be read: Lock is then Assay's own caution
	Pictures    bool
	Clips       bool
	Recordings  bool
	Texts       bool
	Subfolders  bool
	Only, Skip  string        // patterns of names, separated by commas
	Quiet       time.Duration // 0: Assay's choice
	MoveTo      string        // "" to leave files where they are
	Paused      bool
	Case        string // the ID of the case that its files are added to, "" for none
	CaseTitle   string // safe for the screen; "" also where that case is gone
}

// NewForm is the form for a folder that is not watched yet, with the gate that it begins with and the one that IT has locked.
func NewForm(path string, begins, lock submission.Gate) Form {
	s := clientfolders.Default(path)
	s.Gate = begins
	f := FormOf(s)
	f.Lock = lock
	return f
}

// InForce is the gate that applies, whatever was chosen.
func (f Form) InForce() submission.Gate { return submission.Stricter(f.Gate, f.Lock) }

// Forbids reports whether IT has locked a stricter gate.
func (f Form) Forbids(g submission.Gate) bool { return submission.Stricter(g, f.Lock) != g }

// LockWords say why not every gate can be chosen, "" if all can.
func (f Form) LockWords() string {
	switch {
	case !f.Forbids(submission.GateSend):
		return ""
	case f.Forbids(submission.GateAsk):
		return i18n.T("Your organisation's IT has set that files of watched folders never leave this computer.")
	case f.LocksUnread:
		return i18n.T("The settings of this computer's administrators can't be read, so Assay asks first.")
	}
	return i18n.T("Your organisation's IT has set that files of watched folders wait until you allow them, or never leave.")
}

// FormOf returns the form for existing settings.
func FormOf(s clientfolders.Settings) Form {
	counts := func(t client.MediaType) bool { return len(s.Types) == 0 || slices.Contains(s.Types, t) }
	return Form{Path: s.Path, Gate: gates[gateIndex(s.Gate)], Pictures: counts(client.Image), Clips: counts(client.Video),
		Recordings: counts(client.Audio), Texts: counts(client.Text), Subfolders: s.Subfolders,
		Only: joinPatterns(s.Only), Skip: joinPatterns(s.Skip), Quiet: s.Quiet, MoveTo: s.MoveTo, Paused: s.Paused, Case: s.Case}
}

// Refusals say for each field why its input can't be used, in a sentence; "" if it can.
type Refusals struct{ Types, Only, Skip, MoveTo string }

// Any reports whether any input can't be used.
func (r Refusals) Any() bool { return r != Refusals{} }

// Settings returns what was filled in. Use it only if nothing was refused.
func (f Form) Settings() (clientfolders.Settings, Refusals) {
	s := clientfolders.Settings{Path: f.Path, Gate: f.Gate, Subfolders: f.Subfolders, Quiet: f.Quiet, Paused: f.Paused, MoveTo: f.MoveTo, Case: f.Case}
	var refused Refusals
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
		refused.MoveTo = i18n.T("Files can't be moved into the watched folder itself. Choose another one.")
	}
	return s, refused
}

// patterns splits a list at its commas; refused says which part is not a pattern.
func patterns(typed string) (all []string, refused string) {
	for _, p := range splitPatterns(typed) {
		_, err := path.Match(p, "")
		switch {
		case strings.Contains(p, "/"):
			return nil, i18n.F("“%s” names a folder. Patterns are for names only, without “/”.", p)
		case err != nil:
			return nil, i18n.F("“%s” is not a valid pattern: a bracket is not closed, or nothing follows the backslash.", p)
		case !slices.Contains(all, p):
			all = append(all, p)
		}
	}
	return all, ""
}

// splitPatterns splits at commas, except in brackets or after a backslash.
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

// joinPatterns writes patterns as they are typed; it puts a comma in a pattern into brackets.
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

// NeverCounts says which names are ignored in every folder.
func NeverCounts() string {
	return i18n.F("Always skipped: %s.", strings.Join(watch.NamesThatNeverCount(), ", "))
}

// Quiets are the offered times for which a file must not change, including the present one, with their words.
func Quiets(set time.Duration) (all []time.Duration, words []string) {
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

// quietText is an exact time, since it is a setting and not an estimate.
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
