package explain

import (
	"math"
	"strconv"
	"strings"

	"golang.org/x/net/html/atom"

	"assay/client/lazyregexp"
)

// strengthFields are the attributes that may hold a mark's number. The service's interface specifies none, so these are the usual names.
var strengthFields = []string{
	"data-score", "data-strength", "data-weight", "data-probability", "data-prob", "data-confidence", "data-value", "data-intensity",
	"data-attribution", "data-importance",
}

// labelFields are the attributes that may hold a mark's label.
var labelFields = []string{"title", "data-label", "data-title", "data-tooltip", "aria-label", "data-kind", "data-type", "data-category"}

// markWords are parts of class names that mean a mark.
var markWords = map[string]bool{
	"mark": true, "marked": true, "highlight": true, "highlighted": true, "hl": true, "flag": true, "flagged": true, "suspicious": true,
	"suspect": true, "synthetic": true, "generated": true, "ai": true, "artificial": true, "machine": true, "fake": true, "heat": true,
	"attention": true, "attn": true, "saliency": true, "attribution": true, "reacted": true, "detected": true, "hit": true,
}

// markable elements may be marked by a background. Containers are not among them: they have one for decoration.
var markable = map[atom.Atom]bool{
	atom.Span: true, atom.Font: true, atom.B: true, atom.I: true, atom.Em: true, atom.Strong: true, atom.U: true, atom.A: true,
	atom.Code: true, atom.Small: true, atom.Big: true, atom.Abbr: true, atom.Q: true, atom.Cite: true, atom.S: true, atom.Sub: true,
	atom.Sup: true, atom.Label: true, atom.Ins: true, atom.Del: true, atom.P: true, atom.Li: true, atom.Blockquote: true, atom.Tt: true,
	atom.Var: true, atom.Samp: true, atom.Dfn: true,
}

// markOf reports whether an element marks its text; sheet has the classes to which the page itself gives a background.
func markOf(tag atom.Atom, a attributes, sheet *sheet) *openMark {
	sent, field := strengthOf(a)
	classes := strings.Fields(a.of("class"))
	isMark := tag == atom.Mark
	kind, alpha := "", ""
	for _, class := range classes {
		switch {
		case sheet.marked[class] && markable[tag], saysMark(class) && (markable[tag] || tag == atom.Div && sent != ""):
			isMark = true
			if kind == "" {
				kind = class
			}
		}
	}
	if kind == "" && isMark && len(classes) > 0 {
		kind = classes[0]
	}
	if has, opacity := background(a.of("style")); has && (markable[tag] || isMark) {
		isMark, alpha = true, opacity
	}
	if a.of("bgcolor") != "" && markable[tag] {
		isMark = true
	}
	if sent != "" && (markable[tag] || tag == 0 || tag == atom.Div) {
		isMark = true
	}
	if !isMark {
		return nil
	}
	m := &openMark{index: -1, Mark: Mark{Kind: short(kind), Sent: sent, Field: field}}
	for _, name := range labelFields {
		if m.Label = short(a.of(name)); m.Label != "" {
			break
		}
	}
	m.Depth, m.Tinted = depth(sent, m.Label, alpha)
	return m
}

func strengthOf(a attributes) (sent, field string) {
	for _, name := range strengthFields {
		value := strings.TrimSpace(a.of(name))
		if _, err := strconv.ParseFloat(strings.TrimSpace(strings.TrimSuffix(value, "%")), 64); err == nil && len(value) <= 32 {
			return value, name
		}
	}
	return "", ""
}

func saysMark(class string) bool {
	for _, word := range strings.FieldsFunc(strings.ToLower(class), func(r rune) bool { return r == '-' || r == '_' || r >= '0' && r <= '9' }) {
		if markWords[word] {
			return true
		}
	}
	return false
}

// backgroundRule finds a background's value in declarations.
var backgroundRule = lazyregexp.New(`(?i)(?:^|[;{\s])background(?:-color)?\s*:\s*([^;}]{1,200})`)

// alphaRule finds the opacity of a colour.
var alphaRule = lazyregexp.New(`(?i)(?:rgba?|hsla?)\([^)]*[,/]\s*([0-9.]+%?)\s*\)`)

// background reports whether declarations set a background colour, and its opacity where one is set.
func background(declarations string) (has bool, alpha string) {
	found := backgroundRule().FindStringSubmatch(declarations)
	if found == nil {
		return false, ""
	}
	value := strings.ToLower(strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(found[1]), "!important")))
	switch value {
	case "none", "transparent", "inherit", "initial", "unset", "white", "#fff", "#ffffff", "0":
		return false, ""
	}
	if strings.HasPrefix(value, "url(") { // a picture is decoration
		return false, ""
	}
	if strings.Count(value, ",") == 3 || strings.Contains(value, "/") {
		if opacity := alphaRule().FindStringSubmatch(value); opacity != nil {
			alpha = opacity[1]
		}
	}
	return true, alpha
}

// scorePattern finds "80 of 100", "80/100" or "80 %" in a label.
var scorePattern = lazyregexp.New(`([0-9]{1,3}(?:\.[0-9]{1,6})?)\s*(?:(?:of|/)\s*100\b|%)`)

// depth is how strongly a mark is coloured, if a number from 0 to 1, or out of 100, states it.
func depth(sent, label, alpha string) (d float64, known bool) {
	for _, text := range []string{sent, alpha} {
		if text == "" {
			continue
		}
		number, percent := strings.CutSuffix(text, "%")
		d, err := strconv.ParseFloat(strings.TrimSpace(number), 64)
		if percent || d > 1 {
			d /= 100
		}
		if err == nil && d >= 0 && d <= 1 && !math.IsNaN(d) {
			return d, true
		}
	}
	if found := scorePattern().FindStringSubmatch(label); found != nil {
		if d, err := strconv.ParseFloat(found[1], 64); err == nil && d <= 100 {
			return d / 100, true
		}
	}
	return 0, false
}

// short limits the length of an attribute's value.
func short(s string) string {
	const most = 300
	s = Clean(strings.Join(strings.Fields(s), " "))
	if len(s) <= most {
		return s
	}
	return strings.ToValidUTF8(s[:most], "") + "…"
}

// legendWords are the words for a legend in the languages of Assay's users.
var legendWords = map[string]bool{
	"legend": true, "legende": true, "légende": true, "leyenda": true, "legenda": true, "legends": true,
}

// isLegendTitle reports whether a heading or a class name contains one of those.
func isLegendTitle(text string) bool {
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
