package sandbox

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Operation names an operation that a Fault concerns.
type Operation string

// The operations, in the interface's order.
const (
	OpUploadURL Operation = "upload-url"
	OpPut       Operation = "put"
	OpSocial    Operation = "social"
	OpResult    Operation = "result"
	OpList      Operation = "list"
	OpFeedback  Operation = "feedback"
	OpArtifact  Operation = "artifact"
	OpAny       Operation = "any" // all of them
)

// Effect is what a Fault does to a call.
type Effect string

// The effects. Those up to EffectExpired fit every operation for which they make sense; the others change the shape of an answer.
const (
	EffectStatus   Effect = "status"   // answers Fault.Status instead; written as the number itself
	EffectReset    Effect = "reset"    // resets the connection, after Fault.After bytes of the request's body
	EffectStall    Effect = "stall"    // answers nothing until the server closes, or goes on after Fault.For
	EffectTruncate Effect = "truncate" // breaks off in the middle of the answer
	EffectExpired  Effect = "expired"  // put, artifact: the link is denied; elsewhere: the links in the answer have expired

	EffectIDInside      Effect = "id-inside"      // upload-url, social: requestId only inside response
	EffectIDMissing     Effect = "id-missing"     // upload-url, social: no requestId
	EffectBareList      Effect = "bare-list"      // list: an array without an envelope
	EffectOldList       Effect = "old-list"       // list: {data, totalPages}, pages from 1
	EffectPagesFrom1    Effect = "pages-from-1"   // list
	EffectUnknownStatus Effect = "unknown-status" // result, list: overallStatus PROCESSING
	EffectNullSummary   Effect = "null-summary"   // result, list: resultsSummary null
	EffectObjectScore   Effect = "object-score"   // result, list: predictionNumber {reason, decision}
	EffectTextBool      Effect = "text-bool"      // result, list: showAudioResult "True" or "False"
	EffectNoOriginal    Effect = "no-original"    // result, list: storageLocation empty, as after a retention policy
	EffectNoThumbnail   Effect = "no-thumbnail"   // result, list: thumbnail empty
)

// Fault makes some calls of an operation go wrong, so that a client can be tested. Which calls depends on counting alone: the same calls in the same
// order always meet the same faults.
type Fault struct {
	Operation Operation
	Effect    Effect

	// From and To are the first and the last call that it concerns, counted from 1 for this fault; To 0 is no end, and both 0 is every call. With
	// Every over 1, only each k-th of them, the k-th being the first.
	From, To, Every int

	Status     int           // EffectStatus: 400 to 599
	RetryAfter time.Duration // EffectStatus: whole seconds to announce in Retry-After; 0 for none
	RetryDate  bool          // EffectStatus: Retry-After as a date
	Body       string        // EffectStatus: "" or response (the usual JSON), message or error (its words in that field), html, empty
	After      int64         // EffectReset: bytes of the request's body that are read first
	For        time.Duration // EffectStall: 0 is until the server closes
}

// FaultGrammar explains ParseFault's texts, for a help page.
const FaultGrammar = `OPERATION:EFFECT[@CALLS][,name=value…]
  OPERATION  upload-url, put, social, result, list, feedback, artifact, any
  CALLS      2 (the second call), 2-4, 2- (from the second on), /3 (each third); without it, every call
  EFFECT     400…599         this status; retry-after=SECONDS, retry-date=SECONDS (as a date),
                             body=response|message|error|html|empty
             reset           the connection is reset; after=BYTES of the request's body
             stall           no answer; for=DURATION (such as 2s) and then the answer
             truncate        half of the answer
             expired         put, artifact: the link has expired; else: the links in the answer have
             id-inside, id-missing                        upload-url, social
             bare-list, old-list, pages-from-1            list
             unknown-status, null-summary, object-score   result, list
             text-bool, no-original, no-thumbnail         result, list`

// fits are the operations for which an effect makes sense; an effect that is not here fits all.
var fits = map[Effect][]Operation{
	EffectExpired:       {OpUploadURL, OpPut, OpResult, OpList, OpArtifact},
	EffectIDInside:      {OpUploadURL, OpSocial},
	EffectIDMissing:     {OpUploadURL, OpSocial},
	EffectBareList:      {OpList},
	EffectOldList:       {OpList},
	EffectPagesFrom1:    {OpList},
	EffectUnknownStatus: {OpResult, OpList},
	EffectNullSummary:   {OpResult, OpList},
	EffectObjectScore:   {OpResult, OpList},
	EffectTextBool:      {OpResult, OpList},
	EffectNoOriginal:    {OpResult, OpList},
	EffectNoThumbnail:   {OpResult, OpList},
}

var (
	operations = []Operation{OpUploadURL, OpPut, OpSocial, OpResult, OpList, OpFeedback, OpArtifact, OpAny}
	general    = []Effect{EffectStatus, EffectReset, EffectStall, EffectTruncate}
	bodies     = []string{"", "response", "message", "error", "html", "empty"}
)

// ParseFault reads a fault such as "result:503@2,retry-after=1"; see FaultGrammar. Its error is a sentence.
func ParseFault(text string) (Fault, error) {
	parts := strings.Split(text, ",")
	head, calls, hasCalls := strings.Cut(parts[0], "@")
	operation, effect, hasEffect := strings.Cut(head, ":")
	if !hasEffect {
		return Fault{}, badFault(text, "it is written OPERATION:EFFECT, such as result:503@2.")
	}
	f := Fault{Operation: Operation(operation), Effect: Effect(effect)}
	if status, err := strconv.Atoi(effect); err == nil {
		f.Effect, f.Status = EffectStatus, status
	}
	if hasCalls {
		if err := f.readCalls(calls); err != nil {
			return Fault{}, badFault(text, err.Error())
		}
	}
	for _, part := range parts[1:] {
		name, value, _ := strings.Cut(part, "=")
		if err := f.set(name, value); err != nil {
			return Fault{}, badFault(text, err.Error())
		}
	}
	if err := f.check(); err != nil {
		return Fault{}, badFault(text, err.Error())
	}
	return f, nil
}

func badFault(text, words string) error {
	return fmt.Errorf("the fault %q can't be used: %s", text, words)
}

const errCalls = sentence("the calls after @ are a number from 1, a span such as 2-4 or 2-, or a share such as /3.")

// readCalls parses what follows the @.
func (f *Fault) readCalls(text string) (err error) {
	if share, isShare := strings.CutPrefix(text, "/"); isShare {
		f.Every, err = strconv.Atoi(share)
		if err != nil || f.Every < 1 {
			return errCalls
		}
		return nil
	}
	from, to, isSpan := strings.Cut(text, "-")
	f.From, err = strconv.Atoi(from)
	if err != nil || f.From < 1 {
		return errCalls
	}
	switch {
	case !isSpan:
		f.To = f.From
	case to != "":
		if f.To, err = strconv.Atoi(to); err != nil || f.To < f.From {
			return errCalls
		}
	}
	return nil
}

// set parses one name=value.
func (f *Fault) set(name, value string) error {
	switch {
	case f.Effect == EffectStatus && (name == "retry-after" || name == "retry-date"):
		seconds, err := strconv.Atoi(value)
		if err != nil || seconds < 1 {
			return sentence(name + " is a number of seconds from 1.")
		}
		f.RetryAfter, f.RetryDate = time.Duration(seconds)*time.Second, name == "retry-date"
	case f.Effect == EffectStatus && name == "body":
		f.Body = value
	case f.Effect == EffectReset && name == "after":
		n, err := strconv.ParseInt(value, 10, 64)
		if err != nil || n < 0 {
			return sentence("after is a number of bytes.")
		}
		f.After = n
	case f.Effect == EffectStall && name == "for":
		d, err := time.ParseDuration(value)
		if err != nil || d <= 0 {
			return sentence("for is a duration such as 2s.")
		}
		f.For = d
	default:
		return sentence(fmt.Sprintf("%s takes no %q.", f.Effect, name))
	}
	return nil
}

// check returns a sentence if the fault makes no sense.
func (f Fault) check() error {
	where, special := fits[f.Effect]
	switch {
	case !slices.Contains(operations, f.Operation):
		return sentence(fmt.Sprintf("%q is no operation.", f.Operation))
	case !special && !slices.Contains(general, f.Effect):
		return sentence(fmt.Sprintf("%q is no effect.", f.Effect))
	case f.Effect == EffectStatus && (f.Status < 400 || f.Status > 599):
		return sentence("the status is from 400 to 599.")
	case !slices.Contains(bodies, f.Body):
		return sentence("body is response, message, error, html or empty.")
	case special && f.Operation != OpAny && !slices.Contains(where, f.Operation):
		return sentence(fmt.Sprintf("%s does not fit %s.", f.Effect, f.Operation))
	}
	return nil
}

// fitsTo reports whether the fault concerns an operation.
func (f Fault) fitsTo(op Operation) bool {
	where, special := fits[f.Effect]
	return (f.Operation == op || f.Operation == OpAny) && (!special || slices.Contains(where, op))
}

// hits reports whether the fault concerns the n-th call, counted from 1.
func (f Fault) hits(n int) bool {
	return n >= f.From && (f.To == 0 || n <= f.To) && (f.Every < 2 || (n-max(f.From, 1)+1)%f.Every == 0)
}
