package present

import (
	"fmt"
	"slices"
	"time"

	"assay/client/media"
	"assay/client/submission"
)

// Overall is the inbox's line for the whole.
type Overall struct {
	Done     string  // "3 of 12 done"
	Detail   string  // "48 of 210 MB · about 2 min left", "" when nothing is on its way
	Progress float64 // 0..1 of the bytes that are to be sent
	Active   int     // submissions that go on by themselves: the rail's count
	Failed   int     // submissions that Retry may help
}

// OverallOf sums the submissions up.
func OverallOf(all []submission.Submission) Overall {
	var (
		o              Overall
		ended          int
		sent, total    int64
		rate           float64
		uploadsRunning bool
	)
	for _, s := range all {
		if s.State.Ended() {
			ended++
		} else {
			o.Active++
		}
		if s.State == submission.Failed {
			o.Failed++
		}
		if s.Earlier != "" || s.State == submission.Refused || s.State == submission.Cancelled {
			continue
		}
		total += s.Size
		switch {
		case !s.Uploaded.IsZero():
			sent += s.Size
		case s.State == submission.Sending:
			sent += s.Sent
			rate += s.Rate
			uploadsRunning = true
		}
	}
	o.Done = fmt.Sprintf("%d of %d done", ended, len(all))
	if total > 0 {
		o.Progress = float64(sent) / float64(total)
	}
	if o.Active > 0 && total > 0 && sent < total {
		o.Detail = fmt.Sprintf("%s of %s", media.SizeText(sent), media.SizeText(total))
		if uploadsRunning && rate > 0 {
			left := time.Duration(float64(total-sent) / rate * float64(time.Second))
			o.Detail += " · about " + durationText(left) + " left"
		}
	}
	return o
}

// InboxOrder lists the submissions' IDs as the inbox shows them: what was handed over last stands first, and what
// was handed over together keeps its order.
func InboxOrder(all []submission.Submission) []string {
	sorted := slices.Clone(all)
	slices.SortStableFunc(sorted, func(a, b submission.Submission) int { return b.Accepted.Compare(a.Accepted) })
	ids := make([]string, len(sorted))
	for i, s := range sorted {
		ids[i] = s.ID
	}
	return ids
}
