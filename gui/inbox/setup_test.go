package inbox

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"fyne.io/fyne/v2"

	"assay/client"
	"assay/client/assert"
	"assay/client/i18n"
	"assay/client/intake"
	"assay/client/submission"
	"assay/gui/guitest"
	"assay/gui/kit"
	"assay/gui/present"
	"assay/gui/thumbs"
)

// pictures opens the repository's sample pictures: an ID ends in the name of one where it has a thumbnail.
type pictures struct{}

func (pictures) OpenFile(_ context.Context, id string) (*os.File, error) {
	_, name, _ := strings.Cut(id, "/")
	return os.Open(filepath.Join("..", "..", "testdata", "pictures", name))
}

func (pictures) OpenThumbnail(context.Context, string) (*os.File, error) {
	return nil, os.ErrNotExist
}

// fixture is the inbox in a window, with what it asked for written down.
type fixture struct {
	*Screen
	*guitest.Frame
	guitest.Calls      // "pause a b", "pause-all", "choose"
	refuses       bool // Paste takes nothing
	all           []submission.Submission
	queue         intake.QueueStatus
}

func setup(t testing.TB, size fyne.Size) *fixture {
	t.Helper()
	d := &fixture{Frame: guitest.NewFrame(t, size)}
	d.Screen = New(Params{
		Thumbs: thumbs.New(d.Workers, pictures{}, thumbs.Row), Sandbox: true,
		Choose: d.Noted("choose"), ChooseFolder: d.Noted("choose-folder"),
		Paste:        func(text string) bool { d.Did("paste " + text); return !d.refuses },
		Act:          func(ids []string, a present.Action) { d.Did(string(a) + " " + strings.Join(ids, " ")) },
		SetAsksFirst: func(asks bool) { d.Did(fmt.Sprintf("asks-first %t", asks)) }, TrySample: d.Noted("sample"), OpenSettings: d.Noted("settings"),
		PauseAll: d.Noted("pause-all"), ResumeAll: d.Noted("resume-all"), RetryFailed: d.Noted("retry-failed"), ClearDone: d.Noted("clear-done"),
	})
	d.Display(d.Object(), func(e *fyne.KeyEvent) { d.TypedKey(e) })
	d.Canvas().SetOnTypedRune(func(r rune) { d.TypedRune(r) })
	return d
}

// show hands all of these to the inbox, in the place of what was there.
func (d *fixture) show(all ...submission.Submission) {
	d.all = all
	ids := make([]string, len(all))
	rows := make([]Row, len(all))
	for i, s := range all {
		ids[i], rows[i] = s.ID, RowOf(s)
	}
	d.Update(ids, rows, d.overallNow())
}

// change hands over one submission that changed.
func (d *fixture) change(i int, change func(*submission.Submission)) {
	change(&d.all[i])
	d.Update(nil, []Row{RowOf(d.all[i])}, d.overallNow())
}

// overallNow sums up as the queue does.
func (d *fixture) overallNow() Summary {
	var t intake.Totals
	for _, s := range d.all {
		t.All++
		switch {
		case s.State == submission.Held:
			t.Held++
		case s.State.Ended():
			t.Ended++
		case s.Paused:
			t.Paused++
		}
		if s.State == submission.Held || s.State.Ended() && s.State != submission.Done {
			if s.Uploaded.IsZero() {
				t.Unsent++
			} else {
				t.Unanswered++
			}
		}
		switch s.State {
		case submission.Refused:
			t.Refused++
		case submission.Done:
			t.Done++
		case submission.Failed:
			t.Failed++
		case submission.Sending:
			t.Sent += s.Sent
			t.Rate += s.Rate
		}
		if s.State != submission.Refused && s.State != submission.Cancelled && s.State != submission.Held && s.State != submission.Stays {
			t.Bytes += s.Size
		}
		if !s.Uploaded.IsZero() {
			t.Sent += s.Size
		}
	}
	return SummaryOf(t, d.queue)
}

// cursor is the ID of the row with the outline, the one that keys act on; "" for none in sight.
func (d *fixture) cursor() string {
	row, found := guitest.AtCursor[*rowWidget](d.table.Object())
	if !found {
		return ""
	}
	return row.row.ID
}

// rowOf is the widget that shows a submission.
func (d *fixture) rowOf(id string) *rowWidget {
	d.T.Helper()
	row := d.findRow(id)
	if row == nil {
		d.T.Fatalf("%q is not in sight", id)
	}
	return row
}

// findRow is rowOf, or nil.
func (d *fixture) findRow(id string) *rowWidget {
	for _, row := range guitest.InSight[*rowWidget](d.table.Object()) {
		if row.row.ID == id {
			return row
		}
	}
	return nil
}

// shownIDs are those of the rows, from top to bottom.
func (d *fixture) shownIDs() string {
	var ids []string
	for _, row := range d.Rows() {
		ids = append(ids, row.ID)
	}
	return strings.Join(ids, " ")
}

// selectedIDs are those of the rows whose box is ticked on screen, from top to bottom.
func (d *fixture) selectedIDs() string {
	var ids []string
	for _, row := range d.Rows() {
		if shown := d.findRow(row.ID); shown != nil && shown.box.Visible() && shown.box.State() != kit.Unchecked {
			ids = append(ids, row.ID)
		}
	}
	return strings.Join(ids, " ")
}

func inboxResult(t testing.TB, text string) *client.Result {
	t.Helper()
	r := new(client.Result)
	assert.NoError(t, r.UnmarshalJSON([]byte(text)))
	return r
}

var inboxNow = time.Date(2026, time.November, 21, 12, 0, 0, 0, time.UTC)

// everyState is n submissions, in all states that there are.
func everyState(t testing.TB, n int) []submission.Submission {
	const mb = 1 << 20
	answer := func(s submission.Submission, text string) submission.Submission {
		s.State, s.Result, s.Uploaded, s.Answered = submission.Done, inboxResult(t, text), inboxNow, inboxNow
		return s
	}
	image, video, audio, text := client.Image, client.Video, client.Audio, client.Text
	kinds := []submission.Submission{
		{Name: "press-call-0412.mp4", Type: video, Size: 38 * mb, State: submission.Sending, Sent: 24 * mb, Rate: 4.1 * mb},
		{Name: "mountains.jpg", Type: image, Size: 52 * mb / 10, State: submission.Analysing, Uploaded: inboxNow,
			Result: inboxResult(t, `{"models":[{"name":"a","status":"FAKE"},{"name":"b","status":"AUTHENTIC"},{"name":"c","status":"ANALYZING"}]}`)},
		{Name: "voice note 18-22.ogg", Type: audio, Size: 9 * mb / 10, State: submission.Waiting},
		{Name: "scan_0001.tiff", Size: 12 * mb, State: submission.Refused,
			Problem: i18n.Verbatim("Files of this type can't be checked. The service takes: jpg, png, gif, webp, mp3, wav, m4a, aac, ogg, flac, alac, mp4, mov, txt.")},
		{Name: "youtube.com/watch?v=9aXkPqWc2sM", Link: "https://youtube.com/watch?v=9aXkPqWc2sM", State: submission.Analysing, Uploaded: inboxNow,
			Result: inboxResult(t, `{"overallStatus":"DOWNLOADING"}`)},
		answer(submission.Submission{Name: "mountains-spliced.jpg", Type: image, Size: 88 * mb / 10},
			`{"overallStatus":"FAKE","resultsSummary":{"metadata":{"finalScore":88.4}}}`),
		{Name: "briefing with a name that goes on for rather longer than anybody would have asked for, final (2).m4a", Type: audio, Size: 142 * mb / 10,
			State: submission.Done, Earlier: "x", Accepted: inboxNow, Answered: inboxNow.AddDate(0, 0, -9), Result: inboxResult(t, `{"overallStatus":"SUSPICIOUS"}`)},
		{Name: "interview-full.mov", Type: video, Size: 211 * mb, State: submission.Sending, Paused: true},
		{Name: "peaks-composite.jpg", Type: image, Size: 31 * mb / 10, State: submission.Failed, Uploaded: inboxNow,
			Problem: i18n.Verbatim("The service did not answer within six hours. What was sent is still there; try again to ask for its answer.")},
		{Name: "statement.txt", Type: text, Size: 4100, State: submission.Checking},
		answer(submission.Submission{Name: "dogs-portrait.jpg", Type: image, Size: 2 * mb}, `{"overallStatus":"AUTHENTIC","resultsSummary":{"metadata":{"finalScore":4}}}`),
		answer(submission.Submission{Name: "poster.png", Type: image, Size: 12 * mb / 10},
			`{"overallStatus":"NOT_APPLICABLE","resultsSummary":{"metadata":{"reasons":[{"code":"relevance","message":"No face was found that is large enough."}]}}}`),
		answer(submission.Submission{Name: "harbour.mov", Type: video, Size: 90 * mb}, `{"overallStatus":"UNABLE_TO_EVALUATE"}`),
		{Name: "meeting.wav", Type: audio, Size: 19 * mb, State: submission.Cancelled, Uploaded: inboxNow},
		{Name: "generated.png", Type: image, Size: 24 * mb / 10, State: submission.Sending, Delay: i18n.Verbatim("The service is busy. Trying again in 20 s.")},
		answer(submission.Submission{Name: "instagram.com/p/Cx1", Link: "https://instagram.com/p/Cx1", Source: submission.Service},
			`{"overallStatus":"SUSPICIOUS","mediaType":"VIDEO","resultsSummary":{"metadata":{"finalScore":61}}}`),
		{Name: "x.com/desk/status/1", Link: "https://x.com/desk/status/1", State: submission.Failed, Uploaded: inboxNow,
			Result: inboxResult(t, `{"socialLinkDownloadFailed":true}`), Problem: i18n.Verbatim("The service could not fetch what this link leads to.")},
		{Name: "mountains.jpg", Type: image, Size: 52 * mb / 10, State: submission.Analysing, Earlier: "y", Uploaded: inboxNow,
			Result: inboxResult(t, `{"models":[{"name":"a","status":"FAKE"},{"name":"b","status":"ANALYZING"}]}`)},
		{Name: "rally.mp4", Type: video, Size: 120 * mb, State: submission.Analysing, Paused: true, Uploaded: inboxNow},
		{Name: "IMG_2044.jpg", Type: image, Size: 42 * mb / 10, State: submission.Held, Gate: submission.GateAsk, Source: submission.Watched, Folder: "/desk/Downloads"},
		{Name: "agency.txt", Type: text, Size: 2100, State: submission.Held, Gate: submission.GateAsk, Source: submission.Watched, Folder: "/desk/Agency pictures and clips, incoming",
			Warning: i18n.Verbatim("It is shorter than the models need.")},
		{Name: "source-tape.wav", Type: audio, Size: 14 * mb, State: submission.Stays, Gate: submission.GateNever, Source: submission.Watched, Folder: "/desk/Sources"},
		{Name: "private.jpg", Type: image, Size: 3 * mb, State: submission.Stays, Gate: submission.GateAsk, Source: submission.Watched, Folder: "/desk/Downloads"},
		answer(submission.Submission{Name: "mountains-spliced.jpg", Type: image, Size: 88 * mb / 10, Source: submission.Watched, Folder: "/desk/Camera"},
			`{"overallStatus":"FAKE","resultsSummary":{"metadata":{"finalScore":88.4}}}`),
	}
	all := make([]submission.Submission, n)
	for i := range all {
		s := kinds[i%len(kinds)]
		s.ID = fmt.Sprintf("%d/%s", i, s.Name)
		if s.Path == "" && s.Link == "" {
			s.Path = "/desk/" + s.Name
		}
		s.Accepted = inboxNow
		all[i] = s
	}
	return all
}

// heldFiles is n files of a watched folder that wait for the person's decision, 2 MB each.
func heldFiles(n int) []submission.Submission {
	all := make([]submission.Submission, n)
	for i := range all {
		all[i] = submission.Submission{ID: fmt.Sprintf("held %d/mountains.jpg", i), Name: fmt.Sprintf("IMG_%04d.jpg", 2040+i), Type: client.Image, Size: 2 << 20,
			State: submission.Held, Gate: submission.GateAsk, Source: submission.Watched, Folder: "/desk/Downloads", Accepted: inboxNow}
	}
	return all
}
