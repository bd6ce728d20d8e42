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
	// longestExtension is the longest extension, in characters with the dot: what is longer belongs to the stem.
	longestExtension = 20
	// namelessStem is the stem of a name of whose own stem nothing is left.
	namelessStem = "file"
)

// sendName is the name under which a file is sent: at most 200 characters, with its extension. The interface says only that "special characters are
// converted to underscores", so this is our reading of it: letters and digits of any script (with accents that belong to a letter), '.', '_' and '-'
// stay; every other character, and every invalid byte, becomes one underscore. Two names may become the same; people see the original.
func sendName(name string) string { return SendNameWith(name, "") }

// SendNameWith is sendName with "-" and a token before the extension, still within 200 characters, so that two submissions of the same name can be
// told apart in the service's list. The token is short, of letters and digits; "" adds nothing.
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

// NeutralName is a name that tells nothing of the file but its media type: "picture-1a2b3c4d.jpg". The extension is that of name if the service takes
// it; the token is of letters and digits, "" adds none. The word is English in every language: it is for the service.
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
