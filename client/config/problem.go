package config

import (
	"errors"
	"strconv"

	"assay/client/i18n"
)

// errNotTrusted means that others could have written the administrators' file.
var errNotTrusted = errors.New("not the administrators' file")

// Invalid is the error for a value that a setting can't have. It quotes nothing of the value.
type Invalid struct {
	Key  Key
	Text string // a sentence for the person
}

func (e *Invalid) Error() string { return string(e.Key) + ": " + e.Text }

// Sentence is what the person reads.
func (e *Invalid) Sentence() string { return e.Text }

// Fixed is the error for a setting that can't be changed here.
type Fixed struct {
	Key Key
	By  Origin // LockUnread, Locked, ByFlag or ByEnvironment
}

func (e *Fixed) Error() string { return string(e.Key) + " is fixed" }

// Sentence is what the person reads.
func (e *Fixed) Sentence() string { return e.By.Sentence() }

// Sentence says why a setting can't be changed here; "" where it can.
func (o Origin) Sentence() string {
	switch o {
	case Locked:
		return i18n.T("Set by your organisation's IT.")
	case LockUnread:
		return i18n.T("The settings of this computer's administrators can't be read, so Assay asks first.")
	case ByFlag:
		return i18n.T("Set when Assay was started.")
	case ByEnvironment:
		return i18n.T("Set by an environment variable.")
	}
	return ""
}

// NotWritten is the error for a change that could not be written.
type NotWritten struct{ Err error }

func (e *NotWritten) Error() string { return "settings not written: " + e.Err.Error() }

// Unwrap returns the system's error.
func (e *NotWritten) Unwrap() error { return e.Err }

// Sentence is what the person reads.
func (e *NotWritten) Sentence() string {
	if errors.Is(e.Err, errBusy) {
		return i18n.T("Another Assay is changing the settings, so nothing was changed here. Try again in a moment.")
	}
	return i18n.T("The settings could not be written to the disk, so nothing was changed.")
}

// The sentences of Notices.

func saySetAside(as string) string {
	return i18n.F("The settings could not be read, so they were set aside as %s. Assay goes on with its defaults, and asks before anything leaves this computer.", as)
}

func sayNotRead() string {
	return i18n.T("The settings can't be read. Assay goes on with its defaults.")
}

func sayUnfit(key Key) string {
	return i18n.F("The setting %s can't be used. Assay goes on without it.", string(key))
}

func sayNotTrusted() string {
	return i18n.T("The settings of this computer's administrators are ignored, because somebody else may have written them.")
}

func sayManagedUnread() string {
	return i18n.T("The settings of this computer's administrators can't be read. Until they can, Assay asks before anything leaves this computer.")
}

func sayManagedUnfit(key Key, locked, gate bool) string {
	switch {
	case gate:
		return i18n.F("The setting %s of this computer's administrators can't be used. It is locked, so nothing that it applies to leaves this computer.", string(key))
	case locked:
		return i18n.F("The setting %s of this computer's administrators can't be used. It is locked, so Assay uses the default.", string(key))
	}
	return i18n.F("The setting %s of this computer's administrators can't be used. Assay ignores it.", string(key))
}

func sayLockUnknown(key Key) string {
	return i18n.F("This computer's administrators have locked %s, which this version of Assay does not have.", strconv.Quote(string(key)))
}

func unknownKey() string { return i18n.T("There is no such setting.") }
