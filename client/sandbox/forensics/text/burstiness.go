package text

import (
	"context"
	"fmt"
	"math"

	"assay/client/sandbox/forensics"
)

const (
	// fewestBurstSentences is how many sentences a variation of lengths needs.
	fewestBurstSentences = 12
	// fewestWordGaps is how many distances between uses of a word are needed.
	fewestWordGaps = 20
)

// What evenness counts for. Sentence lengths of the licences, manuals and notes
// looked at vary by 0.7 of their mean or more; a word that is used at random over a text has a burstiness of 0,
// and a topic's words come in bursts, above it. Both must be even for a score
// of note, which stays SUSPICIOUS at most.
var (
	evenLengthsCurve = [][2]float64{{0.10, 0.65}, {0.20, 0.50}, {0.35, 0.15}, {0.60, 0.02}}
	evenWordsCurve   = [][2]float64{{-0.5, 1}, {-0.2, 0.9}, {0, 0.6}, {0.3, 0.4}}
)

// burstiness measures how evenly a text runs: the coefficient of variation
// of its sentences' lengths in words, and the burstiness of word use after Goh
// and Barabási (2008): (σ − μ) / (σ + μ) over the distances between two uses
// of the same word, from −1 (like a clock) over 0 (at random) to 1.
// Words used more often than once in 50, which grammar spreads evenly, and words
// used less than four times are left out. Even text is no machine's alone: lists,
// tables, minutes and children's books are even too.
func burstiness(_ context.Context, p *prose) (forensics.Model, []Mark, error) {
	if len(p.sentences) < fewestBurstSentences {
		why := fmt.Sprintf("The text has %d sentences; at least %d are needed to speak of their variation.", len(p.sentences), fewestBurstSentences)
		return forensics.NotApplicableModel(burstinessName, why, map[string]any{"sentences": len(p.sentences)}), nil, nil
	}
	lengths := make([]float64, len(p.sentences))
	for i, s := range p.sentences {
		lengths[i] = float64(s.after - s.first)
	}
	mean, deviation := meanAndDeviation(lengths)
	variation := deviation / mean
	data := map[string]any{
		"sentences":            len(p.sentences),
		"sentence_length_mean": mean,
		"sentence_length_cv":   variation,
		"distinct_words":       float64(p.distinct) / float64(len(p.words)),
	}
	raw := alongCurve(evenLengthsCurve, variation)
	if b, gaps := wordBurstiness(p); gaps >= fewestWordGaps {
		data["word_burstiness"] = b
		raw *= alongCurve(evenWordsCurve, b)
	} else {
		raw *= 0.6 // as if used at random: too few words recur
	}
	return forensics.ScoredModel(burstinessName, raw, data), nil, nil
}

// wordBurstiness joins the distances between uses of the words that neither
// grammar nor chance decides, each word's divided by their mean, and returns how many
// there are.
func wordBurstiness(p *prose) (burstiness float64, gaps int) {
	const fewestUses, commonShare = 4, 50
	places := make([][]int, p.distinct)
	for i, w := range p.words {
		places[w.id] = append(places[w.id], i)
	}
	var distances []float64
	for _, at := range places {
		if len(at) < fewestUses || len(at)*commonShare > len(p.words) && len(p.words) > 10*commonShare {
			continue
		}
		mean := float64(at[len(at)-1]-at[0]) / float64(len(at)-1)
		for i := 1; i < len(at); i++ {
			distances = append(distances, float64(at[i]-at[i-1])/mean)
		}
	}
	if len(distances) < 2 {
		return 0, 0
	}
	mean, deviation := meanAndDeviation(distances)
	return (deviation - mean) / (deviation + mean), len(distances)
}

// meanAndDeviation returns the mean of at least two values, and their standard deviation as of a sample (n - 1). gonum's stat has it, too, but
// links all of linear algebra with it: two megabytes.
func meanAndDeviation(values []float64) (mean, deviation float64) {
	n := float64(len(values))
	for _, v := range values {
		mean += v / n
	}
	squares := 0.0
	for _, v := range values {
		squares += (v - mean) * (v - mean)
	}
	return mean, math.Sqrt(squares / (n - 1))
}
