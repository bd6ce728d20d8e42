package explain

import "strings"

// legendWords name what explains marks, in the languages of newsrooms that we know of.
var legendWords = map[string]bool{
	"legend": true, "legende": true, "légende": true, "leyenda": true, "legenda": true, "legends": true,
}

// saysLegend tells a heading or a class by its words.
func saysLegend(text string) bool {
	if len(text) > 60 {
		return false
	}
	if strings.EqualFold(strings.Trim(text, ": "), "key") {
		return true
	}
	for _, word := range strings.FieldsFunc(strings.ToLower(text), func(c rune) bool { return c == ' ' || c == '-' || c == '_' || c == ':' }) {
		if legendWords[word] {
			return true
		}
	}
	return false
}
