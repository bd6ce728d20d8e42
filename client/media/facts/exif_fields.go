package facts

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
	"unicode"

	"assay/client/i18n"

	"github.com/bep/imagemeta"
)

// known is a field that people ask for.
type known struct {
	key         string
	label       i18n.Key // "" if its label is derived from its key
	identifying bool
}

// knownEXIF is in the order in which fields are shown; unknown fields follow in the file's order.
var knownEXIF = []known{
	{"Make", "Camera maker", false}, {"Model", "Camera", false}, {"LensMake", "Lens maker", false}, {"LensModel", "Lens", false},
	{"DateTimeOriginal", "Taken", false}, {"CreateDate", "Digitised", false}, {"ModifyDate", "Changed", false},
	{"Software", "Software", false}, {"ProcessingSoftware", "Processing software", false}, {"HostComputer", "Computer", true},
	{"Artist", "Artist", true}, {"XPAuthor", "Author", true}, {"CameraOwnerName", "Camera's owner", true}, {"OwnerName", "Owner", true},
	{"Copyright", "Copyright", true}, {"ImageDescription", "Description", false}, {"UserComment", "Comment", false},
	{"XPTitle", "Title", false}, {"XPComment", "Comment", false},
	{gpsPosition, "Position", true}, {"GPSAltitude", "Altitude", true}, {"GPSDateStamp", "GPS date", true}, {"GPSTimeStamp", "GPS time (UTC)", true},
	{"SerialNumber", "Camera's serial number", true}, {"BodySerialNumber", "Camera's serial number", true},
	{"CameraSerialNumber", "Camera's serial number", true}, {"LensSerialNumber", "Lens's serial number", true}, {"ImageUniqueID", "Picture's unique number", true},
	{"ExposureTime", "Exposure time", false}, {"FNumber", "Aperture", false}, {"ISO", "ISO", false},
	{"ExposureCompensation", "Exposure compensation", false}, {"FocalLength", "Focal length", false},
	{"FocalLengthIn35mmFormat", "Focal length (35 mm equivalent)", false}, {"Flash", "Flash", false}, {"Orientation", "Orientation", false},
}

// text is the label in the person's language. A label derived from a key is not translated.
func (k known) text() string {
	if k.label == "" {
		return spaced(k.key)
	}
	return i18n.T(k.label)
}

// gpsPosition is the key of the field that combines latitude and longitude.
const gpsPosition = "GPSPosition"

// zones are the fields with a time's zone, by the field with the time.
var zones = map[string]string{"DateTimeOriginal": "OffsetTimeOriginal", "CreateDate": "OffsetTimeDigitized", "ModifyDate": "OffsetTime"}

// parts are fields that are shown within others, or not at all: imagemeta drops the leading zeros of fractions of a second.
var parts = map[string]bool{
	"OffsetTimeOriginal": true, "OffsetTimeDigitized": true, "OffsetTime": true,
	"SubSecTimeOriginal": true, "SubSecTimeDigitized": true, "SubSecTime": true,
	"GPSLatitude": true, "GPSLatitudeRef": true, "GPSLongitude": true, "GPSLongitudeRef": true, "GPSAltitudeRef": true,
	"ThumbnailOffset": true, "ThumbnailLength": true, "ExifOffset": true, "GPSInfo": true,
}

// readEXIF reads the EXIF and IPTC of all blocks in a picture.
func (f *Facts) readEXIF(src *source) error {
	blocks, whole := src.pictureBlocks(f.Format)
	named := map[string]any{}
	var order []string
	var again []Tag // fields that occur again with another value, and those of the thumbnail's directory
	err := error(nil)
	for i := 0; i < len(blocks.exif); i++ {
		block := repairedEXIF(blocks.exif[i])
		found, problem := tags(exifPicture(block.data), WebP, imagemeta.EXIF, nil)
		if err = cmp.Or(err, problem); !block.whole {
			whole = false
		}
		blocks.xmp, blocks.iptc = append(blocks.xmp, block.xmp...), append(blocks.iptc, block.iptc...)
		if len(blocks.exif) < mostBlocks { // Photoshop's resources may hold EXIF, and EXIF may hold Photoshop's resources
			whole = blocks.addPhotoshop(block.photoshop) && whole
		}
		for _, tag := range append(found, block.tags...) {
			if strings.HasPrefix(tag.Directory, "IFD1") {
				f.Thumbnail = f.Thumbnail || tag.Name == "ThumbnailOffset"
				if identifies(tag.Name) || kindByName(tag.Name) != "" {
					again = append(again, tag)
				}
				continue
			}
			if _, seen := named[tag.Name]; seen {
				again = append(again, tag)
				continue
			}
			named[tag.Name] = tag.Value
			order = append(order, tag.Name)
		}
	}
	if n, ok := number(named["Orientation"]); ok && n >= 1 && n <= 8 {
		f.Orientation = int(n)
	}
	f.EXIF = f.fields(named, order)
	f.addAgain(again)
	f.Thumbnail = f.Thumbnail || blocks.thumbnail
	for _, records := range blocks.iptc {
		whole = f.readIPTC(records) && whole
	}
	for _, words := range blocks.words {
		f.embed(Field{Key: "Photoshop " + ownDataOf + "resource", Label: i18n.T("Data of a program"), Value: words, Identifying: true})
	}
	for _, packet := range blocks.xmp {
		f.readXMPPacket(packet)
	}
	if err == nil && !whole {
		err = errPart
	}
	return err
}

// addAgain adds the further values of fields that the file has more than once, unless they are equal.
func (f *Facts) addAgain(again []Tag) {
	for _, tag := range again {
		named := map[string]any{tag.Name: tag.Value}
		field := f.field(known{key: tag.Name, identifying: identifies(tag.Name)}, named)
		if i := slices.IndexFunc(knownEXIF, func(k known) bool { return k.key == tag.Name }); i >= 0 {
			field = f.field(knownEXIF[i], named)
		}
		if field.Value == "" || parts[tag.Name] && !strings.HasPrefix(tag.Name, "GPSL") || slices.Contains(f.EXIF, field) {
			continue
		}
		if len(f.EXIF) == mostFields {
			f.Incomplete = true
			return
		}
		f.EXIF = append(f.EXIF, field)
	}
}

// field turns one field of EXIF into labelled text.
func (f *Facts) field(k known, named map[string]any) Field {
	field := Field{Key: cleanText(k.key, longestKey), Label: cleanText(k.text(), longestKey), Identifying: k.identifying}
	if k.key == gpsPosition {
		field.Value, field.Raw = position(named)
	} else {
		field.Value = exifValue(k.key, named)
	}
	field.Value = cleanText(field.Value, longestValue)
	return field
}

// fields turns EXIF's fields into labelled text, in the order of knownEXIF.
func (f *Facts) fields(named map[string]any, order []string) []Field {
	var fields []Field
	done := map[string]bool{}
	add := func(k known) {
		if done[k.key] {
			return
		}
		done[k.key] = true
		if field := f.field(k, named); field.Value != "" {
			fields = append(fields, field)
		}
	}
	for _, k := range knownEXIF {
		if _, there := named[k.key]; there || k.key == gpsPosition {
			add(k)
		}
	}
	together, _ := position(named)
	for _, key := range order {
		if parts[key] && (together != "" || !strings.HasPrefix(key, "GPSL")) {
			continue
		}
		if len(fields) == mostFields {
			f.Incomplete = true
			f.note(i18n.F("The file has more EXIF fields than the %d that are shown.", mostFields))
			break
		}
		add(known{key: key, identifying: identifies(key)})
	}
	return fields
}

// identifies guesses from a field's name whether it identifies a person, a place or one device. It errs towards yes.
func identifies(key string) bool {
	key = strings.ToLower(key)
	if key == "creatortool" {
		return false
	}
	for _, part := range []string{"serial", "owner", "artist", "author", "creator", "byline", "by-line", "uniqueid", "copyright", "gps", "location", "city", "sublocation",
		"province", "country", "contact", "credit", "person", "email", "phone", "instanceid", "documentid", "hostcomputer"} {
		if strings.Contains(key, part) {
			return true
		}
	}
	return false
}

// exifValue formats a field's value as text.
func exifValue(key string, named map[string]any) string {
	value := named[key]
	text := valueText(value)
	n, isNumber := number(value)
	switch key {
	case "DateTimeOriginal", "CreateDate", "ModifyDate":
		return timeText(text, valueText(named[zones[key]]))
	case "ExposureTime":
		if isNumber && n > 0 && n < 1 {
			return fmt.Sprintf("1/%.0f s", 1/n)
		}
		return text + " s"
	case "FNumber":
		if isNumber {
			return fmt.Sprintf("f/%.3g", n)
		}
	case "FocalLength", "FocalLengthIn35mmFormat":
		if isNumber {
			return fmt.Sprintf("%.4g mm", n)
		}
	case "GPSAltitude":
		if isNumber {
			if below, ok := number(named["GPSAltitudeRef"]); ok && below == 1 {
				n = -n
			}
			return fmt.Sprintf("%.1f m", n)
		}
	case "Orientation":
		if isNumber {
			return OrientationText(int(n))
		}
	case "Flash":
		if isNumber {
			if int(n)&1 == 1 {
				return i18n.T("fired")
			}
			return i18n.T("did not fire")
		}
	}
	if isNumber {
		if meaning := codeText(key, n); meaning != "" {
			return meaning
		}
	}
	return text
}

// OrientationText says how a picture must be turned for showing, by EXIF's number; "" for an invalid number.
func OrientationText(n int) string {
	if n < 1 || n > 8 {
		return ""
	}
	return i18n.T([...]i18n.Key{"upright", "mirrored", "upside down", "mirrored and upside down",
		"mirrored, turned a quarter to the left", "turned a quarter to the right", "mirrored, turned a quarter to the right", "turned a quarter to the left"}[n-1])
}

// timeText formats EXIF's "2026:01:31 10:20:30" with its zone, or with a note that it has none.
func timeText(text, zone string) string {
	if len(text) >= 10 && text[4] == ':' && text[7] == ':' {
		text = text[:4] + "-" + text[5:7] + "-" + text[8:]
	}
	if strings.Trim(text, "0:- ") == "" {
		return ""
	}
	if zone = strings.TrimSpace(zone); zone != "" {
		return text + " " + zone
	}
	return i18n.F("%s (no time zone given)", text)
}

// position combines latitude and longitude: in decimal degrees, and (raw) in degrees, minutes and seconds.
func position(named map[string]any) (decimal, raw string) {
	latitude, ok1 := number(named["GPSLatitude"])
	longitude, ok2 := number(named["GPSLongitude"])
	if !ok1 || !ok2 || math.Abs(latitude) > 90 || math.Abs(longitude) > 180 {
		return "", ""
	}
	latitude, north := signed(latitude, valueText(named["GPSLatitudeRef"]), "N", "S")
	longitude, east := signed(longitude, valueText(named["GPSLongitudeRef"]), "E", "W")
	return fmt.Sprintf("%.6f, %.6f", latitude, longitude), degrees(latitude) + " " + north + ", " + degrees(longitude) + " " + east
}

// signed returns a coordinate with the sign and the letter that its reference (N or S, E or W) stands for.
func signed(value float64, ref, positive, negative string) (float64, string) {
	if strings.HasPrefix(strings.ToUpper(strings.TrimSpace(ref)), negative) {
		value = -math.Abs(value)
	}
	if value < 0 {
		return value, negative
	}
	return value, positive
}

func degrees(value float64) string {
	const perDegree, perMinute = 360_000, 6_000 // units of a hundredth of a second
	hundredths := int(math.Round(math.Abs(value) * perDegree))
	return fmt.Sprintf("%d° %d′ %.2f″", hundredths/perDegree, hundredths%perDegree/perMinute, float64(hundredths%perMinute)/100)
}

// number converts a value to a number; ok is false where it is none.
func number(value any) (float64, bool) {
	var n float64
	switch v := value.(type) {
	case uint8:
		n = float64(v)
	case uint16:
		n = float64(v)
	case uint32:
		n = float64(v)
	case int:
		n = float64(v)
	case int32:
		n = float64(v)
	case float32:
		n = float64(v)
	case float64:
		n = v
	case imagemeta.Rat[uint32]:
		n = v.Float64()
	case imagemeta.Rat[int32]:
		n = v.Float64()
	default:
		return 0, false
	}
	return n, !math.IsNaN(n) && !math.IsInf(n, 0)
}

// mostElements bounds how many values of one field are written out.
const mostElements = 16

// valueText formats a value of any type.
func valueText(value any) string {
	switch v := value.(type) {
	case nil:
		return ""
	case string:
		return strings.TrimSpace(strings.ReplaceAll(v, "\x00", "")) // UTF-16 without its zeros reads as Latin text
	case []string:
		return strings.Join(v[:min(len(v), mostElements)], ", ")
	case []byte:
		text := strings.TrimRight(string(v), "\x00 ")
		if len(v) <= longestValue && text != "" && !strings.ContainsFunc(text, func(r rune) bool { return !unicode.IsPrint(r) }) {
			return text
		}
		if len(v) <= mostElements {
			return strings.Trim(fmt.Sprintf("%d", v), "[]")
		}
		return i18n.Bytes(int64(len(v)))
	case float64:
		return fmt.Sprintf("%.6g", v)
	case []any:
		texts := make([]string, 0, mostElements)
		for _, one := range v[:min(len(v), mostElements)] {
			texts = append(texts, valueText(one))
		}
		if len(v) > mostElements {
			texts = append(texts, i18n.N(len(v), "… (%s value)", "… (%s values)"))
		}
		return strings.Join(texts, " ")
	}
	return fmt.Sprint(value)
}

// spaced splits a name that is written as one word: "MeteringMode" becomes "Metering mode".
func spaced(name string) string {
	const makerNote = "MakerNote"
	if strings.HasPrefix(name, makerNote) {
		name = makerNote // imagemeta appends the first maker's name in its list
	}
	var b strings.Builder
	runes := []rune(name)
	for i, r := range runes {
		if i > 0 && unicode.IsUpper(r) && (unicode.IsLower(runes[i-1]) || i+1 < len(runes) && unicode.IsLower(runes[i+1]) && unicode.IsUpper(runes[i-1])) {
			b.WriteByte(' ')
			if i+1 < len(runes) && unicode.IsLower(runes[i+1]) {
				r = unicode.ToLower(r)
			}
		}
		b.WriteRune(r)
	}
	return b.String()
}
