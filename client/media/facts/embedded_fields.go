package facts

import (
	"slices"

	"assay/client/i18n"
)

// xmpLabels are the properties of XMP that are shown.
var xmpLabels = map[string]i18n.Key{
	"CreatorTool": "Made with", "DigitalSourceType": "Digital source type", "Credit": "Credit", "creator": "Creator", "AuthorsPosition": "Author's position", "rights": "Rights",
	"CreateDate": "Made", "ModifyDate": "Changed", "MetadataDate": "Metadata changed", "DateCreated": "Date", "Headline": "Headline", "City": "City", "Country": "Country",
	"softwareAgent": "Software", "Instructions": "Instructions", "AIGeneratedContent": "Generated", "provenance": "Provenance",
	"GPSLatitude": "Latitude", "GPSLongitude": "Longitude", "Location": "Place", "SerialNumber": "Camera's serial number", "LensSerialNumber": "Lens's serial number",
	"OwnerName": "Owner", "DocumentID": "Document's number", "InstanceID": "Version's number", "OriginalDocumentID": "Original document's number",
}

// xmpKinds are what properties are about whose names don't tell.
var xmpKinds = map[string]Kind{
	"Name": Author, "UsageTerms": Author, "Certificate": Author, "CiTelWork": Author, "CiAdrCtry": Author, "CiAdrPcode": Author, "CiUrlWork": Author, "WebStatement": Author, "Source": Author, "RegionName": Author, "hierarchicalSubject": Description,
	"subject": Description, "Event": Description, "TransmissionReference": Identifier, "PreservedFileName": Identifier, "DerivedFrom": Identifier,
}

// xmpFigures are properties of a packet itself, and figures of pictures that tell of nobody.
var xmpFigures = map[string]bool{"xmptk": true, "about": true, "parseType": true, "lang": true, "HasExtendedXMP": true}

func (f *Facts) readXMP(src *source) error {
	packets, whole := src.xmpPackets(f.Format)
	for _, packet := range packets {
		f.readXMPPacket(packet)
	}
	if !whole {
		return errPart
	}
	return nil
}

// readXMPPacket keeps all properties of a packet, also those that have no name in words here.
func (f *Facts) readXMPPacket(packet []byte) {
	properties, whole := xmpProperties(packet, func(string) bool { return true })
	f.Incomplete = f.Incomplete || !whole
	for _, p := range properties {
		label := spaced(p.Name)
		if known := xmpLabels[p.Name]; known != "" {
			label = i18n.T(known)
		}
		if !xmpFigures[p.Name] {
			identifying := identifies(p.Name) || xmpKinds[p.Name].identifies() || slices.ContainsFunc(p.around, func(name string) bool { return kindByName(name).identifies() })
			f.embed(Field{Key: "XMP " + p.Name, Label: cleanText(label, longestKey), Value: p.Value, Identifying: identifying})
		}
	}
}

// embed keeps a field of XMP or IPTC, the same value once.
func (f *Facts) embed(field Field) {
	field.Key, field.Value = cleanText(field.Key, longestKey), cleanText(field.Value, longestValue)
	if field.Value == "" || len(f.Embedded) == mostFields || slices.Contains(f.Embedded, field) {
		return
	}
	f.Embedded = append(f.Embedded, field)
	f.Incomplete = f.Incomplete || len(f.Embedded) == mostFields // no more is looked for
}
