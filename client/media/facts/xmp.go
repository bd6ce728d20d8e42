package facts

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"slices"
	"strings"

	"assay/client/i18n"
)

// Property is one value in an XMP packet. Its name has no namespace prefix, since prefixes vary.
type Property struct {
	Name, Value string
	around      []string // the properties around it, the outermost first
}

const (
	longestPacket  = 4 << 20
	mostProperties = 1_000
)

// XMP reads the properties of a packet whose names wanted accepts: attributes, elements' texts, references. Reading ends at damage.
func XMP(packet []byte, wanted func(name string) bool) []Property {
	found, _ := xmpProperties(packet, wanted)
	return found
}

// xmpProperties also reports whether the packet was read whole.
func xmpProperties(packet []byte, wanted func(name string) bool) (found []Property, whole bool) {
	var inside []string // the properties around the next one; "" for an element that is no property
	add := func(name, value string) {
		if value = strings.TrimSpace(value); value != "" && name != "" && wanted(name) && len(found) < mostProperties {
			around := slices.DeleteFunc(slices.Clone(inside), func(name string) bool { return name == "" })
			found = append(found, Property{name, value, around})
		}
	}
	innermost := func() string {
		for _, name := range slices.Backward(inside) {
			if name != "" {
				return name
			}
		}
		return ""
	}
	decoder := xml.NewDecoder(bytes.NewReader(xmpText(packet)))
	decoder.Strict = false
	decoder.CharsetReader = func(_ string, input io.Reader) (io.Reader, error) { return input, nil } // XMP is Unicode, whatever encoding it declares
	swallowed := false
	rdf := "rdf" // the prefix of RDF's own elements, which structure the packet
	for {
		token, err := decoder.RawToken()
		if err != nil || len(found) == mostProperties {
			return found, errors.Is(err, io.EOF) && len(inside) == 0 && !swallowed
		}
		switch token := token.(type) {
		case xml.StartElement:
			const deepest = 200
			if len(inside) == deepest {
				return found, false
			}
			switch token.Name.Local {
			case "RDF":
				rdf = token.Name.Space
				inside = append(inside, "")
			case "xmpmeta", "xapmeta":
				inside = append(inside, "")
			default:
				if token.Name.Space == rdf {
					token.Name.Local = ""
				}
				inside = append(inside, token.Name.Local)
			}
			for _, a := range token.Attr {
				switch {
				case a.Name.Space == "xmlns" || a.Name.Local == "xmlns":
				case a.Name.Local == "resource":
					add(innermost(), a.Value)
				default:
					add(a.Name.Local, a.Value)
				}
			}
		case xml.EndElement:
			if len(inside) > 0 {
				inside = inside[:len(inside)-1]
			}
		case xml.CharData:
			add(innermost(), string(token))
		case xml.ProcInst:
			if at := bytes.IndexByte(token.Inst, '<'); at >= 0 { // its end is damaged, and it swallowed what follows
				swallowed = true
				more, _ := xmpProperties(token.Inst[at:], wanted)
				found = append(found, more[:min(len(more), mostProperties-len(found))]...)
			}
		case xml.Directive:
			add("comment", string(token))
		case xml.Comment:
			add("comment", string(token))
		}
	}
}

// xmpText converts a packet to UTF-8: some are in UTF-16.
func xmpText(packet []byte) []byte {
	switch {
	case bytes.HasPrefix(packet, []byte("\xff\xfe")), bytes.HasPrefix(packet, []byte("<\x00")):
		return []byte(encoded(1, append([]byte("\xff\xfe"), bytes.TrimPrefix(packet, []byte("\xff\xfe"))...)))
	case bytes.HasPrefix(packet, []byte("\xfe\xff")), bytes.HasPrefix(packet, []byte("\x00<")):
		return []byte(encoded(2, packet))
	}
	return bytes.TrimRight(packet, "\x00")
}

// xmpLabels are the labels of the properties that have one.
var xmpLabels = map[string]i18n.Key{
	"CreatorTool": "Made with", "DigitalSourceType": "Digital source type", "Credit": "Credit", "creator": "Creator", "AuthorsPosition": "Author's job title", "rights": "Rights",
	"CreateDate": "Made", "ModifyDate": "Changed", "MetadataDate": "Metadata changed", "DateCreated": "Date", "Headline": "Headline", "City": "City", "Country": "Country",
	"softwareAgent": "Software", "Instructions": "Instructions", "AIGeneratedContent": "Generated", "provenance": "Provenance",
	"GPSLatitude": "Latitude", "GPSLongitude": "Longitude", "Location": "Place", "SerialNumber": "Camera's serial number", "LensSerialNumber": "Lens's serial number",
	"OwnerName": "Owner", "DocumentID": "Document's number", "InstanceID": "Version's number", "OriginalDocumentID": "Original document's number",
}

// xmpKinds are the kinds of properties that kindByName can't guess.
var xmpKinds = map[string]Kind{
	"Name": Author, "UsageTerms": Author, "Certificate": Author, "CiTelWork": Author, "CiAdrCtry": Author, "CiAdrPcode": Author, "CiUrlWork": Author, "WebStatement": Author, "Source": Author, "RegionName": Author, "hierarchicalSubject": Description,
	"subject": Description, "Event": Description, "TransmissionReference": Identifier, "PreservedFileName": Identifier, "DerivedFrom": Identifier,
}

// xmpFigures are properties of a packet itself, and figures of pictures, which identify nobody.
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

// readXMPPacket keeps all properties of a packet, also those without a label.
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

// embed keeps a field of XMP or IPTC, unless an equal one is there.
func (f *Facts) embed(field Field) {
	field.Key, field.Value = cleanText(field.Key, longestKey), cleanText(field.Value, longestValue)
	if field.Value == "" || len(f.Embedded) == mostFields || slices.Contains(f.Embedded, field) {
		return
	}
	f.Embedded = append(f.Embedded, field)
	f.Incomplete = f.Incomplete || len(f.Embedded) == mostFields // reading stops here
}
