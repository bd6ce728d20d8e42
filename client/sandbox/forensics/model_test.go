package forensics

import "testing"

func TestBands(t *testing.T) {
	for score, want := range map[float64]Status{0.01: Authentic, 39.99: Authentic, 40: Suspicious, 69.99: Suspicious, 70: Fake, 99.99: Fake} {
		if got := statusOf(score); got != want {
			t.Errorf("%v is %s, want %s", score, got, want)
		}
	}
}

func TestAPartGoesByTheBandsOfTheWhole(t *testing.T) {
	for raw, want := range map[float64]string{0.02: "AUTHENTIC", 0.39: "AUTHENTIC", 0.51: "SUSPICIOUS", 0.69: "SUSPICIOUS", 0.7: "ARTIFICIAL", 1: "ARTIFICIAL"} {
		m := ScoredModel("part", raw, map[string]any{})
		if got := m.PartDecision(); got != want {
			t.Errorf("%v: %s, and the whole is %s", raw, got, m.Status)
		}
	}
	if got := NotApplicableModel("part", "too short", nil).PartDecision(); got != "" {
		t.Errorf("without a score: %q", got)
	}
}
