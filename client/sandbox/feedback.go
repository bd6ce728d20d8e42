package sandbox

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"path"
	"slices"
	"strings"

	"github.com/google/uuid"

	"assay/client"
)

// Feedback is a feedback record as the sandbox answers and keeps it (interface, "Feedback record").
type Feedback struct {
	ID            string           `json:"id"` // a UUID
	UserID        string           `json:"userId"`
	RequestID     string           `json:"requestId"`
	InstitutionID string           `json:"institutionId"`
	Text          string           `json:"text,omitempty"` // the comment, where one was sent
	Category      string           `json:"category"`
	UserName      string           `json:"userName"`
	UserEmail     string           `json:"userEmail"`
	OrgName       string           `json:"orgName"`
	MediaType     client.MediaType `json:"mediaType"`
	MediaViewURL  string           `json:"mediaViewUrl"` // of the result; it takes the key
	MediaSource   string           `json:"mediaSource"`  // FILE or SOCIAL; the interface names no values
	Label         string           `json:"label"`
	CreatedAt     string           `json:"createdAt"` // ISO 8601
}

// What a feedback may say (interface, operation 6).
var (
	feedbackLabels     = []string{"REAL", "SYNTHETIC", "MANIPULATED", "UNKNOWN"}
	feedbackCategories = []string{"FALSE_POSITIVE", "FALSE_NEGATIVE", "CONFIRMATION", "OTHER"}
)

// createFeedback keeps a person's feedback on a result (interface, operation 6).
func (s *Sandbox) createFeedback(w http.ResponseWriter, r *http.Request) {
	var asked struct {
		RequestID string `json:"requestId"`
		Label     string `json:"label"`
		Category  string `json:"feedbackCategory"`
		Comment   string `json:"comment"`
	}
	if !s.read(w, r, &asked, "requestId, label and feedbackCategory as texts") {
		return
	}
	if err := oneOf("label", asked.Label, feedbackLabels); err != nil {
		s.fail(w, http.StatusBadRequest, "invalid-label", err.Error())
		return
	}
	if err := oneOf("feedbackCategory", asked.Category, feedbackCategories); err != nil {
		s.fail(w, http.StatusBadRequest, "invalid-feedback-category", err.Error())
		return
	}
	e, found := s.find(asked.RequestID)
	var about record
	if found {
		about = e.snapshot().record
	}
	if !found || !about.submitted() {
		s.fail(w, http.StatusBadRequest, "media-result-not-found", "Media result does not exist!")
		return
	}
	by := caller(r)
	if about.owner().institutionID != by.institutionID {
		s.fail(w, http.StatusForbidden, "feedback-not-authorized", "You are not authorized to create feedback for this media result!")
		return
	}
	kept := Feedback{
		ID: uuid.NewString(), UserID: by.id, RequestID: about.RequestID, InstitutionID: by.institutionID,
		Text: asked.Comment, Category: asked.Category, Label: asked.Label,
		UserName: by.name, UserEmail: by.email, OrgName: by.organisation,
		MediaType: about.MediaType, MediaViewURL: origin(r) + "/api/media/users/" + about.RequestID,
		MediaSource: "FILE", CreatedAt: date(s.now()),
	}
	if about.SocialLink != "" {
		kept.MediaSource = "SOCIAL"
	}
	if err := s.folder.saveFeedback(kept); err != nil {
		s.log.Error("a feedback can't be saved", "requestId", about.RequestID, "error", err)
		s.fail(w, http.StatusInternalServerError, "internal-error", "The sandbox could not save the feedback.")
		return
	}
	s.answer(w, http.StatusCreated, kept)
}

// Feedback reads all feedback that was ever given on this folder, the oldest first.
func (s *Sandbox) Feedback() ([]Feedback, error) {
	all, err := s.folder.feedback()
	slices.SortFunc(all, func(a, b Feedback) int { return strings.Compare(a.CreatedAt+a.ID, b.CreatedAt+b.ID) })
	return all, err
}

// oneOf refuses a value outside a list, with a sentence.
func oneOf(field, value string, allowed []string) error {
	if slices.Contains(allowed, value) {
		return nil
	}
	return sentence("The " + field + " is one of " + strings.Join(allowed, ", ") + ".")
}

func (f *folder) saveFeedback(kept Feedback) error {
	data, err := json.MarshalIndent(kept, "", "\t")
	if err != nil {
		return fmt.Errorf("encode the feedback: %w", err)
	}
	return f.write(path.Join(feedbackDir, kept.ID+".json"), data)
}

// feedback reads what was saved, in no order; its error names what could not be read.
func (f *folder) feedback() ([]Feedback, error) {
	listed, err := fs.ReadDir(f.root.FS(), feedbackDir)
	if err != nil {
		return nil, err
	}
	var all []Feedback
	var damaged error
	for _, file := range listed {
		var kept Feedback
		data, err := f.root.ReadFile(path.Join(feedbackDir, file.Name()))
		if err == nil {
			err = json.Unmarshal(data, &kept)
		}
		if err != nil {
			damaged = errors.Join(damaged, fmt.Errorf("%s: %w", file.Name(), err))
			continue
		}
		all = append(all, kept)
	}
	return all, damaged
}
