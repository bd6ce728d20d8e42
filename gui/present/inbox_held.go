package present

import (
	"cmp"
	"slices"

	"assay/client/media"
)

// Held is what waits for the person to say whether it may leave this computer.
type Held struct {
	Files int
	Bytes int64
}

// Words say how many wait; "" for none.
func (h Held) Words() string {
	if h.Files == 0 {
		return ""
	}
	return CountInFull(h.Files) + " " + oneOr(h.Files, "file waits", "files wait") + " for your decision"
}

// Detail says how large they are and what has become of them.
func (h Held) Detail() string {
	return joined(h.size(), "not sent yet")
}

// Question asks whether they are to be sent.
func (h Held) Question() string {
	what := CountInFull(h.Files) + " " + oneOr(h.Files, "file", "files")
	if size := h.size(); size != "" {
		what += ", " + size + ","
	}
	return "Send " + what + " to the service?"
}

// Buttons are the words of the two decisions on all of them.
func (h Held) Buttons() (send, keep string) {
	return oneOr(h.Files, "Send it", "Send all…"), oneOr(h.Files, "Keep it here", "Keep all here")
}

func (h Held) size() string {
	if h.Bytes == 0 {
		return ""
	}
	return media.SizeText(h.Bytes)
}

func oneOr(n int, one, many string) string {
	if n == 1 {
		return one
	}
	return many
}

// Held is what waits of all rows, whatever is visible.
func (l *InboxList) Held() Held { return l.held }

// HeldIDs are the IDs of the rows that wait, whatever is visible, in the order in which they were handed over.
func (l *InboxList) HeldIDs() []string {
	waiting := make([]*inboxEntry, 0, l.held.Files)
	for _, e := range l.entries {
		if e.row.Held() {
			waiting = append(waiting, e)
		}
	}
	slices.SortFunc(waiting, func(a, b *inboxEntry) int { return cmp.Compare(a.accepted, b.accepted) })
	ids := make([]string, len(waiting))
	for i, e := range waiting {
		ids[i] = e.row.ID
	}
	return ids
}

// Allowable is what the person may let go, of these rows.
func (l *InboxList) Allowable(ids []string) (h Held) {
	for _, id := range ids {
		if row, ok := l.Row(id); ok && row.Can(Allow) {
			h.Files++
			h.Bytes += row.Bytes
		}
	}
	return h
}
