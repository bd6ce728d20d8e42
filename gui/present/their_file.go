package present

import (
	"assay/client/i18n"
	"assay/client/plain"
)

// TheirFile is a file that a colleague has shared and that is not on this computer; the zero value is none.
type TheirFile struct {
	By   plain.Text
	Size int64 // bytes
}

// Sentence says who has shared it.
func (f TheirFile) Sentence() string {
	return i18n.F("%s has shared the file. It is not on this computer.", f.By.Folded())
}
