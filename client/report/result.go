// Package report makes the reports that leave Assay: a model of each result, made from the records and client/verdict's words, and the formats
// that it is written in. All formats state the same. It imports the packages of client that store results and put them into words.
package report

import (
	"encoding/json"
	"errors"
	"strings"
	"time"

	"assay/client"
	"assay/client/custody"
	"assay/client/i18n"
	"assay/client/plain"
	"assay/client/store"
	"assay/client/submission"
	"assay/client/verdict"
)

// SchemaResult is the schema name of a Result as JSON, which client/report/result.schema.json describes.
const SchemaResult = "assay.result/1"

// Result is the report of one result. Sentences are in the person's language, numbers are as the service sent them, and an absent value is
// null or omitted, never zero. Times are UTC. It has no paths of files on this computer.
type Result struct {
	Schema      string            `json:"schema"` // SchemaResult
	ID          string            `json:"id"`     // Assay's own
	RequestID   string            `json:"requestId"`
	Name        string            `json:"name"`
	NeutralName bool              `json:"neutralName,omitempty"` // Name is not the one that was given; nor is Link, and the answer is left out if it has it
	SentAs      string            `json:"sentAs,omitempty"`      // the name that the service received, if it differs
	Link        string            `json:"link,omitempty"`        // instead of a file
	Type        client.MediaType  `json:"type,omitempty"`
	Bytes       int64             `json:"bytes,omitempty"`      // of the file
	SHA256      string            `json:"sha256,omitempty"`     // of the file, hex
	SentSHA256  string            `json:"sentSha256,omitempty"` // of the copy that was sent instead
	SentFormat  string            `json:"sentFormat,omitempty"` // of that copy, where it is not the file's
	Copy        string            `json:"copy,omitempty"`       // which copy was analysed, in words
	Removed     []string          `json:"removed,omitempty"`    // the kinds of metadata that the copy lacks
	Source      submission.Source `json:"source"`
	AnsweredBy  *Colleague        `json:"answeredBy,omitempty"` // whose answer it is, where a colleague shared it: nothing was sent
	Graphic     bool              `json:"graphic,omitempty"`    // the person marked it as disturbing

	Service string `json:"service"`          // its address, or "sandbox"
	Remark  string `json:"remark,omitempty"` // the note that must accompany each result of the sandbox

	Status      client.Status `json:"status"` // as sent
	Provisional bool          `json:"provisional"`
	Verdict     string        `json:"verdict"`
	Sentence    string        `json:"sentence"` // what the verdict means, and its limits
	// Contradiction explains how the answer's own fields contradict each other; the verdict then says no more than that.
	Contradiction string   `json:"contradiction,omitempty"`
	Score         *Number  `json:"score"` // the ensemble's, 0..100
	Agreement     string   `json:"agreement"`
	Reasons       []Reason `json:"reasons,omitempty"`
	Languages     []string `json:"languages,omitempty"`
	Models        []Model  `json:"models"`
	Release       string   `json:"releaseVersion,omitempty"`

	Accepted time.Time `json:"accepted,omitzero"` // by Assay
	Uploaded time.Time `json:"uploaded,omitzero"`
	Answered time.Time `json:"answered,omitzero"`

	Feedback []Feedback `json:"feedback,omitempty"` // the desk's own
	Note     string     `json:"note,omitempty"`     // the person's own
	Tags     []string   `json:"tags,omitempty"`     // likewise

	Answers        []Answer        `json:"answers"`                  // all that the service gave for this submission; the last one is Answer
	Later          []Later         `json:"later,omitempty"`          // what the service said of the same content afterwards, the oldest first
	ReceivedSHA256 string          `json:"receivedSha256,omitempty"` // of the last one before the queries of its links were removed
	Answer         json.RawMessage `json:"answer"`                   // as stored, apart from white space

	// Those below are read by addEvidence: tables and lines of .ndjson do not have them.
	File      *File      `json:"file,omitempty"`
	Timelines []Timeline `json:"timelines,omitempty"`

	log      store.LogStatus // the custody log as it is now
	unplaced []string        // sentences: what has no place in Timelines
	entries  []custody.Entry // of this submission, the first one first
	evidence *evidence
}

// Number is a number as the service sent it, and the path of its field in Answer.
type Number struct {
	Value json.Number `json:"value"`
	Field string      `json:"field"`
}

// Model is one model's part.
type Model struct {
	Name          string  `json:"name"`
	Status        string  `json:"status"` // as sent
	Applies       bool    `json:"applies"`
	Ensemble      bool    `json:"ensemble,omitempty"`
	Score         *Number `json:"score"` // normalised, 0..100
	Raw           *Raw    `json:"raw"`   // before normalisation, on the model's own scale
	Decision      string  `json:"decision,omitempty"`
	Contradiction string  `json:"contradiction,omitempty"`
	Failure       string  `json:"failure,omitempty"` // code and message, as sent
	failed        string  // the same as a sentence
}

// Colleague is somebody at the desk whose answer it is.
type Colleague struct {
	Name string    `json:"name"`
	At   time.Time `json:"at,omitzero"` // when they had it
}

// Raw is a model's own value as it was sent: JSON of any kind.
type Raw struct {
	Sent  string `json:"sent"`
	Field string `json:"field"`
}

// Reason is why something could not be assessed, and what to do about it.
type Reason struct {
	Code     string `json:"code,omitempty"`
	Message  string `json:"message"`
	NextStep string `json:"nextStep,omitempty"`
	Own      bool   `json:"-"` // Message is a sentence of Assay's
}

// Feedback is the desk's own judgement of the media, and whether the service has received it.
type Feedback struct {
	Label    client.Label        `json:"label"`
	Category client.Category     `json:"category"`
	Comment  string              `json:"comment,omitempty"`
	Given    time.Time           `json:"given,omitzero"`
	State    store.FeedbackState `json:"state"`
	Sent     time.Time           `json:"sent,omitzero"`
}

// Answer is one of the service's answers.
type Answer struct {
	At          time.Time     `json:"at,omitzero"`
	ServiceDate time.Time     `json:"serviceDate,omitzero"` // by the service's own clock: the Date header of its answer
	Status      client.Status `json:"status"`
	Release     string        `json:"releaseVersion,omitempty"`
	SHA256      string        `json:"sha256"` // of its JSON as stored, hex
}

// Service is where results come from.
type Service struct {
	Address string // of the service
	Sandbox bool   // it is the one built into Assay
}

// ErrNoAnswer is beneath the Error of a submission without an answer.
var ErrNoAnswer = errors.New("there is no answer yet")

// Error is why there is no report, in a sentence for the person.
type Error struct {
	Text string
	Err  error // the cause; nil for none
}

// Error implements error.
func (e *Error) Error() string { return e.Text }

// Sentence is what the person reads.
func (e *Error) Sentence() string { return e.Text }

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// resultOf turns a submission with an answer into a Result.
func resultOf(sub submission.Submission, service Service) *Result {
	v := verdict.Of(sub.Result)
	r := &Result{
		Schema: SchemaResult, ID: sub.ID, RequestID: sub.RequestID, Name: sub.Name, Link: sub.Link, Type: sub.Type, Bytes: sub.Size, SHA256: sub.SHA256,
		SentSHA256: sub.Copy.SHA256, SentFormat: sub.Copy.Format, Copy: custody.CopyWords(sub), Source: sub.Source, Graphic: sub.Graphic, Service: service.Address,
		Status: v.Status, Provisional: v.Provisional, Verdict: v.Headline, Sentence: v.Sentence, Contradiction: v.Contradiction,
		Score: numberOf(v.Score), Agreement: v.Agreement, Languages: v.Languages, Release: v.Release, Models: []Model{},
		Accepted: utc(sub.Accepted), Uploaded: utc(sub.Uploaded), Answered: utc(sub.Answered),
		Note: sub.Note, Tags: sub.Tags, Answers: []Answer{},
	}
	if by := sub.AnsweredBy; by.Name != "" {
		r.AnsweredBy = &Colleague{Name: plain.From(by.Name).Folded().String(), At: utc(by.At)}
	}
	if sub.SendName != sub.Name && r.AnsweredBy == nil {
		r.SentAs = sub.SendName
	}
	if sub.Copy.Removed != "" {
		r.Removed = strings.Split(sub.Copy.Removed, ",")
	}
	if service.Sandbox {
		r.Service, r.Remark = "sandbox", i18n.T(verdict.SandboxNote)
	}
	for _, reason := range v.Reasons {
		r.Reasons = append(r.Reasons, Reason(reason))
	}
	for _, m := range sub.Result.Models {
		r.Models = append(r.Models, modelOf(m))
	}
	return r
}

func modelOf(m client.Model) Model {
	model := Model{
		Name: verdict.ModelName(m), Status: plain.From(string(m.Status)).String(), Applies: m.Applies(), Ensemble: m.IsEnsemble(),
		Score: numberOf(verdict.ModelScore(m)), Decision: m.Decision().Clip(longestID).String(), Contradiction: verdict.ModelContradiction(m),
	}
	if field, sent := verdict.RawScore(m); field != "" {
		model.Raw = &Raw{Sent: sent, Field: field}
	}
	failure := verdict.ModelFailure(m)
	model.Failure, model.failed = strings.Trim(failure.Code+": "+failure.Message, ": "), failure.Said()
	return model
}

func numberOf(n *verdict.Number) *Number {
	if n == nil {
		return nil
	}
	return &Number{Value: json.Number(n.Sent), Field: n.Field}
}

// answerOf is the answer's JSON without the queries of its links, which grant access to their targets: records of earlier versions still have them.
func answerOf(r *client.Result) json.RawMessage {
	if raw := client.Shareable(r.Raw); len(raw) > 0 {
		return json.RawMessage(raw)
	}
	return json.RawMessage("null")
}

// utc converts a time to UTC; the zero time stays zero.
func utc(t time.Time) time.Time {
	if t.IsZero() {
		return t
	}
	return t.UTC()
}
