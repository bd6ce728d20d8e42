package bundle

import "time"

// Stamp is a time stamp (RFC 3161) that fits: an authority's word that the tag manifest was there at a time.
type Stamp struct {
	At        time.Time `json:"at"`
	Authority string    `json:"authority"`
}

func (v *verifier) checkStamps() {}
