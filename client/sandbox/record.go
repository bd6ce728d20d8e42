package sandbox

import (
	"slices"
	"sync"
	"time"

	"assay/client"
)

// record is what is kept of one submission, as one JSON file named by its requestId.
type record struct {
	RequestID        string           `json:"requestId"`
	MediaID          string           `json:"mediaId"`
	UserID           string           `json:"userId,omitempty"`
	FileName         string           `json:"fileName"`         // special characters as underscores
	OriginalFileName string           `json:"originalFileName"` // as it was sent
	Extension        string           `json:"extension"`        // lower case, with the dot
	MediaType        client.MediaType `json:"mediaType"`
	Asked            time.Time        `json:"asked"`    // when the upload URL was requested
	Uploaded         time.Time        `json:"uploaded"` // when the bytes had arrived; zero before
	Object           string           `json:"object"`   // the name of the file with the bytes, a UUID; "" before
	Size             int64            `json:"size"`
	SHA256           string           `json:"sha256"`
	SocialLink       string           `json:"socialLink,omitempty"`    // "" for an uploaded file
	LinkFailed       bool             `json:"linkFailed,omitempty"`    // the link could not be fetched
	ExtractedFrom    string           `json:"extractedFrom,omitempty"` // the video's requestId, where this is its sound
	Outcome          *outcome         `json:"outcome"`                 // nil until the analysis has ended; never changed once set
}

// outcome is the outcome of a submission's analysis.
type outcome struct {
	Ended     time.Time       `json:"ended"`
	Release   string          `json:"release,omitempty"` // "": ReleaseVersion
	Status    client.Status   `json:"status"`
	Metadata  client.Metadata `json:"metadata"`
	Failure   *client.Failure `json:"failure,omitempty"`
	Models    []client.Model  `json:"models"`
	Artifacts string          `json:"artifacts,omitempty"` // the folder of the files made, a UUID; "" for none
	Thumbnail bool            `json:"thumbnail,omitempty"`
	Heatmaps  []string        `json:"heatmaps,omitempty"` // model names, in the order of the numbered heatmap files
	Explained bool            `json:"explained,omitempty"`
	AudioID   string          `json:"audioId,omitempty"` // the requestId of a video's sound; "" where it has none of its own
}

// uploaded reports whether the bytes are here.
func (r record) uploaded() bool { return r.Object != "" }

// submitted reports whether there is anything to have a result of: a file that has arrived, or a link.
func (r record) submitted() bool { return r.uploaded() || r.SocialLink != "" }

// date is when the submission was made: when a file had arrived, or a link was submitted.
func (r record) date() time.Time {
	if r.SocialLink != "" || !r.uploaded() {
		return r.Asked
	}
	return r.Uploaded
}

// fetching reports whether this is a link that is still to be fetched.
func (r record) fetching() bool { return r.SocialLink != "" && !r.uploaded() && r.Outcome == nil }

// underWay reports whether the bytes are here and their analysis has not ended.
func (r record) underWay() bool { return r.uploaded() && r.Outcome == nil }

// objectKey is the object's key in storage, of the shape that the interface shows.
func (r record) objectKey() string { return r.owner().institutionID + "/" + r.RequestID + r.Extension }

// entry is a record in memory, with the state of its analysis while that is under way.
type entry struct {
	mu     sync.Mutex
	record record
	live   []client.Model // the models' states while under way
}

// snapshot is a copy of an entry.
type snapshot struct {
	record record
	live   []client.Model
}

func (e *entry) snapshot() snapshot {
	e.mu.Lock()
	defer e.mu.Unlock()
	return snapshot{record: e.record, live: slices.Clone(e.live)}
}

// publish sets one model's outcome, unless the object has been replaced meanwhile.
func (e *entry) publish(object string, m client.Model) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.record.Object != object || e.record.Outcome != nil {
		return
	}
	at := slices.IndexFunc(e.live, func(l client.Model) bool { return l.Name == m.Name })
	if at >= 0 {
		e.live[at] = m
	}
}
