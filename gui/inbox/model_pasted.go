package inbox

import (
	"path/filepath"
	"strings"

	"assay/client/address"
)

// mostPasted bounds the lines of a pasted text that are looked at: a longer one is no list.
const mostPasted = 10_000

// Pasted is what a pasted text names: links, or whole paths of files and folders, a line each. Other reports that there is anything
// else in it, so that none of it is taken: it may be a text that was never meant for this.
type Pasted struct {
	Links, Paths []string
	Other        bool
}

// PastedText takes a pasted text apart.
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

// unquoted is a line without the quotes that file managers put round a path: "Copy as path".
func unquoted(line string) string {
	if n := len(line); n >= 2 && (line[0] == '"' || line[0] == '\'') && line[n-1] == line[0] {
		return line[1 : n-1]
	}
	return line
}

// pastedLine is the link or the path that a line is; "" for both where it is neither.
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
