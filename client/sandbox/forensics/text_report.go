package forensics

// TextReport is what all analysers together found in one text.
type TextReport struct {
	Models      []Model // in the order of TextModels, the ensemble last
	Status      Status  // the ensemble's
	Score       *float64
	Reasons     []Reason          // why there is no score, for NOT_APPLICABLE and UNABLE_TO_EVALUATE
	Languages   []string          // English names, the likeliest alone; empty if it can't be told
	Conclusions map[string]string // a sentence by model name
	Marks       []TextMark        // sorted by place, never overlapping, at most 5,000
}

// TextMark is a passage to which an analyser reacted.
type TextMark struct {
	Start, End int     // bytes of the text as DecodeText gives it; End lies just behind
	Kind       string  // MarkRepeated or MarkOpening
	Score      float64 // strictly between 0 and 100: grows with how often the words occur
}

// The kinds of marks.
const (
	MarkRepeated = "repeated" // words that the text has said before
	MarkOpening  = "opening"  // a sentence that begins like an earlier one
)
