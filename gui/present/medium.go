package present

import "assay/client"

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

func mediumOf(t client.MediaType) Medium {
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
