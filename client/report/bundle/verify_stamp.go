package bundle

import (
	"time"

	"assay/client/plain"
)

// Stamp is a time stamp (RFC 3161) that fits: an authority's word that the tag manifest was there at a time.
type Stamp struct {
	At        time.Time  `json:"at"`
	Authority plain.Text `json:"authority"`
	Trusted   bool       `json:"trusted"` // the authority's certificate leads to one that this system trusts
}

func (v *verifier) checkStamps() {}
