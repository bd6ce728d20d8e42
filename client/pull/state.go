package pull

import (
	"errors"
	"time"

	"assay/client"
	"assay/client/i18n"
)

// Phase is what a Puller does.
type Phase string

// The phases.
const (
	Idle    Phase = "idle"    // none is under way; the last one came to its end or was stopped
	Running Phase = "running" //
	Failed  Phase = "failed"  // the last one broke off: State.Problem says why, Start goes on with it
)

// State is how a pull stands.
type State struct {
	Phase      Phase
	All        bool // it was asked to begin from the beginning
	Found      int  // results seen on the service, each once
	Added      int  // of these, those that were not here and are now
	Unfinished int  // of these, those that were handed over to be waited for
	Skipped    int  // entries without an identifier: nothing can be done with them

	Stopped bool      // it was ended by Stop or Close before it came to its end
	Began   time.Time // zero: there was none in this run
	Ended   time.Time // zero while one is under way
	Problem string    // a sentence for the person, where Phase is Failed
}

// sentence is what a person reads of an error.
func sentence(err error) string {
	var (
		disk    *storeError
		service *client.Error
	)
	switch {
	case errors.As(err, &disk):
		return i18n.T("Your uploads on the service could not be written down on this computer. Check that its disk has room.")
	case errors.As(err, &service):
		return service.Sentence()
	}
	return i18n.F("Something unexpected went wrong: %s", err.Error())
}

// storeError is a failure of the store, not of the service.
type storeError struct{ error }

func (s *storeError) Unwrap() error { return s.error }

func ofStore(err error) error {
	if err == nil {
		return nil
	}
	return &storeError{err}
}
