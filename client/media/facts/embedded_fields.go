package facts

import (
	"io"
	"slices"

	"assay/client/i18n"

	"github.com/bep/imagemeta"
)

// iptcLabels are the fields of IPTC that are shown.
var iptcLabels = map[string]i18n.Key{
	"ObjectName": "Title", "Headline": "Headline", "Caption-Abstract": "Caption", "By-line": "By", "Credit": "Credit", "Source": "Source",
	"CopyrightNotice": "Copyright", "DateCreated": "Date", "TimeCreated": "Time", "City": "City", "Sub-location": "Place", "Province-State": "Region",
	"Country-PrimaryLocationName": "Country", "Keywords": "Keywords", "SpecialInstructions": "Instructions", "OriginatingProgram": "Software", "Writer-Editor": "Writer",
}

func (f *Facts) readIPTC(r io.ReadSeeker) {
	found, err := tags(r, f.Format, imagemeta.IPTC, func(name string) bool { return iptcLabels[name] != "" })
	if err != nil && len(found) == 0 {
		return // most pictures that the library can't read have none
	}
	for _, tag := range found {
		f.embed(Field{Key: "IPTC " + tag.Name, Label: i18n.T(iptcLabels[tag.Name]), Value: valueText(tag.Value), Identifying: identifies(tag.Name)})
	}
}

// xmpLabels are the properties of XMP that are shown.
var xmpLabels = map[string]i18n.Key{
	"CreatorTool": "Made with", "DigitalSourceType": "Digital source type", "Credit": "Credit", "creator": "Creator", "AuthorsPosition": "Author's position", "rights": "Rights",
	"CreateDate": "Made", "ModifyDate": "Changed", "MetadataDate": "Metadata changed", "DateCreated": "Date", "Headline": "Headline", "City": "City", "Country": "Country",
	"softwareAgent": "Software", "Instructions": "Instructions", "AIGeneratedContent": "Generated", "provenance": "Provenance",
	"GPSLatitude": "Latitude", "GPSLongitude": "Longitude", "Location": "Place", "SerialNumber": "Camera's serial number", "LensSerialNumber": "Lens's serial number",
	"OwnerName": "Owner", "DocumentID": "Document's number", "InstanceID": "Version's number", "OriginalDocumentID": "Original document's number",
}

func (f *Facts) readXMP(src *source) error {
	for _, packet := range src.xmpPackets(f.Format) {
		for _, p := range XMP(packet, func(name string) bool { return xmpLabels[name] != "" }) {
			f.embed(Field{Key: "XMP " + p.Name, Label: i18n.T(xmpLabels[p.Name]), Value: p.Value, Identifying: identifies(p.Name)})
		}
	}
	return nil
}

// embed keeps a field of XMP or IPTC, the same value once.
func (f *Facts) embed(field Field) {
	field.Key, field.Value = cleanText(field.Key, longestKey), cleanText(field.Value, longestValue)
	if field.Value == "" || len(f.Embedded) == mostFields || slices.Contains(f.Embedded, field) {
		return
	}
	f.Embedded = append(f.Embedded, field)
}
