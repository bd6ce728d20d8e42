package forensics

import (
	"bytes"

	"assay/client/media/facts"
)

// xmpKey is the key of the PNG text chunk that holds XMP.
const xmpKey = "XML:com.adobe.xmp"

// xmpFields are the properties of interest, by local name: the namespaces'
// prefixes vary, and none of the names is used twice with another meaning.
var xmpFields = map[string]bool{"CreatorTool": true, "DigitalSourceType": true, "Credit": true, "Software": true, "softwareAgent": true}

// xmpTraces judges the XMP packets of any container.
func xmpTraces(p *picture) []trace {
	var found []trace
	for _, packet := range facts.XMPPackets(bytes.NewReader(p.data), int64(len(p.data)), factsFormats[p.format]) {
		found = append(found, packetTraces(packet)...)
	}
	return found
}

// packetTraces judges a packet's properties.
func packetTraces(packet []byte) []trace {
	var found []trace
	for _, p := range facts.XMP(packet, func(name string) bool { return xmpFields[name] }) {
		if p.Name == "DigitalSourceType" {
			found = append(found, fromSourceType("XMP", p.Value))
		} else {
			found = append(found, fromText("XMP", p.Name, p.Value))
		}
	}
	return found
}
