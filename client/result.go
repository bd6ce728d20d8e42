package client

import (
	"bytes"
	"context"
	"encoding/json"
	"math"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"assay/client/i18n"
	"assay/client/plain"
)

// Result fetches one result with fresh pre-signed URLs (interface, operation 4).
func (c *Client) Result(ctx context.Context, requestID string) (*Result, error) {
	const op = "fetch the result"
	var date time.Time
	body, err := c.do(ctx, call{
		op:     op,
		date:   &date,
		method: http.MethodGet,
		path:   []string{"api", "media", "users", requestID},
	})
	if err != nil {
		return nil, err
	}
	return unlessDone(ctx, op, func() (*Result, error) {
		r := new(Result)
		if err := json.Unmarshal(body, r); err != nil {
			return nil, &Error{Op: op, Kind: KindAnswer, Status: http.StatusOK, Message: i18n.M("The service's answer is not a result.")}
		}
		if r.RequestID != "" && r.RequestID != requestID {
			return nil, &Error{Op: op, Kind: KindAnswer, Status: http.StatusOK, Message: i18n.M("The service answered with the result of another file.")}
		}
		r.Date = date
		return r, nil
	})
}

// Result is a media result as the service sent it (interface, "Media result").
type Result struct {
	FileName              plain.Text        `json:"filename"`
	OriginalFileName      plain.Text        `json:"originalFileName"`
	RequestID             string            `json:"requestId"`
	UploadedDate          plain.Text        `json:"uploadedDate"` // ISO 8601, as sent
	MediaType             MediaType         `json:"mediaType"`
	SocialLink            string            `json:"socialLink"`
	SocialLinkDownloaded  Bool              `json:"socialLinkDownloaded"`
	SocialLinkFailed      Bool              `json:"socialLinkDownloadFailed"`
	ShowAudioResult       Bool              `json:"showAudioResult"`
	AudioRequestID        string            `json:"audioRequestId"`
	UserID                string            `json:"userId"`
	InstitutionID         *string           `json:"institutionId"`
	ReleaseVersion        plain.Text        `json:"releaseVersion"`
	OverallStatus         Status            `json:"overallStatus"`
	ResultsSummary        *Summary          `json:"resultsSummary"`
	Models                []Model           `json:"models"`
	StorageLocation       string            `json:"storageLocation"`
	Thumbnail             string            `json:"thumbnail"`
	AggregationResultURL  string            `json:"aggregationResultUrl"` // a storage key, never requested
	ModelMetadataURL      string            `json:"modelMetadataUrl"`
	AudioModelMetadataURL string            `json:"audioModelMetadataUrl"`
	Heatmaps              map[string]string `json:"heatmaps"`
	ExplainabilityURL     string            `json:"explainabilityUrl"`

	// Raw is the answer byte for byte, unknown fields included.
	Raw json.RawMessage `json:"-"`
	// Voice is the result of a clip's extracted sound, one of its own, where that was fetched as well; nil: there is none, or it isn't known yet.
	Voice *Result `json:"-"`
	// Date is when the service gave this answer, by its own clock: the Date header, to the second. Zero where it isn't known.
	Date time.Time `json:"-"`
}

// Brief is a copy that holds what verdicts, claims and scores are made of, and neither Raw nor links, dates and the models' data: an answer may have
// megabytes, and lists keep very many. Raw is nil in it.
func (r *Result) Brief() *Result {
	if r == nil {
		return nil
	}
	brief := &Result{
		RequestID: r.RequestID, MediaType: r.MediaType, SocialLink: r.SocialLink, SocialLinkDownloaded: r.SocialLinkDownloaded, SocialLinkFailed: r.SocialLinkFailed,
		ShowAudioResult: r.ShowAudioResult, AudioRequestID: r.AudioRequestID, ReleaseVersion: r.ReleaseVersion, OverallStatus: r.OverallStatus,
		ResultsSummary: r.ResultsSummary, Models: make([]Model, len(r.Models)), Voice: r.Voice.Brief(),
	}
	for i, m := range r.Models {
		brief.Models[i] = Model{Index: m.Index, Name: m.Name, Status: m.Status, Normalized: m.Normalized, Final: m.Final, Code: m.Code}
		if decision := m.Decision(); !decision.IsZero() {
			brief.Models[i].Data, _ = json.Marshal(map[string]string{"decision": decision.Verbatim()}) // texts are always JSON
		}
	}
	return brief
}

// Summary is the ensemble's summary (interface, "resultsSummary").
type Summary struct {
	Status   Status   `json:"status"`
	Metadata Metadata `json:"metadata"`
	Failure  *Failure `json:"error,omitempty"`
}

// Metadata holds what a summary may add, each part optional.
type Metadata struct {
	Languages  []plain.Text `json:"languages,omitempty"`
	FinalScore Score        `json:"finalScore,omitzero"` // 0..100
	Reasons    []Reason     `json:"reasons,omitempty"`   // why it can't be assessed
}

// Reason is why a submission can't be assessed (NOT_APPLICABLE).
type Reason struct {
	Code    plain.Text `json:"code"`
	Message plain.Text `json:"message"`
}

// Failure is why processing failed (UNABLE_TO_EVALUATE).
type Failure struct {
	Code    plain.Text `json:"code"`
	Message plain.Text `json:"message"`
}

// Model is one model's part of a result (interface, "Model result").
type Model struct {
	Index      int             `json:"-"` // its index in the answer's list
	Name       plain.Text      `json:"name"`
	Status     Status          `json:"status"`
	Prediction Score           `json:"predictionNumber"`           // raw, typically 0..1, not clamped
	Normalized Score           `json:"normalizedPredictionNumber"` // 0..100
	Rolling    Score           `json:"rollingAvgNumber"`           // 0..100
	Final      Score           `json:"finalScore"`                 // 0..100
	Data       json.RawMessage `json:"data"`
	Failure    json.RawMessage `json:"error"` // an object, a text or null
	Code       plain.Text      `json:"code"`
}

// UnmarshalJSON accepts an incomplete result; a field of unexpected shape keeps its zero value and affects no other.
func (r *Result) UnmarshalJSON(data []byte) error {
	type fields Result
	var f fields
	if err := decodeFields(data, &f); err != nil {
		return err
	}
	*r = Result(f)
	for i := range r.Models {
		r.Models[i].Index = i
	}
	r.Models = slices.DeleteFunc(r.Models, func(m Model) bool { return m.Name.IsZero() && m.Status == "" })
	r.Raw = bytes.Clone(data)
	return nil
}

// UnmarshalJSON accepts fields of unexpected shape.
func (s *Summary) UnmarshalJSON(data []byte) error {
	type fields Summary
	_ = decodeFields(data, (*fields)(s)) // nothing is read of what is no object
	return nil
}

// UnmarshalJSON accepts fields of unexpected shape.
func (m *Metadata) UnmarshalJSON(data []byte) error {
	type fields Metadata
	_ = decodeFields(data, (*fields)(m)) // nothing is read of what is no object
	return nil
}

// UnmarshalJSON accepts fields of unexpected shape: a score may be an object, an error a text.
func (m *Model) UnmarshalJSON(data []byte) error {
	type fields Model
	_ = decodeFields(data, (*fields)(m)) // Result drops what is no object
	return nil
}

// Bool is true or false, or "True" or "False" in any case.
type Bool bool

// UnmarshalJSON reads both forms; anything else is false.
func (b *Bool) UnmarshalJSON(data []byte) error {
	*b = Bool(strings.EqualFold(strings.Trim(string(data), `"`), "true"))
	return nil
}

// Uploaded is when it was uploaded; ok is false where that can't be read. A time without zone is UTC.
func (r *Result) Uploaded() (at time.Time, ok bool) {
	for _, layout := range []string{time.RFC3339Nano, "2006-01-02T15:04:05Z0700", "2006-01-02T15:04:05.999999999", "2006-01-02 15:04:05.999999999", time.DateOnly} {
		if at, err := time.Parse(layout, r.UploadedDate.Verbatim()); err == nil {
			return at, true
		}
	}
	return time.Time{}, false
}

// Sound is the request ID of the result of a video's extracted sound; ok is false where there is none, or only own, the video's.
func (r *Result) Sound(own string) (requestID string, ok bool) {
	return r.AudioRequestID, bool(r.ShowAudioResult) && r.AudioRequestID != "" && r.AudioRequestID != own
}

// Status is the result's status: the overall one, or else the summary's.
func (r *Result) Status() Status {
	if r.OverallStatus == "" && r.ResultsSummary != nil {
		return r.ResultsSummary.Status
	}
	return r.OverallStatus
}

// Running counts the models that have not ended.
func (r *Result) Running() int {
	n := 0
	for _, m := range r.Models {
		if m.Status == Analyzing {
			n++
		}
	}
	return n
}

// Final reports whether nothing of the result is still to come: its status is terminal and no model is running.
func (r *Result) Final() bool { return r.Status().Terminal() && r.Running() == 0 }

// IsEnsemble reports whether the model is an ensemble: the interface gives no list, but such a model has the word in its name.
func (m Model) IsEnsemble() bool {
	return strings.Contains(strings.ToLower(m.Name.Verbatim()), "ensemble")
}

// Applies reports whether the model is meant for this kind of media.
func (m Model) Applies() bool {
	return m.Status != NotApplicable && !strings.EqualFold(m.Code.Verbatim(), "not_applicable")
}

// Ensemble is the ensemble's model result; ok is false where there is none, or several that apply equally.
func (r *Result) Ensemble() (m Model, ok bool) {
	for _, candidate := range r.Models {
		if !candidate.IsEnsemble() || !candidate.Applies() {
			continue
		}
		if ok {
			return Model{}, false
		}
		m, ok = candidate, true
	}
	return m, ok
}

// Decision is the model's own decision, such as ARTIFICIAL, "" where it gave none.
func (m Model) Decision() plain.Text {
	var data struct {
		Decision plain.Text `json:"decision"`
	}
	_ = decodeFields(m.Data, &data) // data may be of any shape
	return data.Decision
}

// FailureText is the code and message of a model's error, whatever its shape.
func (m Model) FailureText() (code, message plain.Text) {
	var text plain.Text
	if json.Unmarshal(m.Failure, &text) == nil {
		return plain.Text{}, text.Folded().Clip(longestMessage)
	}
	code, message = errorBody(m.Failure)
	return code.Clip(longestCode), message.Clip(longestMessage)
}

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

// Terminal reports whether a result of this status is complete.
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

// Score is a number as the service sent it, or something else, or nothing: absent is not zero. The zero value is "no score".
type Score struct{ raw json.RawMessage }

// NewScore returns the score of this number; without a finite number it is no score.
func NewScore(v float64) Score {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return Score{}
	}
	return Score{raw: strconv.AppendFloat(nil, v, 'g', -1, 64)}
}

// Number is the score's value; ok is false where the service sent none, null, or no number.
func (s Score) Number() (v float64, ok bool) {
	if s.raw == nil || json.Unmarshal(s.raw, &v) != nil || string(s.raw) == "null" {
		return 0, false
	}
	return v, true
}

// Sent is the JSON as it was sent, "" where nothing was.
func (s Score) Sent() string { return string(s.raw) }

// MarshalJSON writes what was sent, or null.
func (s Score) MarshalJSON() ([]byte, error) {
	if s.raw == nil {
		return []byte("null"), nil
	}
	return s.raw, nil
}

// UnmarshalJSON keeps whatever is sent.
func (s *Score) UnmarshalJSON(data []byte) error {
	s.raw = append(json.RawMessage(nil), data...)
	return nil
}
