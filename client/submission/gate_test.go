package submission_test

import (
	"testing"

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
		{submission.GateAsk, later, later},
		{submission.GateNever, later, submission.GateNever},
	} {
		if a, b := submission.Stricter(at.one, at.other), submission.Stricter(at.other, at.one); a != at.want || b != at.want {
			t.Errorf("of %q and %q: %q, %q", at.one, at.other, a, b)
		}
	}
	if s := (submission.Submission{Gate: later}); s.MayLeave() {
		t.Error("a gate that is not known lets it out")
	}
}
