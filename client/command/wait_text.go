package command

import (
	"time"

	"assay/client/i18n"
	"assay/client/intake"
	"assay/client/submission"
)

// waitText says what a submission waits for.
func waitText(s submission.Submission, standing intake.QueueStatus) string {
	switch {
	case s.Paused:
		return i18n.F("Waiting for %s: you have paused it. Resume it in Assay's window.", s.Name)
	case standing.Cause != intake.Running:
		return standing.Reason.String()
	case !s.Delay.IsZero():
		return i18n.F("%s: %s", s.Name, s.Delay)
	case s.State == submission.Analysing:
		return i18n.F("Waiting for %s: the service has it and has not finished.", s.Name)
	case s.State == submission.Sending && s.Sends() > 0:
		return i18n.F("Waiting for %s: %s sent.", s.Name, i18n.SizeOf(s.Sent, s.Sends()))
	case s.State == submission.Sending:
		return i18n.F("Waiting for %s: the service is asked to take it.", s.Name)
	case s.State == submission.Checking:
		return i18n.F("Waiting for %s: it is being read.", s.Name)
	}
	return i18n.F("Waiting for %s: others go first.", s.Name)
}

// leftText says why a scan ends without the answer to a submission, and what becomes of that.
func leftText(s submission.Submission, why string) string {
	if s.Paused {
		why = i18n.T("You have paused it: resume it in Assay's window.")
	}
	if s.RequestID != "" || !s.Uploaded.IsZero() {
		return why + " " + i18n.T("It was sent: the next scan prints its answer.")
	}
	return why + " " + i18n.T("The next scan goes on with it.")
}

// noAnswerWithin says that the time that was given has passed.
func noAnswerWithin(d time.Duration) string {
	return i18n.F("There was no answer within %s.", i18n.Duration(d))
}
