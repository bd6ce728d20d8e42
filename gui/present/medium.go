package present

import (
	"assay/client"
	"assay/client/i18n"
	"assay/client/submission"
)

// Medium is what kind of thing a submission is.
type Medium string

// The media. Unknown is what no extension or answer names.
const (
	Picture   Medium = "picture"
	Clip      Medium = "clip"
	Recording Medium = "recording"
	Text      Medium = "text"
	Unknown   Medium = ""
)

// MediumOfSubmission goes by a file's extension; what a link leads to, only the result can tell.
func MediumOfSubmission(s submission.Submission) Medium {
	if s.Link != "" && s.Result != nil {
		return MediumOf(s.Result.MediaType)
	}
	return MediumOf(s.Type)
}

func MediumOf(t client.MediaType) Medium {
	switch t {
	case client.Image:
		return Picture
	case client.Video:
		return Clip
	case client.Audio:
		return Recording
	case client.Text:
		return Text
	}
	return Unknown
}

// MediumName is the word for a medium on screen.
func MediumName(m Medium) string {
	switch m {
	case Picture:
		return i18n.T("Picture")
	case Clip:
		return i18n.T("Clip")
	case Recording:
		return i18n.T("Recording")
	case Text:
		return i18n.T("Text")
	}
	return i18n.T("File")
}
