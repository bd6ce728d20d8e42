package poll

import (
	"fmt"
	"testing"
	"time"

	"assay/client/benchtest"
)

// BenchmarkB7Polling waits for 500 results that are in flight at once, on a simulated clock, and prints how that compares
// with asking for each of them every 2 s, beside the aims of B7.
func BenchmarkB7Polling(b *testing.B) {
	benchtest.Print(b, "")
	s := fiveHundred(b)
	start, peer := s.now, 0
	for _, r := range s.results {
		peer += int(r.ends.Sub(start)/(2*time.Second)) + 1
	}
	s.run()
	if len(s.lags) != len(s.results) {
		b.Fatalf("%d of %d results became final", len(s.lags), len(s.results))
	}
	fewer := float64(peer) / float64(len(s.requests))
	printFigure(b, "requests against every 2 s each", fmt.Sprintf("1/%.0f", fewer), "1/20", fewer >= 20)
	printFigure(b, "requests a minute at most", fmt.Sprint(s.busiestMinute()), "65", s.busiestMinute() <= 65)
	lag := s.lag(0.95)
	printFigure(b, "lag p95", fmt.Sprintf("%.0f s", lag.Seconds()), "17 s", lag <= 17*time.Second)
	benchtest.Print(b, "B7 %d requests, %d of them pages of the list, in %.0f min; the peer makes %d",
		len(s.requests), s.pages, s.now.Sub(start).Minutes(), peer)
	b.ReportMetric(fewer, "x-fewer-requests")
	b.ReportMetric(lag.Seconds(), "s-lag-p95")
}

func printFigure(b *testing.B, what, value, aim string, met bool) {
	benchtest.Print(b, "B7 %s: %s (aim %s) %s", what, value, aim, benchtest.Met(met))
}
