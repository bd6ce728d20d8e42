package text

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/abadojack/whatlanggo"
)

// mostTextWords bounds how many words of a text are analysed, so that the tables of
// the largest text stay within some tens of megabytes.
const mostTextWords = 200_000

// prose is a text cut into words and sentences.
type prose struct {
	text      string
	words     []proseWord
	sentences []proseSentence
	distinct  int // words, upper and lower case alike
}

// proseWord is a run of letters, digits and the apostrophes and hyphens inside.
type proseWord struct {
	start, end int    // bytes of the text
	id         uint32 // the same for the same word, upper and lower case alike
}

// proseSentence is a run of words, as indices of prose.words; never empty.
type proseSentence struct{ first, after int }

// readProse cuts a text. A sentence ends at . ! ? … and their Spanish and CJK
// likes where no lower-case letter follows, and at an empty line. Abbreviations
// before a capital ("Dr. Smith") end one wrongly; that is rare enough for
// statistics over many sentences.
func readProse(text string) *prose {
	p := &prose{text: text}
	ids := map[string]uint32{}
	begin := 0 // the word that the current sentence began with
	end := func() {
		if len(p.words) > begin {
			p.sentences = append(p.sentences, proseSentence{begin, len(p.words)})
			begin = len(p.words)
		}
	}
	stopped := false // a sentence's end was seen, unless a lower-case letter follows
	newlines := 0
	for at := 0; at < len(text) && len(p.words) < mostTextWords; {
		r, size := utf8.DecodeRuneInString(text[at:])
		switch {
		case isWordRune(r):
			if newlines > 1 || stopped && !unicode.IsLower(r) {
				end()
			}
			stopped, newlines = false, 0
			after := wordEnd(text, at)
			word := strings.ToLower(text[at:after])
			id, seen := ids[word]
			if !seen {
				id = uint32(len(ids))
				ids[word] = id
			}
			p.words = append(p.words, proseWord{at, after, id})
			at = after
			continue
		case strings.ContainsRune(".!?…。！？", r):
			stopped = true
		case r == '\n':
			newlines++
		}
		at += size
	}
	end()
	p.distinct = len(ids)
	return p
}

func isWordRune(r rune) bool {
	return unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r)
}

// wordEnd finds where the word that begins at start ends.
func wordEnd(text string, start int) int {
	at := start
	for at < len(text) {
		r, size := utf8.DecodeRuneInString(text[at:])
		if !isWordRune(r) {
			next, _ := utf8.DecodeRuneInString(text[at+size:])
			if !strings.ContainsRune("'’-", r) || !unicode.IsLetter(next) {
				break
			}
		}
		at += size
	}
	return at
}

const (
	// fewestLanguageLetters and fewestLanguageWords are what trigrams need to distinguish
	// languages; a few words, repeated, have too few trigrams.
	fewestLanguageLetters = 60
	fewestLanguageWords   = 10
	// languagePiece is how many bytes are classified together: the library's
	// confidence falls with the number of different trigrams, so that it
	// trusts no long text. Each of a text's first languagePieces has a vote.
	languagePiece  = 1_000
	languagePieces = 40
)

// language returns a text's likeliest language in English, or "" if it
// is too short or too odd to classify. A text in several languages counts as the one
// that more than half of its beginning is in.
func language(p *prose) string {
	letters, dense := 0, 0
	for _, r := range p.text[:min(len(p.text), languagePiece*languagePieces)] {
		if unicode.IsLetter(r) {
			letters++
		}
		if unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar) {
			dense++
		}
	}
	// In scripts without spaces a word has about two letters, and words are not separated, so only letters are counted.
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

// cutLanguagePiece cuts a piece off a text, between two characters. The rest is
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
