package forensics

// Status is an outcome in the words of the service interface.
type Status string

// The outcomes that an analyser or the ensemble can have.
const (
	Fake          Status = "FAKE"
	Authentic     Status = "AUTHENTIC"
	Suspicious    Status = "SUSPICIOUS"
	NotApplicable Status = "NOT_APPLICABLE"
	Unable        Status = "UNABLE_TO_EVALUATE"
)

// Limits of the bands on the 0..100 scale, for the analysers and the ensemble
// alike: FAKE from fakeFrom, SUSPICIOUS from suspiciousFrom, AUTHENTIC below.
// They were set so that the untouched photographs used for tuning stay below
// suspiciousFrom (testdata/README.md tells which, and how they scored).
const (
	fakeFrom       = 70.0
	suspiciousFrom = 40.0
)

// statusOf puts a score of 0..100 into its band.
func statusOf(score float64) Status {
	switch {
	case score >= fakeFrom:
		return Fake
	case score >= suspiciousFrom:
		return Suspicious
	default:
		return Authentic
	}
}
