package feedback_test

import (
	"strings"
	"testing"
	"time"

	"assay/client"
	"assay/client/assert"
	"assay/client/i18n"
	"assay/client/store"
	"assay/client/verdict"
	"assay/gui/present"
	"assay/gui/viewer/feedback"
)

var feedbackNow = time.Date(2026, 11, 21, 14, 0, 0, 0, time.UTC)

func resultOf(s client.Status, m present.Medium) present.Viewer {
	return present.Viewer{ID: "s1", Medium: m, Verdict: verdict.Verdict{Words: verdict.Say(s), Status: s}}
}

func bar(v present.Viewer, given ...store.Feedback) feedback.Feedback {
	return feedback.Of(v, feedback.GivenFeedback{RequestID: "r1", All: given}, nil, feedbackNow)
}

func TestFeedbackOfOneClick(t *testing.T) {
	type sent struct {
		Category client.Category
		Label    client.Label
	}
	for _, c := range []struct {
		status          client.Status
		medium          present.Medium
		agree, disagree sent
	}{
		{client.Fake, present.Picture, sent{"CONFIRMATION", "MANIPULATED"}, sent{"FALSE_POSITIVE", "REAL"}},
		{client.Fake, present.Clip, sent{"CONFIRMATION", "MANIPULATED"}, sent{"FALSE_POSITIVE", "REAL"}},
		{client.Fake, present.Recording, sent{"CONFIRMATION", "SYNTHETIC"}, sent{"FALSE_POSITIVE", "REAL"}},
		{client.Fake, present.Text, sent{"CONFIRMATION", "SYNTHETIC"}, sent{"FALSE_POSITIVE", "REAL"}},
		{client.Suspicious, present.Picture, sent{"CONFIRMATION", "UNKNOWN"}, sent{"FALSE_POSITIVE", "REAL"}},
		{client.Authentic, present.Picture, sent{"CONFIRMATION", "REAL"}, sent{"FALSE_NEGATIVE", "MANIPULATED"}},
		{client.Authentic, present.Text, sent{"CONFIRMATION", "REAL"}, sent{"FALSE_NEGATIVE", "SYNTHETIC"}},
	} {
		t.Run("is pre-filled by the verdict and the medium: "+string(c.status), func(t *testing.T) {
			b := bar(resultOf(c.status, c.medium))
			got := []sent{{b.Agree.Category, b.Agree.Label}, {b.Disagree.Category, b.Disagree.Label}}
			assert.Equal(t, []sent{c.agree, c.disagree}, got)
			for _, choice := range []*feedback.Choice{b.Agree, b.Disagree} {
				if !choice.Category.Valid() || !contains(choice.Labels, choice.Label) {
					t.Errorf("%+v", choice)
				}
			}
		})
	}
	for _, status := range []client.Status{client.NotApplicable, client.UnableToEvaluate, "ODD"} {
		t.Run("is not there without a verdict, but Other is: "+string(status), func(t *testing.T) {
			b := bar(resultOf(status, present.Picture))
			if b.Agree != nil || b.Disagree != nil || b.WhyNot == "" || b.WhyNone != "" {
				t.Errorf("%+v", b)
			}
		})
	}
	t.Run("nothing can be judged before the result is final, or without one, and it is said why", func(t *testing.T) {
		provisional := resultOf(client.Fake, present.Picture)
		provisional.Verdict.Provisional = true
		unknown := feedback.Of(resultOf(client.Fake, present.Picture), feedback.GivenFeedback{}, nil, feedbackNow)
		for _, b := range []feedback.Feedback{bar(provisional), unknown} {
			if b.Agree != nil || b.Disagree != nil || b.WhyNone == "" {
				t.Errorf("%+v", b)
			}
		}
	})
	t.Run("every label and category has words of its own", func(t *testing.T) {
		words := map[string]bool{}
		for _, l := range client.Labels() {
			words[verdict.Label(l)] = true
		}
		for _, c := range client.Categories() {
			words[feedback.CategoryWord(c)] = true
		}
		if len(words) != 8 {
			t.Error(words)
		}
	})
}

func contains(all []client.Label, one client.Label) bool {
	for _, l := range all {
		if l == one {
			return true
		}
	}
	return false
}

func TestFeedbackAsItStands(t *testing.T) {
	given := func(state store.FeedbackState, left time.Duration, problem string) store.Feedback {
		return store.Feedback{ID: "f1", State: state, Given: feedbackNow, Due: feedbackNow.Add(left), Problem: i18n.Verbatim(problem),
			Feedback: client.Feedback{RequestID: "r1", Category: client.Confirmation, Label: client.LabelManipulated}}
	}
	v := resultOf(client.Fake, present.Picture)
	for _, c := range []struct {
		what  string
		given store.Feedback
		phase feedback.Phase
		text  string
	}{
		{"the time to undo is counted", given(store.FeedbackWaiting, 5*time.Second, ""), feedback.FeedbackUndo, "You agreed: sent in 5 s"},
		{"a begun second counts", given(store.FeedbackWaiting, 1200*time.Millisecond, ""), feedback.FeedbackUndo, "You agreed: sent in 2 s"},
		{"a comment is waited for", given(store.FeedbackWaiting, 9*time.Minute, ""), feedback.FeedbackUndo, "You agreed: sent once you finish the comment"},
		{"it is about to be sent", given(store.FeedbackWaiting, 0, ""), feedback.FeedbackWaits, "You agreed: about to be sent"},
		{"F5 without a network it is kept", given(store.FeedbackWaiting, 0, "No network."), feedback.FeedbackWaits, "You agreed: kept, and sent later. No network."},
		{"it is on its way", given(store.FeedbackSending, 0, ""), feedback.FeedbackSending, "You agreed: being sent"},
		{"F4 a refusal is in the service's words", given(store.FeedbackRefused, 0, "The service says: “Media result does not exist!”"), feedback.FeedbackRefused, "The service did not accept this. The service says: “Media result does not exist!”"},
		{"an unknown outcome asks", given(store.FeedbackUnknown, 0, "x"), feedback.FeedbackUnknown, "Assay doesn't know whether the service has this. Send again?"},
	} {
		t.Run(c.what, func(t *testing.T) {
			b := bar(v, c.given)
			if b.Phase != c.phase || b.Text != c.text || b.ID != "f1" || b.Given.Label != client.LabelManipulated {
				t.Errorf("%+v", b)
			}
		})
	}
	t.Run("what was sent is listed, and the bar asks again", func(t *testing.T) {
		first, second := given(store.FeedbackSent, 0, ""), given(store.FeedbackSent, 0, "")
		first.Given = feedbackNow.AddDate(0, 0, -9)
		second.Given, second.Category = feedbackNow.AddDate(0, 0, -7), client.FalsePositive
		if b := bar(v, first); b.Phase != feedback.FeedbackOpen || b.Beneath != "You agreed on 12 Nov, 14:00" || b.Agree == nil {
			t.Errorf("%+v", b)
		}
		if b := bar(v, first, second); b.Beneath != "You disagreed on 14 Nov, 14:00, after 1 earlier" {
			t.Errorf("%q", b.Beneath)
		}
	})
	t.Run("what was seen does not stand in the way", func(t *testing.T) {
		for state, earlier := range map[store.FeedbackState]string{
			store.FeedbackRefused: "", store.FeedbackUnknown: "You agreed on 21 Nov, 14:00; whether the service has it is not known",
		} {
			b := feedback.Of(v, feedback.GivenFeedback{RequestID: "r1", All: []store.Feedback{given(state, 0, "No.")}}, map[string]bool{"f1": true}, feedbackNow)
			if b.Phase != feedback.FeedbackOpen || b.Beneath != earlier {
				t.Errorf("%s: %+v", state, b)
			}
		}
	})
	t.Run("it can be changed to the labels that go with it", func(t *testing.T) {
		want := []client.Label{client.LabelManipulated, client.LabelSynthetic, client.LabelUnknown}
		assert.Equal(t, want, bar(v, given(store.FeedbackWaiting, time.Second, "")).Labels)
	})
}

func TestMany(t *testing.T) {
	result := func(request string, status client.Status, given ...store.Feedback) feedback.Result {
		v := present.Viewer{ID: request, Medium: present.Picture}
		v.Verdict.Status = status
		return feedback.Result{View: v, Given: feedback.GivenFeedback{RequestID: request, All: given}}
	}
	unfinished := result("e", client.Fake)
	unfinished.View.Verdict.Provisional = true
	m := feedback.ManyOf([]feedback.Result{
		result("a", client.Fake), result("b", client.Authentic), result("a", client.Fake), result("c", client.NotApplicable),
		result("d", client.Fake, store.Feedback{State: store.FeedbackSent}), unfinished, {},
		result("f", client.Suspicious, store.Feedback{ID: "1", State: store.FeedbackRefused}),
	}, feedbackNow)
	var sent []string
	for _, agrees := range []bool{true, false} {
		for _, f := range m.Feedback(agrees) {
			sent = append(sent, f.RequestID+" "+string(f.Category)+" "+string(f.Label))
		}
		sent = append(sent, m.Sends(agrees))
	}
	sent = append(sent, m.LeftOut())
	want := []string{
		"a CONFIRMATION MANIPULATED", "b CONFIRMATION REAL", "f CONFIRMATION UNKNOWN",
		"Agree sends: 1 × Result is right, Manipulated · 1 × Result is right, Real · 1 × Result is right, Not sure",
		"a FALSE_POSITIVE REAL", "b FALSE_NEGATIVE MANIPULATED", "f FALSE_POSITIVE REAL",
		"Disagree sends: 2 × False alarm, Real · 1 × Missed, Manipulated",
		"Left out: 1 was judged before, 1 has no verdict, 2 have no final answer yet.",
	}
	assert.Equal(t, strings.Join(want, "\n"), strings.Join(sent, "\n"))
}
