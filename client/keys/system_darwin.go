package keys

import (
	"errors"
	"io/fs"
	"os/exec"
)

func ready() error { return nil }

// Exit codes of /usr/bin/security, which go-keyring runs: the last byte of the system's own codes.
const (
	interactionNotAllowed = 36 // errSecInteractionNotAllowed: locked, and nobody can be asked
	noDefaultKeychain     = 37 // errSecNoDefaultKeychain
	noSuchKeychain        = 50 // errSecNoSuchKeychain
	notAvailable          = 53 // errSecNotAvailable
)

func systemCause(err error) Cause {
	var exit *exec.ExitError
	switch {
	case errors.As(err, &exit):
		switch exit.ExitCode() {
		case interactionNotAllowed:
			return Locked
		case noDefaultKeychain, noSuchKeychain, notAvailable:
			return Absent
		}
	case errors.Is(err, exec.ErrNotFound), errors.Is(err, fs.ErrNotExist):
		return Absent
	}
	return Refused
}
