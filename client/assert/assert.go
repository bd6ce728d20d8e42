// Package assert is what tests assert, in the same words everywhere. It imports the standard library and go-cmp.
package assert

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// NoError ends the test where there is an error.
func NoError(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// Equal says that the test failed where got is not what is wanted, and what differs.
func Equal[T any](t testing.TB, want, got T, options ...cmp.Option) {
	t.Helper()
	if diff := cmp.Diff(want, got, options...); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

// True says that the test failed where a condition does not hold; format and args say what is the case instead.
func True(t testing.TB, holds bool, format string, args ...any) {
	t.Helper()
	if !holds {
		t.Errorf(format, args...)
	}
}
