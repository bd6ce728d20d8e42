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
	Compared bool   // both are of one medium, and can be compared side by side
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
			Compared: m.Like == nearly.Picture || m.Like == nearly.Clip || m.Like == nearly.Recording,
		})
	}
	return nears
}

// HintLine says in a line what is nearly the same as a submission that has no answer yet.
func HintLine(h nearly.Hint, now time.Time) string {
	line := i18n.F("%s (%s)", likeness(h.Match), checked(wordsOf(h.Status).InText, h.Answered, now))
	if h.More > 0 {
		line += " " + verdict.AndMore(h.More)
	}
	return line
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
