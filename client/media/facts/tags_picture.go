package facts

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"

	"assay/client/i18n"
	"assay/client/media/container"
)

// knownSegments are JPEG's application segments that are read elsewhere or hold only figures: by marker, what their content begins with.
var knownSegments = map[string][]string{
	"\xe0": {"JFIF\x00", "JFXX\x00"}, "\xe1": {exifInJPEG, xmpInJPEG, extendedXMP}, "\xe2": {"ICC_PROFILE\x00"}, "\xed": {photoshopInJPEG}, "\xee": {"Adobe"},
}

// readJPEGParts reads a JPEG's comments, and names other programs' data in it.
func (f *Facts) readJPEGParts(src *source) {
	const comment, firstApp, lastApp = "\xfe", "\xe0", "\xef"
	var credentials []span
	for _, s := range src.jpegStores() {
		if s.isC2PA() {
			credentials = append(credentials, s.spans...)
		}
	}
	src.jpegParts(func(b block) bool {
		switch {
		case b.Kind == comment:
			f.tag("JPEG", "comment", anyText(f.textIn(src, b.Content)))
		case b.Kind < firstApp || b.Kind > lastApp || slices.Contains(credentials, b.Whole):
		default:
			head := src.head(b)
			if !slices.ContainsFunc(knownSegments[b.Kind], func(start string) bool { return strings.HasPrefix(head, start) }) {
				f.ownData("JPEG", fmt.Sprintf("APP%d", b.Kind[0]-0xe0), head, b.Content.Length())
			}
		}
		return len(f.Embedded) < mostFields
	})
}

// ownData keeps a field for a part that only some program or camera understands, with the text in its beginning (head). It counts as
// identifying, since its content is unknown.
func (f *Facts) ownData(standard, part, head string, length int64) {
	value := strings.Join(strings.Fields(part+" "+printable(head)), " ")
	f.embed(Field{Key: standard + " " + ownDataOf + part, Label: i18n.T("Data of a program"), Value: strings.TrimPrefix(value+", "+i18n.Bytes(length), ", "), Identifying: true})
}

// printable returns the words in binary data.
func printable(data string) string {
	const shortest = 4
	var words []string
	for _, word := range strings.FieldsFunc(strings.ReplaceAll(data, "\x00", ""), func(r rune) bool { return r < ' ' || r > '~' }) {
		if len(word) >= shortest {
			words = append(words, word)
		}
	}
	return strings.Join(words, " ")
}

// head is the beginning of a part's content.
func (s *source) head(b block) string { return string(s.Bytes(b.Content, longestKey)) }

// ownDataOf begins the key of what ownData names.
const ownDataOf = "data of "

// pngKnown are PNG's chunks that are needed for drawing, or that are read elsewhere.
var pngKnown = []string{
	"IHDR", "PLTE", "IDAT", "IEND", "tRNS", "cHRM", "gAMA", "sBIT", "sRGB", "cICP", "mDCV", "mDCv", "cLLI", "cLLi", "bKGD", "hIST", "pHYs", "sPLT", "iCCP", "acTL", "fcTL", "fdAT",
	"eXIf", "caBX", "sTER", "oFFs",
}

// readPNGText reads a PNG's texts and its time of change, and names other programs' data in it.
func (f *Facts) readPNGText(src *source) {
	src.PNGChunks(func(b block) bool {
		switch {
		case b.Kind == "tEXt" || b.Kind == "zTXt" || b.Kind == "iTXt":
			f.readPNGTextChunk(src, b)
		case b.Kind == "tIME":
			if t := src.Bytes(b.Content, 7); len(t) == 7 {
				f.tag("PNG", "time", fmt.Sprintf("%04d-%02d-%02d %02d:%02d:%02d UTC", int(t[0])<<8|int(t[1]), t[2], t[3], t[4], t[5], t[6]))
			} else {
				f.Incomplete = true
			}
		case !slices.Contains(pngKnown, b.Kind):
			f.ownData("PNG", fourText(b.Kind), src.head(b), b.Content.Length())
		}
		return len(f.Embedded) < mostFields
	})
}

// readPNGTextChunk keeps a text. XMP and raw profiles, which are read elsewhere, are not decompressed again.
func (f *Facts) readPNGTextChunk(src *source, b block) {
	text, whole := src.pngText(b)
	keyword := anyText(text.Keyword)
	name := strings.ToLower(keyword)
	switch {
	case b.Kind == "iTXt" && keyword == xmpInPNG:
	case strings.HasPrefix(name, rawProfile):
		f.tag("PNG", name, i18n.Bytes(b.Content.Length()))
	default:
		value, unpacked := text.Text(longestPacket, src.unpackable)
		whole = whole && unpacked
		f.tag("PNG", name, anyText(value))
	}
	f.Incomplete = f.Incomplete || !whole
}

// pngText is a text of any of PNG's three kinds, still compressed. whole is false where it is cut short or longer than the bound.
func (s *source) pngText(b block) (text container.PNGText, whole bool) {
	text, ok := container.ReadPNGText(b.Kind, s.Bytes(b.Content, longestPacket))
	return text, ok && b.Content.Length() <= longestPacket
}

// webpKnown are WebP's chunks that are needed for drawing, or that are read elsewhere.
var webpKnown = []string{"VP8 ", "VP8L", "VP8X", "ALPH", "ANIM", "ANMF", "ICCP", "EXIF", "XMP ", "_PMX", "C2PA"}

// readWebPParts names other programs' data in a WebP.
func (f *Facts) readWebPParts(src *source) {
	src.RIFFChunks(func(b block) bool {
		if !slices.Contains(webpKnown, b.Kind) {
			f.ownData("WebP", fourText(b.Kind), src.head(b), b.Content.Length())
		}
		return len(f.Embedded) < mostFields
	})
}

// gifKnown are the applications whose data is read elsewhere, or only says how often an animation repeats.
var gifKnown = []string{"NETSCAPE2.0", "ANIMEXTS1.0", "XMP DataXMP", "C2PA_GIF", "ICCRGBG1012"}

// readGIFParts reads a GIF's comments and texts, and names other programs' data in it.
func (f *Facts) readGIFParts(src *source) {
	src.GIFParts(func(b block) bool {
		switch b.Kind {
		case container.GIFComment:
			f.tag("GIF", "comment", anyText(f.gifText(src, b)))
		case container.GIFPlainText:
			const grid = 12 // the position and colours of a text
			text := f.gifText(src, b)
			f.tag("GIF", "comment", anyText(text[min(grid, len(text)):]))
		case container.GIFApplication:
			const name = 11
			head := string(src.Bytes(container.Between(b.Content.Start+1, b.Content.Start+1+name), name))
			if !slices.ContainsFunc(gifKnown, func(known string) bool { return strings.HasPrefix(head, known) }) {
				f.ownData("GIF", fourText(head), "", b.Content.Length())
			}
		case container.GIFScreen, container.GIFPicture, container.GIFControl:
		default:
			f.ownData("GIF", hexText([]byte(b.Kind)), src.head(b), b.Content.Length())
		}
		return len(f.Embedded) < mostFields
	})
}

// gifText reads a comment or a text. One that is longer than the bound makes the facts incomplete.
func (f *Facts) gifText(src *source, b block) []byte {
	text := src.SubBlocks(b.Content, longestTagText+1)
	f.Incomplete = f.Incomplete || len(text) > longestTagText
	return text
}

// countTrailing counts the bytes after a file's end. Phones append short clips, with positions of their own.
func (f *Facts) countTrailing(src *source) {
	if end, known := f.end(src); known {
		f.Trailing = max(src.Size()-end, 0)
	}
	f.Thumbnail = f.Thumbnail || f.Format == JPEG && jfifThumbnail(src)
}

// end is where a file ends by its format; known is false for one that breaks off before its end, or whose format has none.
func (f *Facts) end(src *source) (end int64, known bool) {
	switch f.Format {
	case JPEG:
		return src.JPEGParts(func(block) bool { return true })
	case GIF:
		return src.GIFParts(func(block) bool { return true })
	case PNG:
		last := ""
		end = src.PNGChunks(func(b block) bool {
			if last == "IEND" {
				return false
			}
			last = b.Kind
			return true
		})
		return end, last == "IEND"
	case WebP, WAV:
		head, ok := src.Head(4, 4)
		if !ok {
			return 0, false
		}
		length := int64(binary.LittleEndian.Uint32(head))
		return 8 + length + length%2, length >= 4 && length < 1<<32-1
	}
	return 0, false
}

// jfifThumbnail reports whether the first segment has a thumbnail.
func jfifThumbnail(src *source) bool {
	const width = 12
	found := false
	src.JPEGSegments(2, func(b block) bool {
		head := src.Bytes(b.Content, width+2)
		found = b.Kind == "\xe0" && (len(head) == width+2 && strings.HasPrefix(string(head), "JFIF\x00") && head[width] > 0 && head[width+1] > 0 ||
			strings.HasPrefix(string(head), "JFXX\x00"))
		return !found && b.Kind == "\xe0"
	})
	return found
}

func hexText(b []byte) string { return hex.EncodeToString(b) }

// iptcFields are the datasets of IPTC's second record, which describes a picture and its rights, by their numbers (IIM 4.2).
var iptcFields = map[byte]struct {
	name  string
	label i18n.Key
}{
	5: {"ObjectName", "Title"}, 7: {"EditStatus", ""}, 12: {"SubjectReference", ""}, 15: {"Category", ""}, 20: {"SupplementalCategories", ""}, 22: {"FixtureIdentifier", ""}, 25: {"Keywords", "Keywords"},
	26: {"ContentLocationCode", ""}, 27: {"ContentLocationName", "Place"}, 30: {"ReleaseDate", ""}, 35: {"ReleaseTime", ""}, 37: {"ExpirationDate", ""},
	40: {"SpecialInstructions", "Instructions"}, 45: {"ReferenceService", ""}, 47: {"ReferenceDate", ""}, 55: {"DateCreated", "Date"}, 60: {"TimeCreated", "Time"},
	62: {"DigitalCreationDate", ""}, 63: {"DigitalCreationTime", ""}, 65: {"OriginatingProgram", "Software"}, 70: {"ProgramVersion", ""}, 80: {"By-line", "By"},
	85: {"By-lineTitle", "Author's job title"}, 90: {"City", "City"}, 92: {"Sub-location", "Place"}, 95: {"Province-State", "Region"},
	100: {"Country-PrimaryLocationCode", "Country"}, 101: {"Country-PrimaryLocationName", "Country"}, 103: {"OriginalTransmissionReference", ""},
	105: {"Headline", "Headline"}, 110: {"Credit", "Credit"}, 115: {"Source", "Source"}, 116: {"CopyrightNotice", "Copyright"}, 118: {"Contact", "Contact"},
	120: {"Caption-Abstract", "Caption"}, 121: {"LocalCaption", "Caption"}, 122: {"Writer-Editor", "Writer"}, 184: {"JobID", ""}, 185: {"MasterDocumentID", ""},
	186: {"ShortDocumentID", ""}, 187: {"UniqueDocumentID", ""}, 188: {"OwnerID", "Owner"},
}

// readIPTC reads the datasets of IPTC: a marker byte, the numbers of the record and of the dataset, a length, a text. whole is false where
// one is cut short, or other data stands between them.
func (f *Facts) readIPTC(records []byte) (whole bool) {
	const mark, header, application, extended = 0x1c, 5, 2, 0x8000
	for len(records) >= header && records[0] == mark {
		record, number, length := records[1], records[2], int(binary.BigEndian.Uint16(records[3:]))
		records = records[header:]
		if length >= extended { // the length is in the next so many bytes
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

// keepIPTC keeps one dataset, except the version and the first record, which says how texts are encoded: they identify nobody.
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
