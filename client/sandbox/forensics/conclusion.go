package forensics

import "fmt"

// found puts a model's row into a sentence: how marked the signs are, none being said in the words of none, and what they
// are signs of, by the model's name.
func found(m Model, none string, of map[string]string) string {
	if m.Message != "" {
		return m.Message
	}
	if m.Score == nil {
		return "No score."
	}
	signs := map[Status]string{Fake: "strong signs", Suspicious: "some signs", Authentic: none}[m.Status]
	return fmt.Sprintf("Found %s %s (%.1f of 100).", signs, of[m.Name], *m.Score)
}
