package inbox_test

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"assay/client"
	"assay/client/assert"
	"assay/client/i18n"
	"assay/client/i18n/i18ntest"
	"assay/client/media"
	"assay/client/store"
	"assay/client/submission"
	"assay/client/verdict"
	"assay/gui/inbox"
	"assay/gui/present"
	"assay/gui/present/presenttest"
)

// shownOf is what a row shows, without what it is found and ordered by.
func shownOf(r inbox.Row) inbox.Row {
	r.Accepted, r.Bytes, r.Group, r.Urgency, r.Link = time.Time{}, 0, "", 0, ""
	return r
}

var (
	underWay  = []present.Action{present.Pause, present.Cancel}
	paused    = []present.Action{present.Resume, present.Cancel}
	again     = []present.Action{present.Retry, present.Remove}
	answered  = []present.Action{present.Open, present.ScanAgain, present.Remove}
	decide    = []present.Action{present.Approve, present.Withhold}
	open      = []present.Action{present.Open}
	openAgain = []present.Action{present.Open, present.ScanAgain}
)

func TestInboxRowSaysWhereAFileStands(t *testing.T) {
	sent := time.Date(2026, 11, 20, 10, 0, 0, 0, time.UTC)
	half := 0.5
	const fake = `{"overallStatus":"FAKE","resultsSummary":{"metadata":{"finalScore":88}}}`
	const atWork = `{"models":[{"name":"a","status":"FAKE"},{"name":"b","status":"ANALYZING"}]}`
	const provisional = `{"overallStatus":"FAKE","models":[{"name":"a","status":"FAKE"},{"name":"b","status":"ANALYZING"}]}`
	const clip = `{"overallStatus":"AUTHENTIC","showAudioResult":true,"audioRequestId":"s","resultsSummary":{"metadata":{"finalScore":6}}}`
	voiced := presenttest.Result(t, clip)
	voiced.Voice = presenttest.Result(t, fake)
	for _, c := range []struct {
		name string
		in   submission.Submission
		want inbox.Row
	}{
		{"waiting", submission.Submission{State: submission.Waiting},
			inbox.Row{Symbol: inbox.SymbolUpload, State: "Waiting", Actions: underWay}},
		{"waiting, paused", submission.Submission{State: submission.Waiting, Paused: true},
			inbox.Row{Symbol: inbox.SymbolPaused, State: "Paused", Actions: paused}},
		{"being looked at", submission.Submission{State: submission.Checking},
			inbox.Row{Symbol: inbox.SymbolUpload, State: "Looking at the file", Actions: underWay}},
		{"being looked at, paused", submission.Submission{State: submission.Checking, Paused: true},
			inbox.Row{Symbol: inbox.SymbolPaused, State: "Paused", Actions: paused}},
		{"before the first byte", submission.Submission{State: submission.Sending, Size: 10 << 20, Warning: i18n.Verbatim("It may be refused.")},
			inbox.Row{Symbol: inbox.SymbolUpload, Size: "10 MB", State: "Asking for an upload address", Detail: "It may be refused.", Actions: underWay}},
		{"uploading, with speed and time left",
			submission.Submission{State: submission.Sending, Size: 10 << 20, Sent: 5 << 20, Rate: 1 << 20},
			inbox.Row{Symbol: inbox.SymbolUpload, Size: "10 MB", State: "Uploading", Detail: "1 MB/s · about 5 s of upload left",
				Progress: &half, Actions: underWay}},
		{"uploading, of a speed that is unknown", submission.Submission{State: submission.Sending, Size: 10 << 20, Sent: 5 << 20},
			inbox.Row{Symbol: inbox.SymbolUpload, Size: "10 MB", State: "Uploading", Progress: &half, Actions: underWay}},
		{"uploading, paused: no bar of bytes that go out again", submission.Submission{State: submission.Sending, Size: 10 << 20, Sent: 5 << 20, Paused: true},
			inbox.Row{Symbol: inbox.SymbolPaused, Size: "10 MB", State: "Paused", Actions: paused}},
		{"waiting for another attempt", submission.Submission{State: submission.Sending, Delay: i18n.Verbatim("No network. Trying again.")},
			inbox.Row{Symbol: inbox.SymbolUpload, State: "Asking for an upload address", Detail: "No network. Trying again.", Actions: underWay}},
		{"waiting for another attempt, paused", submission.Submission{State: submission.Sending, Delay: i18n.Verbatim("No network. Trying again."), Paused: true},
			inbox.Row{Symbol: inbox.SymbolPaused, State: "Paused", Actions: paused}},
		{"analysing, nothing known yet", submission.Submission{State: submission.Analysing},
			inbox.Row{Symbol: inbox.SymbolMark, Mark: verdict.MarkAnalysing, State: "Analysing", Actions: underWay}},
		{"analysing", submission.Submission{State: submission.Analysing, Result: presenttest.Result(t, atWork)},
			inbox.Row{Symbol: inbox.SymbolMark, Mark: verdict.MarkAnalysing, State: "Analysing", Detail: "1 of 2 models done", Actions: underWay}},
		{"analysing, with a status", submission.Submission{State: submission.Analysing, Result: presenttest.Result(t, provisional)},
			inbox.Row{Symbol: inbox.SymbolMark, Mark: verdict.MarkAnalysing, State: "Analysing", Detail: "1 of 2 models done",
				Actions: []present.Action{present.Open, present.Pause, present.Cancel}, Offered: open}},
		{"analysing, paused", submission.Submission{State: submission.Analysing, Paused: true, Uploaded: sent, Result: presenttest.Result(t, atWork)},
			inbox.Row{Symbol: inbox.SymbolPaused, State: "Paused",
				Detail: "The service already has the file. Resume to get its answer.", Actions: paused}},
		{"answered", submission.Submission{State: submission.Done, Path: "/a", Result: presenttest.Result(t, fake)},
			inbox.Row{Symbol: inbox.SymbolMark, Mark: verdict.MarkFake, State: "Likely manipulated", Detail: "Ensemble 88 of 100",
				Actions: answered, Offered: open}},
		{"answered: a pause has no meaning any more", submission.Submission{State: submission.Done, Path: "/a", Paused: true, Result: presenttest.Result(t, fake)},
			inbox.Row{Symbol: inbox.SymbolMark, Mark: verdict.MarkFake, State: "Likely manipulated", Detail: "Ensemble 88 of 100",
				Actions: answered, Offered: open}},
		{"answered without a score", submission.Submission{State: submission.Done, Path: "/a", Result: presenttest.Result(t, `{"overallStatus":"FAKE"}`)},
			inbox.Row{Symbol: inbox.SymbolMark, Mark: verdict.MarkFake, State: "Likely manipulated", Actions: answered, Offered: open}},
		{"answered to another device: there is nothing here to scan again",
			submission.Submission{State: submission.Done, Source: submission.Service, Result: presenttest.Result(t, fake)},
			inbox.Row{Symbol: inbox.SymbolMark, Mark: verdict.MarkFake, State: "Likely manipulated", Detail: "From another device · Ensemble 88 of 100",
				Actions: []present.Action{present.Open, present.Remove}, Offered: open}},
		{"scanned before", submission.Submission{State: submission.Done, Path: "/a", Earlier: "1", Accepted: sent, Answered: sent.AddDate(0, 0, -8),
			Result: presenttest.Result(t, `{"overallStatus":"SUSPICIOUS"}`)},
			inbox.Row{Symbol: inbox.SymbolMark, Mark: verdict.MarkSuspicious, State: "Scanned before: Suspicious, 12 Nov",
				Detail: "Same file: not sent again", Actions: answered, Offered: openAgain}},
		{"scanned before, in another year", submission.Submission{State: submission.Done, Path: "/a", Earlier: "1", Accepted: sent, Answered: sent.AddDate(-1, 0, 0),
			Result: presenttest.Result(t, fake)},
			inbox.Row{Symbol: inbox.SymbolMark, Mark: verdict.MarkFake, State: "Scanned before: Likely manipulated, 20 Nov 2025",
				Detail: "Same file: not sent again · Ensemble 88 of 100", Actions: answered, Offered: openAgain}},
		{"a clip whose voice has a verdict of its own", submission.Submission{State: submission.Done, Type: client.Video, RequestID: "r", Result: voiced},
			inbox.Row{Medium: present.Clip, Symbol: inbox.SymbolMark, Mark: verdict.MarkAuthentic, State: "No sign found", Voice: "Voice: likely manipulated 88", VoiceMark: verdict.MarkFake,
				Detail: "Voice: likely manipulated 88 · Ensemble 6 of 100", Actions: []present.Action{present.Open, present.Remove}, Offered: open}},
		{"a clip whose voice is not answered yet", submission.Submission{State: submission.Done, Type: client.Video, RequestID: "r", Result: presenttest.Result(t, clip)},
			inbox.Row{Medium: present.Clip, Symbol: inbox.SymbolMark, Mark: verdict.MarkAuthentic, State: "No sign found", Voice: "Voice: not known yet",
				Detail: "Voice: not known yet · Ensemble 6 of 100", Actions: []present.Action{present.Open, present.Remove}, Offered: open}},
		{"scanned before, the first still uploading",
			submission.Submission{State: submission.Sending, Earlier: "1", Size: 10 << 20, Sent: 5 << 20, Rate: 1 << 20},
			inbox.Row{Symbol: inbox.SymbolUpload, Size: "10 MB", State: "Uploading", Progress: &half,
				Detail: "Same file as before: not sent again · 1 MB/s · about 5 s of upload left", Actions: underWay}},
		{"scanned before, the first still analysing", submission.Submission{State: submission.Analysing, Earlier: "1", Result: presenttest.Result(t, atWork)},
			inbox.Row{Symbol: inbox.SymbolMark, Mark: verdict.MarkAnalysing, State: "Analysing",
				Detail: "Same file as before: not sent again · 1 of 2 models done", Actions: underWay}},
		{"a link that is none", submission.Submission{State: submission.Refused, Link: "https://example.org/a b", Problem: i18n.Verbatim("This is not a link.")},
			inbox.Row{Symbol: inbox.SymbolProblem, State: "Not sent", Detail: "This is not a link.",
				Actions: []present.Action{present.Remove}}},
		{"refused", submission.Submission{State: submission.Refused, Problem: i18n.Verbatim("This file is empty.")},
			inbox.Row{Symbol: inbox.SymbolProblem, State: "Not sent", Detail: "This file is empty.", Actions: again}},
		{"failed before it was sent, paused once", submission.Submission{State: submission.Failed, Problem: i18n.Verbatim("No."), Paused: true},
			inbox.Row{Symbol: inbox.SymbolProblem, State: "Not sent", Detail: "No.", Actions: again}},
		{"sent, but given up", submission.Submission{State: submission.Failed, Problem: i18n.Verbatim("No."), Uploaded: sent},
			inbox.Row{Symbol: inbox.SymbolProblem, State: "Sent, but not answered", Detail: "No.", Actions: again}},
		{"cancelled", submission.Submission{State: submission.Cancelled, Delay: i18n.Verbatim("Old.")},
			inbox.Row{Symbol: inbox.SymbolStopped, State: "Cancelled", Actions: again}},
		{"cancelled after it was sent", submission.Submission{State: submission.Cancelled, Uploaded: sent},
			inbox.Row{Symbol: inbox.SymbolStopped, State: "Cancelled", Detail: "The service already has the file.", Actions: again}},
		{"waiting for the person's decision", submission.Submission{State: submission.Held, Gate: submission.GateAsk, Size: 10 << 20},
			inbox.Row{Symbol: inbox.SymbolHeld, Size: "10 MB", State: "Waiting for your decision", Detail: "Not sent yet", Actions: decide, Offered: decide}},
		{"waiting for the person's decision, with a warning", submission.Submission{State: submission.Held, Gate: submission.GateAsk, Warning: i18n.Verbatim("It may be refused.")},
			inbox.Row{Symbol: inbox.SymbolHeld, State: "Waiting for your decision", Detail: "Not sent yet · It may be refused.", Actions: decide, Offered: decide}},
		{"waiting for the person's decision is not paused", submission.Submission{State: submission.Held, Gate: submission.GateAsk, Paused: true},
			inbox.Row{Symbol: inbox.SymbolHeld, State: "Waiting for your decision", Detail: "Not sent yet", Actions: decide, Offered: decide}},
		{"kept here by the person", submission.Submission{State: submission.Stays, Gate: submission.GateAsk},
			inbox.Row{Symbol: inbox.SymbolStays, State: "Stays on this computer", Detail: "You kept it here",
				Actions: []present.Action{present.Approve, present.Remove}, Offered: []present.Action{present.Approve}}},
		{"of a folder whose files never leave", submission.Submission{State: submission.Stays, Gate: submission.GateNever},
			inbox.Row{Symbol: inbox.SymbolStays, State: "Never leaves this computer", Detail: "Source-identifying",
				Actions: []present.Action{present.Remove}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			assert.Equal(t, c.want, shownOf(inbox.RowOf(c.in)))
		})
	}
	t.Run("a clip whose voice differs is sorted as what a human must look at", func(t *testing.T) {
		sub := submission.Submission{State: submission.Done, Type: client.Video, RequestID: "r", Result: voiced}
		assert.Equal(t, inbox.UrgencySuspicious, inbox.RowOf(sub).Urgency)
	})
}

func TestInboxRowOfALink(t *testing.T) {
	const link, name = "https://x.com/desk/status/1", "x.com/desk/status/1"
	sent := time.Date(2026, 11, 20, 10, 0, 0, 0, time.UTC)
	for _, c := range []struct {
		name string
		in   submission.Submission
		want inbox.Row
	}{
		{"S3 being submitted, with its note", submission.Submission{State: submission.Sending, Warning: i18n.Verbatim("It may refuse the link.")},
			inbox.Row{Symbol: inbox.SymbolUpload, State: "Submitting the link", Detail: "It may refuse the link.", Actions: underWay}},
		{"S4 being fetched", submission.Submission{State: submission.Analysing, Result: presenttest.Result(t, `{"overallStatus":"DOWNLOADING","models":[],"resultsSummary":null}`)},
			inbox.Row{Symbol: inbox.SymbolMark, Mark: verdict.MarkAnalysing, State: "The service is fetching it", Actions: underWay}},
		{"S4 fetched", submission.Submission{State: submission.Analysing, Result: presenttest.Result(t, `{"overallStatus":"ANALYZING","mediaType":"VIDEO","socialLinkDownloaded":true}`)},
			inbox.Row{Medium: present.Clip, Symbol: inbox.SymbolMark, Mark: verdict.MarkAnalysing, State: "Analysing", Actions: underWay}},
		{"S4 not fetched", submission.Submission{State: submission.Failed, Uploaded: sent, Problem: i18n.Verbatim("No."), Result: presenttest.Result(t, `{"socialLink":"x","socialLinkDownloadFailed":true}`)},
			inbox.Row{Symbol: inbox.SymbolProblem, State: "The service could not fetch it", Detail: "No.", Actions: again}},
		{"paused after it was submitted", submission.Submission{State: submission.Analysing, Paused: true, Uploaded: sent},
			inbox.Row{Symbol: inbox.SymbolPaused, State: "Paused",
				Detail: "The service already has the link. Resume to get its answer.", Actions: paused}},
		{"answered before", submission.Submission{State: submission.Done, Earlier: "1", Result: presenttest.Result(t, `{"overallStatus":"FAKE","mediaType":"IMAGE"}`)},
			inbox.Row{Medium: present.Picture, Symbol: inbox.SymbolMark, Mark: verdict.MarkFake, State: "Scanned before: Likely manipulated",
				Detail: "Same link: not sent again", Actions: answered, Offered: openAgain}},
		{"answered to another device", submission.Submission{State: submission.Done, Source: submission.Service, Result: presenttest.Result(t, `{"overallStatus":"FAKE"}`)},
			inbox.Row{Symbol: inbox.SymbolMark, Mark: verdict.MarkFake, State: "Likely manipulated", Detail: "From another device",
				Actions: answered, Offered: open}},
		{"cancelled after it was submitted", submission.Submission{State: submission.Cancelled, Uploaded: sent},
			inbox.Row{Symbol: inbox.SymbolStopped, State: "Cancelled", Detail: "The service already has the link.", Actions: again}},
	} {
		t.Run(c.name, func(t *testing.T) {
			c.in.Link, c.in.Name, c.want.Name = link, name, name
			got := inbox.RowOf(c.in)
			if got.Link != link {
				t.Errorf("the row's link is %q", got.Link)
			}
			assert.Equal(t, c.want, shownOf(got))
		})
	}
}

func TestInboxRowIsFoundAndOrderedByItsState(t *testing.T) {
	answer := func(status string) submission.Submission {
		return submission.Submission{State: submission.Done, Result: presenttest.Result(t, `{"overallStatus":"`+status+`"}`)}
	}
	mostUrgentFirst := []struct {
		name  string
		in    submission.Submission
		group inbox.Filter
	}{
		{"held", submission.Submission{State: submission.Held, Paused: true}, inbox.FilterNeedsYou},
		{"suspicious", answer("SUSPICIOUS"), inbox.FilterAnswered},
		{"not evaluated", answer("UNABLE_TO_EVALUATE"), inbox.FilterAnswered},
		{"failed", submission.Submission{State: submission.Failed, Paused: true}, inbox.FilterNeedsYou},
		{"refused", submission.Submission{State: submission.Refused}, inbox.FilterNeedsYou},
		{"unrecognised", answer("NEW"), inbox.FilterAnswered},
		{"fake", answer("FAKE"), inbox.FilterAnswered},
		{"not assessable", answer("NOT_APPLICABLE"), inbox.FilterAnswered},
		{"paused", submission.Submission{State: submission.Sending, Paused: true}, inbox.FilterPaused},
		{"sending", submission.Submission{State: submission.Sending}, inbox.FilterUnderWay},
		{"analysing", submission.Submission{State: submission.Analysing}, inbox.FilterUnderWay},
		{"waiting", submission.Submission{State: submission.Waiting}, inbox.FilterUnderWay},
		{"authentic", answer("AUTHENTIC"), inbox.FilterAnswered},
		{"kept on this computer", submission.Submission{State: submission.Stays}, inbox.FilterAll},
		{"cancelled", submission.Submission{State: submission.Cancelled}, inbox.FilterAll},
	}
	before := inbox.Urgency(-1)
	for _, c := range mostUrgentFirst {
		got := inbox.RowOf(c.in)
		if got.Group != c.group {
			t.Errorf("%s: group %q, want %q", c.name, got.Group, c.group)
		}
		if got.Urgency <= before {
			t.Errorf("%s is not after the one before it", c.name)
		}
		before = got.Urgency
	}
}

func TestInboxRowSaysWhichFolderAFileCameFrom(t *testing.T) {
	watched := func(folder string) submission.Submission {
		return submission.Submission{State: submission.Done, Source: submission.Watched, Folder: folder, Size: 1 << 20,
			Result: presenttest.Result(t, `{"overallStatus":"NOT_APPLICABLE","mediaType":"IMAGE","resultsSummary":{"metadata":{"reasons":[{"code":"relevance","message":"No face."}]}}}`)}
	}
	row := inbox.RowOf(watched(filepath.Join(string(filepath.Separator), "home", "desk", "Downloads")))
	if row.Under() != "1 MB · from Downloads" || !row.Care().Watched {
		t.Errorf("under the name stands %q", row.Under())
	}
	if row.Detail != "The service says: “No face.” Try a crop with a larger face." {
		t.Errorf("the reason shares its line: %q", row.Detail)
	}
	t.Run("before its size is known", func(t *testing.T) {
		if got := inbox.RowOf(submission.Submission{Source: submission.Watched, Folder: "/x/Agency"}).Under(); got != "from Agency" {
			t.Errorf("it says %q", got)
		}
	})
	t.Run("safe for the screen, and no longer than there is room", func(t *testing.T) {
		row := inbox.RowOf(watched("/x/a\u202egnp\n" + strings.Repeat("ö", 100)))
		if strings.ContainsAny(row.From, "\u202e\n") || utf8.RuneCountInString(row.From) > 32 || !strings.HasSuffix(row.From, "…") {
			t.Errorf("it says %q", row.From)
		}
	})
	t.Run("one that was dropped names none", func(t *testing.T) {
		row := inbox.RowOf(submission.Submission{State: submission.Held, Source: submission.Dropped, Size: 1 << 20})
		if row.Under() != "1 MB" || row.Care().Watched {
			t.Errorf("it says %q", row.Under())
		}
	})
}

func TestAClipOverTheLimitAsksForAPart(t *testing.T) {
	row := inbox.RowOf(submission.Submission{State: submission.Held, Gate: submission.GateSend, Needs: submission.NeedsPart, Type: client.Video, Name: "harbour.mp4"})
	if row.State != "Too large: choose a part" || row.Detail != "The service takes clips up to 250 MB. Nothing has been sent." ||
		row.ApproveWords() != "Choose a part…" || !slices.Equal(row.Offered, []present.Action{present.Approve, present.Withhold}) {
		t.Errorf("it says %q, %q, and offers %q: %v", row.State, row.Detail, row.ApproveWords(), row.Offered)
	}
	row = inbox.RowOf(submission.Submission{State: submission.Held, Gate: submission.GateSend, Needs: submission.NeedsPart, Problem: i18n.Verbatim("The copy would be over it.")})
	if row.Detail != "The copy would be over it." {
		t.Errorf("it says %q", row.Detail)
	}
	row = inbox.RowOf(submission.Submission{State: submission.Stays, Gate: submission.GateNever, Needs: submission.NeedsPart})
	if row.Can(present.Approve) {
		t.Error("what never leaves can be sent in part")
	}
}

// TestReasonFollowsTheLanguage holds that what a row says is kept as a code, and said in the language of the moment; what an earlier Assay kept as a
// sentence stays that sentence.
func TestReasonFollowsTheLanguage(t *testing.T) {
	tooLarge := &media.Refusal{Code: media.TooLarge, Type: client.Video, Size: 300 << 20, Cap: 250 << 20}
	s, err := store.Open(t.Context(), t.TempDir(), store.Options{})
	assert.NoError(t, err)
	defer s.Close() //nolint:errcheck // of a test
	if _, err := s.Add(t.Context(), []submission.Submission{
		{ID: "now", State: submission.Refused, Problem: i18n.MessageOf(tooLarge, i18n.Message{})},
		{ID: "warned", State: submission.Held, Gate: submission.GateAsk, Warning: media.Limits(nil).TextNotice(1 << 20)},
		{ID: "before", State: submission.Refused, Problem: i18n.Verbatim("This file is empty.")},
	}); err != nil {
		t.Fatal(err)
	}
	for language, want := range map[string][]string{
		"en": {"This video is 300 MB; the service takes videos up to 250 MB. Cut out the part that matters, and add that.", "may refuse this one.", "This file is empty."},
		"de": {"Dieses Video hat 300\u00a0MB; der Dienst nimmt Videos bis 250\u00a0MB. Schneiden Sie den wichtigen Teil heraus, und fügen Sie diesen hinzu.", "lehnt diesen vielleicht ab.", "This file is empty."},
	} {
		t.Run(language, func(t *testing.T) {
			i18ntest.Speak(t, language)
			subs, err := s.Inbox(t.Context())
			if err != nil || len(subs) != len(want) {
				t.Fatalf("%d, %v", len(subs), err)
			}
			for i, sub := range subs {
				if got := inbox.RowOf(sub).Detail; !strings.Contains(got, want[i]) {
					t.Errorf("%s: %q", sub.ID, got)
				}
			}
		})
	}
}
