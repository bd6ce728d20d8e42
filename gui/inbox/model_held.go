package inbox

import (
	"cmp"
	"slices"

	"assay/client/i18n"
	"assay/client/media"
	"assay/gui/present"
)

// Held is what waits for the person to say whether it may leave this computer.
type Held struct {
	Files int // files and links
	Links int // of these, links
	Bytes int64
}

// Words say how many wait; "" for none.
func (h Held) Words() string {
	switch {
	case h.Files == 0:
		return ""
	case h.Links == 0:
		return i18n.N(h.Files, "%s file waits for your decision", "%s files wait for your decision")
	case h.Links == h.Files:
		return i18n.N(h.Files, "%s link waits for your decision", "%s links wait for your decision")
	}
	return i18n.N(h.Files, "%s file or link waits for your decision", "%s files and links wait for your decision")
}

// Detail says how large they are and what has become of them.
func (h Held) Detail() string {
	size := ""
	if h.Bytes > 0 {
		size = media.SizeText(h.Bytes)
	}
	return present.Joined(size, i18n.T("not sent yet"))
}

// Buttons are the words of the two decisions on all of them.
func (h Held) Buttons() (look, keep string) {
	if h.Files == 1 {
		return i18n.T("Look and send…"), i18n.T("Keep it here")
	}
	return i18n.T("Send all…"), i18n.T("Keep all here")
}

// Held is what waits of all rows, whatever is visible.
func (l *List) Held() Held { return l.held }

// HeldIDs are the IDs of the rows that wait, whatever is visible, in the order in which they were handed over.
func (l *List) HeldIDs() []string {
	waiting := make([]*listEntry, 0, l.held.Files)
	for _, e := range l.entries {
		if e.row.Held() {
			waiting = append(waiting, e)
		}
	}
	slices.SortFunc(waiting, func(a, b *listEntry) int { return cmp.Compare(a.accepted, b.accepted) })
	ids := make([]string, len(waiting))
	for i, e := range waiting {
		ids[i] = e.row.ID
	}
	return ids
}
