package present

import (
	"assay/client"
	"assay/client/i18n"
	"assay/client/submission"
)

// Medium is the kind of a submission's media.
type Medium string

// The media. Unknown is any that neither the extension nor the answer names.
const (
	Picture   Medium = "picture"
	Clip      Medium = "clip"
	Recording Medium = "recording"
	Text      Medium = "text"
	Unknown   Medium = ""
)

// MediumOfSubmission is the medium by a file's extension; for a link, only the result can tell.
func MediumOfSubmission(s submission.Submission) Medium {
	if s.Link != "" && s.Result != nil {
		return MediumOf(s.Result.MediaType)
	}
	return MediumOf(s.Type)
}

// MediumOf is the medium that the service names.
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

// Preview is how disturbing material is shown until the person asks to see it as it is.
type Preview string

// The ways to preview.
const (
	PreviewPlain   Preview = "" // as it is
	PreviewGrey    Preview = "grey"
	PreviewBlurred Preview = "blurred"
)

// PreviewChoice is what the person chose for all material. The zero value is no choice: material from watched folders is grey, since possibly nobody
// has seen it yet, and all other as it is.
type PreviewChoice struct {
	Made    bool
	Preview Preview
}

// Care is what is known of a submission that may be disturbing.
type Care struct {
	Watched bool // it came from a watched folder, so that possibly nobody has seen it yet
	Graphic bool // a person marked it as graphic: it is covered until somebody wants to see it, whatever was chosen
}

// For is how a submission is shown.
func (c PreviewChoice) For(care Care) Preview {
	switch {
	case care.Graphic:
		return PreviewBlurred
	case !c.Made && care.Watched:
		return PreviewGrey
	}
	return c.Preview
}

// previewAsItIs is the kept form of PreviewPlain where that was chosen.
const previewAsItIs = "plain"

// Kept is the choice as a text, for the settings.
func (c PreviewChoice) Kept() string {
	if c.Made && c.Preview == PreviewPlain {
		return previewAsItIs
	}
	return string(c.Preview)
}

// PreviewChoiceOf parses the text of Kept; any other text is no choice.
func PreviewChoiceOf(kept string) PreviewChoice {
	switch p := Preview(kept); {
	case kept == previewAsItIs:
		return PreviewChoice{Made: true}
	case p == PreviewGrey || p == PreviewBlurred:
		return PreviewChoice{Made: true, Preview: p}
	}
	return PreviewChoice{}
}
