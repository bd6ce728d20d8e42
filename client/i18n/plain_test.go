package i18n_test

import (
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// riddles are turns of phrase that nobody at the next desk would use, with what to write instead. [a-km-z] lets "is no longer" pass.
var riddles = []struct{ turn, instead string }{
	{`\bof its own way|\bits own way\b`, "what it does"},
	{`\b(a|an|no) [a-z]+ of its own\b`, "its own …"},
	{`\bheld to be\b`, "“Your desk says”, “marked as”"},
	{`\banew\b`, "again"},
	{`\bunder which\b`, "a sentence with a verb: “gave no ID”"},
	{`\bas the [a-z]+ has it\b`, "the setting's name"},
	{`(%s|this|that|it|file|site|address) is no [a-km-z]|\b(is|are) none of\b`, "“is not a …”"},
	{`\byour word\b|\bthe word of\b`, "your decision"},
	{`\bwritten down\b|\bwrite it down\b`, "saved"},
	{`\bhand(ed)? over\b.*\bagain\b|\bhanded over before\b`, "add it again"},
	{`\bin (the )?place of\b`, "instead of"},
	{`\bcannot\b`, "can't"},
	{`\bis tried again\b|\bare tried again\b`, "“Assay tries again”"},
	{`\bwhat stands (before|behind)\b`, "what comes before, what is behind"},
	{`\b(does not|don't|doesn't) hold\.`, "has no effect"},
	{`^(Whether|What|When|Where)\b[^?:,]*\b(can't be (said|seen|told)|is not known)\b`, "turn it round: “Assay can't tell whether …”"},
}

// longestSentence is in words. A sentence ends with a point, a colon, a semicolon or a question mark.
const longestSentence = 24

var ends = regexp.MustCompile(`[.:;?!](\s|$)`)

func riddlesIn(text string) (found []string) {
	for _, r := range riddles {
		if hit := regexp.MustCompile(`(?i)` + r.turn).FindString(text); hit != "" {
			found = append(found, "“"+hit+"”; write "+r.instead)
		}
	}
	for _, one := range ends.Split(text, -1) {
		if words := len(strings.Fields(one)); words > longestSentence {
			found = append(found, "a sentence too long to be read aloud: "+one)
		}
	}
	return found
}

// TestEnglishIsPlain holds the house rules of assets/lang/README.md, as far as a pattern can.
func TestEnglishIsPlain(t *testing.T) {
	if testing.Short() {
		t.Skip("reads the whole source; no goroutine is in it")
	}
	said := texts(sourceOf(t).used)
	for _, key := range slices.Sorted(maps.Keys(said)) {
		for _, text := range []string{key, said[key].one} {
			for _, riddle := range riddlesIn(text) {
				t.Errorf("%s: %q has %s", said[key].at, text, riddle)
			}
		}
	}
}

func TestRiddlesAreSeen(t *testing.T) {
	for text, want := range map[string]int{
		"Assay saves the copy and tries again.":                              0,
		"It goes its own way":                                                1,
		"The service did not say under which number.":                        1,
		"%s is no ordinary file that Assay reads.":                           1,
		"Whether you sealed it yourself can't be said. %s":                   1,
		"Its picture had to be encoded anew. It can't be handed over again.": 2,
		strings.Repeat("word ", longestSentence) + "and one more.":           1,
	} {
		if got := riddlesIn(text); len(got) != want {
			t.Errorf("%q: %q", text, got)
		}
	}
}
