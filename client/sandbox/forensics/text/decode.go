package text

import (
	"bytes"
	"strings"
	"unicode"
	"unicode/utf8"

	"assay/client/sandbox/forensics"

	"golang.org/x/text/encoding/charmap"
	utf16codec "golang.org/x/text/encoding/unicode"
)

// Decode converts a text file's bytes to valid UTF-8, from UTF-8 with or without a
// byte order mark, from UTF-16 with one or recognisable by its zeros, or else from Latin-1 as
// Windows writes it (1252). Stray NULs are dropped; line ends stay as they are.
// Anything else, and damaged UTF-8, returns an *Unreadable.
func Decode(data []byte) (string, error) {
	text, err := decodeCharset(data)
	if err != nil {
		return "", &forensics.Unreadable{Sentence: "The file's characters can't be read as UTF-8, UTF-16 or Latin-1 text.", Cause: err}
	}
	controls, letters := 0, 0
	for _, r := range text {
		switch {
		case r == '\n' || r == '\r' || r == '\t' || r == '\f':
		case unicode.IsControl(r):
			controls++
		default:
			letters++
		}
	}
	// A stray control character happens; one in a hundred is a binary file.
	if controls > 0 && controls*100 > letters {
		return "", &forensics.Unreadable{Sentence: "The file holds binary data and no text."}
	}
	return strings.ReplaceAll(text, "\x00", ""), nil
}

// errText is the cause of an Unreadable text.
type errText string

func (e errText) Error() string { return string(e) }

func decodeCharset(data []byte) (string, error) {
	switch {
	case bytes.HasPrefix(data, []byte("\xef\xbb\xbf")):
		if data = data[3:]; !utf8.Valid(data) {
			return "", errText("invalid UTF-8 behind a UTF-8 mark")
		}
		return string(data), nil
	case bytes.HasPrefix(data, []byte("\xff\xfe")):
		return decodeUTF16(data[2:], utf16codec.LittleEndian)
	case bytes.HasPrefix(data, []byte("\xfe\xff")):
		return decodeUTF16(data[2:], utf16codec.BigEndian)
	}
	if order, ok := unmarkedUTF16(data); ok {
		return decodeUTF16(data, order)
	}
	if utf8.Valid(data) {
		return string(data), nil
	}
	return decodeLatin1(data)
}

func decodeUTF16(data []byte, order utf16codec.Endianness) (string, error) {
	if len(data)%2 != 0 {
		return "", errText("odd number of bytes in UTF-16")
	}
	decoded, err := utf16codec.UTF16(order, utf16codec.IgnoreBOM).NewDecoder().Bytes(data)
	if err != nil {
		return "", err
	}
	// The codec turns half a surrogate pair into U+FFFD.
	if bytes.ContainsRune(decoded, utf8.RuneError) {
		return "", errText("half a surrogate pair in UTF-16")
	}
	return string(decoded), nil
}

// unmarkedUTF16 recognises UTF-16 without a mark: in a language of Latin letters
// nearly every other byte is zero, and hardly one between them.
func unmarkedUTF16(data []byte) (utf16codec.Endianness, bool) {
	if len(data) < 4 || len(data)%2 != 0 {
		return utf16codec.LittleEndian, false
	}
	var zeros [2]int
	for i, b := range data {
		if b == 0 {
			zeros[i%2]++
		}
	}
	pairs := len(data) / 2
	switch {
	case zeros[1]*10 >= pairs*7 && zeros[0]*10 <= pairs:
		return utf16codec.LittleEndian, true
	case zeros[0]*10 >= pairs*7 && zeros[1]*10 <= pairs:
		return utf16codec.BigEndian, true
	}
	return utf16codec.LittleEndian, false
}

// decodeLatin1 reads bytes as Windows 1252, which is Latin-1 with quotation marks
// and dashes where that has control characters. Every sequence of bytes is valid
// Latin-1, so this asks for what a text looks like: mostly ASCII, its other
// bytes letters and marks of Western languages, and no sequences of UTF-8 (those
// would make it UTF-8 with damage).
func decodeLatin1(data []byte) (string, error) {
	high, plausible, multibyte := 0, 0, 0
	for i := 0; i < len(data); {
		b := data[i]
		switch r, size := utf8.DecodeRune(data[i:]); {
		case b == 0:
			return "", errText("neither UTF-8 nor UTF-16, and holds zeros")
		case b < utf8.RuneSelf:
			i++
			continue
		case r != utf8.RuneError:
			multibyte++
			i += size
			continue
		}
		high++
		if r := charmap.Windows1252.DecodeByte(b); unicode.IsLetter(r) || strings.ContainsRune("¿¡«»“”‘’„‚–—…°§€£ªº·•\u00a0", r) {
			plausible++
		}
		i++
	}
	switch {
	case multibyte >= high:
		return "", errText("damaged UTF-8")
	case high*10 > len(data)*4 || plausible*10 < high*9:
		return "", errText("bytes of no Western text")
	}
	decoded, err := charmap.Windows1252.NewDecoder().Bytes(data)
	if err != nil {
		return "", err
	}
	if bytes.ContainsRune(decoded, utf8.RuneError) {
		return "", errText("bytes that Windows 1252 doesn't define")
	}
	return string(decoded), nil
}
