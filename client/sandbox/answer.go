package sandbox

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"errors"
	"io"
	"mime"
	"net/http"
	"strconv"

	"github.com/google/uuid"
)

// apiError is the body of an error under /api/, in the shape seen at services of this kind.
type apiError struct {
	Code     string `json:"code"`
	Errno    int    `json:"errno"`
	Response string `json:"response"`
}

func (s *Sandbox) answer(w http.ResponseWriter, status int, body any) {
	var encoded bytes.Buffer
	encoder := json.NewEncoder(&encoded)
	encoder.SetEscapeHTML(false) // links keep their &, so that they can be copied
	if err := encoder.Encode(body); err != nil {
		s.log.Error("an answer can't be encoded", "error", err)
		s.fail(w, http.StatusInternalServerError, "internal-error", "The sandbox failed to encode its answer.")
		return
	}
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Content-Length", strconv.Itoa(encoded.Len()))
	w.Header().Set("Cache-Control", "no-store") // it holds signed links
	w.WriteHeader(status)
	_, _ = w.Write(encoded.Bytes()) // if the client has gone, nobody needs the answer
}

// maxRequest is the largest body under /api/ that is read, in bytes.
const maxRequest = 64 << 10

// read decodes a request's JSON object, or its form, with the fields that what names; where it is neither, read has answered. The interface has JSON
// alone, but a widely used client posts forms.
func (s *Sandbox) read(w http.ResponseWriter, r *http.Request, into any, what string) bool {
	var body bytes.Buffer
	_, err := body.ReadFrom(http.MaxBytesReader(w, r.Body, maxRequest))
	if err == nil && (json.Unmarshal(body.Bytes(), into) == nil || readForm(r, &body, into)) {
		return true
	}
	status := http.StatusBadRequest
	var tooLarge *http.MaxBytesError
	if errors.As(err, &tooLarge) {
		status = http.StatusRequestEntityTooLarge
	}
	s.fail(w, status, "invalid-request", "The request is neither a JSON object nor a form with "+what+".")
	return false
}

// readForm decodes a body that the request declares to be a form, each field a text, and reports whether it is one.
func readForm(r *http.Request, body io.Reader, into any) bool {
	kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	r.Body = io.NopCloser(body)
	switch {
	case err == nil && kind == "application/x-www-form-urlencoded":
		err = r.ParseForm()
	case err == nil && kind == "multipart/form-data":
		err = r.ParseMultipartForm(maxRequest)
	default:
		return false
	}
	fields := map[string]string{}
	for name := range r.PostForm {
		fields[name] = r.PostForm.Get(name)
	}
	object, failed := json.Marshal(fields)
	return err == nil && failed == nil && json.Unmarshal(object, into) == nil
}

// origin is the origin that the client of r called, such as http://127.0.0.1:41234.
func origin(r *http.Request) string {
	if r.TLS != nil {
		return "https://" + r.Host
	}
	return "http://" + r.Host
}

func (s *Sandbox) fail(w http.ResponseWriter, status int, code, words string) {
	s.answer(w, status, apiError{Code: code, Errno: 1, Response: words})
}

// storageFault is the body of an error of object storage.
type storageFault struct {
	XMLName   xml.Name `xml:"Error"`
	Code      string   `xml:"Code"`
	Message   string   `xml:"Message"`
	RequestID string   `xml:"RequestId"` // of this call, not of a submission
}

func (s *Sandbox) storageFail(w http.ResponseWriter, status int, code, words string) {
	body, err := xml.Marshal(storageFault{Code: code, Message: words, RequestID: uuid.NewString()})
	if err != nil {
		s.log.Error("an answer can't be encoded", "error", err)
	}
	w.Header().Set("Content-Type", "application/xml")
	w.WriteHeader(status)
	_, _ = w.Write(append([]byte(xml.Header), body...)) // if the client has gone, nobody needs the answer
}

// deny is storage's answer to a link that is expired, altered, or leads to nothing: it does not show which files exist.
func (s *Sandbox) deny(w http.ResponseWriter, words string) {
	s.storageFail(w, http.StatusForbidden, "AccessDenied", words)
}

// sentence is an error whose text is the answer's message.
type sentence string

// Error is the sentence.
func (e sentence) Error() string { return string(e) }
