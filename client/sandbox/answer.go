package sandbox

import (
	"encoding/json"
	"encoding/xml"
	"net/http"

	"github.com/google/uuid"
)

// apiError is the body of an error under /api/, of the shape seen at services of this kind.
type apiError struct {
	Code     string `json:"code"`
	Errno    int    `json:"errno"`
	Response string `json:"response"`
}

func (s *Sandbox) answer(w http.ResponseWriter, status int, body any) {
	encoded, err := json.Marshal(body)
	if err != nil {
		s.log.Error("an answer can't be encoded", "error", err)
		s.fail(w, http.StatusInternalServerError, "internal-error", "The sandbox failed to encode its answer.")
		return
	}
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store") // signed links live in it
	w.WriteHeader(status)
	_, _ = w.Write(encoded) // a client that has gone needs no answer
}

func (s *Sandbox) fail(w http.ResponseWriter, status int, code, words string) {
	s.answer(w, status, apiError{Code: code, Errno: 1, Response: words})
}

// storageFault is the body of an error of object storage.
type storageFault struct {
	XMLName   xml.Name `xml:"Error"`
	Code      string   `xml:"Code"`
	Message   string   `xml:"Message"`
	RequestID string   `xml:"RequestId"` // of this exchange, not of a submission
}

func (s *Sandbox) storageFail(w http.ResponseWriter, status int, code, words string) {
	body, err := xml.Marshal(storageFault{Code: code, Message: words, RequestID: uuid.NewString()})
	if err != nil {
		s.log.Error("an answer can't be encoded", "error", err)
	}
	w.Header().Set("Content-Type", "application/xml")
	w.WriteHeader(status)
	_, _ = w.Write(append([]byte(xml.Header), body...)) // a client that has gone needs no answer
}

// deny is storage's answer to a link that is expired, altered, or leads to nothing: it does not say which files exist.
func (s *Sandbox) deny(w http.ResponseWriter, words string) {
	s.storageFail(w, http.StatusForbidden, "AccessDenied", words)
}

// sentence is an error whose text is the answer's words.
type sentence string

// Error is the sentence.
func (e sentence) Error() string { return string(e) }
