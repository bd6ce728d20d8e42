package present

import (
	"time"

	"assay/client"
	"assay/client/i18n"
	"assay/client/nearly"
	"assay/client/verdict"
)

// Near is a result that is nearly the same as what is shown. It is a hint: neither is said to be the other, and each keeps its own verdict.
type Near struct {
	ID       string
	Sentence string // "Nearly the same as harbour-crop.png"
	Mark     verdict.Mark
	Words    string // "Likely manipulated, checked 3 Nov"
	Compared bool   // both are of one medium and on this computer, and can be compared side by side
	Case     string // the ID of the case in which a colleague shared it; "" for this computer's own
}

// NearNote stands beside what is nearly the same, to be translated.
const NearNote = "A hint: each file keeps its own verdict"

// NearsOf makes the hints of matches, in their order.
func NearsOf(matches []nearly.Match, now time.Time) []Near {
	nears := make([]Near, 0, len(matches))
	for _, m := range matches {
		words := wordsOf(m.Status)
		nears = append(nears, Near{
			ID: m.ID, Sentence: likeness(m), Mark: words.Mark, Words: checked(words.Short, m.Answered, now),
			Compared: m.By == "" && (m.Like == nearly.Picture || m.Like == nearly.Clip || m.Like == nearly.Recording), Case: m.Case,
		})
	}
	return nears
}

// NearHint is what is nearly the same as a submission that has no answer yet, in a line.
type NearHint struct {
	Line string // "" for nothing
	Mark verdict.Mark
	Case string // as in Near
}

// NearHintOf makes it of a finder's.
func NearHintOf(h nearly.Hint, now time.Time) NearHint {
	words := wordsOf(h.Status)
	n := NearHint{Line: i18n.F("%s (%s)", likeness(h.Match), checked(words.InText, h.Answered, now)), Mark: words.Mark, Case: h.Case}
	if h.More > 0 {
		n.Line += " " + verdict.AndMore(h.More)
	}
	return n
}

// wordsOf are the words for the status under which a result is filed.
func wordsOf(filed client.Status) verdict.Words {
	if filed == client.Contradictory {
		return verdict.Contradictory()
	}
	return verdict.Say(filed)
}

func checked(words string, answered, now time.Time) string {
	if answered.IsZero() {
		return words
	}
	return i18n.F("%s, checked %s", words, i18n.Day(answered, now))
}

func likeness(m nearly.Match) string {
	if m.By != "" {
		return likenessToShared(m)
	}
	switch m.Like {
	case nearly.FrameOf:
		return i18n.F("Nearly the same as a frame of %s", m.Name)
	case nearly.HasFrame:
		return i18n.F("A frame is nearly the same as %s", m.Name)
	case nearly.Clip:
		return i18n.F("Has frames nearly the same as in %s", m.Name)
	case nearly.Recording:
		return i18n.F("Sounds nearly the same as %s", m.Name)
	}
	if m.Oriented {
		return i18n.F("Nearly the same as %s, mirrored or rotated", m.Name)
	}
	return i18n.F("Nearly the same as %s", m.Name)
}

// likenessToShared is likeness for what a colleague shared: whose it is says more than what they call it.
func likenessToShared(m nearly.Match) string {
	by := Person(m.By)
	switch m.Like {
	case nearly.FrameOf:
		return i18n.F("Nearly the same as a frame of a clip that %s shared", by)
	case nearly.HasFrame:
		return i18n.F("A frame is nearly the same as a picture that %s shared", by)
	case nearly.Clip:
		return i18n.F("Has frames nearly the same as in a clip that %s shared", by)
	}
	if m.Oriented {
		return i18n.F("Nearly the same as a picture that %s shared, mirrored or rotated", by)
	}
	return i18n.F("Nearly the same as a picture that %s shared", by)
}
