package text

import (
	"cmp"
	"context"
	"slices"

	"assay/client/sandbox/forensics"
)

const (
	// repeatedRun is how many consecutive words must recur to count as a
	// repetition: idioms and names are shorter.
	repeatedRun = 8
	// openingRun is how many words make a sentence's opening.
	openingRun = 3
	// fewestOpenings is how many sentences are needed to judge their openings.
	fewestOpenings = 8
	// mostTextMarks bounds a report.
	mostTextMarks = 5_000
	// checkEvery is the number of words between two checks of ctx.
	checkEvery = 10_000
)

// What the shares count for, as points of straight lines (share, raw score).
// Licences and changelogs, which say much again, were seen to come to 0.15 of
// repeated words and 0.17 of repeated openings; FAKE, that is 0.70, needs 65 of 100
// words said before. Openings alone stay SUSPICIOUS: litanies and lists are made
// of them.
var (
	repeatedCurve = [][2]float64{{0, 0}, {0.10, 0.15}, {0.30, 0.40}, {0.65, 0.70}, {1, 0.99}}
	openingCurve  = [][2]float64{{0, 0}, {0.30, 0.10}, {0.60, 0.40}, {1, 0.60}}
)

// alongCurve reads a curve of straight lines through points of ascending x.
func alongCurve(points [][2]float64, x float64) float64 {
	if x <= points[0][0] {
		return points[0][1]
	}
	for i := 1; i < len(points); i++ {
		if a, b := points[i-1], points[i]; x <= b[0] {
			return a[1] + (b[1]-a[1])*(x-a[0])/(b[0]-a[0])
		}
	}
	return points[len(points)-1][1]
}

// repetition measures how much of a text is said again: the share of words
// inside a run of 8 that occurred before (the complement of distinct n-grams, as
// used to tell degenerate output of language models: Welleck et al. 2019, "seq-rep-n";
// Rae et al. 2021, duplicate n-grams), and the share of sentences that open
// with the same three words as an earlier one. The score is the larger of what
// the two count for.
func repetition(ctx context.Context, p *prose) (forensics.Model, []Mark, error) {
	repeats, err := repeatedRuns(ctx, p)
	if err != nil {
		return forensics.Model{}, nil, err
	}
	again := 0
	for _, count := range repeats {
		if count > 0 {
			again++
		}
	}
	repeated := float64(again) / float64(max(1, len(p.words)))
	opened := repeatedOpenings(p)
	opening := 0.0
	if len(p.sentences) >= fewestOpenings {
		opening = float64(len(opened)) / float64(len(p.sentences))
	}
	raw := max(alongCurve(repeatedCurve, repeated), alongCurve(openingCurve, opening))
	m := forensics.ScoredModel(repetitionName, raw, map[string]any{
		"words_read":       len(p.words),
		"sentences":        len(p.sentences),
		"repeated_words":   repeated,
		"repeated_opening": opening,
		"run":              repeatedRun,
	})
	return m, repetitionMarks(p, repeats, opened), nil
}

// repeatedRuns returns, for each word, how often the commonest run of words around
// it occurs in the text, or 0 for a word in no run that occurred before.
func repeatedRuns(ctx context.Context, p *prose) ([]int, error) {
	type run [repeatedRun]uint32
	at := func(i int) (r run) {
		for k := range r {
			r[k] = p.words[i+k].id
		}
		return r
	}
	counts := map[run]int{}
	for i := 0; i+repeatedRun <= len(p.words); i++ {
		if i%checkEvery == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		counts[at(i)]++
	}
	repeats := make([]int, len(p.words))
	seen := make(map[run]bool, len(counts))
	for i := 0; i+repeatedRun <= len(p.words); i++ {
		if i%checkEvery == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		r := at(i)
		if seen[r] {
			for k := range repeatedRun {
				repeats[i+k] = max(repeats[i+k], counts[r])
			}
		}
		seen[r] = true
	}
	return repeats, nil
}

// repeatedOpenings returns the sentences that begin like an earlier one, and how
// many such sentences there are in all.
func repeatedOpenings(p *prose) map[int]int {
	type opening [openingRun]uint32
	at := func(s proseSentence) (o opening, ok bool) {
		if s.after-s.first < openingRun {
			return o, false
		}
		for k := range o {
			o[k] = p.words[s.first+k].id
		}
		return o, true
	}
	counts := map[opening]int{}
	for _, s := range p.sentences {
		if o, ok := at(s); ok {
			counts[o]++
		}
	}
	opened := map[int]int{}
	seen := map[opening]bool{}
	for i, s := range p.sentences {
		o, ok := at(s)
		if !ok {
			continue
		}
		if seen[o] {
			opened[i] = counts[o]
		}
		seen[o] = true
	}
	return opened
}

// repetitionMarks marks the runs, and the openings that lie outside them.
func repetitionMarks(p *prose, repeats []int, opened map[int]int) []Mark {
	var marks []Mark
	mark := func(first, after, count int, kind string) {
		marks = append(marks, Mark{
			Start: p.words[first].start, End: p.words[after-1].end, Kind: kind,
			Score: 100 * (1 - 1/float64(max(2, count))),
		})
	}
	for i := 0; i < len(repeats); {
		if repeats[i] == 0 {
			i++
			continue
		}
		after, most := i, 0
		for after < len(repeats) && repeats[after] > 0 {
			most = max(most, repeats[after])
			after++
		}
		mark(i, after, most, MarkRepeated)
		i = after
	}
	for i, count := range opened {
		first := p.sentences[i].first
		if !slices.ContainsFunc(repeats[first:first+openingRun], func(n int) bool { return n > 0 }) {
			mark(first, first+openingRun, count, MarkOpening)
		}
	}
	slices.SortFunc(marks, func(a, b Mark) int { return cmp.Compare(a.Start, b.Start) })
	return marks[:min(len(marks), mostTextMarks)]
}
