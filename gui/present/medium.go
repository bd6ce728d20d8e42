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

// Preview is how a picture is shown. What is made of its pixels for that is in gui/careful.
type Preview string

// The ways to preview.
const (
	PreviewPlain   Preview = "" // as it is
	PreviewGrey    Preview = "grey"
	PreviewBlurred Preview = "blurred" // covered: blurred beyond recognition, and grey
)

// PreviewChoice is how careful the window is with what may be disturbing, as the settings keep it. The zero value is CarefulWatched.
type PreviewChoice string

// How careful the window is.
const (
	CarefulWatched PreviewChoice = ""        // careful with what came from watched folders, since possibly nobody has seen it yet
	CarefulOff     PreviewChoice = "off"     // everything as it is, but for what a person marked as graphic
	CarefulAll     PreviewChoice = "careful" // every picture is covered until the person asks to see it
	CarefulMost    PreviewChoice = "most"    // lists have no pictures, and what the person asks to see is grey first
)

// Care is what is known of a submission that may be disturbing.
type Care struct {
	Watched bool // it came from a watched folder, so that possibly nobody has seen it yet
	Graphic bool // a person marked it as graphic: it is covered until somebody wants to see it, whatever was chosen
}

// For is how a submission is shown before the person asks to see it.
func (c PreviewChoice) For(care Care) Preview {
	if care.Graphic || c == CarefulAll || c == CarefulMost || c == CarefulWatched && care.Watched {
		return PreviewBlurred
	}
	return PreviewPlain
}

// Asked is how a submission is shown after the person asked to see it: now is how it is shown so far.
func (c PreviewChoice) Asked(now, wanted Preview) Preview {
	if c == CarefulMost && now == PreviewBlurred && wanted == PreviewPlain {
		return PreviewGrey
	}
	return wanted
}

// Listed reports whether lists show small pictures at all.
func (c PreviewChoice) Listed() bool { return c != CarefulMost }

// PreviewChoiceOf parses what the settings keep; any other text is CarefulWatched.
func PreviewChoiceOf(kept string) PreviewChoice {
	switch c := PreviewChoice(kept); c {
	case CarefulOff, CarefulAll, CarefulMost:
		return c
	}
	return CarefulWatched
}
