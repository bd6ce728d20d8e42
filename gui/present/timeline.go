package present

import (
	"assay/client"
	"assay/client/verdict"
)

// Timeline and its parts are verdict's, since the report has them, too.
type (
	Timeline  = verdict.Timeline
	Lane      = verdict.Lane
	Span      = verdict.Span
	SpanScore = verdict.SpanScore
	Worst     = verdict.Worst
)

// TimelineOf is verdict.TimelineOf.
func TimelineOf(a *client.AggregationData) Timeline { return verdict.TimelineOf(a) }

// Clock is verdict.Clock.
func Clock(seconds float64) string { return verdict.Clock(seconds) }

// ClockOf is verdict.ClockOf.
func ClockOf(seconds, length float64) string { return verdict.ClockOf(seconds, length) }

// ClockShort is verdict.ClockShort.
func ClockShort(seconds float64) string { return verdict.ClockShort(seconds) }
