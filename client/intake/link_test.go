package intake_test

import (
	"strings"
	"testing"
	"time"

	"assay/client"
	"assay/client/assert"
	"assay/client/i18n"
	"assay/client/intake"
	"assay/client/intake/poll"
	"assay/client/submission"
)

const post = "https://x.com/desk/status/1"

// lost is what a call fails with whose answer was lost.
func lost() error {
	return &client.Error{Op: "test", Kind: client.KindNetwork, Message: i18n.Verbatim("No answer."), Uncertain: true}
}

func TestALinkIsSubmittedOnceAndAnswered(t *testing.T) {
	q := setup(t)
	got := q.until(q.drop("  " + post + "\n")[0], submission.Done)
	t.Run("S1 as it was given", func(t *testing.T) {
		assert.Equal(t, post, q.server.submissions()[0].link)
		assert.True(t, got.RequestID == "link-1" && got.Link == post && got.Path == "" && got.Name != "" && !got.Uploaded.IsZero(), "got %+v", got)
	})
	t.Run("its name is what follows the scheme", func(t *testing.T) {
		assert.True(t, got.Name == "x.com/desk/status/1", "name %q", got.Name)
	})
	t.Run("no file is asked for or sent", func(t *testing.T) {
		assert.True(t, q.server.asked("upload-url")+q.server.asked("put") == 0, "a file was sent")
		_, err := q.OpenFile(got.ID)
		assert.True(t, err != nil && strings.Contains(err.Error(), "link"), "opening its file: %v", err)
	})
}

func TestWhichLinksGo(t *testing.T) {
	t.Run("S2 what is no http(s) link is no link", func(t *testing.T) {
		q := setup(t)
		for _, given := range []string{"ftp://x.com/a", "x.com/a", "https:", "file:///a.png"} {
			got := q.until(q.drop(given)[0], submission.Refused)
			assert.True(t, got.Link == "", "%s: taken as the link %q", given, got.Link)
		}
		assert.True(t, q.server.asked("link") == 0, "submitted: %v", q.server.submissions())
	})
	t.Run("S2 one that cannot go is refused before any request", func(t *testing.T) {
		q := setup(t)
		got := q.until(q.drop("https://me:secret@x.com/a")[0], submission.Refused)
		assert.True(t, strings.Contains(got.Problem.String(), "password") && q.server.asked("link") == 0, "submitted: %v; it says %q", q.server.submissions(), got.Problem)
	})
	for given, says := range map[string]string{"https://:443/a": "names no site", " HTTPS:// ": "names no site", "https://x.com:99999/a": "names no site", "http://a b/c": "not a single link"} {
		t.Run("S2 what is meant as a link is refused as one, and not looked for among the files: "+given, func(t *testing.T) {
			q := setup(t)
			got := q.until(q.drop(given)[0], submission.Refused)
			assert.True(t, strings.Contains(got.Problem.String(), says) && got.Path == "" && q.server.asked("link") == 0,
				"submitted: %v; it says %q", q.server.submissions(), got.Problem)
		})
	}
	t.Run("S2 one of megabytes is refused, and its name is no longer than others", func(t *testing.T) {
		q := setup(t)
		for _, given := range []string{"https://x.com/" + strings.Repeat("a", 5<<20), "/" + strings.Repeat("a", 5<<20)} {
			got := q.until(q.drop(given)[0], submission.Refused)
			assert.True(t, !got.Problem.IsZero() && len(got.Name) < 2000 && q.server.asked("link") == 0, "a name of %d bytes; it says %q", len(got.Name), got.Problem)
			assert.True(t, len(got.Problem.String()) < 2000, "a problem of %d bytes", len(got.Problem.String()))
		}
	})
	t.Run("S3 a site that is not sure to be accepted is sent with a note", func(t *testing.T) {
		q := setup(t)
		got := q.until(q.drop("https://example.org/clip")[0], submission.Done)
		assert.True(t, strings.Contains(got.Warning.String(), "may refuse"), "note %q", got.Warning)
	})
	t.Run("the same link is not submitted twice", func(t *testing.T) {
		q := setup(t)
		ids := q.drop("https://x.com", "HTTPS://X.com/")
		first, second := q.until(ids[0], submission.Done), q.until(ids[1], submission.Done)
		third := q.until(q.drop("https://x.com/")[0], submission.Done)
		assert.True(t, q.server.asked("link") == 1 && third.Earlier != "" && first.RequestID == second.RequestID && third.Result == first.Result,
			"submitted %v, the third shows %q", q.server.submissions(), third.Earlier)
	})
	t.Run("another path in another case is another link", func(t *testing.T) {
		q := setup(t)
		q.untilEach(q.drop("https://youtu.be/aB", "https://youtu.be/Ab"), submission.Done)
		assert.True(t, q.server.asked("link") == 2, "submitted %v", q.server.submissions())
	})
}

func TestALinkThatCouldNotBeFetched(t *testing.T) {
	failed := &client.Result{SocialLink: post, SocialLinkFailed: true, OverallStatus: client.Downloading}
	t.Run("S4 is a problem in words, and the last look", func(t *testing.T) {
		q := setup(t)
		q.server.answers(answered(failed))
		got := q.until(q.drop(post)[0], submission.Done, submission.Failed)
		assert.True(t, got.State == submission.Failed && strings.Contains(got.Problem.String(), "could not fetch") && q.server.asked("look") == 1,
			"%q after %d looks: %s", got.State, q.server.asked("look"), got.Problem)
	})
	t.Run("S4 is submitted anew by Retry", func(t *testing.T) {
		q := setup(t)
		q.server.answers(answered(failed), status(client.Fake))
		id := q.drop(post)[0]
		q.until(id, submission.Failed)
		q.Retry(id)
		got := q.until(id, submission.Done)
		assert.True(t, got.RequestID == "link-2", "request %q", got.RequestID)
	})
	t.Run("S4 the fields of a file's result say nothing", func(t *testing.T) {
		r := &client.Result{SocialLinkFailed: true, OverallStatus: client.Fake}
		q := setup(t)
		q.server.answers(answered(r))
		q.until(q.drop(pictureFile(t, "a.png", 1))[0], submission.Done)
	})
	t.Run("S4 a link that is being fetched is waited for", func(t *testing.T) {
		r := &client.Result{SocialLink: post, OverallStatus: client.Downloading}
		q := setup(t)
		q.server.answers(answered(r), status(client.Fake))
		q.until(q.drop(post)[0], submission.Done)
	})
}

func TestALinkWhoseAnswerWasLost(t *testing.T) {
	// answersLost is a queue whose service takes the first link, and does not say so.
	answersLost := func(t *testing.T) *fixture {
		q := setup(t)
		q.server.lose("link", lost())
		return q
	}
	found := func(t *testing.T, q *fixture, got submission.Submission) {
		t.Helper()
		sent := q.server.submissions()
		assert.True(t, got.State == submission.Done && q.server.asked("link") == 1 && got.RequestID == sent[len(sent)-1].id,
			"request %q, submitted %d times: %s", got.RequestID, q.server.asked("link"), got.Problem)
	}
	t.Run("is found in the list, and not submitted again", func(t *testing.T) {
		q := answersLost(t)
		q.server.taken = []taken{{id: "other", link: post + "2", at: start}}
		q.server.hidden = 1
		found(t, q, q.until(q.drop(post)[0], submission.Done, submission.Failed))
	})
	t.Run("is not taken for an earlier submission of the same link", func(t *testing.T) {
		q := setup(t)
		q.server.fail("link", lost()) // it never arrived
		q.server.taken = []taken{{id: "old", link: post, at: start.Add(-time.Hour)}}
		got := q.until(q.drop(post)[0], submission.Done, submission.Failed)
		assert.True(t, got.State == submission.Failed, "%q as %q", got.State, got.RequestID)
	})
	t.Run("and that is not in the list is submitted again by the person alone", func(t *testing.T) {
		q := setup(t)
		q.server.fail("link", lost())
		id := q.drop(post)[0]
		got := q.until(id, submission.Failed)
		if q.server.asked("link") != 1 || !strings.Contains(got.Problem.String(), "does not know whether the service took this link") {
			t.Fatalf("submitted %d times: %s", q.server.asked("link"), got.Problem)
		}
		looks := q.server.asked("list")
		q.Retry(id)
		got = q.until(id, submission.Done, submission.Failed)
		assert.True(t, got.RequestID == "link-1" && q.server.asked("link") == 2 && q.server.asked("list") == looks+1,
			"request %q, submitted %d times, %d more looks in the list", got.RequestID, q.server.asked("link"), q.server.asked("list")-looks)
	})
	t.Run("is looked for before the link is submitted anew, when it was cancelled meanwhile", func(t *testing.T) {
		asked, release := make(chan struct{}), make(chan struct{})
		q := setup(t, func(p *intake.Params) {
			p.Service = aroundService{p.Service, func(name string, do func() error) error {
				err := do()
				if name != "link" {
					return err
				}
				close(asked)
				<-release
				return lost()
			}}
		})
		id := q.drop(post)[0]
		<-asked
		q.Cancel(id)
		close(release)
		found(t, q, q.until(q.drop(post)[0], submission.Done, submission.Failed))
	})
	t.Run("is found behind a page of newer results", func(t *testing.T) {
		var q *fixture
		q = setup(t, func(p *intake.Params) {
			p.Service = aroundService{p.Service, func(name string, do func() error) error {
				err := do()
				if name != "link" {
					return err
				}
				q.server.takeOthers(2 * poll.PageSize)
				return lost()
			}}
		})
		id := q.drop(post)[0]
		got := q.until(id, submission.Done, submission.Failed)
		assert.True(t, got.State == submission.Done && q.server.asked("link") == 1 && got.RequestID == "link-1",
			"request %q, submitted %d times: %s", got.RequestID, q.server.asked("link"), got.Problem)
	})
	t.Run("is not submitted again while the list can't be read", func(t *testing.T) {
		q := answersLost(t)
		q.server.fail("list", repeated(busy(), 10)...)
		found(t, q, q.until(q.drop(post)[0], submission.Done, submission.Failed))
	})
	t.Run("but that can't have arrived is simply submitted again", func(t *testing.T) {
		q := setup(t)
		q.server.fail("link", busy())
		got := q.until(q.drop(post)[0], submission.Done, submission.Failed)
		assert.True(t, got.RequestID == "link-1" && q.server.asked("link") == 2 && q.server.asked("list") == 0,
			"request %q, %d looks in the list", got.RequestID, q.server.asked("list"))
	})
}
