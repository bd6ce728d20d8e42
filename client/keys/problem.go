package keys

import (
	"encoding/base64"
	"errors"
	"strings"

	"github.com/zalando/go-keyring"

	"assay/client/i18n"
)

// Cause is why a key can't be read or kept.
type Cause string

// The causes.
const (
	Missing  Cause = "missing"   // nothing is kept for this address
	Absent   Cause = "absent"    // no keychain answers here
	Locked   Cause = "locked"    // it was not unlocked: nobody could be asked, or the person declined
	Slow     Cause = "slow"      // no answer in time: it may be waiting for the person
	Refused  Cause = "refused"   // it refused, or something else failed
	TooLarge Cause = "too large" // the key is longer than this keychain takes
	Waiting  Cause = "waiting"   // no answer yet, and the call goes on: it may be waiting for the person (only a Ring returns this)
)

// Problem is why the keychain did not do what it was asked to. It never holds a key.
type Problem struct {
	Cause Cause
	Err   error // the keychain's own error, or nil
}

// Error names the cause, and quotes the keychain's error.
func (p *Problem) Error() string {
	text := "keychain: " + string(p.Cause)
	if p.Err != nil {
		text += ": " + p.Err.Error()
	}
	return text
}

// Unwrap returns the keychain's own error.
func (p *Problem) Unwrap() error { return p.Err }

// Sentence is what the person reads.
func (p *Problem) Sentence() string {
	switch p.Cause {
	case Missing:
		return i18n.T("No key is saved for this service.")
	case Absent:
		return i18n.T("This computer has no keychain that Assay can use.")
	case Locked:
		return i18n.T("The keychain is locked: unlock it and try again.")
	case Slow:
		return i18n.T("The keychain did not answer in time. It may be waiting for you to unlock it. Unlock it and try again.")
	case Waiting:
		return i18n.T("The keychain has not answered yet. It may be waiting for you to unlock it. Assay goes on as soon as it is unlocked.")
	case TooLarge:
		return i18n.T("The key is too long for this computer's keychain.")
	}
	return i18n.T("The keychain refused.")
}

// IsProblem reports whether err is, or wraps, a Problem of that cause.
func IsProblem(err error, cause Cause) bool {
	var p *Problem
	return errors.As(err, &p) && p.Cause == cause
}

// problem makes a Problem of a backend's error, without the secret.
func problem(err error, secret string) *Problem {
	var own *Problem
	if errors.As(err, &own) {
		return &Problem{Cause: own.Cause, Err: without(own.Err, secret)}
	}
	p := &Problem{Err: without(err, secret)}
	switch {
	case errors.Is(err, keyring.ErrNotFound):
		p.Cause = Missing
	case errors.Is(err, keyring.ErrSetDataTooBig):
		p.Cause = TooLarge
	case errors.Is(err, keyring.ErrUnsupportedPlatform):
		p.Cause = Absent
	default:
		p.Cause = systemCause(err)
	}
	return p
}

// without is err, or if its text holds the secret an error of its text without it, also in the form in which the secret is passed on macOS.
func without(err error, secret string) error {
	if err == nil || secret == "" {
		return err
	}
	text := err.Error()
	clean := text
	for _, form := range []string{secret, base64.StdEncoding.EncodeToString([]byte(secret))} {
		clean = strings.ReplaceAll(clean, form, "…")
	}
	if clean == text {
		return err
	}
	return errors.New(clean) // the causes of err would hold it again
}
