package facts

import (
	"bytes"
	"encoding/binary"
	"fmt"

	"assay/client/i18n"
)

// iptcFields are the datasets of IPTC's second record, which says what a picture shows and whose it is, by their numbers (IIM 4.2).
var iptcFields = map[byte]struct {
	name  string
	label i18n.Key
}{
	5: {"ObjectName", "Title"}, 7: {"EditStatus", ""}, 12: {"SubjectReference", ""}, 15: {"Category", ""}, 20: {"SupplementalCategories", ""}, 22: {"FixtureIdentifier", ""}, 25: {"Keywords", "Keywords"},
	26: {"ContentLocationCode", ""}, 27: {"ContentLocationName", "Place"}, 30: {"ReleaseDate", ""}, 35: {"ReleaseTime", ""}, 37: {"ExpirationDate", ""},
	40: {"SpecialInstructions", "Instructions"}, 45: {"ReferenceService", ""}, 47: {"ReferenceDate", ""}, 55: {"DateCreated", "Date"}, 60: {"TimeCreated", "Time"},
	62: {"DigitalCreationDate", ""}, 63: {"DigitalCreationTime", ""}, 65: {"OriginatingProgram", "Software"}, 70: {"ProgramVersion", ""}, 80: {"By-line", "By"},
	85: {"By-lineTitle", "Author's position"}, 90: {"City", "City"}, 92: {"Sub-location", "Place"}, 95: {"Province-State", "Region"},
	100: {"Country-PrimaryLocationCode", "Country"}, 101: {"Country-PrimaryLocationName", "Country"}, 103: {"OriginalTransmissionReference", ""},
	105: {"Headline", "Headline"}, 110: {"Credit", "Credit"}, 115: {"Source", "Source"}, 116: {"CopyrightNotice", "Copyright"}, 118: {"Contact", "Contact"},
	120: {"Caption-Abstract", "Caption"}, 121: {"LocalCaption", "Caption"}, 122: {"Writer-Editor", "Writer"}, 184: {"JobID", ""}, 185: {"MasterDocumentID", ""},
	186: {"ShortDocumentID", ""}, 187: {"UniqueDocumentID", ""}, 188: {"OwnerID", "Owner"},
}

// readIPTC reads the datasets of IPTC: a mark, the numbers of the record and of the dataset, a length, a text. whole is false where one is
// cut short or something else stands among them.
func (f *Facts) readIPTC(records []byte) (whole bool) {
	const mark, header, application, extended = 0x1c, 5, 2, 0x8000
	for len(records) >= header && records[0] == mark {
		record, number, length := records[1], records[2], int(binary.BigEndian.Uint16(records[3:]))
		records = records[header:]
		if length >= extended { // so many bytes tell the length
			n := length - extended
			if n > 4 || n > len(records) {
				return false
			}
			length = 0
			for _, b := range records[:n] {
				length = length<<8 | int(b)
			}
			records = records[n:]
		}
		cut := length > len(records)
		text := records[:min(length, len(records))]
		records = records[len(text):]
		f.keepIPTC(record, number, text)
		if cut {
			return false
		}
	}
	return len(bytes.Trim(records, "\x00 ")) == 0
}

// keepIPTC keeps one dataset. Its version, and the record that says how texts are written, tell of nobody.
func (f *Facts) keepIPTC(record, number byte, text []byte) {
	const application, version, characterSet = 2, 0, 90
	if number == version || record != application && number == characterSet {
		return
	}
	known := iptcFields[number]
	if record != application || known.name == "" {
		known.name, known.label = fmt.Sprintf("%d:%d", record, number), ""
	}
	label := spaced(known.name)
	if known.label != "" {
		label = i18n.T(known.label)
	}
	f.embed(Field{Key: "IPTC " + known.name, Label: label, Value: anyText(text), Identifying: identifies(known.name)})
}
