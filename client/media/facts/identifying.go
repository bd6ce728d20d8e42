package facts

import (
	"cmp"
	"slices"
	"strings"

	"assay/client/i18n"
)

// Kind is a kind of identifying information. Its text is stable: it may be stored.
type Kind string

// The kinds.
const (
	Position    Kind = "position"    // where it was made
	Serial      Kind = "serial"      // serial numbers
	Author      Kind = "author"      // author, owner, rights, contact
	Device      Kind = "device"      // camera, phone, computer, software
	Identifier  Kind = "identifier"  // numbers of one file or its versions
	Time        Kind = "time"        // when it was made
	Description Kind = "description" // titles, captions, comments
	Track       Kind = "track"       // a clip's tracks that are neither picture nor sound
	Thumbnail   Kind = "thumbnail"   // an embedded preview, which may show what was cut away
	Credential  Kind = "credentials" // content credentials
	Trailing    Kind = "trailing"    // data after the end of the format
)

// kinds are in the order of their importance.
var kinds = []struct {
	kind  Kind
	label i18n.Key
}{
	{Position, "Position"}, {Serial, "Serial numbers"}, {Author, "Author or owner"}, {Device, "Camera or program"}, {Identifier, "Unique numbers"},
	{Time, "Times"}, {Description, "Titles and comments"}, {Track, "Other tracks"}, {Thumbnail, "A small picture inside"},
	{Credential, "Content credentials"}, {Trailing, "Data after the end"},
}

// Kinds are all kinds, the most important first.
func Kinds() []Kind {
	all := make([]Kind, len(kinds))
	for i, one := range kinds {
		all[i] = one.kind
	}
	return all
}

// Label is the kind in the person's language, such as "Serial numbers"; an unknown kind is its own label.
func (k Kind) Label() string {
	for _, one := range kinds {
		if one.kind == k {
			return i18n.T(one.label)
		}
	}
	return string(k)
}

// Identified is one thing in a file that may identify a person, a place or a device.
type Identified struct {
	Kind  Kind
	Label string // in the person's language, as in Field
	Value string // as in the file; a sentence for Track, Thumbnail, Credential and Trailing
}

// Identifying lists what identifies in a file, or may, in the order of Kinds. Exposure settings are not included.
func Identifying(f Facts) []Identified {
	var found []Identified
	for _, field := range slices.Concat(f.EXIF, f.Embedded) {
		if kind := field.kind(); kind != "" {
			found = append(found, Identified{kind, field.Label, field.Value})
		}
	}
	add := func(kind Kind, value string) { found = append(found, Identified{kind, kind.Label(), value}) }
	for _, track := range f.Tracks {
		add(Track, track)
	}
	if f.Thumbnail {
		add(Thumbnail, i18n.T("It may show what was cut out of the file later."))
	}
	if f.Credentials.State != None {
		value := i18n.T("They say who made the file, or with what.")
		if f.Credentials.Signer != "" {
			value = i18n.F("They are signed by %s.", f.Credentials.Signer)
		}
		add(Credential, value)
	}
	if f.Trailing > 0 {
		add(Trailing, i18n.N(int(f.Trailing), "%s byte after the end, which Assay does not read.", "%s bytes after the end, which Assay does not read."))
	}
	order := Kinds()
	slices.SortStableFunc(found, func(a, b Identified) int {
		return cmp.Compare(slices.Index(order, a.Kind), slices.Index(order, b.Kind))
	})
	return found
}

// exifKinds are the kinds of EXIF's fields that kindByName can't guess.
var exifKinds = map[string]Kind{
	gpsPosition: Position, "HostComputer": Device, "ImageUniqueID": Identifier, "UserComment": Description, "XPSubject": Description, "XPKeywords": Description,
	"ImageNumber": Identifier, "ImageHistory": Description, "SecurityClassification": Description, "DocumentName": Description,
	"OffsetTime": Time, "DateTime": Time, "PreviewDateTime": Time,
}

const gpsVersion = "GPSVersionID"

// kind is what a field identifies; "" for one that identifies nobody.
func (f Field) kind() Kind {
	if standard, name, ok := strings.Cut(f.Key, " "); ok {
		if strings.HasPrefix(name, ownDataOf) {
			return Identifier
		}
		if standards[standard] != nil {
			return cmp.Or(tagOf(standard, name).kind, Description) // somebody wrote it, so it may
		}
		if kind := cmp.Or(xmpKinds[name], kindByName(name)); kind != "" || !f.Identifying { // a field of XMP or IPTC
			return kind
		}
		return Identifier
	}
	if f.Key == gpsVersion {
		return "" // of the standard, not of the place
	}
	if kind := exifKinds[f.Key]; kind != "" {
		return kind
	}
	if kind := kindByName(f.Key); kind != "" {
		return kind
	}
	if f.Identifying {
		return Identifier
	}
	return ""
}
