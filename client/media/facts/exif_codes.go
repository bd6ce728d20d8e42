package facts

import (
	"strconv"

	"assay/client/i18n"
)

// codes are the meanings of fields that hold a number for each (EXIF 2.32, 4.6).
var codes = map[string][]i18n.Key{
	"ExposureProgram":  {"not defined", "manual", "normal", "aperture priority", "shutter priority", "creative", "action", "portrait", "landscape"},
	"MeteringMode":     {"not known", "average", "centre-weighted", "spot", "multi-spot", "pattern", "partial"},
	"WhiteBalance":     {"automatic", "manual"},
	"ExposureMode":     {"automatic", "manual", "bracketing"},
	"SceneCaptureType": {"standard", "landscape", "portrait", "night"},
	"CustomRendered":   {"normal", "custom"},
	"Contrast":         {"normal", "soft", "hard"},
	"Saturation":       {"normal", "low", "high"},
	"Sharpness":        {"normal", "soft", "hard"},
	"ResolutionUnit":   {"", "none", "inches", "centimetres"},
	"ColorSpace":       {"", "sRGB"},
	"LightSource":      {"not known", "daylight", "fluorescent", "tungsten", "flash"},
}

// codeText gives a code's meaning with the code behind it, "" for one that is not known here.
func codeText(key string, code float64) string {
	meanings := codes[key]
	n := int(code)
	if n < 0 || n >= len(meanings) || float64(n) != code || meanings[n] == "" {
		return ""
	}
	return i18n.T(meanings[n]) + " (" + strconv.Itoa(n) + ")"
}
