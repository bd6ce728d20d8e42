package custody

import (
	"assay/client/i18n"
	"assay/client/submission"
)

// Words is an event in words for a person, in the window's history and in reports; an unknown event is shown as it is written.
func (e Event) Words() string {
	if words, ok := eventWords[e]; ok {
		return i18n.T(words)
	}
	return string(e)
}

var eventWords = map[Event]i18n.Key{
	Accepted:                "Added to Assay",
	Pulled:                  "Brought here from the service's list",
	Removed:                 "Removed before it was sent",
	Hashed:                  "Hashed",
	UploadURLReceived:       "Upload address received",
	SendingBegun:            "Sending started",
	Sent:                    "Sent",
	ChangedWhileSent:        "Changed while it was sent: not counted as sent",
	TakenByService:          "Accepted by the service",
	LinkSubmitted:           "Link submitted",
	FoundInList:             "Found in the service's list",
	Duplicate:               "Same content as an earlier one: shows that answer",
	NoDuplicate:             "No longer shows another one's answer",
	Refetch:                 "The service is to fetch it again",
	Retried:                 "Tried again",
	Paused:                  "Paused",
	Resumed:                 "Resumed",
	Cancelled:               "Cancelled",
	Refused:                 "Refused",
	Failed:                  "Given up for now",
	Answered:                "Answered",
	Replaced:                "The file was saved again: the newer version waits instead",
	Held:                    "Held: it waits for your decision",
	Approved:                "Allowed to leave this computer",
	Withheld:                "Kept on this computer",
	NeverByFolder:           "Stays on this computer: its folder's files never leave",
	NeverBySource:           "Stays on this computer: by the settings, files and links like it never leave",
	NeverByLock:             "Stays on this computer: your organisation's IT has set that it never leaves",
	NeverByPerson:           "Stays on this computer: you said that it never leaves",
	ApprovedWithoutMetadata: "Allowed to leave this computer as a copy without metadata",
	ApprovedAsCopy:          "Allowed to leave this computer as a copy",
	CopyMade:                "Copy made in a format that the service takes",
	Moved:                   "Moved to another folder",
	Filed:                   "Removed from the inbox",
	FeedbackSent:            "Feedback sent",
	TakenOver:               "A colleague's answer was taken over. Nothing was sent",
	Shared:                  "A colleague shared this answer over the desk",
	Seen:                    "Seen by a person: the answer differs from the one before",
}

// CopyWords says which copy of a file was analysed in its place; "" where its format was the file's own.
func CopyWords(s submission.Submission) string {
	c := s.Copy
	var words string
	switch part := c.Part != (submission.Part{}); {
	case c.SHA256 == "":
		return ""
	case part:
		words = i18n.F("A part of the clip was analysed, from %s to %s.", i18n.Elapsed(c.Part.From.Seconds()), i18n.Elapsed(c.Part.To.Seconds()))
	case c.Format != "":
		words = i18n.F("A copy in %s format was analysed.", c.Format)
	default:
		return "" // its format is the file's, and what it lacks is listed
	}
	if !c.Metadata {
		words += " " + i18n.T("It has no metadata.")
	}
	if !c.Note.IsZero() {
		words += " " + c.Note.String()
	}
	return words
}

// SourceWords says how a submission was handed over.
func SourceWords(s submission.Source) string {
	switch s {
	case submission.Dropped:
		return i18n.T("dropped into the window")
	case submission.Chosen:
		return i18n.T("chosen in the file dialog")
	case submission.Started:
		return i18n.T("given when Assay was started")
	case submission.Scanned:
		return i18n.T("the scan command")
	case submission.Pasted:
		return i18n.T("pasted")
	case submission.Watched:
		return i18n.T("a watched folder")
	case submission.Service:
		return i18n.T("the service's list: another device or program sent it")
	case submission.Desk:
		return i18n.T("the desk: a colleague shared the answer")
	}
	return string(s)
}
