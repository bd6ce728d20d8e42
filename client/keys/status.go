package keys

// Where is where the secret that serves comes from.
type Where int

// The places.
const (
	Nowhere         Where = iota // there is none
	InKeychain                   // and in memory
	ForThisRun                   // in memory alone: KeepForThisRun
	FromEnvironment              // ASSAY_API_KEY
)

// Status is how it stands with one secret. It holds no part of it.
type Status struct {
	Where Where
	// Problem is what stood in the way when the keychain was last asked, or of cause Waiting; nil: nothing. It is never Missing.
	Problem *Problem
	// Waiting says that what the keychain was asked for is done once it opens: it may be asking the person, or it is locked and the
	// ring looks until it is not.
	Waiting bool
}

// secret is what a Ring has of one account. The ring's mu guards it.
type secret struct {
	account     string
	environment string // serves in place of all else; or ""
	thisRun     string // serves in place of what is kept; or ""
	kept        string // what the keychain has, as far as is known; or ""
	problem     *Problem
	late        int // requests that the keychain has not answered within the ring's patience
	cleared     int // how often: what was asked before counts no longer
}

// serves is the secret that serves, and where it is from.
func (s *secret) serves() (string, Where) {
	switch {
	case s.environment != "":
		return s.environment, FromEnvironment
	case s.thisRun != "":
		return s.thisRun, ForThisRun
	case s.kept != "":
		return s.kept, InKeychain
	}
	return "", Nowhere
}

// waits is the problem of all that is late. It has no words of a keychain, so that one serves for all.
var waits = &Problem{Cause: Waiting}

// status is what the secret's owner is told; looking: the ring looks until the keychain is open.
func (s *secret) status(looking bool) Status {
	_, where := s.serves()
	is := Status{Where: where, Problem: s.problem, Waiting: s.late > 0}
	switch {
	case is.Waiting:
		is.Problem = waits
	case s.problem != nil:
		is.Waiting = s.problem.Cause == Locked && looking
	}
	return is
}
