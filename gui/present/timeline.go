package present

import (
	"assay/client"
	"assay/client/verdict"
)

// Timeline is what was reported of the parts of a recording or clip.
type Timeline = verdict.Timeline

// Lane is one list of a Timeline.
type Lane = verdict.Lane

// Span is a part of a Lane.
type Span = verdict.Span

// SpanScore is a number of a Span.
type SpanScore = verdict.SpanScore

// Worst is the part to look at first.
type Worst = verdict.Worst

// TimelineOf is verdict.TimelineOf.
func TimelineOf(a *client.AggregationData) Timeline { return verdict.TimelineOf(a) }

// Clock is verdict.Clock.
func Clock(seconds float64) string { return verdict.Clock(seconds) }

// ClockOf is verdict.ClockOf.
func ClockOf(seconds, length float64) string { return verdict.ClockOf(seconds, length) }

// ClockTick is a label of a ruler: to the second, or to a tenth where the labels are less than a second apart.
func ClockTick(seconds, step float64) string {
	if step < 1 {
		return verdict.Clock(seconds)
	}
	return verdict.ClockShort(seconds)
}
