package picture

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strings"

	"assay/client/media/container"
	"assay/client/media/facts"
	"assay/client/sandbox/forensics"
)

// provenance is the analyser of what a file states about itself: text that
// generators leave, the program named in EXIF or XMP, IPTC's DigitalSourceType,
// and the claim of a C2PA manifest. No signature is verified: whoever can write a
// file can write, change or remove all of this.
//
// The score is that of the strongest trace: a declaration of generated media 99,
// a generator's own parameters 98, its name 95, a declared composite with
// generated media, or a generated ingredient, 92; a declared synthetic composite
// or other algorithmic media about 55, which is SUSPICIOUS. Cameras, editors and
// declared captures are listed in the data and count for nothing. Without a trace
// that counts the analyser doesn't apply: finding nothing is no sign of
// authenticity.
type provenance struct{}

func (provenance) name() string { return provenanceName }

func (provenance) analyse(ctx context.Context, pic *picture) (forensics.Model, []BBox, error) {
	traces := textTraces(pic)
	if err := ctx.Err(); err != nil {
		return forensics.Model{}, nil, err
	}
	traces = append(traces, exifTraces(pic)...)
	traces = append(traces, xmpTraces(pic)...)
	claims, hasManifest := c2paTraces(pic)
	traces = append(traces, claims...)
	rows, strongest := forensics.StrongestFirst(traces)
	data := map[string]any{"c2pa_manifest": hasManifest, "c2pa_signature_verified": false, "traces": rows}
	if strongest == 0 {
		return forensics.NotApplicableModel(provenanceName, forensics.NoTrace, data), nil, nil
	}
	return forensics.ScoredModel(provenanceName, strongest, data), nil, nil
}

// exifFields are the fields in which programs and generators name themselves.
var exifFields = map[string]bool{
	"Software": true, "ProcessingSoftware": true, "ImageDescription": true, "UserComment": true,
	"Make": true, "Model": true, "XPComment": true,
}

// exifTraces reads EXIF. Damage in it ends the reading without an error: it says nothing
// about the pixels.
func exifTraces(p *picture) []forensics.Trace {
	var found []forensics.Trace
	tags, err := facts.EXIF(bytes.NewReader(p.data), facts.Format(p.format), func(name string) bool { return exifFields[name] })
	for _, tag := range tags {
		text := strings.ReplaceAll(fmt.Sprint(tag.Value), "\x00", "") // UTF-16 without its zeros reads as Latin text
		text = strings.TrimPrefix(strings.TrimPrefix(text, "UNICODE"), "ASCII")
		if strings.TrimSpace(text) != "" {
			found = append(found, forensics.TextTrace("EXIF", tag.Name, text))
		}
	}
	if err != nil {
		found = append(found, forensics.NewTrace("EXIF", "", "unreadable", 0, ""))
	}
	return found
}

// xmpTraces judges the XMP packets of any container.
func xmpTraces(p *picture) []forensics.Trace {
	var found []forensics.Trace
	for _, packet := range facts.XMPPackets(bytes.NewReader(p.data), int64(len(p.data)), facts.Format(p.format)) {
		found = append(found, forensics.XMPTraces(packet)...)
	}
	return found
}

// c2paTraces judges a picture's C2PA manifests, and reports whether there is one.
func c2paTraces(p *picture) (found []forensics.Trace, hasManifest bool) {
	for _, data := range facts.ManifestStores(bytes.NewReader(p.data), int64(len(p.data)), facts.Format(p.format)) {
		traces, has := forensics.StoreTraces(data)
		found, hasManifest = append(found, traces...), hasManifest || has
	}
	return found, hasManifest
}

// xmpKey is the key of the PNG text chunk that holds XMP.
const xmpKey = "XML:com.adobe.xmp"

// textTraces reads the text chunks of a PNG and the comments of a GIF or JPEG.
func textTraces(p *picture) []forensics.Trace {
	var found []forensics.Trace
	switch p.format {
	case container.PNG:
		left := int64(mostTexts)
		p.source().PNGChunks(func(b container.Block) bool {
			if !slices.Contains([]string{"tEXt", "zTXt", "iTXt"}, b.Kind) {
				return true
			}
			// Text in Latin-1 is taken as it is where it is also valid UTF-8, which many writers use.
			text, ok := container.ReadPNGText(b.Kind, p.content(b))
			key := string(text.Keyword)
			if value, whole := text.Text(longestText, &left); ok && (whole || len(value) > 0) && key != xmpKey {
				found = append(found, forensics.TextTrace("PNG text", key, string(value)))
			}
			return true
		})
	case container.GIF:
		src := p.source()
		src.GIFParts(func(b container.Block) bool {
			if b.Kind == container.GIFComment {
				found = append(found, forensics.TextTrace("GIF comment", "comment", string(src.SubBlocks(b.Content, b.Content.Length()))))
			}
			return true
		})
	case container.JPEG:
		const comment = "\xfe"
		p.source().JPEGSegments(2, func(b container.Block) bool {
			if b.Kind == comment {
				found = append(found, forensics.TextTrace("JPEG comment", "comment", string(p.content(b))))
			}
			return true
		})
	}
	return found
}

// longestText bounds the bytes of a decompressed text, and mostTexts those of all
// compressed texts of a picture.
const (
	longestText = 1 << 20
	mostTexts   = 16 << 20
)
