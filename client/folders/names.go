package folders

import (
	"path"
	"slices"
	"strings"

	"assay/client"
	"assay/client/media"
)

// extensions are those of some media types, without their dots; of all where none is given.
func extensions(types []client.MediaType) []string {
	return slices.DeleteFunc(media.Supported(), func(extension string) bool {
		t, _ := media.TypeOf("." + extension)
		return len(types) > 0 && !slices.Contains(types, t)
	})
}

// counts reports whether a file's name has an extension of the types that count.
func (s Settings) counts(name string) bool {
	t, supported := media.TypeOf(name)
	return supported && (len(s.Types) == 0 || slices.Contains(s.Types, t))
}

// names are the patterns of the names that count: those that the person gave, narrowed to the types that count. What can't be
// narrowed stays as it is: counts sorts the others out.
func (s Settings) names() []string {
	endings := extensions(s.Types)
	only := s.Only
	if len(only) == 0 {
		only = []string{"*"}
	}
	var all []string
	for _, pattern := range only {
		for _, narrowed := range narrow(pattern, endings) {
			if !slices.Contains(all, narrowed) {
				all = append(all, narrowed)
			}
		}
	}
	if len(all) == 0 {
		return s.Only // no supported file has such a name; no pattern at all would mean all of them
	}
	return all
}

// narrow gives patterns of those names that a pattern matches and that have one of the endings.
func narrow(pattern string, endings []string) []string {
	var narrowed []string
	dot := strings.LastIndexByte(pattern, '.')
	for _, ending := range endings {
		if dot >= 0 {
			if match, err := path.Match(strings.ToLower(pattern[dot+1:]), ending); err == nil && match {
				narrowed = append(narrowed, pattern[:dot+1]+ending)
			}
		}
		if strings.HasSuffix(pattern, "*") && !strings.HasSuffix(pattern, `\*`) {
			narrowed = append(narrowed, pattern+"."+ending)
		}
	}
	if len(narrowed) == 0 && dot < 0 {
		return []string{pattern}
	}
	for _, p := range narrowed {
		if _, err := path.Match(p, ""); err != nil { // the last dot stood in brackets
			return []string{pattern}
		}
	}
	return narrowed
}
