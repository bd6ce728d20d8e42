package explain

import (
	"regexp"
	"strings"
)

// sheet is what the page's own style sheets say of classes, as far as it changes what the text means: which have a background,
// and which keep white space. Nothing else of a style sheet is read, and none is loaded.
type sheet struct {
	marked, preserved map[string]bool
	read              int
}

// mostSheet bounds how much of all style sheets is read.
const mostSheet = 256 << 10

var (
	classRule    = regexp.MustCompile(`\.([A-Za-z_][\w-]{0,63})`)
	preserveRule = regexp.MustCompile(`(?i)white-space\s*:\s*(?:pre|break-spaces)`)
)

func newSheet() *sheet { return &sheet{marked: map[string]bool{}, preserved: map[string]bool{}} }

func (s *sheet) add(css string) {
	css = css[:min(len(css), mostSheet-s.read)]
	s.read += len(css)
	for css != "" {
		selector, rest, found := strings.Cut(css, "{")
		if !found {
			return
		}
		declarations, after, _ := strings.Cut(rest, "}")
		css = after
		has, _ := background(declarations)
		keeps := preserveRule.MatchString(declarations)
		if !has && !keeps {
			continue
		}
		for _, class := range classRule.FindAllStringSubmatch(selector, 64) {
			if has {
				s.marked[class[1]] = true
			}
			if keeps {
				s.preserved[class[1]] = true
			}
		}
	}
}

// keeps reports whether an element keeps its white space.
func (s *sheet) keeps(a attributes) bool {
	for _, class := range strings.Fields(a.of("class")) {
		if s.preserved[class] {
			return true
		}
	}
	return preserveRule.MatchString(a.of("style"))
}
