package inbox

import (
	"errors"

	"assay/client/i18n"
	"assay/client/intake"
)

// AcceptedText says what became of folders that were handed over, and what was left out of them; "" where every file
// and link handed over has its row, so that there is nothing to add.
func AcceptedText(a intake.Accepted) string {
	if a.Folders == 0 {
		return ""
	}
	n, out := len(a.IDs), a.LeftOut()
	switch {
	case n == 0 && out == "":
		return i18n.T("No file taken: there is none in it.")
	case n == 0:
		return i18n.F("No file taken. Left out: %s.", out)
	case out == "":
		return i18n.N(n, "%s file taken.", "%s files taken.")
	}
	return i18n.N(n, "%[1]s file taken. Left out: %[2]s.", "%[1]s files taken. Left out: %[2]s.", out)
}

// SetAsideText says that the records of earlier runs could not be read, and where they are now.
func SetAsideText(name string) string {
	if name == "" {
		return ""
	}
	return i18n.F("Assay's records were damaged. They were set aside as “%s”, and Assay began anew. "+
		"What was uploaded is still on the service: under Results, fetch your uploads.", name)
}

// NotAccepted says that nothing more was taken, and why.
func NotAccepted(err error) string {
	var said interface{ Sentence() string }
	if errors.As(err, &said) {
		return i18n.F("Nothing more was taken. %s", said.Sentence())
	}
	return i18n.T("Nothing more was taken: Assay can't write it down. Make room on the disk that holds its folder, and hand it over again.")
}

// ScannedAgainText says what can't be scanned again; "" where everything can.
func ScannedAgainText(scanned, left int) string {
	switch {
	case left == 0:
		return ""
	case scanned == 0:
		return i18n.T("Nothing to scan again: another device submitted it, so there is no file of it on this computer.")
	}
	return i18n.N(left, "%[2]s scanned again. Left out: %[1]s that another device submitted, since no file of it is on this computer.",
		"%[2]s scanned again. Left out: %[1]s that another device submitted, since no file of them is on this computer.", i18n.Count(scanned))
}
