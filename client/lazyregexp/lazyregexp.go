// Package lazyregexp has regular expressions that are compiled at their first use: a start does not pay for those it never needs. It imports the
// standard library alone.
package lazyregexp

import (
	"regexp"
	"sync"
)

// New returns what compiles expr once, at the first call.
func New(expr string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expr) })
}
