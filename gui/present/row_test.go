package present_test

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"assay/client"
	"assay/client/submission"
	"assay/client/verdict"
	"assay/gui/present"
)

func result(t *testing.T, text string) *client.Result {
	t.Helper()
	r := new(client.Result)
	if err := json.Unmarshal([]byte(text), r); err != nil {
		t.Fatal(err)
	}
	return r
}

func TestInboxRowSaysWhereASubmissionStands(t *testing.T) {
	sent := time.Date(2026, 11, 20, 10, 0, 0, 0, time.UTC)
	half := 0.5
	for _, c := range []struct {
		name string
		in   submission.Submission
		want present.Row
	}{
		{"waiting", submission.Submission{State: submission.Waiting},
			present.Row{Symbol: present.SymbolUpload, State: "Waiting for a slot", Actions: []present.Action{present.Cancel}}},
		{"uploading, with speed and time left",
			submission.Submission{State: submission.Sending, Size: 10 << 20, Sent: 5 << 20, Rate: 1 << 20},
			present.Row{Symbol: present.SymbolUpload, Size: "10 MB", State: "Uploading", Detail: "1 MB/s · 5 s left",
				Progress: &half, Actions: []present.Action{present.Cancel}}},
		{"waiting for another attempt", submission.Submission{State: submission.Sending, Delay: "No network. Trying again."},
			present.Row{Symbol: present.SymbolUpload, State: "Asking for an upload address", Detail: "No network. Trying again.",
				Actions: []present.Action{present.Cancel}}},
		{"analysing", submission.Submission{State: submission.Analysing, Result: result(t, `{"models":[{"name":"a","status":"FAKE"},{"name":"b","status":"ANALYZING"}]}`)},
			present.Row{Symbol: present.SymbolMark, Mark: verdict.MarkAnalysing, State: "Analysing", Detail: "1 of 2 models done",
				Actions: []present.Action{present.Cancel}}},
		{"answered", submission.Submission{State: submission.Done, Result: result(t, `{"overallStatus":"FAKE","resultsSummary":{"metadata":{"finalScore":88}}}`)},
			present.Row{Symbol: present.SymbolMark, Mark: verdict.MarkFake, State: "Likely manipulated", Detail: "Ensemble 88 of 100",
				Actions: []present.Action{present.Open, present.Remove}}},
		{"answered without a score", submission.Submission{State: submission.Done, Result: result(t, `{"overallStatus":"FAKE"}`)},
			present.Row{Symbol: present.SymbolMark, Mark: verdict.MarkFake, State: "Likely manipulated",
				Actions: []present.Action{present.Open, present.Remove}}},
		{"refused", submission.Submission{State: submission.Refused, Problem: "This file is empty."},
			present.Row{Symbol: present.SymbolProblem, State: "Not sent", Detail: "This file is empty.",
				Actions: []present.Action{present.Retry, present.Remove}}},
		{"sent, but given up", submission.Submission{State: submission.Failed, Problem: "No.", Uploaded: sent},
			present.Row{Symbol: present.SymbolProblem, State: "Sent, but not answered", Detail: "No.",
				Actions: []present.Action{present.Retry, present.Remove}}},
		{"cancelled after it was sent", submission.Submission{State: submission.Cancelled, Uploaded: sent},
			present.Row{Symbol: present.SymbolStopped, State: "Cancelled", Detail: "The service already has the file.",
				Actions: []present.Action{present.Retry, present.Remove}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			if diff := cmp.Diff(c.want, present.InboxRow(c.in)); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

func TestInboxRowOfALink(t *testing.T) {
	const link, name = "https://x.com/desk/status/1", "x.com/desk/status/1"
	sent := time.Date(2026, 11, 20, 10, 0, 0, 0, time.UTC)
	cancel, again := []present.Action{present.Cancel}, []present.Action{present.Retry, present.Remove}
	for _, c := range []struct {
		name string
		in   submission.Submission
		want present.Row
	}{
		{"S3 being submitted, with its note", submission.Submission{State: submission.Sending, Warning: "It may refuse the link."},
			present.Row{Symbol: present.SymbolUpload, State: "Submitting the link", Detail: "It may refuse the link.", Actions: cancel}},
		{"S4 being fetched", submission.Submission{State: submission.Analysing, Result: result(t, `{"overallStatus":"DOWNLOADING","models":[],"resultsSummary":null}`)},
			present.Row{Symbol: present.SymbolMark, Mark: verdict.MarkAnalysing, State: "Being fetched by the service", Actions: cancel}},
		{"S4 fetched", submission.Submission{State: submission.Analysing, Result: result(t, `{"overallStatus":"ANALYZING","mediaType":"VIDEO","socialLinkDownloaded":true}`)},
			present.Row{Medium: present.Clip, Symbol: present.SymbolMark, Mark: verdict.MarkAnalysing, State: "Analysing", Actions: cancel}},
		{"S4 not fetched", submission.Submission{State: submission.Failed, Uploaded: sent, Problem: "No.", Result: result(t, `{"socialLink":"x","socialLinkDownloadFailed":true}`)},
			present.Row{Symbol: present.SymbolProblem, State: "Could not be fetched by the service", Detail: "No.", Actions: again}},
		{"answered before", submission.Submission{State: submission.Done, Earlier: "1", Result: result(t, `{"overallStatus":"FAKE","mediaType":"IMAGE"}`)},
			present.Row{Medium: present.Picture, Symbol: present.SymbolMark, Mark: verdict.MarkFake, State: "Likely manipulated",
				Detail: "Same link as before: not sent again", Actions: []present.Action{present.Open, present.Remove}}},
		{"cancelled after it was submitted", submission.Submission{State: submission.Cancelled, Uploaded: sent},
			present.Row{Symbol: present.SymbolStopped, State: "Cancelled", Detail: "The service already has the link.", Actions: again}},
	} {
		t.Run(c.name, func(t *testing.T) {
			c.in.Link, c.in.Name, c.want.Name = link, name, name
			if diff := cmp.Diff(c.want, present.InboxRow(c.in)); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

func TestOverallSumsUp(t *testing.T) {
	got := present.OverallOf([]submission.Submission{
		{State: submission.Done, Size: 10 << 20, Uploaded: time.Unix(1, 0)},
		{State: submission.Sending, Size: 20 << 20, Sent: 10 << 20, Rate: 1 << 20},
		{State: submission.Waiting, Size: 10 << 20},
		{State: submission.Refused, Size: 99 << 20},
		{State: submission.Failed},
		{State: submission.Done, Size: 10 << 20, Earlier: "x"},
	})
	want := present.Overall{Done: "4 of 6 done", Detail: "20 MB of 40 MB · about 20 s left", Progress: 0.5, Active: 2, Failed: 1}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

func TestInboxOrderPutsTheLastBatchFirst(t *testing.T) {
	early, late := time.Unix(1, 0), time.Unix(2, 0)
	got := present.InboxOrder([]submission.Submission{{ID: "a", Accepted: early}, {ID: "b", Accepted: early}, {ID: "c", Accepted: late}, {ID: "d", Accepted: late}})
	if diff := cmp.Diff([]string{"c", "d", "a", "b"}, got); diff != "" {
		t.Error(diff)
	}
}

func TestResultsListsAnswersNewestFirst(t *testing.T) {
	now := time.Unix(100000, 0)
	fake := result(t, `{"overallStatus":"FAKE","resultsSummary":{"metadata":{"finalScore":88.4}}}`)
	got := present.Results([]submission.Submission{
		{ID: "a", Name: "a.png", State: submission.Done, Result: fake, Answered: now.Add(-2 * time.Hour), Source: submission.Dropped},
		{ID: "b", State: submission.Analysing},
		{ID: "c", Name: "c.png", State: submission.Done, Result: fake, Answered: now.Add(-10 * time.Second), Source: submission.Chosen},
		{ID: "d", State: submission.Done, Result: fake, Answered: now, Earlier: "a"},
		{ID: "e", Name: "x.com/1", Link: "https://x.com/1", State: submission.Done, Answered: now.Add(-3 * time.Hour), Source: submission.Chosen,
			Result: result(t, `{"overallStatus":"FAKE","mediaType":"VIDEO"}`)},
	}, now)
	want := []present.ResultRow{
		{ID: "c", Name: "c.png", Mark: verdict.MarkFake, Words: "Likely manipulated", Score: "88", Detail: "now · chosen"},
		{ID: "a", Name: "a.png", Mark: verdict.MarkFake, Words: "Likely manipulated", Score: "88", Detail: "2 h ago · dropped"},
		{ID: "e", Name: "x.com/1", Medium: present.Clip, Mark: verdict.MarkFake, Words: "Likely manipulated", Detail: "3 h ago · chosen"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}
