package forensics

import "strings"

// textSign is a text that a generator leaves under a name of its own choosing.
type textSign struct {
	key   string     // of the PNG text chunk, lower case; "" matches every key, and free text in EXIF and GIF comments
	holds [][]string // of each list at least one must occur in the text, lower case
	tool  string
}

// textSigns lists what generators write. Where each comes from: the "PNG info"
// of AUTOMATIC1111's Stable Diffusion web UI (also written to EXIF's UserComment
// for JPEG and WebP, and imitated by Forge, SD.Next and Fooocus); ComfyUI's
// SaveImage node; InvokeAI's image metadata, old (Dream, sd-metadata) and new;
// NovelAI's Source and Comment; Midjourney's Description. A name alone decides
// nothing where it is a common word: the text must look right as well.
var textSigns = []textSign{
	{"", [][]string{{"steps: "}, {"sampler: ", "schedule type: "}, {"seed: ", "cfg scale: "}}, "Stable Diffusion web UI"},
	{"prompt", [][]string{{`"class_type"`}}, "ComfyUI"},
	{"workflow", [][]string{{`"nodes"`}}, "ComfyUI"},
	{"dream", nil, "InvokeAI"},
	{"sd-metadata", nil, "InvokeAI"},
	{"invokeai_metadata", nil, "InvokeAI"},
	{"invokeai_graph", nil, "InvokeAI"},
	{"fooocus_scheme", nil, "Fooocus"},
	{"source", [][]string{{"stable diffusion", "novelai"}}, "NovelAI"},
	{"comment", [][]string{{`"sampler"`}, {`"steps"`}, {`"seed"`}}, "NovelAI"},
	{"description", [][]string{{"job id: "}, {" --v ", " --ar ", " --niji", " --stylize", " --s "}}, "Midjourney"},
}

// matches reports whether a text under a key is this sign.
func (s textSign) matches(key, text string) bool {
	if s.key != "" && s.key != strings.ToLower(key) {
		return false
	}
	text = strings.ToLower(text)
	for _, parts := range s.holds {
		if !containsAny(text, parts) {
			return false
		}
	}
	return true
}

func containsAny(text string, parts []string) bool {
	for _, part := range parts {
		if strings.Contains(text, part) {
			return true
		}
	}
	return false
}

// generatorNames are names of programs and services that do nothing but generate
// pictures, as they appear in Software, CreatorTool, Credit or a C2PA claim's
// generator; lower case. Editors that can also generate (Photoshop, GIMP with a
// plug-in) are left out: most press pictures pass through one.
var generatorNames = []string{
	"adobe firefly", "adobe_firefly", "automatic1111", "bing image creator", "chatgpt", "comfyui",
	"craiyon", "dall-e", "dall·e", "dalle", "dreamstudio", "fooocus", "gpt-4o", "gpt-image", "ideogram",
	"image creator from designer", "invokeai", "leonardo.ai", "made with google ai", "midjourney",
	"novelai", "openai", "stable diffusion", "stablediffusion", "stability.ai", "stability ai",
}

// generatorIn returns the name from generatorNames that a text contains.
func generatorIn(text string) (string, bool) {
	text = strings.ToLower(text)
	for _, name := range generatorNames {
		if strings.Contains(text, name) {
			return name, true
		}
	}
	return "", false
}

// sourceTypes are the points, 0..1, for the terms of IPTC's Digital Source Type vocabulary
// (cv.iptc.org/newscodes/digitalsourcetype). Terms that are not
// here, such as digitalCapture, humanEdits, algorithmicallyEnhanced or
// computationalCapture, are shown and have no points, in either
// direction: anyone can write them.
var sourceTypes = map[string]float64{
	"trainedAlgorithmicMedia":              0.99,
	"compositeWithTrainedAlgorithmicMedia": 0.92,
	"compositeSynthetic":                   0.55,
	"algorithmicMedia":                     0.55,
	"virtualRecording":                     0.50,
}

// sourceTerm returns the term at the end of a source type's URL.
func sourceTerm(address string) string {
	address = strings.TrimRight(strings.TrimSpace(address), "/")
	if i := strings.LastIndexAny(address, "/:"); i >= 0 {
		address = address[i+1:]
	}
	return address
}
