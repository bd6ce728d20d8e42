package client

// Status is a verdict's or a model's status. The list is open: an unknown one is kept as sent.
type Status string

// The statuses of the interface.
const (
	Authentic        Status = "AUTHENTIC"
	Fake             Status = "FAKE"
	Suspicious       Status = "SUSPICIOUS"
	NotApplicable    Status = "NOT_APPLICABLE"
	UnableToEvaluate Status = "UNABLE_TO_EVALUATE"
	Analyzing        Status = "ANALYZING"
	Downloading      Status = "DOWNLOADING" // a link that the service still fetches
)

// Terminal reports whether a result of this status waits for nothing more.
func (s Status) Terminal() bool {
	switch s {
	case Authentic, Fake, Suspicious, NotApplicable, UnableToEvaluate:
		return true
	}
	return false
}

// MediaType is the kind of a submission. An unknown one is kept as sent.
type MediaType string

// The media types of the interface.
const (
	Image MediaType = "IMAGE"
	Video MediaType = "VIDEO"
	Audio MediaType = "AUDIO"
	Text  MediaType = "TEXT"
)
