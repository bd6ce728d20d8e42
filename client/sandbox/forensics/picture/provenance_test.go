package picture

import (
	"image"
	"runtime"
	"strings"
	"testing"

	"assay/client/media/container"
	"assay/client/media/mediatest"
	"assay/client/sandbox/forensics"
	"assay/client/sandbox/forensics/forensicstest"
)

const webUIParameters = "a harbour\nNegative prompt: text\nSteps: 20, Sampler: Euler a, CFG scale: 7, Seed: 42, Size: 512x512"

func TestProvenanceOfTexts(t *testing.T) {
	plain := asPNG(t, image.NewGray(image.Rect(0, 0, 40, 40)))
	for name, c := range map[string]struct {
		chunk, content string
		want           forensics.Status
	}{
		"web UI parameters":            {"tEXt", "parameters\x00" + webUIParameters, forensics.Fake},
		"compressed parameters":        {"zTXt", "parameters\x00\x00" + mediatest.Deflated(webUIParameters), forensics.Fake},
		"international parameters":     {"iTXt", "parameters\x00\x00\x00\x00\x00" + webUIParameters, forensics.Fake},
		"compressed and international": {"iTXt", "parameters\x00\x01\x00en\x00p\x00" + mediatest.Deflated(webUIParameters), forensics.Fake},
		"ComfyUI prompt":               {"tEXt", "prompt\x00" + `{"3": {"class_type": "KSampler"}}`, forensics.Fake},
		"ComfyUI workflow":             {"tEXt", "workflow\x00" + `{"nodes": []}`, forensics.Fake},
		"InvokeAI":                     {"tEXt", "sd-metadata\x00{}", forensics.Fake},
		"a generator as software":      {"tEXt", "Software\x00NovelAI", forensics.Fake},
		"the word prompt alone":        {"tEXt", "prompt\x00Please answer by Friday.", forensics.NotApplicable},
		"parameters of a microscope":   {"tEXt", "parameters\x00exposure 20 ms", forensics.NotApplicable},
		"an editor as software":        {"tEXt", "Software\x00GIMP 2.10", forensics.NotApplicable},
		"a text about a generator":     {"tEXt", "Comment\x00Not made with Midjourney.", forensics.NotApplicable},
	} {
		t.Run(name, func(t *testing.T) {
			r := analysed(t, withChunk(plain, c.chunk, c.content))
			m := modelNamed(t, r, provenanceName)
			if m.Status != c.want || r.Status != c.want {
				t.Errorf("provenance %s, ensemble %s, want %s; data %v", m.Status, r.Status, c.want, m.Data)
			}
		})
	}
}

func TestProvenanceOfXMP(t *testing.T) {
	const vocabulary = "http://cv.iptc.org/newscodes/digitalsourcetype/"
	attribute := func(term string) string {
		return `<rdf:RDF xmlns:rdf="r" xmlns:e="i"><rdf:Description e:DigitalSourceType="` + vocabulary + term + `"/></rdf:RDF>`
	}
	plain := asJPEG(t, image.NewGray(image.Rect(0, 0, 40, 40)), 90)
	for name, c := range map[string]struct {
		packet string
		want   forensics.Status
	}{
		"generated":               {attribute("trainedAlgorithmicMedia"), forensics.Fake},
		"composite with AI":       {attribute("compositeWithTrainedAlgorithmicMedia"), forensics.Fake},
		"synthetic composite":     {attribute("compositeSynthetic"), forensics.Suspicious},
		"a declared capture":      {attribute("digitalCapture"), forensics.NotApplicable},
		"as an element":           {`<e:DigitalSourceType xmlns:e="i">` + vocabulary + `trainedAlgorithmicMedia</e:DigitalSourceType>`, forensics.Fake},
		"as a resource":           {`<e:DigitalSourceType rdf:resource="` + vocabulary + `trainedAlgorithmicMedia"/>`, forensics.Fake},
		"a generator as creator":  {`<x xmp:CreatorTool="Adobe Firefly 2"/>`, forensics.Fake},
		"an editor as creator":    {`<x xmp:CreatorTool="Adobe Photoshop 25.0"/>`, forensics.NotApplicable},
		"damaged behind the mark": {attribute("trainedAlgorithmicMedia") + "<broken", forensics.Fake},
	} {
		t.Run(name, func(t *testing.T) {
			r := analysed(t, withSegment(plain, 0xe1, "http://ns.adobe.com/xap/1.0/\x00"+c.packet))
			if m := modelNamed(t, r, provenanceName); m.Status != c.want {
				t.Errorf("status %s, want %s; data %v", m.Status, c.want, m.Data)
			}
		})
	}
	t.Run("in a PNG", func(t *testing.T) {
		data := withChunk(asPNG(t, image.NewGray(image.Rect(0, 0, 40, 40))), "iTXt", xmpKey+"\x00\x00\x00\x00\x00"+attribute("trainedAlgorithmicMedia"))
		if m := modelNamed(t, analysed(t, data), provenanceName); m.Status != forensics.Fake {
			t.Errorf("status %s, want FAKE; data %v", m.Status, m.Data)
		}
	})
}

func TestProvenanceOfEXIF(t *testing.T) {
	plain := asJPEG(t, image.NewGray(image.Rect(0, 0, 40, 40)), 90)
	for software, want := range map[string]forensics.Status{"Midjourney v6": forensics.Fake, "darktable 4.2.1": forensics.NotApplicable} {
		t.Run(software, func(t *testing.T) {
			m := modelNamed(t, analysed(t, withSegment(plain, 0xe1, exifSoftware(software))), provenanceName)
			if m.Status != want {
				t.Errorf("status %s, want %s; data %v", m.Status, want, m.Data)
			}
			rows, _ := m.Data["traces"].([]map[string]any)
			if len(rows) != 1 || rows[0]["value"] != software {
				t.Errorf("traces %v, want the software named", rows)
			}
		})
	}
}

func TestProvenanceOfC2PA(t *testing.T) {
	const trained = "http://cv.iptc.org/newscodes/digitalsourcetype/trainedAlgorithmicMedia"
	const capture = "http://cv.iptc.org/newscodes/digitalsourcetype/digitalCapture"
	generated := forensicstest.Store(t, forensicstest.Manifest(t, "Some App/1.0", trained))
	plainJPEG := asJPEG(t, image.NewGray(image.Rect(0, 0, 40, 40)), 90)
	plainPNG := asPNG(t, image.NewGray(image.Rect(0, 0, 40, 40)))
	for name, c := range map[string]struct {
		data []byte
		want forensics.Status
	}{
		"generated, in a JPEG":            {withJUMBF(plainJPEG, generated, 1<<15), forensics.Fake},
		"generated, over many segments":   {withJUMBF(plainJPEG, generated, 40), forensics.Fake},
		"generated, in a PNG":             {withChunk(plainPNG, "caBX", generated), forensics.Fake},
		"generated, in a WebP":            {withRIFFChunk(readPicture(t, "dandelion.webp"), "C2PA", generated), forensics.Fake},
		"a generator's claim":             {withChunk(plainPNG, "caBX", forensicstest.Store(t, forensicstest.Manifest(t, "Adobe_Firefly", ""))), forensics.Fake},
		"a capture":                       {withChunk(plainPNG, "caBX", forensicstest.Store(t, forensicstest.Manifest(t, "Camera/2", capture))), forensics.NotApplicable},
		"a capture with such ingredients": {withChunk(plainPNG, "caBX", forensicstest.Store(t, forensicstest.Manifest(t, "App", trained), forensicstest.Manifest(t, "Editor", capture))), forensics.Fake},
		"cut short":                       {withChunk(plainPNG, "caBX", generated[:len(generated)/2]), forensics.NotApplicable},
	} {
		t.Run(name, func(t *testing.T) {
			m := modelNamed(t, analysed(t, c.data), provenanceName)
			if m.Status != c.want {
				t.Errorf("status %s, want %s; data %v", m.Status, c.want, m.Data)
			}
			if m.Data["c2pa_signature_verified"] != false {
				t.Error("the data don't say that no signature was verified")
			}
			if found := m.Data["c2pa_manifest"]; found != (name != "cut short") {
				t.Errorf("c2pa_manifest %v", found)
			}
		})
	}
}

func TestProvenanceShowsValuesShortAndClean(t *testing.T) {
	text := "Steps: 1, Sampler: x, Seed: 1\x07\x1b[31m " + strings.Repeat("ü", 1000)
	got := forensics.TextTrace("PNG text", "parameters", text)
	if got.Points == 0 || len(got.Value) > forensics.ValueLength+len("…") || strings.ContainsAny(got.Value, "\x07\x1b") {
		t.Errorf("trace %+v, want it recognised, short and without control characters", got)
	}
}

// exifSoftware is an EXIF segment with that one field.
func exifSoftware(value string) string {
	return "Exif\x00\x00" + mediatest.EXIF(nil, mediatest.ASCII(0x131, value))
}

// withJUMBF puts a box into APP11 segments of at most size bytes each.
func withJUMBF(data []byte, box string, size int) []byte {
	return mediatest.Insert(data, 2, mediatest.APP11(box, size))
}

// withRIFFChunk adds a chunk at a WebP's end.
func withRIFFChunk(data []byte, name, content string) []byte {
	return mediatest.RIFF("WEBP", string(data[12:]), mediatest.Chunk(name, content))
}

func TestThePackedTextsOfAPictureAreUnpackedUpToALimit(t *testing.T) {
	plain := asPNG(t, image.NewGray(image.Rect(0, 0, 40, 40)))
	const most = 100 // MB; 300 of a megabyte each are more
	packed := mediatest.Deflated(strings.Repeat("a", 1<<20))
	data := plain
	for range 300 {
		data = withChunk(data, "zTXt", "Comment\x00\x00"+packed)
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	found := textTraces(&picture{format: container.PNG, data: withChunk(data, "zTXt", "parameters\x00\x00"+mediatest.Deflated(webUIParameters))})
	runtime.ReadMemStats(&after)
	if allocated := (after.TotalAlloc - before.TotalAlloc) >> 20; allocated > most {
		t.Errorf("%d MB are allocated", allocated)
	}
	if len(found) == 0 || found[0].Key != "parameters" {
		t.Errorf("%d texts are found: %+v", len(found), found[:min(len(found), 1)])
	}
}
