package forensics

import (
	"unicode"
	"unicode/utf8"

	"github.com/abadojack/whatlanggo"
)

const (
	// fewestLanguageLetters and fewestLanguageWords are what trigrams need to tell
	// languages apart; the same few words over and over have too few of them.
	fewestLanguageLetters = 60
	fewestLanguageWords   = 10
	// languagePiece is how many bytes are looked at together: the library's
	// confidence falls with the number of different trigrams, so that it
	// trusts no long text. Each of a text's first languagePieces has a vote.
	languagePiece  = 1_000
	languagePieces = 40
)

// textLanguage names a text's likeliest language in English, or gives "" where it
// is too short or too odd to tell. A text in several languages counts as the one
// that more than half of its beginning is in.
func textLanguage(p *prose) string {
	letters, dense := 0, 0
	for _, r := range p.text[:min(len(p.text), languagePiece*languagePieces)] {
		if unicode.IsLetter(r) {
			letters++
		}
		if unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar) {
			dense++
		}
	}
	// Scripts without spaces say a word in two letters or so, and don't divide.
	if 2*dense > letters {
		if dense < fewestLanguageLetters/3 {
			return ""
		}
	} else if letters < fewestLanguageLetters || p.distinct < fewestLanguageWords {
		return ""
	}
	votes := map[whatlanggo.Lang]int{}
	total, rest := 0, p.text
	for range languagePieces {
		var piece string
		piece, rest = cutLanguagePiece(rest)
		if info := whatlanggo.Detect(piece); info.IsReliable() {
			votes[info.Lang]++
			total++
		}
		if rest == "" {
			break
		}
	}
	for language, n := range votes {
		if 2*n > total {
			return language.String()
		}
	}
	return ""
}

// cutLanguagePiece cuts a piece off a text, between two characters. What is left is
// "" if it is too short for a vote.
func cutLanguagePiece(text string) (piece, rest string) {
	if len(text) < 2*languagePiece {
		return text, ""
	}
	cut := languagePiece
	for !utf8.RuneStart(text[cut]) {
		cut--
	}
	return text[:cut], text[cut:]
}
