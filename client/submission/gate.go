package submission

// Gate is whether a submission may be sent. The records and the protocol between processes hold these values; the settings file has words
// of its own for them, which config reads and writes.
type Gate string

// The gates. Whatever is none of them, such as the zero value, lets nothing out.
const (
	GateSend  Gate = "send"  // it is sent
	GateAsk   Gate = "ask"   // it is sent once the person has allowed it
	GateNever Gate = "never" // it never leaves
)

// Stricter is the one of two gates that lets less out. One that is not known lets nothing out.
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

// MayLeave reports whether the bytes of a submission, as they were hashed, or the copy that it needs, may leave this computer.
func (s *Submission) MayLeave() bool {
	return s.Asks() && !s.Allowed.IsZero() || s.Gate == GateSend && !s.Asks()
}

// Asks reports whether a submission is sent only once the person has allowed it: because of its gate, because a colleague has checked it, or because it needs
// a copy that is not made without asking. Which part of a clip is sent, only the person can say.
func (s *Submission) Asks() bool {
	switch s.Gate {
	case GateAsk:
		return true
	case GateSend:
		return s.Colleagues == Checked || s.Needs == NeedsCopy && s.Copies != CopiesAlways || s.Needs == NeedsPart && (s.Part == Part{} || s.Copies != CopiesAlways)
	}
	return false
}
