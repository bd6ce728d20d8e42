package present

import (
	"errors"
	"fmt"

	"assay/client/intake"
)

// AcceptedText says what became of folders that were handed over, and what was left out of them; "" where every file
// and link handed over has its row, so that there is nothing to add.
func AcceptedText(a intake.Accepted) string {
	if a.Folders == 0 {
		return ""
	}
	taken := "No file taken."
	if n := len(a.IDs); n > 0 {
		taken = counted(n, "file", "files") + " taken."
	}
	out := a.LeftOut()
	switch {
	case out != "":
		return taken + " Left out: " + out + "."
	case len(a.IDs) == 0:
		return "No file taken: there is none in it."
	}
	return taken
}

// counted is a number with its noun.
func counted(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

// SetAsideText says that the records of earlier runs could not be read, and where they are now.
func SetAsideText(name string) string {
	if name == "" {
		return ""
	}
	return "Assay's records were damaged. They were set aside as “" + name + "”, and Assay began anew. " +
		"What was uploaded is still on the service: under Results, fetch your uploads."
}

// NotAccepted says that nothing more was taken, and why.
func NotAccepted(err error) string {
	var said interface{ Sentence() string }
	if errors.As(err, &said) {
		return "Nothing more was taken. " + said.Sentence()
	}
	return "Nothing more was taken: Assay can't write it down. Make room on the disk that holds its folder, and hand it over again."
}

// ScannedAgainText says what can't be scanned again; "" where everything can.
func ScannedAgainText(scanned, left int) string {
	switch {
	case left == 0:
		return ""
	case scanned == 0:
		return "Nothing to scan again: another device submitted it, so there is no file of it on this computer."
	}
	return fmt.Sprintf("%d scanned again. Left out: %d that another device submitted, since no file of them is on this computer.",
		scanned, left)
}
