package client

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http"
	"strings"

	"assay/client/i18n"
	"assay/client/plain"
)

// Label is what the desk itself takes the media to be.
type Label string

// The labels of the interface; no other can be sent.
const (
	LabelReal        Label = "REAL"
	LabelSynthetic   Label = "SYNTHETIC"
	LabelManipulated Label = "MANIPULATED"
	LabelUnknown     Label = "UNKNOWN"
)

// Labels lists the labels that can be sent.
func Labels() []Label {
	return []Label{LabelReal, LabelSynthetic, LabelManipulated, LabelUnknown}
}

// Valid reports whether the label can be sent.
func (l Label) Valid() bool {
	switch l {
	case LabelReal, LabelSynthetic, LabelManipulated, LabelUnknown:
		return true
	}
	return false
}

// Category says how the desk's own finding relates to the service's verdict.
type Category string

// The categories of the interface; no other can be sent.
const (
	FalsePositive Category = "FALSE_POSITIVE"
	FalseNegative Category = "FALSE_NEGATIVE"
	Confirmation  Category = "CONFIRMATION"
	OtherFeedback Category = "OTHER"
)

// Categories lists the categories that can be sent.
func Categories() []Category {
	return []Category{FalsePositive, FalseNegative, Confirmation, OtherFeedback}
}

// Valid reports whether the category can be sent.
func (c Category) Valid() bool {
	switch c {
	case FalsePositive, FalseNegative, Confirmation, OtherFeedback:
		return true
	}
	return false
}

// Feedback is the desk's finding on a result. The service adds the name, e-mail address and organisation of the key's owner.
type Feedback struct {
	RequestID string   // of the result
	Label     Label    //
	Category  Category //
	Comment   string   // free text; if it is blank, none is sent
}

// FeedbackRecord is what the service keeps of one feedback (interface, "Feedback record"); any field may be empty.
type FeedbackRecord struct {
	ID            plain.Text `json:"id"`
	UserID        string     `json:"userId"`
	RequestID     string     `json:"requestId"`
	InstitutionID string     `json:"institutionId"`
	Text          plain.Text `json:"text"` // the comment
	Category      Category   `json:"category"`
	UserName      plain.Text `json:"userName"`
	UserEmail     plain.Text `json:"userEmail"`
	OrgName       plain.Text `json:"orgName"`
	MediaType     MediaType  `json:"mediaType"`
	MediaViewURL  string     `json:"mediaViewUrl"`
	MediaSource   plain.Text `json:"mediaSource"`
	Label         Label      `json:"label"`
	CreatedAt     plain.Text `json:"createdAt"` // ISO 8601, as sent

	// Raw is the answer byte for byte, nil where it was no JSON.
	Raw json.RawMessage `json:"-"`
}

// UnmarshalJSON accepts an incomplete record; a field of unexpected shape keeps its zero value and affects no other.
func (r *FeedbackRecord) UnmarshalJSON(data []byte) error {
	type fields FeedbackRecord
	var f fields
	if err := decodeFields(data, &f); err != nil {
		return err
	}
	*r = FeedbackRecord(f)
	r.Raw = bytes.Clone(data)
	return nil
}

// SendFeedback sends feedback on a result (interface, operation 6). A value that is not in the interface's lists is KindSetup and not sent. A refusal
// (400: no such result; 403: not allowed to judge it) is KindRefused with the service's own message. If the answer is lost, the outcome is not known:
// the Error is Uncertain, and nothing is retried.
func (c *Client) SendFeedback(ctx context.Context, f Feedback) (FeedbackRecord, error) {
	const op = "send the feedback"
	var unusable i18n.Message
	switch {
	case strings.TrimSpace(f.RequestID) == "":
		unusable = i18n.M("The feedback does not say which result it is about.")
	case !f.Label.Valid():
		unusable = i18n.M("The feedback's label must be REAL, SYNTHETIC, MANIPULATED or UNKNOWN.")
	case !f.Category.Valid():
		unusable = i18n.M("The feedback's category must be FALSE_POSITIVE, FALSE_NEGATIVE, CONFIRMATION or OTHER.")
	}
	if !unusable.IsZero() {
		return FeedbackRecord{}, &Error{Op: op, Kind: KindSetup, Message: unusable}
	}
	if strings.TrimSpace(f.Comment) == "" {
		f.Comment = ""
	}
	body, err := c.do(ctx, call{
		op:     op,
		method: http.MethodPost,
		path:   []string{"api", "v2", "user-feedback"},
		body: struct {
			RequestID string   `json:"requestId"`
			Label     Label    `json:"label"`
			Category  Category `json:"feedbackCategory"`
			Comment   string   `json:"comment,omitempty"`
		}(f),
		expect:       []int{http.StatusCreated},
		once:         true,
		notTheKey:    true,
		statusIsDone: true,
	})
	if err != nil {
		return FeedbackRecord{}, err
	}
	var record FeedbackRecord
	if json.Unmarshal(body, &record) != nil {
		return FeedbackRecord{Raw: body}, nil // the status says that it is stored; Raw is nil where the body is no JSON
	}
	return record, nil
}
