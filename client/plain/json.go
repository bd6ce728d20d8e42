package plain

import (
	"bytes"
	"encoding/json"
	"fmt"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// JSON is JSON that says the same, as it was laid out, and holds no hidden character as itself: each stands there as its escape. What is
// no UTF-8 becomes U+FFFD, as JSON has no form for it. What is no JSON is refused.
func JSON(data []byte) ([]byte, error) {
	var read json.RawMessage
	if err := json.Unmarshal(data, &read); err != nil {
		return nil, err
	}
	out := make([]byte, 0, len(data)+len(data)/8)
	marks := 0 // in a row
	for len(data) > 0 {
		r, size := utf8.DecodeRune(data)
		if marks++; !unicode.IsMark(r) {
			marks = 0
		}
		switch {
		case r == '\n', r == '\t', !Hidden(r) && marks <= mostMarks && (r != utf8.RuneError || size > 1): // as themselves, the first two stand outside of strings alone
			out = append(out, data[:size]...)
		case r == '\r': // likewise; on a terminal it writes over what stands there
		case r > 0xffff:
			high, low := utf16.EncodeRune(r)
			out = fmt.Appendf(out, `\u%04x\u%04x`, high, low)
		default:
			out = fmt.Appendf(out, `\u%04x`, r)
		}
		data = data[size:]
	}
	return out, nil
}

// JSONLine is JSON in one line.
func JSONLine(data []byte) ([]byte, error) {
	var line bytes.Buffer
	if err := json.Compact(&line, data); err != nil {
		return nil, err
	}
	return JSON(line.Bytes())
}

// Quoted is the text as a string of JSON in one line: nothing of it is lost, and what is hidden is seen.
func (t Text) Quoted() string {
	var raw bytes.Buffer
	encoder := json.NewEncoder(&raw)
	encoder.SetEscapeHTML(false)
	if encoder.Encode(t.sent) != nil {
		return `""` // a string always encodes
	}
	line, err := JSONLine(raw.Bytes())
	if err != nil {
		return `""` // and what was encoded is JSON
	}
	return string(line)
}
