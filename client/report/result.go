// Package report is what is taken out of Assay: a model of each result, made of the records and of client/verdict's words, and the forms that it
// is written in. All forms say the same of a result. It imports the packages of client that keep results and put them into words.
package report

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
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

// SchemaResult names the form of a Result as JSON; client/report/result.schema.json describes it.
const SchemaResult = "assay.result/1"

// Result is what a report says of one result. Sentences are in the person's language, numbers are as the service sent them, and what is absent
// is null or left out: it is never zero. Times are UTC. Nothing in it says where on this computer a file lies.
type Result struct {
	Schema     string            `json:"schema"` // SchemaResult
	ID         string            `json:"id"`     // Assay's own
	RequestID  string            `json:"requestId"`
	Name       string            `json:"name"`
	SentAs     string            `json:"sentAs,omitempty"` // the name that the service got, where that is another
	Link       string            `json:"link,omitempty"`   // instead of a file
	Type       client.MediaType  `json:"type,omitempty"`
	Bytes      int64             `json:"bytes,omitempty"`      // of the file
	SHA256     string            `json:"sha256,omitempty"`     // of the file, hex
	SentSHA256 string            `json:"sentSha256,omitempty"` // of the copy without metadata that was sent in its place
	Removed    []string          `json:"removed,omitempty"`    // the kinds of what that copy does not have
	Source     submission.Source `json:"source"`

	Service string `json:"service"`          // its address, or "sandbox"
	Remark  string `json:"remark,omitempty"` // what must be said beside each result of the sandbox

	Status      client.Status `json:"status"` // as sent
	Provisional bool          `json:"provisional"`
	Verdict     string        `json:"verdict"`
	Sentence    string        `json:"sentence"` // what the verdict means, and what it can't say
	// Contradiction is what the answer's own fields say against each other: the verdict says no more than that they do.
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

	Answers        []Answer        `json:"answers"`                  // each that the service gave of this submission, the last one is Answer
	ReceivedSHA256 string          `json:"receivedSha256,omitempty"` // of the last one before the queries of its links were left out
	Answer         json.RawMessage `json:"answer"`                   // as kept; white space apart

	entries  []custody.Entry // what was done with it, first to last
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
	Raw           *Raw    `json:"raw"`   // before it was normalised, on a scale of the model's own
	Decision      string  `json:"decision,omitempty"`
	Contradiction string  `json:"contradiction,omitempty"`
	Failure       string  `json:"failure,omitempty"`
}

// Raw is a model's own value as it was sent, which may be JSON of any kind.
type Raw struct {
	Sent  string `json:"sent"`
	Field string `json:"field"`
}

// Reason is why something could not be assessed, and what to do about it.
type Reason struct {
	Code     string `json:"code,omitempty"`
	Message  string `json:"message"`
	NextStep string `json:"nextStep,omitempty"`
}

// Feedback is what the desk itself holds the media to be, and whether the service was told.
type Feedback struct {
	Label    client.Label        `json:"label"`
	Category client.Category     `json:"category"`
	Comment  string              `json:"comment,omitempty"`
	Given    time.Time           `json:"given,omitzero"`
	State    store.FeedbackState `json:"state"`
	Sent     time.Time           `json:"sent,omitzero"`
}

// Answer is one that the service gave.
type Answer struct {
	At      time.Time     `json:"at,omitzero"`
	Status  client.Status `json:"status"`
	Release string        `json:"releaseVersion,omitempty"`
	SHA256  string        `json:"sha256"` // of its JSON as it is kept, hex
}

// Service is where results come from.
type Service struct {
	Address string // of the service
	Sandbox bool   // it is the one built into Assay
}

// Error is why there is no report, in a sentence for the person.
type Error struct {
	Text string
	Err  error // beneath; nil for none
}

// Error implements error.
func (e *Error) Error() string { return e.Text }

// Sentence is what the person reads.
func (e *Error) Sentence() string { return e.Text }

// Unwrap is what lies beneath.
func (e *Error) Unwrap() error { return e.Err }

// Read makes the Result of a submission from its records. id is the service's, of a result, or Assay's own, of a submission: one that shows an
// earlier answer of the same content is reported as the submission that has it. One that is not known, or that has no answer, is an *Error.
func Read(ctx context.Context, records *store.Store, service Service, id string) (*Result, error) {
	sub, err := find(ctx, records, id)
	if err != nil {
		return nil, err
	}
	r := resultOf(sub, service)
	history, err := records.History(ctx, sub.ID)
	if err != nil {
		return nil, err
	}
	for _, change := range history {
		r.Answers = append(r.Answers, Answer{At: change.At.UTC(), Status: change.Status, Release: plain.From(change.Release).String(), SHA256: change.RawSHA256})
	}
	entries, err := records.Custody(ctx, sub.ID)
	if err != nil {
		return nil, err
	}
	r.entries, r.evidence = entries, &evidence{records, sub}
	for _, entry := range slices.Backward(entries) {
		if sums := entry.Sums(); entry.Event == custody.Answered && len(r.Answers) > 0 && sums.Kept == r.Answers[len(r.Answers)-1].SHA256 {
			r.ReceivedSHA256 = sums.Received
			break
		}
	}
	given, err := records.FeedbackOf(ctx, sub.RequestID)
	if err != nil {
		return nil, err
	}
	for _, f := range given {
		r.Feedback = append(r.Feedback, Feedback{Label: f.Label, Category: f.Category, Comment: f.Comment, Given: utc(f.Given), State: f.State, Sent: utc(f.Sent)})
	}
	return r, nil
}

// find is the submission whose answer an ID stands for.
func find(ctx context.Context, records *store.Store, id string) (submission.Submission, error) {
	known, err := records.ByRequest(ctx, []string{id})
	if err != nil {
		return submission.Submission{}, err
	}
	own, isRequest := known[id]
	if !isRequest {
		own = id
	}
	sub, ok, err := records.Get(ctx, own)
	if err == nil && ok && sub.Earlier != "" {
		sub, ok, err = records.Get(ctx, sub.Earlier)
	}
	switch {
	case err != nil:
		return sub, err
	case !ok:
		return sub, &Error{Text: i18n.F("No result with the ID %s is kept on this computer. assay list shows what the service has.", plain.From(id).Clip(longestID))}
	case sub.Result == nil:
		return sub, &Error{Text: i18n.F("%s has no answer yet: there is nothing to export.", plain.From(sub.Name))}
	}
	return sub, nil
}

// longestID is how many characters of an ID are shown that is not known.
const longestID = 200

// resultOf puts a submission with an answer into a Result.
func resultOf(sub submission.Submission, service Service) *Result {
	v := verdict.Of(sub.Result)
	r := &Result{
		Schema: SchemaResult, ID: sub.ID, RequestID: sub.RequestID, Name: sub.Name, Link: sub.Link, Type: sub.Type, Bytes: sub.Size, SHA256: sub.SHA256,
		SentSHA256: sub.Copy.SHA256, Source: sub.Source, Service: service.Address,
		Status: v.Status, Provisional: v.Provisional, Verdict: v.Headline, Sentence: v.Sentence, Contradiction: v.Contradiction,
		Score: numberOf(v.Score), Agreement: v.Agreement, Languages: v.Languages, Release: v.Release, Models: []Model{},
		Accepted: utc(sub.Accepted), Uploaded: utc(sub.Uploaded), Answered: utc(sub.Answered),
		Note: sub.Note, Answers: []Answer{}, Answer: answerOf(sub.Result),
	}
	if sub.SendName != sub.Name {
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
	code, message := m.FailureText()
	model.Failure = strings.Trim(code.String()+": "+message.String(), ": ")
	return model
}

func numberOf(n *verdict.Number) *Number {
	if n == nil {
		return nil
	}
	return &Number{Value: json.Number(n.Sent), Field: n.Field}
}

// answerOf is the answer's JSON without the queries of its links, which open what they lead to: those that an earlier Assay kept have them.
func answerOf(r *client.Result) json.RawMessage {
	if raw := client.Shareable(r.Raw); len(raw) > 0 {
		return json.RawMessage(raw)
	}
	return json.RawMessage("null")
}

// utc is a time in UTC; the zero time stays zero.
func utc(t time.Time) time.Time {
	if t.IsZero() {
		return t
	}
	return t.UTC()
}

// isSentence reports whether an error says already what the person reads.
func isSentence(err error) bool {
	var said interface{ Sentence() string }
	return errors.As(err, &said)
}
