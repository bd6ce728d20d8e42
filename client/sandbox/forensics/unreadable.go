package forensics

// Unreadable says that a picture can't be analysed. Error gives one sentence
// for the person who handed the file in; Unwrap gives the decoder's own words.
type Unreadable struct {
	Sentence string
	Cause    error // nil where the sentence is all there is
}

// Error returns the sentence.
func (u *Unreadable) Error() string { return u.Sentence }

// Unwrap returns what the decoder said, or nil.
func (u *Unreadable) Unwrap() error { return u.Cause }
