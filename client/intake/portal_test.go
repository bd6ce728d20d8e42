package intake_test

import (
	"testing"

	"assay/client"
	"assay/client/i18n"
	"assay/client/intake"
	"assay/client/submission"
)

func TestALogInPageInPlaceOfTheServiceIsWaitedOut(t *testing.T) {
	page := &client.Error{Op: "t", Kind: client.KindAnswer, Status: 200, Message: i18n.Verbatim("A web page answered instead of the service."), Err: client.ErrPage}
	for _, call := range []string{"address", "put", "look", "link"} {
		t.Run(call, func(t *testing.T) {
			d := setup(t)
			for range 20 {
				d.server.fail(call, page)
			}
			q := d.open()
			given := pictureFile(t, "a.png", 1)
			if call == "link" {
				given = post
			}
			id := q.accept([]string{given}, submission.Dropped)[0]
			q.when("it is answered", func() bool {
				s, _ := q.Get(id)
				if s.State.Ended() && s.State != submission.Done {
					t.Fatalf("it ended as %s: %s", s.State, s.Problem)
				}
				return s.State == submission.Done
			})
			if standing := q.QueueStatus(); standing.Cause != intake.Running {
				t.Errorf("it stands at %+v in the end", standing)
			}
			d.wantSubmissions(1)
		})
	}
}
