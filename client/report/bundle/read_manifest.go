package bundle

import (
	"crypto/sha256"
	"fmt"
	"strings"
)

// hashText is a SHA-256 as hex, in lower case.
type hashText = string

// listing is what a manifest lists: the hash of each file.
type listing map[string]hashText

// parseManifest reads a manifest as Assay writes it, which is what sha256sum reads: no other spelling is accepted, so that no byte of it is without
// meaning. It returns false for any other text.
func parseManifest(text []byte) (listing, bool) {
	listed := listing{}
	for rest := string(text); rest != ""; {
		line, after, ended := strings.Cut(rest, "\n")
		sum, name, ok := strings.Cut(line, "  ")
		name, plain := unescaped(name)
		if !ended || !ok || !plain || !isHash(sum) || listed[name] != "" || !fitsEverywhere(name) || len(listed) == mostFiles {
			return nil, false
		}
		listed[name], rest = sum, after
	}
	return listed, true
}

// isHash reports whether a text is a SHA-256 as hex, in lower case.
func isHash(text string) bool {
	return len(text) == 2*sha256.Size && strings.Trim(text, "0123456789abcdef") == ""
}

// unescaped is a path as a manifest means it. It returns false for what BagIt does not encode.
func unescaped(name string) (string, bool) {
	plain := strings.NewReplacer("%25", "%", "%0D", "\r", "%0A", "\n").Replace(name)
	return plain, manifestEscapes.Replace(plain) == name
}

// info is what bag-info.txt says: values by the names of their lines.
type info map[string]string

// parseInfo reads bag-info.txt. A line that begins with white space goes on with the one before. What is no such line is left out.
func parseInfo(text []byte) info {
	all, last := info{}, ""
	for line := range strings.Lines(string(text)) {
		line = strings.TrimRight(line, "\r\n")
		if last != "" && (strings.HasPrefix(line, " ") || strings.HasPrefix(line, "\t")) {
			all[last] += " " + strings.TrimSpace(line)
			continue
		}
		name, value, ok := strings.Cut(line, ":")
		if _, twice := all[name]; ok && !twice {
			all[name], last = strings.TrimSpace(value), name
		}
	}
	return all
}

// oxum is what Payload-Oxum says of a payload: its bytes and its files.
func oxum(bytes int64, files int) string { return fmt.Sprintf("%d.%d", bytes, files) }
