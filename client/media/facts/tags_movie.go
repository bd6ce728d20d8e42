package facts

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"assay/client/i18n"
	"assay/client/media/container"
)

// movieTags are the tags of MP4 and QuickTime: boxes with kinds of four characters, and the names in Apple's list of keys.
var movieTags = map[string]knownTag{
	"made": {"Made", Time}, "changed": {"Changed", Time}, "handler": {"Software", Device}, "encoder": {"Made with", Device},
	"©nam": {"Title", Description}, "titl": {"Title", Description}, "name": {"Title", Description}, "©ART": {"Artist", Author}, "perf": {"Performer", Author},
	"©aut": {"Author", Author}, "auth": {"Author", Author}, "aART": {"Album's artist", Author}, "©wrt": {"Composer", Author}, "©dir": {"Director", Author},
	"©prd": {"Producer", Author}, "©cpy": {"Copyright", Author}, "cprt": {"Copyright", Author}, "©own": {"Owner", Author}, "ownr": {"Owner", Author},
	"apID": {"Buyer's account", Author}, "purd": {"Bought", Time}, "©alb": {"Album", Description}, "albm": {"Album", Description}, "©gen": {"Genre", Description},
	"©cmt": {"Comment", Description}, "©des": {"Description", Description}, "desc": {"Description", Description}, "ldes": {"Description", Description},
	"dscp": {"Description", Description}, "©inf": {"Description", Description}, "©key": {"Keywords", Description}, "kywd": {"Keywords", Description},
	"©lyr": {"Lyrics", Description}, "©day": {"Date", Time}, "yrrc": {"Year", Time}, "©too": {"Made with", Device}, "©enc": {"Encoded by", Author},
	"©swr": {"Software", Device}, "©mak": {"Camera maker", Device}, "©mod": {"Camera", Device}, "©fmt": {"Format", Device}, "©src": {"Source", Device},
	"manu": {"Camera maker", Device}, "modl": {"Camera", Device}, "©xyz": {"Position", Position}, "loci": {"Position", Position},
	"SNum": {"Camera's serial number", Serial}, "CAME": {"Camera's serial number", Serial}, "FIRM": {"Firmware", Device}, "LENS": {"Lens's serial number", Serial},
	"com.apple.quicktime.location.iso6709": {"Position", Position}, "com.apple.quicktime.location.name": {"Place", Position},
	"com.apple.quicktime.location.body": {"Place", Position}, "com.apple.quicktime.location.note": {"Place", Position},
	"com.apple.quicktime.make": {"Camera maker", Device}, "com.apple.quicktime.model": {"Camera", Device}, "com.apple.quicktime.software": {"Software", Device},
	"com.apple.quicktime.creationdate": {"Made", Time}, "com.apple.quicktime.author": {"Author", Author}, "com.apple.quicktime.artist": {"Artist", Author},
	"com.apple.quicktime.title": {"Title", Description}, "com.apple.quicktime.description": {"Description", Description},
	"com.apple.quicktime.comment": {"Comment", Description}, "com.apple.quicktime.keywords": {"Keywords", Description},
	"com.apple.quicktime.copyright": {"Copyright", Author}, "com.apple.quicktime.content.identifier": {"Unique number", Identifier},
	"com.apple.quicktime.camera.identifier": {"Camera's unique number", Serial}, "com.apple.quicktime.camera.lens_model": {"Lens", Device},
	"com.android.version": {"Software", Device}, "com.android.manufacturer": {"Camera maker", Device}, "com.android.model": {"Camera", Device},
}

// movieKnown are, by the box around them, the boxes that picture and sound need for playing, and those that are read elsewhere. Any other
// box is some program's own data.
var movieKnown = map[string][]string{
	"": {
		"ftyp", "moov", "mdat", "free", "skip", "wide", "moof", "mfra", "sidx", "styp", "pdin", "meta", "udta", "pnot",
	},
	"moov": {"mvhd", "trak", "iods", "mvex", "udta", "meta", "free", "skip", "wide"},
	"trak": {"tkhd", "edts", "tapt", "mdia", "tref", "load", "udta", "meta", "free", "skip", "wide"},
	"mdia": {"mdhd", "hdlr", "minf", "elng", "free", "skip", "wide"},
}

// readMovieTags reads what a clip holds beside picture and sound: its times, its tags, its other tracks.
func (f *Facts) readMovieTags(src *source) {
	f.readMovieBoxes(src, "", src.Whole())
}

// readMovieBoxes reads the boxes in a span that picture and sound don't need; parent is the kind of the box around them. A moov, trak or
// mdia is read only inside its proper parent: a file may nest a million of them, and a stack that overflows ends the process.
func (f *Facts) readMovieBoxes(src *source, parent string, in span) {
	src.Boxes(in, func(b block) bool {
		switch known := slices.Contains(movieKnown[parent], b.Kind); b.Kind {
		case "moov", "trak", "mdia":
			if known {
				f.readMovieBoxes(src, b.Kind, b.Content)
				break
			}
			f.ownData("MP4", b.Kind, src.head(b), b.Content.Length())
		case "mvhd", "tkhd", "mdhd":
			f.readMovieTimes(src, b)
		case "hdlr":
			f.readHandler(src, b)
		case "minf":
			f.readDescriptions(src, b)
		case "udta", "meta":
			f.readTagBox(src, b)
		case "cmov": // compressed
			f.Incomplete = true
		case "uuid":
			const length = 16
			if kind, _ := src.Head(b.Content.Start, min(length, b.Content.Length())); string(kind) != xmpBox && string(kind) != c2paBox {
				f.ownData("MP4", "uuid", hexText(kind), b.Content.Length())
			}
		default:
			if !known {
				f.ownData("MP4", fourText(b.Kind), src.head(b), b.Content.Length())
			}
		}
		return len(f.Embedded) < mostFields
	})
}

// readHandler reads what kind of track it is, and the name of the program or device that wrote it.
func (f *Facts) readHandler(src *source, b block) {
	const kind, name, kindEnd = 8, 24, 12
	content := f.textIn(src, b.Content)
	if len(content) < kindEnd {
		f.Incomplete = true
		return
	}
	f.addTrack(string(content[kind:kindEnd]))
	if text := content[min(name, len(content)):]; len(text) > 0 {
		if int(text[0]) < len(text) && text[0] < ' ' { // in QuickTime the length comes first
			text = text[1:]
		}
		f.tag("MP4", "handler", anyText(text))
	}
}

// readDescriptions reads the name of the program that encoded a track's pictures.
func (f *Facts) readDescriptions(src *source, minf block) {
	const header, entry, name, length = 8, 8, 42, 32
	src.Boxes(minf.Content, func(b block) bool {
		if b.Kind != "stbl" {
			return true
		}
		src.Boxes(b.Content, func(b block) bool {
			if b.Kind != "stsd" {
				return true
			}
			src.Boxes(container.Between(b.Content.Start+header, b.Content.End), func(b block) bool {
				text := src.Bytes(container.Between(b.Content.Start+name, min(b.Content.Start+name+length, b.Content.End)), length)
				if len(text) == length && slices.Contains(pictureCodecs, b.Kind) {
					f.tag("MP4", "encoder", anyText(text[1:1+min(int(text[0]), length-1)]))
				}
				return true
			})
			return true
		})
		return true
	})
}

// pictureCodecs are the kinds of sample descriptions that have a program's name.
var pictureCodecs = []string{"avc1", "avc3", "hvc1", "hev1", "av01", "vp08", "vp09", "mp4v", "dvh1", "dvhe", "apch", "apcn", "apcs", "apco", "ap4h", "ap4x", "jpeg", "mjpa", "png "}

// addTrack notes a track that is neither picture nor sound, by the kind of its handler.
func (f *Facts) addTrack(handler string) {
	const mostTracks = 20
	name := ""
	switch handler {
	case "vide", "soun", "url ", "alis", "mdir", "mdta":
		return
	case "text", "sbtl", "subt", "clcp":
		name = i18n.T("subtitles or chapters")
	case "tmcd":
		name = i18n.T("timecode")
	case "meta":
		name = i18n.T("data with times, such as positions or movements")
	default:
		name = i18n.F("data of the kind %q", fourText(handler))
	}
	if len(f.Tracks) == mostTracks {
		f.Incomplete = true
		return
	}
	f.Tracks = append(f.Tracks, name)
}

// readMovieTimes reads when a clip was made and changed, in seconds since 1904.
func (f *Facts) readMovieTimes(src *source, b block) {
	data := src.Bytes(b.Content, 20)
	if len(data) < 20 {
		f.Incomplete = true
		return
	}
	made, changed := uint64(binary.BigEndian.Uint32(data[4:])), uint64(binary.BigEndian.Uint32(data[8:]))
	if data[0] == 1 {
		made, changed = binary.BigEndian.Uint64(data[4:]), binary.BigEndian.Uint64(data[12:])
	}
	for _, one := range []struct {
		name    string
		seconds uint64
	}{{"made", made}, {"changed", changed}} {
		if one.seconds > 0 && one.seconds < 1<<33 {
			at := time.Date(1904, 1, 1, 0, 0, 0, 0, time.UTC).Add(time.Duration(one.seconds) * time.Second) //nolint:gosec // below 2^33
			f.tag("MP4", one.name, at.Format("2006-01-02 15:04:05 UTC"))
		}
	}
}

// readTagBox reads the tags in a box of user data, in Apple's list, or of iTunes.
func (f *Facts) readTagBox(src *source, b block) {
	switch b.Kind {
	case "udta":
		src.Boxes(b.Content, func(b block) bool {
			f.readUserData(src, b)
			return len(f.Embedded) < mostFields
		})
	case "meta":
		f.readMeta(src, b)
	}
}

// readUserData reads one box of user data: text after its length and language, as in QuickTime, or as in 3GPP.
func (f *Facts) readUserData(src *source, b block) {
	content := src.Bytes(b.Content, longestTagText)
	name := fourText(b.Kind)
	switch {
	case b.Kind == "meta":
		f.readMeta(src, b)
	case len(content) == 0 || b.Kind == "free" || b.Kind == "skip" || b.Kind == "XMP_":
	case b.Kind == "loci":
		f.tag("MP4", name, placeText(content))
	case b.Kind[0] == 0xa9:
		if len(content) < 4 {
			break
		}
		f.readUserTexts(name, f.textIn(src, b.Content))
	case movieTags[name].label != "" && len(content) > 6 && binary.BigEndian.Uint32(content) == 0: // version, flags, language, text
		f.tagMovie(name, wideText(f.textIn(src, b.Content)[6:]))
	default:
		value := valueText(content)
		words := printable(string(content[:min(len(content), longestValue)]))
		if words != value && words != "" || movieTags[name].label == "" && len(value) > longestKey || strings.ContainsRune(value, utf8.RuneError) {
			value = strings.TrimSpace(words + " " + i18n.Bytes(b.Content.Length()))
		}
		f.tagMovie(name, value)
	}
}

// readUserTexts reads QuickTime's texts: one for each language, each after its length and language.
func (f *Facts) readUserTexts(name string, content []byte) {
	const header = 4
	for len(content) >= header {
		n := int(binary.BigEndian.Uint16(content))
		text := content[header:]
		f.Incomplete = f.Incomplete || n > len(text)
		f.tagMovie(name, wideText(text[:min(n, len(text))]))
		if content = text[min(n, len(text)):]; n == 0 {
			break
		}
	}
}

// readMeta reads a list of tags. In MPEG-4 its boxes follow four bytes of version and flags, in QuickTime they don't.
func (f *Facts) readMeta(src *source, b block) {
	inside := b.Content
	if head, ok := src.Head(inside.Start, 8); ok && string(head[4:]) != "hdlr" {
		inside.Start += 4
	}
	var keys []string
	src.Boxes(inside, func(b block) bool {
		switch b.Kind {
		case "keys":
			keys = src.movieKeys(b)
		case "ilst":
			src.Boxes(b.Content, func(item block) bool {
				f.readItem(src, item, keys)
				return len(f.Embedded) < mostFields
			})
		case "hdlr", "free", "skip":
		default:
			f.ownData("MP4", fourText(b.Kind), src.head(b), b.Content.Length())
		}
		return len(f.Embedded) < mostFields
	})
}

// movieKeys reads the list of names to which items refer by number, from 1 on.
func (s *source) movieKeys(b block) []string {
	var keys []string
	s.Boxes(container.Between(b.Content.Start+8, b.Content.End), func(b block) bool {
		keys = append(keys, anyText(s.Bytes(b.Content, longestKey)))
		return len(keys) <= mostFields
	})
	return keys
}

// readItem reads an item, whose name is its kind, or in the list of keys, or beside its value.
func (f *Facts) readItem(src *source, item block, keys []string) {
	name := fourText(item.Kind)
	if n := int(binary.BigEndian.Uint32([]byte(item.Kind))); n >= 1 && n <= len(keys) {
		name = keys[n-1]
	}
	src.Boxes(item.Content, func(b block) bool {
		switch b.Kind {
		case "name":
			const flags = 4
			name = anyText(src.Bytes(container.Between(b.Content.Start+flags, b.Content.End), longestKey))
		case "data":
			f.readItemData(name, src.Bytes(b.Content, longestTagText), b.Content.Length())
		case "mean":
		default:
			f.ownData("MP4", name, src.head(b), b.Content.Length())
		}
		return true
	})
}

func (f *Facts) readItemData(name string, data []byte, length int64) {
	const header, kindUTF8, kindUTF16, kindJPEG, kindPNG, kindNumber = 8, 1, 2, 13, 14, 21
	if len(data) <= header || name == "iTunSMPB" { // iTunSMPB says where the sound begins
		return
	}
	kind, value := binary.BigEndian.Uint32(data)&0xffffff, data[header:]
	switch {
	case name == "covr" || kind == kindJPEG || kind == kindPNG:
		f.Thumbnail = true
	case kind == kindUTF8:
		f.Incomplete = f.Incomplete || int64(len(data)) < length
		f.tagMovie(name, anyText(value))
	case kind == kindUTF16:
		f.Incomplete = f.Incomplete || int64(len(data)) < length
		f.tagMovie(name, listed(encoded(2, value)))
	case kind == kindNumber && len(value) <= 8:
		n := int64(0)
		for _, b := range value {
			n = n<<8 | int64(b)
		}
		f.tagMovie(name, strconv.FormatInt(n, 10))
	default:
		f.tagMovie(name, i18n.Bytes(length-header))
	}
}

// tagMovie keeps a tag. A position is formatted as in pictures.
func (f *Facts) tagMovie(name, value string) {
	key := name
	if strings.HasPrefix(name, "com.") {
		key = strings.ToLower(name)
	}
	if movieTags[key].kind == Position {
		if decimal := isoPosition(value); decimal != "" {
			f.tagAs("MP4", key, decimal, value)
			return
		}
	}
	f.tag("MP4", key, value)
}

// isoPosition converts a position of ISO 6709, such as "+37.3318-122.0312+010.000/", to decimal degrees; "" if it isn't one in degrees.
func isoPosition(text string) string {
	parts := make([]float64, 0, 2)
	for rest := text; len(parts) < 2; {
		if rest == "" || rest[0] != '+' && rest[0] != '-' {
			return ""
		}
		n := 1
		for n < len(rest) && (rest[n] >= '0' && rest[n] <= '9' || rest[n] == '.') {
			n++
		}
		degrees, err := strconv.ParseFloat(rest[:n], 64)
		if err != nil || degrees > 180 || degrees < -180 {
			return ""
		}
		parts, rest = append(parts, degrees), rest[n:]
	}
	return fmt.Sprintf("%.6f, %.6f", parts[0], parts[1])
}

// placeText reads 3GPP's place: version, flags, language, a name, a role, three numbers with 16 bits of fraction, the planet, and notes.
func placeText(content []byte) string {
	const header, numbers = 6, 1 + 12
	if len(content) < header {
		return ""
	}
	name, rest, _ := bytes.Cut(content[header:], []byte{0})
	if len(rest) < numbers {
		return anyText(name)
	}
	fixed := func(at int) float64 { return float64(int32(binary.BigEndian.Uint32(rest[at:]))) / (1 << 16) } //nolint:gosec // two's complement
	_, notes, _ := bytes.Cut(rest[numbers:], []byte{0})
	return strings.TrimSpace(fmt.Sprintf("%s %.6f, %.6f %s", anyText(name), fixed(5), fixed(1), anyText(notes)))
}

// wideText decodes text in UTF-8, or in UTF-16 with a byte order mark.
func wideText(text []byte) string {
	if bytes.HasPrefix(text, []byte("\xfe\xff")) || bytes.HasPrefix(text, []byte("\xff\xfe")) {
		return listed(encoded(1, text))
	}
	return anyText(text)
}
