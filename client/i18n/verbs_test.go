package i18n_test

import (
	"maps"
	"regexp"
	"strconv"
	"testing"
)

var verb = regexp.MustCompile(`%[-+#0]*(?:\[(\d+)\])?[-+#0-9.]*(?:\[(\d+)\])?([a-zA-Z%])`)

// verbsOf are the verbs of a text by the argument that they take, from 1.
func verbsOf(text string) map[int]string {
	found := map[int]string{}
	next := 1
	for _, m := range verb.FindAllStringSubmatch(text, -1) {
		if m[3] == "%" {
			continue
		}
		if n, err := strconv.Atoi(m[1] + m[2]); err == nil {
			next = n
		}
		found[next] = m[3]
		next++
	}
	return found
}

// exactly reports whether verbs take each of n arguments.
func exactly(verbs map[int]string, n int) bool {
	for i := 1; i <= n; i++ {
		if verbs[i] == "" {
			return false
		}
	}
	return len(verbs) == n
}

func TestVerbs(t *testing.T) {
	for text, want := range map[string]map[int]string{
		"plain": {}, "100 %% of it": {}, "1 % of it": {}, "%s and %d": {1: "s", 2: "d"}, "%[2]s, %[1]s": {1: "s", 2: "s"}, "%[2]s %.1f": {2: "s", 3: "f"},
	} {
		if got := verbsOf(text); !maps.Equal(got, want) {
			t.Errorf("%q: %v", text, got)
		}
	}
}
