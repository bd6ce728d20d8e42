package client

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"assay/client/i18n"
	"assay/client/plain"
)

// Says quotes the service's own words, so that nobody takes them for Assay's: The service says: “Please upload the file again.” Every sentence of the
// service that is shown is quoted by it. The words stay as sent, on one line; where they do not end as a sentence does, a point is added. No words are
// no message.
func Says(words plain.Text) i18n.Message {
	if words = sentence(words); words.IsZero() {
		return i18n.Message{}
	}
	return i18n.M("The service says: “%s”", words)
}

// storageSays is Says for the object storage that files are uploaded to, which is another program than the service, with words of its own.
func storageSays(words plain.Text) i18n.Message {
	if words = sentence(words); words.IsZero() {
		return i18n.Message{}
	}
	return i18n.M("The service's storage says: “%s”", words)
}

// sentence is words on one line, with a point at the end if they have no end. What closes a quotation or a bracket may stand behind the end.
func sentence(words plain.Text) plain.Text {
	words = words.Folded()
	open := strings.TrimRightFunc(words.Verbatim(), func(r rune) bool {
		return r == '"' || r == '\'' || unicode.In(r, unicode.Pe, unicode.Pf)
	})
	last, _ := utf8.DecodeLastRuneInString(open)
	switch {
	case words.IsZero(), last == '…', last == ':', unicode.Is(unicode.Sentence_Terminal, last):
		return words
	}
	return plain.From(words.Verbatim() + ".")
}
