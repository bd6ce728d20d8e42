package present_test

import (
	"errors"
	"io"
	"os"
	"reflect"
	"testing"
	"time"

	"assay/client"
	"assay/client/explain"
	"assay/client/folders"
	"assay/client/i18n"
	"assay/client/i18n/i18ntest"
	"assay/client/intake"
	filefacts "assay/client/media/facts"
	"assay/client/plain"
	"assay/client/store"
	"assay/client/submission"
	"assay/gui/present"
	"assay/watch"
)

// texts are all that is said in a value. Texts of types of their own, such as present.Medium, are told apart and not shown.
func texts(value any) []string {
	var all []string
	var look func(v reflect.Value)
	look = func(v reflect.Value) {
		switch v.Kind() {
		case reflect.String:
			if v.Type() == reflect.TypeFor[string]() && v.CanInterface() {
				all = append(all, v.String())
			}
		case reflect.Struct:
			for i := range v.NumField() {
				if v.Type().Field(i).IsExported() {
					look(v.Field(i))
				}
			}
		case reflect.Slice, reflect.Array:
			for i := range v.Len() {
				look(v.Index(i))
			}
		case reflect.Pointer, reflect.Interface:
			if !v.IsNil() {
				look(v.Elem())
			}
		}
	}
	look(reflect.ValueOf(value))
	return all
}

// What the fixtures call themselves, and what was sent: nobody translates that.
var names = []string{"NAME.JPG", "FOLDER", "DESK", "RELEASE", "REQUEST", "ENGLISH", "MODEL", "ENSEMBLE", "REASON", "CODE", "DECISION", "HTTPS", "IDENTITY", "SHA", "PATH", "WORDS", "TITLE",
	"JSON", "EXIF", "XMP", "IPTC", "SHA-256", "assay watch", "models", "finalScore", "normalizedPredictionNumber", "rollingAvgNumber", "predictionNumber", "resultsSummary.metadata", "chunks", "scenes",
	"frames", "tubes", "decision", "score", "scores", "C2PA", "made", "false", "true", "jpg", "MAYBE", "quality", "FAKE", "AUTHENTIC", "SUSPICIOUS", "ARTIFICIAL"}

// TestEverythingIsTranslated says what there is in the pseudo language, in which a word that was forgotten stands out.
func TestEverythingIsTranslated(t *testing.T) {
	i18ntest.Pseudo(t)
	now := time.Date(2026, time.November, 21, 12, 0, 0, 0, time.UTC)
	holds := func(t *testing.T, values ...any) {
		t.Helper()
		for _, v := range values {
			for _, text := range texts(v) {
				if forgotten := i18ntest.Forgotten(text, names...); len(forgotten) > 0 {
					t.Errorf("%q in %q", forgotten, text)
				}
			}
		}
	}
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
				Source: submission.Dropped, Accepted: now, Uploaded: now, Answered: now, Modified: now, Result: result(t, `{"mediaType":"`+medium+`","overallStatus":"`+status+`","releaseVersion":"RELEASE",
				"resultsSummary":{"metadata":{"finalScore":88.5,"languages":["ENGLISH"],"reasons":[{"code":"CODE","message":"REASON"},{"code":"quality"}]}},"models":[
				{"name":"ENSEMBLE","status":"`+ensemble+`","finalScore":9},{"name":"MODEL","status":"`+single+`","data":{"decision":"`+decision+`"},"normalizedPredictionNumber":9,"rollingAvgNumber":8,"finalScore":7,"predictionNumber":0.5},
				{"name":"MODEL","status":"SUSPICIOUS"},{"name":"MODEL","status":"UNABLE_TO_EVALUATE"},{"name":"MODEL","status":"NOT_APPLICABLE","code":"not_applicable","data":null},
				{"name":"MODEL","status":"`+map[bool]string{true: "ANALYZING", false: single}[medium == "TEXT"]+`"}]}`)})
		}
	}
	t.Run("a result", func(t *testing.T) {
		for _, s := range answers {
			v := present.ViewerOf(s, now)
			holds(t, v, v.ScoreSource(), present.ResultRowOf(s), present.HeatmapNote(plain.From("MODEL")), present.ResultRowOf(s).Detail(now), present.InboxRow(s))
			for _, bar := range v.Bars {
				holds(t, bar.Source())
			}
			holds(t, present.ResultsText([]present.ResultRow{present.ResultRowOf(s)}, now, true))
		}
	})
	t.Run("where it came from, and when", func(t *testing.T) {
		for _, source := range []submission.Source{submission.Dropped, submission.Chosen, submission.Pasted, submission.Started, submission.Scanned, submission.Watched, submission.Service} {
			s := answers[0]
			s.Source = source
			for _, age := range []time.Duration{0, time.Minute, time.Hour, 24 * time.Hour, 240 * time.Hour, 24000 * time.Hour} {
				s.Answered, s.Accepted = now.Add(-age), now.Add(-age)
				holds(t, present.ResultRowOf(s).Detail(now), present.ViewerOf(s, now).Facts)
			}
			s.Link, s.Path = "HTTPS", ""
			holds(t, present.DetailsOf(s, filefacts.Facts{}, nil, false), present.ResultRowOf(s).Detail(now))
		}
		fetched := answers[0]
		fetched.Link, fetched.Result = "HTTPS", result(t, `{"mediaType":"IMAGE","overallStatus":"FAKE","socialLinkDownloaded":true}`)
		holds(t, present.ViewerOf(fetched, now))
		holds(t, present.ResultRowOf(submission.Submission{}), present.ResultRowOf(submission.Submission{}).Detail(now))
	})
	t.Run("the inbox", func(t *testing.T) {
		for _, state := range []submission.State{submission.Held, submission.Stays, submission.Waiting, submission.Checking, submission.Sending, submission.Analysing, submission.Failed,
			submission.Refused, submission.Cancelled} {
			for _, s := range []submission.Submission{{Name: "NAME.JPG", Size: 99, Path: "PATH"}, {Link: "HTTPS", Uploaded: now}, {Name: "NAME.JPG", Size: 99, Sent: 50, Rate: 2, Paused: true, Gate: submission.GateAsk, Uploaded: now},
				{Name: "NAME.JPG", Size: 99, Sent: 50, Rate: 2, Earlier: "1", Gate: submission.GateNever}, {Name: "NAME.JPG", Size: 99, Sent: 99, Source: submission.Watched}} {
				s.State = state
				holds(t, present.InboxRow(s), present.InboxRow(s).Under(), present.InboxRow(s).AllowWords())
			}
		}
		for _, cause := range []intake.Cause{intake.Running, intake.PausedAll, intake.NoKey, intake.NoQuota, intake.NoDisk, intake.NoNetwork} {
			holds(t, present.OverallOf(intake.Totals{All: 9, Ended: 1, Done: 1, Bytes: 9000, Sent: 8, Rate: 7, Failed: 1}, intake.QueueStatus{Cause: cause}))
		}
		for _, f := range present.Filters() {
			holds(t, f.Words())
		}
		for _, s := range present.Sorts() {
			holds(t, s.Words())
		}
	})
	t.Run("the list of results", func(t *testing.T) {
		_, media := present.ResultsMedia()
		holds(t, media, present.ResultsOrders(), present.ResultsSpans(), present.ResultsSources(), present.CountText(12345), present.ResultStatuses())
		holds(t, present.Pull{Running: true, Found: 1}.Line(now), present.Pull{}.Line(now), present.Pull{Fetched: now}.Line(now))
	})
	t.Run("details", func(t *testing.T) {
		said := filefacts.Facts{Format: "JSON", Width: 4, Height: 5, Duration: time.Minute, SampleRate: 44100, Channels: 2, Size: 7}
		for _, state := range []filefacts.Credentials{{State: filefacts.Intact, Signer: "DESK", Organisation: "TITLE", Issuer: "DESK", Valid: [2]time.Time{now, now}, Stamped: now, Earlier: 1, Algorithm: "SHA",
			Manifest: filefacts.Manifest{Title: "TITLE", Ingredients: 2, Actions: []filefacts.Action{
				{Action: "c2pa.made", SourceType: "WORDS", Agent: "DESK", When: "2026"}, {Action: "c2pa.made"}, {Action: "c2pa.made"}}}}, {State: filefacts.NotConfirmed, Reason: "REASON"}, {}, {Unlooked: true}} {
			said.Credentials, said.Misnamed, said.Extension = state, state.Unlooked, "jpg"
			for _, s := range answers[:4] {
				holds(t, present.DetailsOf(s, said, nil, true))
			}
		}
		copied := answers[0]
		for _, removed := range []string{"", "position"} {
			copied.Copy = submission.Copy{SHA256: "SHA", Size: 5, Removed: removed}
			holds(t, present.DetailsOf(copied, said, nil, false))
		}
		holds(t, present.DetailsOf(answers[0], said, os.ErrNotExist, false), present.CredentialsIntact.Words(), present.CredentialsNone.Words(), present.CredentialsNotConfirmed.Words())
		for _, medium := range []present.Medium{present.Picture, present.Clip, present.Recording, present.Text, present.Unknown} {
			holds(t, present.MediumName(medium))
		}
	})
	t.Run("history", func(t *testing.T) {
		before := answers[4]
		all := []present.AnsweredAt{{At: now, Of: answers[0], Result: answers[0].Result}, {At: now, Of: before, Result: before.Result}, {At: now, Of: before}}
		holds(t, present.HistoryOf(all, []store.Entry{{Deed: store.DeedAccepted}}, "1", now))
	})
	t.Run("feedback", func(t *testing.T) {
		for _, state := range []store.FeedbackState{store.FeedbackWaiting, store.FeedbackSending, store.FeedbackSent, store.FeedbackRefused, store.FeedbackUnknown} {
			for _, category := range client.Categories() {
				for _, due := range []time.Duration{-time.Second, time.Second, time.Hour} {
					given := store.Feedback{State: state, Due: now.Add(due), Given: now, Problem: i18n.Verbatim("REASON"), Feedback: client.Feedback{Category: category}}
					f := present.FeedbackOf(present.ViewerOf(answers[0], now), present.GivenFeedback{RequestID: "REQUEST", All: []store.Feedback{given, given}}, nil, now)
					holds(t, f.Text, f.Notice, f.Beneath, f.WhyNot, f.WhyNone)
				}
				holds(t, present.CategoryWord(category))
			}
		}
		for _, s := range answers {
			for _, judged := range []present.GivenFeedback{{}, {RequestID: "REQUEST"}} {
				f := present.FeedbackOf(present.ViewerOf(s, now), judged, nil, now)
				holds(t, f.Text, f.Notice, f.Beneath, f.WhyNot, f.WhyNone)
			}
		}
		for _, label := range client.Labels() {
			holds(t, present.LabelWord(label))
		}
	})
	t.Run("watched folders", func(t *testing.T) {
		for _, phase := range []watch.Phase{watch.Watching, watch.Polling, watch.Paused, watch.Gone, watch.Unreadable, watch.Stuck, watch.Starting} {
			f := folders.Folder{Settings: folders.Settings{Path: "/DESK/FOLDER", Subfolders: true, Skip: []string{"NAME.JPG"}, MoveTo: "/DESK", Types: []client.MediaType{client.Image, client.Video, client.Audio}},
				Taken: 1, Failed: 2, UnderWay: 3, Answered: 4, Held: 5, Temporary: true}
			f.State.Phase, f.State.Settling, f.State.Offered = phase, 1, 2
			row := present.FolderRowOf(f)
			count, detail := present.FoldersWhole([]present.FolderRow{row})
			holds(t, row.State, row.Takes, row.Problem, row.Progress, row.Counts, row.Waiting, count, detail)
		}
		holds(t, present.FolderInside{}.Words(), present.FolderInside{Files: 3, Bytes: 4}.Words(), present.FolderInside{Files: 3}.Listed(), present.FolderChosen(0, 0), present.FolderChosen(2, 9))
		for _, gate := range []present.FolderGate{present.FolderAsks, present.FolderSends, present.FolderKeeps} {
			holds(t, present.FolderBegins(gate), gate.Words())
		}
	})
	t.Run("time lines", func(t *testing.T) {
		data, err := client.ReadAggregation([]byte(`{"chunks":[{"start":0,"end":3,"decision":"FAKE","score":0.97123},{"start":3,"end":4}],"scenes":[{"start":0,"end":3,"decision":"AUTHENTIC"}],
			"frames":[{"timestamp":1,"decision":"SUSPICIOUS"},{"decision":"FAKE"}]}`))
		if err != nil {
			t.Fatal(err)
		}
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
		prose, err := present.ProseOf(t.Context(), page, nil)
		if err != nil {
			t.Fatal(err)
		}
		legend, err := present.ProseOf(t.Context(), []byte(`<h2>Legend</h2><ul><li><mark class="WORDS">WORDS</mark>: WORDS</li></ul><h2>The text</h2><p><mark class="WORDS">WORDS</mark></p>`), nil)
		if err != nil || legend.LegendLine() == "" {
			t.Fatalf("no legend: %v", err)
		}
		holds(t, legend.LegendLine())
		holds(t, prose.Summary, prose.Notices, prose.MarkLine(0), prose.LegendLine(), present.LinkLine("HTTPS"))
		alone, err := present.ProseOfText(t.Context(), []byte("WORDS"), nil, present.ErrNoPage)
		if err != nil {
			t.Fatal(err)
		}
		holds(t, alone.Summary, alone.Notices)
		none, err := present.ProseOfText(t.Context(), nil, os.ErrNotExist, present.ErrNoPage)
		if err != nil {
			t.Fatal(err)
		}
		holds(t, none.Notices)
	})
	t.Run("problems", func(t *testing.T) {
		for _, err := range []error{os.ErrNotExist, io.ErrUnexpectedEOF, os.ErrPermission, explain.ErrNoText, present.ErrNoPage, &os.PathError{Err: errors.New("JSON")}} {
			holds(t, present.Problem(err))
		}
	})
}
