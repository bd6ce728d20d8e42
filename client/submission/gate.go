package submission

// Gate is what the source of a submission says of whether it may leave this computer.
type Gate string

// The gates.
const (
	GateSend  Gate = ""      // it is sent
	GateAsk   Gate = "ask"   // it is sent once the person has allowed it
	GateNever Gate = "never" // it never leaves
)

// Stricter is the one of two gates that lets less out. One that this version does not know lets nothing out.
func Stricter(one, other Gate) Gate {
	if other.strictness() > one.strictness() {
		return other
	}
	return one
}

func (g Gate) strictness() int {
	switch g {
	case GateSend:
		return 0
	case GateAsk:
		return 1
	case GateNever:
		return 3
	}
	return 2
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
