package recording

import (
	"assay/client/i18n"
	"assay/gui/chart"
	"assay/gui/look"
	"assay/gui/present"
)

// ChooseHint stands, translated, where a part's source is shown, before one was chosen.
const ChooseHint = "Choose a part to see where its numbers stand in the answer."

// LanesOf puts a timeline into lanes, each at its own index. A provisional one bears no verdict's colour.
func LanesOf(t present.Timeline, provisional bool) []chart.Lane {
	lanes := make([]chart.Lane, len(t.Lanes))
	for i, lane := range t.Lanes {
		lanes[i] = chart.Lane{Title: lane.Title + " · " + i18n.T("hatched: not reported"), Note: lane.Counts(), Spans: make([]chart.Span, len(lane.Spans))}
		if provisional {
			lanes[i].Title = i18n.F("%s, provisional", lane.Title) + " · " + i18n.T("hatched: not reported")
		}
		for j, s := range lane.Spans {
			lanes[i].Spans[j] = spanOf(s, provisional)
		}
	}
	return lanes
}

func spanOf(s present.Span, provisional bool) chart.Span {
	out := chart.Span{Start: s.Start, End: s.End, Mark: look.Mark(s.Mark), Texts: []string{s.Word}, Tip: s.Label() + "\n" + s.Source()}
	if provisional {
		out.Mark = look.MarkNone
	}
	if s.Score != nil {
		out.Texts = []string{s.Word + " · " + s.Score.Text, s.Score.Text}
	}
	return out
}

// SourceOf says what was reported of a part, and where it stands in the answer.
func SourceOf(s present.Span) string { return s.Label() + "\n" + s.Source() }
