package forensics

import "image"

// VideoReport is what all analysers together found in one clip.
type VideoReport struct {
	Width, Height int     // pixels as shown, the track's rotation applied
	Duration      float64 // seconds, as the container says
	HasAudio      bool

	// Scenes are the stretches between abrupt cuts, and Frames the frames looked
	// at, both in order of time. Both are nil without ffmpeg.
	Scenes []VideoSegment
	Frames []VideoFrame

	Models      []Model // in the order of VideoModels, the ensemble last
	Status      Status  // the ensemble's
	Score       *float64
	Conclusions map[string]string // a sentence by model name

	// Facts holds what the container says, for JSON: brands, created, modified
	// (RFC 3339), duration, tracks with codec, size, durations and edit lists, software
	// names, C2PA, notes. Its numbers are finite.
	Facts map[string]any

	Thumbnail image.Image // *image.NRGBA, at most 640 pixels a side; nil without ffmpeg
}

// VideoSegment is a scene. Score is nil where nothing moves, since every sign needs
// movement; Decision is "" then, and else ARTIFICIAL or AUTHENTIC by the limit of
// every model.
type VideoSegment struct {
	Start, End float64 // seconds
	Score      *float64
	Decision   string
}

// VideoFrame is a frame that was looked at; Score and Decision as in VideoSegment.
type VideoFrame struct {
	Time     float64 // seconds
	Score    *float64
	Decision string
}
