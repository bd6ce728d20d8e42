package submission

// Gate is what the source of a submission says of whether it may leave this computer.
type Gate string

// The gates.
const (
	GateSend  Gate = ""      // it is sent
	GateAsk   Gate = "ask"   // it is sent once the person has allowed it
	GateNever Gate = "never" // it never leaves
)

// Stricter is the one of two gates that lets less out.
func Stricter(one, other Gate) Gate {
	for _, g := range []Gate{GateNever, GateAsk} {
		if one == g || other == g {
			return g
		}
	}
	return GateSend
}

// MayLeave reports whether the bytes of a submission, as they were hashed, may leave this computer.
func (s *Submission) MayLeave() bool {
	switch s.Gate {
	case GateSend:
		return true
	case GateAsk:
		return !s.Allowed.IsZero()
	}
	return false
}
