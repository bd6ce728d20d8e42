package intake_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"assay/client"
	"assay/client/i18n"
	"assay/client/plain"
	"assay/client/submission"
)

const post = "https://x.com/desk/status/1"

func lost() (client.LinkSubmission, error) {
	return client.LinkSubmission{}, &client.Error{Op: "t", Kind: client.KindNetwork, Message: i18n.Verbatim("No answer."), Uncertain: true}
}

func noResults(client.ListQuery) ([]*client.Result, error) { return nil, nil }

func listing(results ...*client.Result) func(client.ListQuery) ([]*client.Result, error) {
	return func(client.ListQuery) ([]*client.Result, error) { return results, nil }
}

func TestALinkIsSubmittedOnceAndAnswered(t *testing.T) {
	q := newQueue(t, &service{})
	got := q.until(q.accept([]string{"  " + post + "\n"}, submission.Chosen)[0], submission.Done)
	t.Run("S1 as it was given", func(t *testing.T) {
		if diff := cmp.Diff([]string{post}, q.service.links); diff != "" {
			t.Error(diff)
		}
		if got.RequestID != "link-1" || got.Link != post || got.Path != "" || got.Name == "" || got.Uploaded.IsZero() {
			t.Errorf("got %+v", got)
		}
	})
	t.Run("its name is what follows the scheme", func(t *testing.T) {
		if got.Name != "x.com/desk/status/1" {
			t.Errorf("name %q", got.Name)
		}
	})
	t.Run("no file is asked for or sent", func(t *testing.T) {
		if len(q.service.asked)+len(q.service.puts) != 0 {
			t.Error("a file was sent")
		}
		if _, err := q.OpenFile(got.ID); err == nil || !strings.Contains(err.Error(), "link") {
			t.Errorf("opening its file: %v", err)
		}
	})
}

func TestWhichLinksGo(t *testing.T) {
	t.Run("S2 what is no http(s) link is no link", func(t *testing.T) {
		q := newQueue(t, &service{})
		for _, given := range []string{"ftp://x.com/a", "x.com/a", "https:", "file:///a.png"} {
			if got := q.until(q.accept([]string{given}, submission.Chosen)[0], submission.Refused); got.Link != "" {
				t.Errorf("%s: taken as the link %q", given, got.Link)
			}
		}
		if len(q.service.links) != 0 {
			t.Errorf("submitted: %v", q.service.links)
		}
	})
	t.Run("S2 one that cannot go is refused before any request", func(t *testing.T) {
		q := newQueue(t, &service{})
		got := q.until(q.accept([]string{"https://me:secret@x.com/a"}, submission.Chosen)[0], submission.Refused)
		if !strings.Contains(got.Problem.String(), "password") || len(q.service.links) != 0 {
			t.Errorf("submitted: %v; it says %q", q.service.links, got.Problem)
		}
	})
	for given, says := range map[string]string{"https://:443/a": "names no site", " HTTPS:// ": "names no site", "https://x.com:99999/a": "names no site", "http://a b/c": "not one link"} {
		t.Run("S2 what is meant as a link is refused as one, and not looked for among the files: "+given, func(t *testing.T) {
			q := newQueue(t, &service{})
			got := q.until(q.accept([]string{given}, submission.Chosen)[0], submission.Refused)
			if !strings.Contains(got.Problem.String(), says) || got.Path != "" || len(q.service.links) != 0 {
				t.Errorf("submitted: %v; it says %q", q.service.links, got.Problem)
			}
		})
	}
	t.Run("S3 a site that is not sure to be accepted is sent with a note", func(t *testing.T) {
		q := newQueue(t, &service{})
		got := q.until(q.accept([]string{"https://example.org/clip"}, submission.Chosen)[0], submission.Done)
		if !strings.Contains(got.Warning.String(), "may refuse") {
			t.Errorf("note %q", got.Warning)
		}
	})
	t.Run("the same link is not submitted twice", func(t *testing.T) {
		q := newQueue(t, &service{})
		ids := q.accept([]string{"https://x.com", "HTTPS://X.com/"}, submission.Chosen)
		first, second := q.until(ids[0], submission.Done), q.until(ids[1], submission.Done)
		third := q.until(q.accept([]string{"https://x.com/"}, submission.Chosen)[0], submission.Done)
		if len(q.service.links) != 1 || third.Earlier == "" || first.RequestID != second.RequestID || third.Result != first.Result {
			t.Errorf("submitted %v, the third shows %q", q.service.links, third.Earlier)
		}
	})
	t.Run("another path in another case is another link", func(t *testing.T) {
		q := newQueue(t, &service{})
		for _, id := range q.accept([]string{"https://youtu.be/aB", "https://youtu.be/Ab"}, submission.Chosen) {
			q.until(id, submission.Done)
		}
		if len(q.service.links) != 2 {
			t.Errorf("submitted %v", q.service.links)
		}
	})
}

func TestALinkThatCouldNotBeFetched(t *testing.T) {
	failed := &client.Result{SocialLink: post, SocialLinkFailed: true, OverallStatus: client.Downloading}
	t.Run("S4 is a problem in words, and the last look", func(t *testing.T) {
		q := newQueue(t, &service{results: []func() (*client.Result, error){answered(failed)}})
		got := q.until(q.accept([]string{post}, submission.Chosen)[0], submission.Done, submission.Failed)
		if got.State != submission.Failed || !strings.Contains(got.Problem.String(), "could not fetch") || q.service.looked != 1 {
			t.Errorf("%q after %d looks: %s", got.State, q.service.looked, got.Problem)
		}
	})
	t.Run("S4 is submitted anew by Retry", func(t *testing.T) {
		q := newQueue(t, &service{results: []func() (*client.Result, error){answered(failed), status(client.Fake)}})
		id := q.accept([]string{post}, submission.Chosen)[0]
		q.until(id, submission.Failed)
		for got, _ := q.Get(id); got.State == submission.Failed; got, _ = q.Get(id) {
			q.Retry(id) // the run may still be on its way out
		}
		if got := q.until(id, submission.Done); got.RequestID != "link-2" {
			t.Errorf("request %q", got.RequestID)
		}
	})
	t.Run("S4 the fields of a file's result say nothing", func(t *testing.T) {
		r := &client.Result{SocialLinkFailed: true, OverallStatus: client.Fake}
		q := newQueue(t, &service{results: []func() (*client.Result, error){answered(r)}})
		q.until(q.accept([]string{pictureFile(t, "a.png", 1)}, submission.Dropped)[0], submission.Done)
	})
	t.Run("S4 a link that is being fetched is waited for", func(t *testing.T) {
		r := &client.Result{SocialLink: post, OverallStatus: client.Downloading}
		q := newQueue(t, &service{results: []func() (*client.Result, error){answered(r), status(client.Fake)}})
		q.until(q.accept([]string{post}, submission.Chosen)[0], submission.Done)
	})
}

func TestALinkWhoseAnswerWasLost(t *testing.T) {
	taken := &client.Result{RequestID: "found", SocialLink: post, UploadedDate: plain.From(start.Format(time.RFC3339))}
	t.Run("is found in the list, and not submitted again", func(t *testing.T) {
		s := &service{link: []func() (client.LinkSubmission, error){lost}}
		s.lists = append(s.lists, noResults, listing(&client.Result{RequestID: "other", SocialLink: post + "2"}, taken))
		q := newQueue(t, s)
		got := q.until(q.accept([]string{post}, submission.Chosen)[0], submission.Done, submission.Failed)
		if got.RequestID != "found" || len(s.links) != 1 {
			t.Errorf("request %q, submitted %v: %s", got.RequestID, s.links, got.Problem)
		}
	})
	t.Run("is not taken for an earlier submission of the same link", func(t *testing.T) {
		old := &client.Result{RequestID: "old", SocialLink: post, UploadedDate: plain.From(start.Add(-time.Hour).Format(time.RFC3339))}
		s := &service{link: []func() (client.LinkSubmission, error){lost}, lists: []func(client.ListQuery) ([]*client.Result, error){listing(old)}}
		q := newQueue(t, s)
		if got := q.until(q.accept([]string{post}, submission.Chosen)[0], submission.Done, submission.Failed); got.State != submission.Failed {
			t.Errorf("%q as %q", got.State, got.RequestID)
		}
	})
	t.Run("and that is not in the list is submitted again by the person alone", func(t *testing.T) {
		s := &service{
			link:  []func() (client.LinkSubmission, error){lost, func() (client.LinkSubmission, error) { return client.LinkSubmission{RequestID: "second"}, nil }},
			lists: []func(client.ListQuery) ([]*client.Result, error){noResults},
		}
		q := newQueue(t, s)
		id := q.accept([]string{post}, submission.Chosen)[0]
		got := q.until(id, submission.Failed)
		if len(s.links) != 1 || !strings.Contains(got.Problem.String(), "not known") {
			t.Fatalf("submitted %v: %s", s.links, got.Problem)
		}
		looks := s.listed
		for got, _ := q.Get(id); got.State == submission.Failed; got, _ = q.Get(id) {
			q.Retry(id) // the run may still be on its way out
		}
		got = q.until(id, submission.Done, submission.Failed)
		if got.RequestID != "second" || len(s.links) != 2 || s.listed != looks+1 {
			t.Errorf("request %q, submitted %v, %d more looks in the list", got.RequestID, s.links, s.listed-looks)
		}
	})
	t.Run("is looked for before the link is submitted anew, when it was cancelled meanwhile", func(t *testing.T) {
		asked, release := make(chan struct{}), make(chan struct{})
		s := &service{
			link:  []func() (client.LinkSubmission, error){func() (client.LinkSubmission, error) { close(asked); <-release; return lost() }},
			lists: []func(client.ListQuery) ([]*client.Result, error){listing(taken)},
		}
		q := newQueue(t, s)
		id := q.accept([]string{post}, submission.Chosen)[0]
		<-asked
		q.Cancel(id)
		close(release)
		got := q.until(q.accept([]string{post}, submission.Chosen)[0], submission.Done, submission.Failed)
		if got.RequestID != "found" || len(s.links) != 1 {
			t.Errorf("request %q, submitted %v: %s", got.RequestID, s.links, got.Problem)
		}
	})
	t.Run("is not submitted again while the list can't be read", func(t *testing.T) {
		s := &service{link: []func() (client.LinkSubmission, error){lost}}
		for range 10 {
			s.lists = append(s.lists, func(client.ListQuery) ([]*client.Result, error) { return nil, busy() })
		}
		s.lists = append(s.lists, listing(taken))
		q := newQueue(t, s)
		got := q.until(q.accept([]string{post}, submission.Chosen)[0], submission.Done, submission.Failed)
		if len(s.links) != 1 || got.RequestID != "found" {
			t.Errorf("submitted %v, request %q", s.links, got.RequestID)
		}
	})
	t.Run("but that can't have arrived is simply submitted again", func(t *testing.T) {
		s := &service{link: []func() (client.LinkSubmission, error){
			func() (client.LinkSubmission, error) { return client.LinkSubmission{}, busy() },
			func() (client.LinkSubmission, error) { return client.LinkSubmission{RequestID: "second"}, nil },
		}}
		q := newQueue(t, s)
		got := q.until(q.accept([]string{post}, submission.Chosen)[0], submission.Done, submission.Failed)
		if got.RequestID != "second" || s.listed != 0 {
			t.Errorf("request %q, %d looks in the list", got.RequestID, s.listed)
		}
	})
}
