package inbox

import (
	"path/filepath"
	"strings"

	"assay/client/address"
	"assay/client/i18n"
	"assay/client/intake"
)

// mostPasted bounds the lines of a pasted text that are examined: a longer one is no list.
const mostPasted = 10_000

// Pasted is what a pasted text names: links, or absolute paths of files and folders, one a line. Other reports that it holds anything else: then none
// of it is accepted, since it may be a text that was not meant for this.
type Pasted struct {
	Links, Paths []string
	Other        bool
}

// PastedText parses a pasted text.
func PastedText(text string) Pasted {
	var p Pasted
	lines := 0
	for line := range strings.Lines(strings.ReplaceAll(text, "\r", "\n")) {
		line = unquoted(strings.TrimSpace(line))
		if line == "" {
			continue
		}
		if lines++; lines > mostPasted {
			return Pasted{Other: true}
		}
		link, path := pastedLine(line)
		switch {
		case link != "":
			p.Links = append(p.Links, link)
		case path != "":
			p.Paths = append(p.Paths, path)
		default:
			return Pasted{Other: true}
		}
	}
	return p
}

// unquoted is a line without the quotes that file managers add to a path ("Copy as path").
func unquoted(line string) string {
	if n := len(line); n >= 2 && (line[0] == '"' || line[0] == '\'') && line[n-1] == line[0] {
		return line[1 : n-1]
	}
	return line
}

// pastedLine is the link or the path that a line is; both are "" where it is neither.
func pastedLine(line string) (link, path string) {
	if hasControl(line) {
		return "", ""
	}
	if filepath.IsAbs(line) {
		return "", filepath.Clean(line)
	}
	if strings.ContainsRune(line, ' ') {
		return "", ""
	}
	if u, err := address.Parse(line, "http", "https"); err == nil {
		return u.String(), ""
	}
	if path, ok := address.FilePath(line); ok && !hasControl(path) {
		return "", path
	}
	return "", ""
}

func hasControl(text string) bool {
	return strings.ContainsFunc(text, func(r rune) bool { return r < ' ' || r == 0x7f })
}

// AcceptedText says what became of folders that were accepted, and what was left out of them; "" where every file and link has its row, so that there
// is nothing to add.
func AcceptedText(a intake.Accepted) string {
	if a.Folders == 0 {
		return ""
	}
	n, out := len(a.IDs), a.LeftOut()
	switch {
	case n == 0 && out == "":
		return i18n.T("No file added: there is none in it.")
	case n == 0:
		return i18n.F("No file added. Left out: %s.", out)
	case out == "":
		return i18n.N(n, "%s file added.", "%s files added.")
	}
	return i18n.N(n, "%[1]s file added. Left out: %[2]s.", "%[1]s files added. Left out: %[2]s.", out)
}

// SetAsideText says that the records of earlier runs could not be read, and where they are now.
func SetAsideText(name string) string {
	if name == "" {
		return ""
	}
	return i18n.F("Assay's records were damaged. Assay set them aside as “%s” and started new ones. Your uploads are still on the service: fetch them under Results.", name)
}

// NotAccepted says that nothing more was accepted, and why.
func NotAccepted(err error) string {
	if own := i18n.MessageOf(err, i18n.Message{}); !own.IsZero() {
		return i18n.F("Nothing more was added. %s", own)
	}
	return i18n.T("Nothing more was added: Assay can't save it. Make room on the disk with Assay's folder, then add it again.")
}

// CancelledText says how many uploads were cancelled.
func CancelledText(n int) string { return i18n.N(n, "%s upload cancelled", "%s uploads cancelled") }

// RemovedText says how many rows were taken out of the inbox.
func RemovedText(n int) string {
	return i18n.N(n, "%s removed from this list", "%s removed from this list")
}

// ScanningAgainText says how many files and links will be sent once more.
func ScanningAgainText(n int) string {
	return i18n.N(n, "%s file will be scanned again", "%s files will be scanned again")
}

// ScannedAgainText says what can't be scanned again; "" where everything can.
func ScannedAgainText(scanned, left int) string {
	switch {
	case left == 0:
		return ""
	case scanned == 0:
		return i18n.T("This can't be scanned again: another device sent it, and the file is not on this computer.")
	}
	return i18n.N(left, "%[2]s scanned again. Left out: %[1]s that another device sent. Its file is not on this computer.",
		"%[2]s scanned again. Left out: %[1]s that another device sent. Their files are not on this computer.", i18n.Count(scanned))
}
