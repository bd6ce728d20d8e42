package present_test

import (
	"errors"
	"io"
	"os"
	"testing"
	"time"

	"assay/client"
	"assay/client/assert"
	"assay/client/custody"
	"assay/client/explain"
	clientfolders "assay/client/folders"
	"assay/client/i18n"
	"assay/client/i18n/i18ntest"
	"assay/client/intake"
	filefacts "assay/client/media/facts"
	"assay/client/plain"
	"assay/client/store"
	"assay/client/submission"
	"assay/client/verdict"
	"assay/gui/folders"
	"assay/gui/inbox"
	"assay/gui/present"
	"assay/gui/present/presenttest"
	"assay/gui/results"
	"assay/gui/viewer/details"
	"assay/gui/viewer/feedback"
	"assay/gui/viewer/text"
	"assay/watch"
)

// TestEverythingIsTranslated says what there is in the pseudo language, in which a word that was forgotten stands out.
func TestEverythingIsTranslated(t *testing.T) {
	i18ntest.Pseudo(t)
	now := time.Date(2026, time.November, 21, 12, 0, 0, 0, time.UTC)
	holds := presenttest.Translated
	var answers []submission.Submission
	for i, status := range []string{"FAKE", "SUSPICIOUS", "AUTHENTIC", "NOT_APPLICABLE", "UNABLE_TO_EVALUATE", "ANALYZING", "MAYBE", "quality", "FAKE", "AUTHENTIC", "SUSPICIOUS"} {
		ensemble, single, decision := status, "FAKE", "ARTIFICIAL"
		switch {
		case i > 7: // the last ones contradict themselves
			ensemble, decision = "FAKE", "AUTHENTIC"
		case status == "NOT_APPLICABLE":
			single = "SUSPICIOUS"
		}
		for _, medium := range []string{"IMAGE", "VIDEO", "AUDIO", "TEXT"} {
			answers = append(answers, submission.Submission{ID: "1", Name: "NAME.JPG", Path: "/FOLDER/NAME.JPG", Size: 5 << 20, State: submission.Done, RequestID: "REQUEST", SHA256: "SHA",
				Source: submission.Dropped, Accepted: now, Uploaded: now, Answered: now, Modified: now, Result: presenttest.Result(t, `{"mediaType":"`+medium+`","overallStatus":"`+status+`","releaseVersion":"RELEASE",
				"resultsSummary":{"metadata":{"finalScore":88.5,"languages":["ENGLISH"],"reasons":[{"code":"CODE","message":"REASON"},{"code":"quality"}]}},"models":[
				{"name":"ENSEMBLE","status":"`+ensemble+`","finalScore":9},{"name":"MODEL","status":"`+single+`","data":{"decision":"`+decision+`"},"normalizedPredictionNumber":9,"rollingAvgNumber":8,"finalScore":7,"predictionNumber":0.5},
				{"name":"MODEL","status":"SUSPICIOUS"},{"name":"MODEL","status":"UNABLE_TO_EVALUATE"},{"name":"MODEL","status":"NOT_APPLICABLE","code":"not_applicable","data":null},
				{"name":"MODEL","status":"`+map[bool]string{true: "ANALYZING", false: single}[medium == "TEXT"]+`"}]}`)})
		}
	}
	t.Run("a result", func(t *testing.T) {
		for _, s := range answers {
			v := present.ViewerOf(s, now)
			holds(t, v, v.ScoreSource(), results.RowOf(s), present.HeatmapNote(plain.From("MODEL")), results.RowOf(s).Detail(now), inbox.RowOf(s))
			for _, bar := range v.Bars {
				holds(t, bar.Source())
			}
			holds(t, results.CopiedText([]results.Row{results.RowOf(s)}, now, true))
		}
	})
	t.Run("where it came from, and when", func(t *testing.T) {
		for _, source := range []submission.Source{submission.Dropped, submission.Chosen, submission.Pasted, submission.Started, submission.Scanned, submission.Watched, submission.Service} {
			s := answers[0]
			s.Source = source
			for _, age := range []time.Duration{0, time.Minute, time.Hour, 24 * time.Hour, 240 * time.Hour, 24000 * time.Hour} {
				s.Answered, s.Accepted = now.Add(-age), now.Add(-age)
				holds(t, results.RowOf(s).Detail(now), present.ViewerOf(s, now).Facts)
			}
			s.Link, s.Path = "HTTPS", ""
			holds(t, details.Of(s, filefacts.Facts{}, nil, false), results.RowOf(s).Detail(now))
		}
		fetched := answers[0]
		fetched.Link, fetched.Result = "HTTPS", presenttest.Result(t, `{"mediaType":"IMAGE","overallStatus":"FAKE","socialLinkDownloaded":true}`)
		holds(t, present.ViewerOf(fetched, now))
		holds(t, results.RowOf(submission.Submission{}), results.RowOf(submission.Submission{}).Detail(now))
	})
	t.Run("the inbox", func(t *testing.T) {
		for _, state := range []submission.State{submission.Held, submission.Stays, submission.Waiting, submission.Checking, submission.Sending, submission.Analysing, submission.Failed,
			submission.Refused, submission.Cancelled} {
			for _, s := range []submission.Submission{{Name: "NAME.JPG", Size: 99, Path: "PATH"}, {Link: "HTTPS", Uploaded: now}, {Name: "NAME.JPG", Size: 99, Sent: 50, Rate: 2, Paused: true, Gate: submission.GateAsk, Uploaded: now},
				{Name: "NAME.JPG", Size: 99, Sent: 50, Rate: 2, Earlier: "1", Gate: submission.GateNever}, {Name: "NAME.JPG", Size: 99, Sent: 99, Source: submission.Watched}} {
				s.State = state
				holds(t, inbox.RowOf(s), inbox.RowOf(s).Under(), inbox.RowOf(s).ApproveWords())
			}
		}
		for _, cause := range []intake.Cause{intake.Running, intake.PausedAll, intake.NoKey, intake.NoQuota, intake.NoDisk, intake.NoNetwork} {
			holds(t, inbox.SummaryOf(intake.Totals{All: 9, Ended: 1, Done: 1, Bytes: 9000, Sent: 8, Rate: 7, Failed: 1}, intake.QueueStatus{Cause: cause}))
		}
		for _, f := range inbox.Filters() {
			holds(t, f.Words())
		}
		for _, s := range inbox.Sorts() {
			holds(t, s.Words())
		}
	})
	t.Run("the list of results", func(t *testing.T) {
		_, media := results.Media()
		holds(t, media, results.OrderWords(), results.DatesWords(), results.SourceWords(), results.CountText(12345), results.StatusFilters())
		holds(t, results.Pull{Running: true, Found: 1}.Line(now), results.Pull{}.Line(now), results.Pull{Fetched: now}.Line(now))
	})
	t.Run("details", func(t *testing.T) {
		said := filefacts.Facts{Format: "JSON", Width: 4, Height: 5, Duration: time.Minute, SampleRate: 44100, Channels: 2, Size: 7}
		for _, state := range []filefacts.Credentials{{State: filefacts.Intact, Signer: "DESK", Organisation: "TITLE", Issuer: "DESK", Valid: [2]time.Time{now, now}, Stamped: now, Earlier: 1, Algorithm: "SHA",
			Manifest: filefacts.Manifest{Title: "TITLE", Ingredients: 2, Actions: []filefacts.Action{
				{Action: "c2pa.made", SourceType: "WORDS", Agent: "DESK", When: "2026"}, {Action: "c2pa.made"}, {Action: "c2pa.made"}}}}, {State: filefacts.NotConfirmed, Reason: "REASON"}, {}, {NotSearched: true}} {
			said.Credentials, said.Misnamed, said.Extension = state, state.NotSearched, "jpg"
			for _, s := range answers[:4] {
				holds(t, details.Of(s, said, nil, true))
			}
		}
		copied := answers[0]
		for _, removed := range []string{"", "position"} {
			copied.Copy = submission.Copy{SHA256: "SHA", Size: 5, Removed: removed}
			holds(t, details.Of(copied, said, nil, false))
		}
		holds(t, details.Of(answers[0], said, os.ErrNotExist, false), details.CredentialsIntact.Words(), details.CredentialsNone.Words(), details.CredentialsNotConfirmed.Words())
		for _, medium := range []present.Medium{present.Picture, present.Clip, present.Recording, present.Text, present.Unknown} {
			holds(t, present.MediumName(medium))
		}
	})
	t.Run("history", func(t *testing.T) {
		before := answers[4]
		all := []present.AnsweredAt{{At: now, Of: answers[0], Result: answers[0].Result}, {At: now, Of: before, Result: before.Result}, {At: now, Of: before}}
		holds(t, present.HistoryOf(all, []custody.Entry{{Event: custody.Accepted}}, "1", now))
	})
	t.Run("feedback", func(t *testing.T) {
		for _, state := range []store.FeedbackState{store.FeedbackWaiting, store.FeedbackSending, store.FeedbackSent, store.FeedbackRefused, store.FeedbackUnknown} {
			for _, category := range client.Categories() {
				for _, due := range []time.Duration{-time.Second, time.Second, time.Hour} {
					given := store.Feedback{State: state, Due: now.Add(due), Given: now, Problem: i18n.Verbatim("REASON"), Feedback: client.Feedback{Category: category}}
					f := feedback.Of(present.ViewerOf(answers[0], now), feedback.GivenFeedback{RequestID: "REQUEST", All: []store.Feedback{given, given}}, nil, now)
					holds(t, f.Text, f.Beneath, f.WhyNot, f.WhyNone)
				}
				holds(t, feedback.CategoryWord(category))
			}
		}
		for _, s := range answers {
			for _, judged := range []feedback.GivenFeedback{{}, {RequestID: "REQUEST"}} {
				f := feedback.Of(present.ViewerOf(s, now), judged, nil, now)
				holds(t, f.Text, f.Beneath, f.WhyNot, f.WhyNone)
			}
		}
		for _, label := range client.Labels() {
			holds(t, verdict.Label(label))
		}
	})
	t.Run("watched folders", func(t *testing.T) {
		for _, phase := range []watch.Phase{watch.Watching, watch.Polling, watch.Paused, watch.Gone, watch.Unreadable, watch.Stuck, watch.Starting} {
			f := clientfolders.Folder{Settings: clientfolders.Settings{Path: "/DESK/FOLDER", Subfolders: true, Skip: []string{"NAME.JPG"}, MoveTo: "/DESK", Types: []client.MediaType{client.Image, client.Video, client.Audio}},
				Taken: 1, Failed: 2, UnderWay: 3, Answered: 4, Held: 5, Temporary: true}
			f.State.Phase, f.State.Settling, f.State.Offered = phase, 1, 2
			row := folders.RowOf(f)
			count, detail := folders.SummaryOf([]folders.Row{row})
			holds(t, row.State, row.Takes, row.Problem, row.Progress, row.Counts, row.Waiting, count, detail)
		}
		holds(t, folders.Inside{}.Words(), folders.Inside{Files: 3, Bytes: 4}.Words(), folders.Inside{Files: 3}.Listed(), folders.ChosenWords(0, 0), folders.ChosenWords(2, 9))
		for _, gate := range []submission.Gate{submission.GateAsk, submission.GateSend, submission.GateNever} {
			holds(t, folders.Begins(gate), folders.GateWords(gate))
		}
	})
	t.Run("time lines", func(t *testing.T) {
		data, err := client.ReadAggregation([]byte(`{"chunks":[{"start":0,"end":3,"decision":"FAKE","score":0.97123},{"start":3,"end":4}],"scenes":[{"start":0,"end":3,"decision":"AUTHENTIC"}],
			"frames":[{"timestamp":1,"decision":"SUSPICIOUS"},{"decision":"FAKE"}]}`))
		assert.NoError(t, err)
		line := present.TimelineOf(data)
		if len(line.Lanes) < 2 {
			t.Fatalf("%d lanes", len(line.Lanes))
		}
		holds(t, line.Unplaced, line.Beyond(2), line.Worst)
		for _, lane := range line.Lanes {
			holds(t, lane.Name, lane.Title, lane.Counts())
			for _, span := range lane.Spans {
				holds(t, span.Label(), span.Source(), span.Word)
			}
		}
	})
	t.Run("texts", func(t *testing.T) {
		page := []byte(`<html><script>x</script><iframe></iframe><img><form><input></form><p><mark>WORDS</mark> <mark title="WORDS">WORDS</mark></p></html>`)
		prose, err := text.ProseOf(t.Context(), page, nil)
		assert.NoError(t, err)
		legend, err := text.ProseOf(t.Context(), []byte(`<h2>Legend</h2><ul><li><mark class="WORDS">WORDS</mark>: WORDS</li></ul><h2>The text</h2><p><mark class="WORDS">WORDS</mark></p>`), nil)
		if err != nil || legend.LegendLine() == "" {
			t.Fatalf("no legend: %v", err)
		}
		holds(t, legend.LegendLine())
		holds(t, prose.Summary, prose.Notices, prose.MarkLine(0), prose.LegendLine(), text.LinkLine("HTTPS"))
		alone, err := text.ProseOfText(t.Context(), []byte("WORDS"), nil, text.ErrNoPage)
		assert.NoError(t, err)
		holds(t, alone.Summary, alone.Notices)
		none, err := text.ProseOfText(t.Context(), nil, os.ErrNotExist, text.ErrNoPage)
		assert.NoError(t, err)
		holds(t, none.Notices)
	})
	t.Run("problems", func(t *testing.T) {
		for _, err := range []error{os.ErrNotExist, io.ErrUnexpectedEOF, os.ErrPermission, explain.ErrNoText, text.ErrNoPage, &os.PathError{Err: errors.New("JSON")}} {
			holds(t, present.Problem(err))
		}
	})
}
