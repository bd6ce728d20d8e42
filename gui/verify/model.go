package verify

import (
	"path/filepath"
	"strings"

	"assay/client/i18n"
	"assay/client/plain"
	"assay/client/report/bundle"
	"assay/gui/present"
)

// view is what the sheet shows of a bundle.
type view struct {
	Name        string // of its file or folder
	Headline    string
	Intact      bool   // nothing was changed, by somebody who is known
	Changes     string // a line each; "" for none
	Fingerprint string // of the key that sealed it; "" for none
	Remarks     []string
	Facts       string // what it says of itself
	Keep        bool   // whether its signer can be kept as known
}

// nameOf is the name of a bundle's file or folder.
func nameOf(path string) string { return plain.From(filepath.Base(path)).String() }

// viewOf is the view of what was found.
func viewOf(path string, v *bundle.Verification) view {
	shown := view{Name: nameOf(path), Headline: v.Headline(), Intact: v.State == bundle.Intact, Remarks: v.Details(), Keep: v.State == bundle.UnknownSigner}
	var changes []string
	for _, f := range v.Findings {
		changes = append(changes, f.Sentence())
	}
	if more := v.MoreFindings(); more != "" {
		changes = append(changes, more)
	}
	shown.Changes = strings.Join(changes, "\n")
	if v.Seal != nil {
		shown.Fingerprint = v.Seal.Fingerprint
	}
	var facts []string
	for _, fact := range v.Facts() {
		facts = append(facts, i18n.F("%s: %s", fact[0], fact[1]))
	}
	shown.Facts = strings.Join(facts, " · ")
	return shown
}

// viewOfError is the view of what could not be verified.
func viewOfError(path string, err error) view {
	return view{Name: nameOf(path), Headline: present.Problem(err)}
}

// progressText says how much was read.
func progressText(done, total int64) string { return i18n.F("%s read", i18n.SizeOf(done, total)) }

// part is the part of a whole that is done, from 0 to 1.
func part(done, total int64) float64 {
	if total <= 0 {
		return 0
	}
	return float64(done) / float64(total)
}
