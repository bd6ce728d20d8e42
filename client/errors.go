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

// Kind classifies errors by what can be done about them.
type Kind string

// The kinds of an Error.
const (
	KindSetup   Kind = "setup"   // the address is unusable; nothing was sent
	KindKey     Kind = "key"     // the service did not accept the key
	KindNetwork Kind = "network" // no answer arrived: offline, name, proxy, certificate, reset
	KindStalled Kind = "stalled" // no byte of the transfer moved for too long
	KindBusy    Kind = "busy"    // 429 or 503: try later
	KindService Kind = "service" // another 5xx
	KindRefused Kind = "refused" // a 4xx: asking again will not help
	KindExpired Kind = "expired" // a pre-signed URL was denied
	KindAnswer  Kind = "answer"  // the answer is not what the interface promises
	KindFile    Kind = "file"    // the person's file could not be read
)

// Error is what every operation returns when it fails. It holds no key and no query of a signed URL.
type Error struct {
	Op         string        // the operation: "ask for an upload address", …
	Kind       Kind          //
	Fault      Fault         // the cause more closely, or ""
	Status     int           // HTTP status, 0 where no answer arrived
	Code       plain.Text    // the service's own code, if it sent one
	Message    i18n.Message  // a sentence for the person: the service's own words, quoted, where it sent some
	Hint       i18n.Message  // what the person can do, a sentence, or none
	RetryAfter time.Duration // what the service asked for, 0 where it did not
	Uncertain  bool          // the service may have done it all the same, and must not do it twice: find out before asking again
	Err        error         // the cause, without URLs
}

// Error is one line of the operation, the message and the cause.
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

// UserMessage is Message with Hint.
func (e *Error) UserMessage() i18n.Message { return i18n.Sentences(e.Message, e.Hint) }

// Sentence is UserMessage in the language of the moment, for a row or a notice.
func (e *Error) Sentence() string { return e.UserMessage().String() }

// Temporary reports whether the same call may succeed later without the person doing anything, and then does nothing twice.
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

// PassesByItself reports whether an error passes if one waits long enough: it is no fault of the service.
func PassesByItself(err error) bool {
	return IsUnreachable(err) || IsKind(err, KindStalled) || IsKind(err, KindBusy)
}

// maxErrorBody is how many bytes of an error's body are read for its message.
const maxErrorBody = 64 << 10

// keyHint is worded for the window and the subcommands alike.
func keyHint() i18n.Message { return i18n.M("Check the key in Settings, or with assay key.") }

// keyRefused is the message where the service gives none.
func keyRefused() i18n.Message { return i18n.M("The key was not accepted.") }

// statusError makes an Error of an unexpected status of an operation under the base URL.
func statusError(op string, resp *http.Response, body []byte, now time.Time) *Error {
	e := &Error{Op: op, Status: resp.StatusCode, RetryAfter: retryAfter(resp.Header.Get("Retry-After"), now)}
	code, said := errorBody(body)
	e.Code, e.Message = code, Says(said)
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

// refusal returns e, for a 403 that says nothing of the key, as one that asking again will not help.
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

// errorBody finds the code and the message in a JSON error body: services use the fields code, response, message and error.
func errorBody(body []byte) (code, message plain.Text) { return errorBodyWithin(body, 3) }

// errorBodyWithin looks at most depth objects deep: a body with thousands would take seconds.
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

// How many characters of the service's code and message are kept.
const (
	longestCode    = 100
	longestMessage = 500
)

// transportError makes an Error of a failure without an answer; it holds no URL.
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
			Message: i18n.M("The service redirects Assay in a loop."), Hint: i18n.M("Check the service's address.")}
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
		e.Message = i18n.M("The service redirects to another host (%s). Assay does not follow, to keep the key safe.", away.host.Clip(longestName))
		if away.host.IsZero() {
			e.Message = i18n.M("The service redirects to something that is not a web address. Assay does not follow.")
		}
		e.Hint = i18n.M("This can be a network's log-in page: open a web page in your browser first. Or check the service's address.")
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

// longestName is how many characters of a name from outside are shown.
const longestName = 80

// withoutURL unwraps *url.Error, whose text quotes the whole URL, signature included.
func withoutURL(err error) error {
	var u *url.Error
	for errors.As(err, &u) {
		err = u.Err
	}
	return err
}

// overflowRetryAfter is the value of a Retry-After that does not fit a Duration.
const overflowRetryAfter = time.Duration(math.MaxInt64)

func retryAfter(header string, now time.Time) time.Duration {
	if header == "" {
		return 0
	}
	switch d, err := time.ParseDuration(header + "s"); {
	case err == nil && d > 0:
		return d
	case err != nil && strings.Trim(header, "0123456789") == "":
		return overflowRetryAfter
	}
	if at, err := http.ParseTime(header); err == nil && at.After(now) {
		return at.Sub(now)
	}
	return 0
}

// storageError makes an Error of object storage's answer other than 2xx. A denial, which storages say with 403, 401 or 400, is KindExpired whatever
// its message. A 400 that names another cause is judged by that.
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
			e.Kind, e.Message = KindExpired, i18n.M("The service's storage refused the link for the transfer. It may have expired.")
			if op == opArtifact {
				e.Message = i18n.M("The service's storage refuses to send this file.") // a fresh link was denied, too
			}
		}
	}
	return e
}

// storageBody reads the XML of an object storage's error.
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
	if said := storageSays(own); !said.IsZero() {
		return said
	}
	return fallback
}
