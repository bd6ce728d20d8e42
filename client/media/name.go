package media

import (
	"path/filepath"
	"strings"
	"unicode"
	"unicode/utf8"

	"assay/client"
)

const (
	// longestName is the interface's limit for a file's name, in characters.
	longestName = 200
	// longestExtension is, in characters with the dot, more than any real one has: what is longer belongs to the stem.
	longestExtension = 20
	// namelessStem stands for a stem of which nothing is left.
	namelessStem = "file"
)

// sendName gives the name under which a file is sent: at most 200 characters, its extension kept. The interface says
// only that "special characters are converted to underscores", so that this is our reading of it: letters and digits of
// any script (with the accents that belong to a letter), '.', '_' and '-' stay, every other character becomes one
// underscore, and so does every byte that is no UTF-8. Two names may become one here; the original is what people see.
func sendName(name string) string { return SendNameWith(name, "") }

// SendNameWith gives the same with "-" and a token before the extension, still within the 200 characters, so that two
// submissions that share a name can be told apart in the service's list. The token is short, of letters and digits; ""
// adds nothing.
func SendNameWith(name, token string) string {
	stem, extension := name, ""
	dot := strings.LastIndexByte(name, '.') // not filepath.Ext, for which a slash ends the name
	if dot >= 0 && utf8.RuneCountInString(name[dot:]) <= longestExtension {
		stem, extension = name[:dot], name[dot:]
	}
	stem, extension = sendable(stem), sendable(extension)
	if strings.Trim(stem, ".") == "" {
		stem = namelessStem
	}
	if token != "" {
		extension = "-" + token + extension
	}
	return cut(stem, longestName-utf8.RuneCountInString(extension)) + extension
}

// sendable replaces special characters by underscores.
func sendable(text string) string {
	var b strings.Builder
	afterLetter := false
	for _, r := range text { // a byte that is no UTF-8 arrives as utf8.RuneError
		accent := afterLetter && unicode.IsMark(r) && !unicode.Is(unicode.Variation_Selector, r)
		switch {
		case unicode.IsLetter(r), accent:
			b.WriteRune(r)
			afterLetter = true
			continue
		case unicode.IsDigit(r), r == '.', r == '_', r == '-':
			b.WriteRune(r)
		default:
			b.WriteByte('_')
		}
		afterLetter = false
	}
	return b.String()
}

// cut keeps the first characters.
func cut(text string, characters int) string {
	for i := range text {
		if characters == 0 {
			return text[:i]
		}
		characters--
	}
	return text
}

// NeutralName gives a name that says nothing of the file but its media type: "picture-1a2b3c4d.jpg". The extension is that of name where
// the service takes it; the token is of letters and digits, "" adds none. The word is English in every language: the service reads it.
func NeutralName(t client.MediaType, name, token string) string {
	stem := namelessStem
	switch t {
	case client.Image:
		stem = "picture"
	case client.Audio:
		stem = "recording"
	case client.Video:
		stem = "video"
	case client.Text:
		stem = "text"
	}
	if token != "" {
		stem += "-" + token
	}
	if _, supported := TypeOf(name); supported {
		stem += strings.ToLower(filepath.Ext(name))
	}
	return stem
}
