package command

import (
	"testing"

	"assay/client/submission"
)

func TestAnAnswerSaysWhatWasSentInTheFilesPlace(t *testing.T) {
	s := submission.Submission{State: submission.Cancelled, SHA256: "its own", SendName: "picture-1a2b.jpg", Copy: submission.Copy{SHA256: "the copy's"}}
	if a := answerOf(s, false); a.SHA256 != "its own" || a.SentSHA256 != "the copy's" || a.SentName != "picture-1a2b.jpg" {
		t.Errorf("%+v", a)
	}
	s.Copy = submission.Copy{}
	if a := answerOf(s, false); a.SentSHA256 != "" || a.SentName != "" {
		t.Errorf("of the file itself: %+v", a)
	}
}
