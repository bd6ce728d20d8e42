package report

import (
	"context"
	"html/template"
	"strings"

	"assay/client"
	"assay/client/bounded"
	"assay/client/i18n"
	"assay/client/vault"
	"assay/client/verdict"
)

// Timeline is one list of what was reported of the parts of a recording or a clip. What is not in it was not reported.
type Timeline struct {
	Title string         `json:"title"`
	Field string         `json:"field"` // the list in the aggregation JSON: "chunks"
	Parts []TimelinePart `json:"parts"` // by time

	lane verdict.Lane
}

// TimelinePart is a part, or an instant, whose start is its end.
type TimelinePart struct {
	Start  float64      `json:"start"` // seconds
	End    float64      `json:"end"`
	Said   string       `json:"said"`  // the decision in words
	Field  string       `json:"field"` // "chunks[3]"
	Scores []PartNumber `json:"scores,omitempty"`
}

// PartNumber is a number as it was sent; on which scale isn't known.
type PartNumber struct {
	Name  string `json:"name"` // "score", or a model's
	Sent  string `json:"sent"`
	Field string `json:"field"`
}

// readTimelines reads what the vault has of the parts of a recording or clip. An error is ctx's.
func (r *Result) readTimelines(ctx context.Context) error {
	if r.Type != client.Audio && r.Type != client.Video {
		return nil
	}
	for _, kind := range []string{vault.Aggregation, vault.AudioAggregation} {
		file, _, err := r.evidence.records.Artifact(ctx, r.RequestID, kind, "")
		if err != nil {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			continue // the vault does not have it
		}
		content, err := bounded.ReadAll(file, client.MaxAggregation)
		_ = file.Close()
		if err != nil {
			continue
		}
		data, err := client.ReadAggregation(content)
		if err != nil {
			continue
		}
		read := verdict.TimelineOf(data)
		for _, lane := range read.Lanes {
			r.Timelines = append(r.Timelines, timelineOf(lane))
		}
		if read.Unplaced != "" {
			r.unplaced = append(r.unplaced, read.Unplaced)
		}
	}
	return nil
}

func timelineOf(lane verdict.Lane) Timeline {
	t := Timeline{Title: lane.Title, Field: lane.Part, lane: lane}
	for _, s := range lane.Spans {
		part := TimelinePart{Start: s.Start, End: s.End, Said: s.Word, Field: s.Field}
		for _, score := range s.Scores {
			part.Scores = append(part.Scores, PartNumber{score.Scale, score.Sent, score.Field})
		}
		t.Parts = append(t.Parts, part)
	}
	return t
}

// lane is a timeline drawn as a bar: what is reported in the colour of its mark, and hatched where nothing is.
type lane struct {
	Spans      []laneSpan
	Begin, End string // labels
}

// laneSpan is a part, in percent of the length.
type laneSpan struct {
	From, Width float64
	Class       string // of its mark; "" for none
}

// mostParts is how many parts of a timeline a page lists; the .json has all.
const mostParts = 40

// timelineTables are the timelines, each with its parts.
func (r *Result) timelineTables() (all []table) {
	for _, timeline := range r.Timelines {
		length := 0.0
		if r.File != nil {
			length = r.File.Seconds
		}
		known := length > 0
		for _, p := range timeline.Parts {
			length = max(length, p.End)
		}
		t := table{Heading: timeline.Title, Class: "timeline", Head: []string{i18n.T("From, to"), i18n.T("What was reported"), i18n.T("Numbers, as sent"), i18n.T("Field")}}
		t.Lane = &lane{Begin: verdict.Clock(0), End: verdict.Clock(length)}
		for i, p := range timeline.Parts {
			drawing, class := markOf(timeline.lane.Spans[i].Mark)
			if length > 0 {
				t.Lane.Spans = append(t.Lane.Spans, laneSpan{100 * p.Start / length, max(100*(p.End-p.Start)/length, 0.2), class})
			}
			if i < mostParts {
				t.Rows = append(t.Rows, p.row(drawing, class))
			}
		}
		t.Text = []string{timeline.lane.Counts(), i18n.T("Hatched: nothing was reported there. That says nothing about it.")}
		if more := len(timeline.Parts) - mostParts; more > 0 {
			t.Text = append(t.Text, i18n.N(more, "%s more part is in the .json.", "%s more parts are in the .json."))
		}
		if !known {
			t.Text = append(t.Text, i18n.T("The length of the file isn't known here, so the bar ends with the last part."))
		}
		all = append(all, t)
	}
	if len(all) > 0 {
		last := &all[len(all)-1]
		last.Text = append(last.Text, r.unplaced...)
	}
	return all
}

func (p TimelinePart) row(drawing template.HTML, class string) row {
	at := verdict.Clock(p.Start)
	if p.End > p.Start {
		at += "–" + verdict.Clock(p.End)
	}
	var numbers []string
	for _, n := range p.Scores {
		numbers = append(numbers, n.Name+" "+n.Sent)
	}
	sent := text(strings.Join(numbers, ", "))
	if len(numbers) == 0 {
		sent = cell{Text: i18n.T(verdict.NoScore), Muted: true}
	}
	return row{text(at), {Text: p.Said, Mark: drawing, Class: class}, sent, mono(p.Field)}
}
