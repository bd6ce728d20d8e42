package feedback

import (
	"fmt"
	"strings"
	"time"

	"assay/client"
	"assay/client/i18n"
	"assay/client/store"
	"assay/client/verdict"
	"assay/gui/present"
)

// Result is an answer with the feedback on it.
type Result struct {
	View  present.Viewer
	Given GivenFeedback
}

// Many is what one click judges of several results: those with a verdict of which the desk has not said anything yet.
type Many struct {
	Open                             []Feedback
	judged, withoutVerdict, notFinal int // left out
}

// ManyOf sorts results by whether they can be judged together. Of those on the same answer of the service, one is.
func ManyOf(results []Result, now time.Time) (m Many) {
	met := map[string]bool{}
	for _, r := range results {
		request := r.Given.RequestID
		f := Of(r.View, GivenFeedback{RequestID: request}, nil, now)
		switch {
		case request != "" && met[request]:
		case HasFeedback(r.Given.All):
			m.judged++
		case f.WhyNone != "":
			m.notFinal++
		case f.Agree == nil:
			m.withoutVerdict++
		default:
			m.Open = append(m.Open, f)
		}
		met[request] = true
	}
	return m
}

// HasFeedback reports whether the desk has judged a result, and the service did not refuse that.
func HasFeedback(given []store.Feedback) bool {
	for _, f := range given {
		if f.State != store.FeedbackRefused {
			return true
		}
	}
	return false
}

// LeftOut says which of the results are not judged, and why; "" for none.
func (m Many) LeftOut() string {
	var parts []string
	if m.judged > 0 {
		parts = append(parts, i18n.N(m.judged, "%s was judged before", "%s were judged before"))
	}
	if m.withoutVerdict > 0 {
		parts = append(parts, i18n.N(m.withoutVerdict, "%s has no verdict", "%s have no verdict"))
	}
	if m.notFinal > 0 {
		parts = append(parts, i18n.N(m.notFinal, "%s has no final answer yet", "%s have no final answer yet"))
	}
	if len(parts) == 0 {
		return ""
	}
	return i18n.F("Left out: %s.", strings.Join(parts, ", "))
}

// choice is what agreeing or disagreeing with a result sends.
func choice(f Feedback, agrees bool) *Choice {
	if agrees {
		return f.Agree
	}
	return f.Disagree
}

// Feedback is what is sent for those that can be judged.
func (m Many) Feedback(agrees bool) []client.Feedback {
	all := make([]client.Feedback, len(m.Open))
	for i, f := range m.Open {
		c := choice(f, agrees)
		all[i] = client.Feedback{RequestID: f.RequestID, Category: c.Category, Label: c.Label}
	}
	return all
}

// Sends says how many judgements of which words are sent: "Agree: 7 × Result is right, Manipulated · 2 × Result is right, Real".
func (m Many) Sends(agrees bool) string {
	count, order := map[string]int{}, []string(nil)
	for _, f := range m.Open {
		c := choice(f, agrees)
		words := CategoryWord(c.Category) + ", " + verdict.Label(c.Label)
		if count[words] == 0 {
			order = append(order, words)
		}
		count[words]++
	}
	for i, words := range order {
		order[i] = fmt.Sprintf("%s × %s", i18n.Count(count[words]), words)
	}
	said := strings.Join(order, " · ")
	if agrees {
		return i18n.F("Agree sends: %s", said)
	}
	return i18n.F("Disagree sends: %s", said)
}
