package client

import (
	"bytes"
	"context"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"math"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"

	"assay/client/i18n"
	"assay/client/plain"
)

// Kind says what went wrong in terms of what can be done about it.
type Kind string

// The kinds of an Error.
const (
	KindSetup   Kind = "setup"   // the address is unusable; nothing was sent
	KindKey     Kind = "key"     // the service did not accept the key
	KindNetwork Kind = "network" // no answer arrived: offline, name, proxy, certificate, reset
	KindStalled Kind = "stalled" // the transfer stopped moving
	KindBusy    Kind = "busy"    // 429 or 503: later
	KindService Kind = "service" // another 5xx
	KindRefused Kind = "refused" // a 4xx: asking again will not help
	KindExpired Kind = "expired" // a pre-signed URL was denied
	KindAnswer  Kind = "answer"  // an answer that is not what the interface promises
	KindFile    Kind = "file"    // the person's file could not be read
)

// Error is what every operation returns when it fails. It holds no key and no query of a signed URL.
type Error struct {
	Op         string        // what was tried: "ask for an upload address", …
	Kind       Kind          //
	Fault      Fault         // why more closely, or ""
	Status     int           // HTTP status, 0 where no answer arrived
	Code       plain.Text    // the service's own code, if it sent one
	Message    i18n.Message  // a sentence for the person: the service's own words where it sent some
	Hint       i18n.Message  // what the person can do, a sentence, or none
	RetryAfter time.Duration // what the service asked for, 0 where it did not
	Uncertain  bool          // the service may have done it all the same, and must not do it twice: look before asking again
	Err        error         // the cause, stripped of addresses
}

// Error says what was tried, the sentence and the cause, in a line.
func (e *Error) Error() string {
	var b strings.Builder
	b.WriteString("could not ")
	b.WriteString(e.Op)
	if e.Status != 0 {
		fmt.Fprintf(&b, " (status %d)", e.Status)
	}
	b.WriteString(": ")
	b.WriteString(e.Message.String())
	if e.Err != nil {
		fmt.Fprintf(&b, " [%v]", e.Err)
	}
	return plain.Line(b.String()) // a cause may quote what a server sent
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// UserMessage is the message with its hint.
func (e *Error) UserMessage() i18n.Message { return i18n.Sentences(e.Message, e.Hint) }

// Sentence is the message with its hint, for a row or a notice, in the language of the moment.
func (e *Error) Sentence() string { return e.UserMessage().String() }

// Temporary reports whether the same call may be made again later without the person doing anything: it may succeed
// then, and does nothing twice.
func (e *Error) Temporary() bool {
	if e.Uncertain {
		return false
	}
	switch e.Kind {
	case KindNetwork, KindStalled, KindBusy, KindService:
		return true
	}
	return false
}

// IsKind reports whether err is, or wraps, an Error of that kind.
func IsKind(err error, kind Kind) bool {
	var e *Error
	return errors.As(err, &e) && e.Kind == kind
}

// IsTemporary reports whether the same request may succeed later: its error says so, or a network's log-in page answered in the service's
// place.
func IsTemporary(err error) bool {
	var e *Error
	return errors.As(err, &e) && e.Temporary() || errors.Is(err, ErrPage)
}

// IsUnreachable reports whether the service was not reached: there is no network, or one whose log-in page answered instead.
func IsUnreachable(err error) bool { return IsKind(err, KindNetwork) || errors.Is(err, ErrPage) }

// PassesByItself reports whether an error is outlasted by waiting, however long that takes: it is no fault of the service.
func PassesByItself(err error) bool {
	return IsUnreachable(err) || IsKind(err, KindStalled) || IsKind(err, KindBusy)
}

// maxErrorBody is how much of an error's body is read for its message.
const maxErrorBody = 64 << 10

// keyHint is for the window and for subcommands alike.
func keyHint() i18n.Message { return i18n.M("Check the key in Settings, or with assay key.") }

// keyRefused is said where the service says nothing about it.
func keyRefused() i18n.Message { return i18n.M("The key was not accepted.") }

// statusError turns an unexpected answer of an operation under the base URL into an Error.
func statusError(op string, resp *http.Response, body []byte, now time.Time) *Error {
	e := &Error{Op: op, Status: resp.StatusCode, RetryAfter: retryAfter(resp.Header.Get("Retry-After"), now)}
	code, said := errorBody(body)
	e.Code, e.Message = code, i18n.Verbatim(said.String())
	switch {
	case resp.StatusCode == http.StatusUnauthorized || resp.StatusCode == http.StatusForbidden:
		e.Kind, e.Hint = KindKey, keyHint()
		if e.Message.IsZero() {
			e.Message = keyRefused()
		}
	case resp.StatusCode == http.StatusTooManyRequests || resp.StatusCode == http.StatusServiceUnavailable:
		e.Kind = KindBusy
	case resp.StatusCode >= 500:
		e.Kind = KindService
	case resp.StatusCode >= 400:
		e.Kind = KindRefused
	default:
		e.Kind = KindAnswer
	}
	if e.Message.IsZero() {
		e.Message = i18n.M("The service answered %d (%s).", resp.StatusCode, statusWords(resp.StatusCode))
	}
	return e
}

// refusal makes a 403 that says nothing about the key one that asking again will not help.
func refusal(e *Error, body []byte) *Error {
	e.Kind, e.Hint = KindRefused, i18n.Message{}
	if _, said := errorBody(body); said.IsZero() {
		e.Message = i18n.M("The service answered %d (%s).", e.Status, statusWords(e.Status))
	}
	return e
}

func statusWords(status int) i18n.Message {
	if text := http.StatusText(status); text != "" {
		return i18n.Verbatim(text)
	}
	return i18n.M("no standard meaning")
}

// errorBody reads whichever field of a JSON error body holds the code and the words:
// the services seen use code, response, message and error.
func errorBody(body []byte) (code, message plain.Text) { return errorBodyWithin(body, 3) }

// errorBodyWithin looks at most so many objects deep: a body of thousands would cost seconds.
func errorBodyWithin(body []byte, depth int) (code, message plain.Text) {
	if depth == 0 {
		return code, message
	}
	var fields map[string]json.RawMessage
	if json.Unmarshal(body, &fields) != nil {
		return code, message
	}
	text := func(name string) (text plain.Text) {
		if json.Unmarshal(fields[name], &text) != nil {
			return plain.Text{}
		}
		return text.Folded()
	}
	for _, name := range []string{"response", "message", "error", "detail"} {
		if message = text(name); !message.IsZero() {
			break
		}
		if inner, nested := errorBodyWithin(fields[name], depth-1); !nested.IsZero() {
			code, message = inner, nested
			break
		}
	}
	if own := text("code"); !own.IsZero() {
		code = own
	}
	return code, message
}

// How many runes of the service's words are kept.
const (
	longestCode    = 100
	longestMessage = 500
)

// transportError turns a failure without an answer into an Error, without the address it happened at.
func transportError(op string, err error) *Error {
	var own *Error
	if errors.As(err, &own) {
		return own
	}
	if errors.Is(err, context.Canceled) {
		return &Error{Op: op, Kind: KindNetwork, Message: i18n.M("Stopped."), Err: withoutURL(err)}
	}
	if errors.Is(err, errTooManyRedirects) {
		return &Error{Op: op, Kind: KindAnswer, Fault: FaultAddress, Err: withoutURL(err),
			Message: i18n.M("The service sent us in a circle."), Hint: i18n.M("Check the service's address.")}
	}
	e := &Error{Op: op, Kind: KindNetwork, Fault: faultOf(err), Err: withoutURL(err)}
	var (
		dns  *net.DNSError
		away *redirectedAway
	)
	switch e.Fault {
	case FaultPage:
		errors.As(err, &away)
		e.Kind = KindAnswer
		e.Message = i18n.M("The service sent us to another host (%s); Assay does not follow, to keep the key safe.", away.host.Clip(longestName))
		if away.host.IsZero() {
			e.Message = i18n.M("The service sent us to something that is not a web address; Assay does not follow.")
		}
		e.Hint = i18n.M("A network log-in page does this: open a web page first. Or check the service's address.")
	case FaultProxy, FaultProxyLogin:
		e.Message, e.Hint = proxyWords(err)
	case FaultCertificate:
		e.Message, e.Hint = certificateWords(err)
	case FaultTime:
		e.Message = i18n.M("The service did not answer in time.")
	default:
		e.Message, e.Hint = i18n.M("The service could not be reached."), i18n.M("Check the network connection.")
		if errors.As(err, &dns) {
			e.Message, e.Hint = i18n.M("The service's name was not found."), i18n.M("Check the network connection and the service's address.")
		}
	}
	return e
}

// longestName is how many runes of a name that somebody else chose are shown.
const longestName = 80

// withoutURL unwraps *url.Error, whose text quotes the whole URL with its signature.
func withoutURL(err error) error {
	var u *url.Error
	for errors.As(err, &u) {
		err = u.Err
	}
	return err
}

// longestSaid is what a Retry-After of more than a Duration holds is read as.
const longestSaid = time.Duration(math.MaxInt64)

func retryAfter(header string, now time.Time) time.Duration {
	if header == "" {
		return 0
	}
	switch d, err := time.ParseDuration(header + "s"); {
	case err == nil && d > 0:
		return d
	case err != nil && strings.Trim(header, "0123456789") == "":
		return longestSaid
	}
	if at, err := http.ParseTime(header); err == nil && at.After(now) {
		return at.Sub(now)
	}
	return 0
}

// storageError is the Error of an answer of object storage other than 2xx. A denial is KindExpired, whatever its words:
// storages say it with 403, 401 and 400. A 400 that names another cause is judged by that.
func (c *Client) storageError(op string, resp *http.Response, body []byte) *Error {
	e := statusError(op, resp, body, c.now())
	e.Hint = i18n.Message{}
	code, message := storageBody(body)
	if !code.IsZero() {
		e.Code, e.Message = code, storageMessage(message, e.Message)
	}
	switch resp.StatusCode {
	case http.StatusBadRequest, http.StatusUnauthorized, http.StatusForbidden:
		switch code.Verbatim() {
		case "EntityTooLarge", "EntityTooSmall", "InvalidRequest":
			e.Kind = KindRefused
		case "RequestTimeout", "IncompleteBody", "BadDigest":
			e.Kind = KindNetwork
		default:
			e.Kind, e.Message = KindExpired, i18n.M("The address for the transfer was denied: it may have expired.")
			if op == opArtifact {
				e.Message = i18n.M("The service's storage does not hand it out.") // a fresh link was tried
			}
		}
	}
	return e
}

// storageBody reads the XML that object storage says an error with.
func storageBody(body []byte) (code, message plain.Text) {
	var answer struct {
		XMLName xml.Name   `xml:"Error"`
		Code    plain.Text `xml:"Code"`
		Message plain.Text `xml:"Message"`
	}
	if !bytes.Contains(body, []byte("<Error")) || xml.Unmarshal(body, &answer) != nil {
		return code, message
	}
	return answer.Code.Folded(), answer.Message.Folded()
}

func storageMessage(own plain.Text, fallback i18n.Message) i18n.Message {
	if own.IsZero() {
		return fallback
	}
	return i18n.M("Storage says: %s", own)
}
