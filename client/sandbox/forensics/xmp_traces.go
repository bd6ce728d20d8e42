package forensics

import (
	"bytes"
	"encoding/xml"
	"strings"
)

// xmpKey is the key of the PNG text chunk that holds XMP.
const xmpKey = "XML:com.adobe.xmp"

// xmpFields are the properties of interest, by local name: the namespaces'
// prefixes vary, and none of the names is used twice with another meaning.
var xmpFields = map[string]bool{"CreatorTool": true, "DigitalSourceType": true, "Credit": true, "Software": true, "softwareAgent": true}

// xmpTraces reads the XMP packets of any container. The metadata library reads
// them in JPEG and WebP alone, not in PNG, and leaves out structures.
func xmpTraces(p *picture) []trace {
	var found []trace
	for _, packet := range xmpPackets(p) {
		found = append(found, packetTraces(packet)...)
	}
	return found
}

// xmpPackets finds where each container keeps XMP (XMP specification, part 3).
func xmpPackets(p *picture) [][]byte {
	var packets [][]byte
	switch p.format {
	case formatJPEG:
		const app1 = 0xe1
		for marker, content := range jpegSegments(p.data) {
			if packet, ok := bytes.CutPrefix(content, []byte("http://ns.adobe.com/xap/1.0/\x00")); ok && marker == app1 {
				packets = append(packets, packet)
			}
		}
	case formatPNG:
		for name, content := range pngChunks(p.data) {
			if key, text, ok := pngText(name, content); ok && key == xmpKey {
				packets = append(packets, []byte(text))
			}
		}
	case formatWebP:
		for name, content := range webpChunks(p.data) {
			if name == "XMP " {
				packets = append(packets, content)
			}
		}
	}
	return packets
}

// packetTraces goes through a packet's attributes and elements. Damage ends it.
func packetTraces(packet []byte) []trace {
	var found []trace
	add := func(name, value string) {
		value = strings.TrimSpace(value)
		switch {
		case value == "" || !xmpFields[name]:
		case name == "DigitalSourceType":
			found = append(found, fromSourceType("XMP", value))
		default:
			found = append(found, fromText("XMP", name, value))
		}
	}
	decoder := xml.NewDecoder(bytes.NewReader(packet))
	decoder.Strict = false
	inside := "" // the property whose text comes next
	for {
		token, err := decoder.RawToken()
		if err != nil {
			return found
		}
		switch token := token.(type) {
		case xml.StartElement:
			if xmpFields[token.Name.Local] {
				inside = token.Name.Local
			}
			for _, a := range token.Attr {
				if a.Name.Local == "resource" {
					add(inside, a.Value)
				} else {
					add(a.Name.Local, a.Value)
				}
			}
		case xml.EndElement:
			if token.Name.Local == inside {
				inside = ""
			}
		case xml.CharData:
			add(inside, string(token))
		}
	}
}
