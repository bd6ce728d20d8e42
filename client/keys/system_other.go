//go:build !linux && !windows && !darwin

package keys

func ready() error { return nil }

func systemCause(error) Cause { return Refused }
