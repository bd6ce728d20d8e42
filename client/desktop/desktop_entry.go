package desktop

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// execLine is a command as such a file names it, before the escapes that all its texts get: every part is quoted, so that nothing in it
// is more than a letter. code is "%F" where the desktop is to put files, or "". No shell reads it.
func execLine(program string, arguments []string, code string) (string, error) {
	// With an equals sign it would be a variable, says the specification. A percent sign is doubled, and GLib then looks for a program of
	// that name before it reads it as one.
	if strings.ContainsAny(program, "=%") {
		return "", errName
	}
	parts := make([]string, 0, len(arguments)+2)
	for _, part := range append([]string{program}, arguments...) {
		if !plain(part) {
			return "", errName
		}
		parts = append(parts, `"`+strings.NewReplacer(`"`, `\"`, "`", "\\`", `$`, `\$`, `\`, `\\`, `%`, `%%`).Replace(part)+`"`)
	}
	if code != "" {
		parts = append(parts, code)
	}
	return strings.Join(parts, " "), nil
}

// plain reports whether a text can stand in a line: it has no ends of lines, and nothing that a reader could take for another text.
func plain(text string) bool {
	return utf8.ValidString(text) && !strings.ContainsFunc(text, unicode.IsControl)
}

// escaped is a text as a value of such a file.
func escaped(text string) string { return strings.ReplaceAll(text, `\`, `\\`) }
