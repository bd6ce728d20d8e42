package submission_test

import (
	"testing"
	"time"

	"assay/client/submission"
)

func TestStricter(t *testing.T) {
	const later = submission.Gate("of a later version")
	for _, at := range []struct{ one, other, want submission.Gate }{
		{submission.GateSend, submission.GateSend, submission.GateSend},
		{submission.GateSend, submission.GateAsk, submission.GateAsk},
		{submission.GateAsk, submission.GateNever, submission.GateNever},
		{submission.GateSend, submission.GateNever, submission.GateNever},
		{submission.GateSend, later, later},
		{submission.GateSend, "", ""},
		{submission.GateAsk, "", ""},
		{submission.GateNever, "", submission.GateNever},
		{submission.GateAsk, later, later},
		{submission.GateNever, later, submission.GateNever},
	} {
		if a, b := submission.Stricter(at.one, at.other), submission.Stricter(at.other, at.one); a != at.want || b != at.want {
			t.Errorf("of %q and %q: %q, %q", at.one, at.other, a, b)
		}
	}
	for _, unknown := range []submission.Gate{later, ""} {
		if s := (submission.Submission{Gate: unknown, Allowed: time.Unix(1, 0)}); s.MayLeave() {
			t.Errorf("the gate %q, which is not known, lets it out", unknown)
		}
	}
}
