package facts

import (
	"bytes"
	"encoding/binary"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"

	"assay/client/i18n"
	"assay/client/plain"
)

// knownTag is a tag of a recording, a clip or a PNG: its label, and what kind of thing it identifies.
type knownTag struct {
	label i18n.Key
	kind  Kind
}

// standards holds the known tags of each standard; the standard is the first word of Field.Key.
var standards = map[string]map[string]knownTag{
	"ID3": id3Tags, "ID3v1": namedTags, "APE": namedTags, "Vorbis": namedTags, "JPEG": namedTags, "PNG": namedTags, "GIF": namedTags, "WAV": wavTags, "MP4": movieTags,
}

// tag keeps a tag of a standard by its name there. Unknown tags are kept under their own names.
func (f *Facts) tag(standard, name, value string) { f.tagAs(standard, name, value, "") }

func (f *Facts) tagAs(standard, name, value, raw string) {
	key := standard + " " + name
	known := tagOf(standard, name)
	label := name
	if known.label != "" {
		label = i18n.T(known.label)
	}
	f.embed(Field{Key: key, Label: cleanText(label, longestKey), Value: value, Raw: cleanText(raw, longestValue), Identifying: known.kind.identifies()})
}

// tagOf is what the table says of a standard's tag, or else what its name suggests.
func tagOf(standard, name string) knownTag {
	if known, ok := standards[standard][name]; ok {
		return known
	}
	if known, ok := namedTags[strings.ToLower(name)]; ok {
		return known
	}
	return knownTag{kind: kindByName(name)}
}

// identifies reports whether a kind by itself identifies a person, a place or one thing.
func (k Kind) identifies() bool {
	return k == Position || k == Serial || k == Author || k == Identifier
}

// namedTags are those of the standards whose tags have words for names, in lower case.
var namedTags = map[string]knownTag{
	"title": {"Title", Description}, "artist": {"Artist", Author}, "albumartist": {"Album's artist", Author}, "album artist": {"Album's artist", Author},
	"author": {"Author", Author}, "composer": {"Composer", Author}, "performer": {"Performer", Author}, "publisher": {"Publisher", Author},
	"copyright": {"Copyright", Author}, "license": {"Licence", Author}, "organization": {"Organisation", Author}, "contact": {"Contact", Author},
	"encoded-by": {"Encoded by", Author}, "encodedby": {"Encoded by", Author}, "engineer": {"Engineer", Author},
	"album": {"Album", Description}, "description": {"Description", Description}, "comment": {"Comment", Description}, "lyrics": {"Lyrics", Description},
	"genre": {"Genre", Description}, "tracknumber": {"Track", Description}, "track": {"Track", Description}, "source": {"Source", Device},
	"disclaimer": {"Disclaimer", Description}, "warning": {"Warning", Description},
	"location": {"Position", Position}, "isrc": {"Recording's unique number", Identifier}, "year": {"Date", Time}, "date": {"Date", Time},
	"creation time": {"Made", Time}, "time": {"Changed", Time}, "encoder": {"Made with", Device}, "software": {"Software", Device}, "vendor": {"Made with", Device},
}

// kindByName guesses from a field's name what it identifies; "" for figures that identify nobody.
func kindByName(name string) Kind {
	name = strings.ToLower(name)
	for _, guess := range []struct {
		kind  Kind
		parts []string
	}{
		{Position, []string{"gps", "location", "city", "province", "country", "sublocation", "xyz", "latitude", "longitude"}},
		{Serial, []string{"serial"}},
		{Device, []string{"creatortool"}},
		{Identifier, []string{"uniqueid", "instanceid", "documentid", "umid", "unique_id", "contentidentifier"}},
		{Author, []string{
			"owner", "artist", "author", "creator", "by-line", "byline", "copyright", "credit", "contact", "person", "email", "phone", "rights", "writer", "photographer",
		}},
		{Device, []string{"make", "model", "lens", "software", "hostcomputer", "makernote", "originatingprogram", "encoder", "firmware", "camera", "device"}},
		{Time, []string{"date", "timecreated", "creation"}},
		{Description, []string{"title", "comment", "description", "caption", "objectname", "headline", "keywords", "instructions", "note"}},
	} {
		for _, part := range guess.parts {
			if strings.Contains(name, part) {
				return guess.kind
			}
		}
	}
	return ""
}

// encoded decodes text by ID3's and MP4's number of its encoding: 0 for Latin-1, 1 for UTF-16 with a byte order mark, 2 for big-endian
// UTF-16, 3 for UTF-8.
func encoded(encoding byte, text []byte) string {
	switch encoding {
	case 0:
		return latin(text)
	case 1, 2:
		var order binary.ByteOrder = binary.BigEndian
		if rest, ok := bytes.CutPrefix(text, []byte("\xff\xfe")); ok {
			order, text = binary.LittleEndian, rest
		}
		units := make([]uint16, 0, len(text)/2)
		for ; len(text) >= 2; text = text[2:] {
			units = append(units, order.Uint16(text))
		}
		return strings.TrimPrefix(string(utf16.Decode(units)), "\ufeff")
	}
	return string(text)
}

func latin(text []byte) string {
	runes := make([]rune, len(text))
	for i, b := range text {
		runes[i] = rune(b)
	}
	return string(runes)
}

// anyText decodes text whose standard names no encoding: as UTF-8 if it is valid, else as Latin-1. What follows a zero is shown as well,
// because other readers find it there.
func anyText(text []byte) string {
	if s := string(text); strings.ToValidUTF8(s, "") == s {
		return listed(s)
	}
	return listed(latin(text))
}

// textIn reads the text of a tag. One that is longer than the bound makes the facts incomplete.
func (f *Facts) textIn(src *source, at span) []byte {
	f.Incomplete = f.Incomplete || at.Length() > longestTagText
	return src.Bytes(at, longestTagText)
}

// listed joins the zero-separated values of one tag.
func listed(text string) string {
	return strings.Join(strings.FieldsFunc(text, func(r rune) bool { return r == 0 }), " / ")
}

// fourText is a kind of four characters as text; "©" is one byte of Latin-1 in it.
func fourText(kind string) string { return cleanText(latin([]byte(kind)), longestKey) }

const (
	longestValue = 2_000 // bytes of one value
	longestKey   = 80
	mostFields   = 400 // of each list
)

// cleanText makes text from a file fit to be shown: bounded, on one line, and without characters that move, hide or reverse the text around
// them. Each of those is replaced by U+FFFD, so that the reader sees it.
func cleanText(text string, longest int) string {
	text = strings.TrimFunc(text, func(r rune) bool { return r == 0 || unicode.IsSpace(r) })
	start := text[:min(len(text), 4*longest)]
	cut := len(start) < len(text)
	if text = plain.Line(strings.TrimSpace(start)); len(text) <= longest {
		if cut { // only space came before it
			text += "…"
		}
		return text
	}
	end := longest
	for !utf8.RuneStart(text[end]) {
		end--
	}
	return text[:end] + "…"
}
