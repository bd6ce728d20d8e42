package i18n_test

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"assay/client/assert"
)

const fixtureWords = `package i18n

type Key string
type Plural struct{ One, Other Key }

func T(text Key) string                                { return string(text) }
func F(text Key, args ...any) string                   { return string(text) }
func N(n int, one, other Key, args ...any) string      { return string(other) }
func C(context string, text Key) string                { return string(text) }
func (p Plural) For(n int, args ...any) string         { return N(n, p.One, p.Other, args...) }
`

const fixtureOther = `package verdict

import "assay/client/i18n"

const Note = "an untyped constant"

type Words struct{ Headline i18n.Key }
`

const fixtureSaid = `package present

import (
	"example.org/elsewhere/v2"

	"assay/client/i18n"
	"assay/client/verdict"
)

const typed i18n.Key = "a typed constant"

var table = map[elsewhere.Kind]i18n.Key{elsewhere.One: "in a table of another module's kinds"}

var pairs = []i18n.Plural{{One: "%s pair", Other: "%s pairs"}}

type sheet struct {
	elsewhere.Widget
	title i18n.Key
}

func label(text i18n.Key, value string) string { return i18n.T(text) + value }

func said(s *sheet, n int, name string) verdict.Words {
	elsewhere.New(elsewhere.Style{}, i18n.T("in another module's call")).Show(func() { i18n.T("in its function") })
	i18n.T(verdict.Note)
	i18n.T(typed)
	i18n.T("split " + "in two")
	i18n.F("%s of %s", i18n.T("inside"), name)
	i18n.N(n, "%s file", "%s files")
	i18n.C("button", "Open")
	pairs[0].For(n)
	s.title = "in a field of a widget"
	label("by a parameter", name)
	label("beside another module's value", elsewhere.Name)
	i18n.F("filled by another module: %s", elsewhere.Join(name))
	i18n.N(n, "%s by %s", "%s by the %s", elsewhere.Join(name))
	_ = []struct {
		kind elsewhere.Kind
		text i18n.Key
	}{{elsewhere.One, "in a list"}}
	_ = map[string]sheet{elsewhere.Name: {title: "in a table of structs"}}
	switch elsewhere.Now() {
	case elsewhere.One:
		i18n.T("in a case")
	}
	for range elsewhere.All() {
		i18n.T("in a loop")
	}
	i18n.T("")
	var none = "no key"
	_ = none
	return verdict.Words{Headline: "in another package's struct"}
}
`

const fixtureWindows = `//go:build windows

package present

import "assay/client/i18n"

func said() string { return i18n.T("on another system") }
`

const fixtureFaults = `package screen

import "assay/client/i18n"

var early = i18n.T("too early")

var late = func() string { return i18n.T("not too early") }

func faults(name string, one, other i18n.Key) {
	_ = i18n.T(i18n.Key(name))
	i18n.N(1, one, other)
	i18n.C(name, "x")
	i18n.F("%s of %s", name)
	i18n.T("ends with a space ")
}
`

func TestTextsAreFoundByType(t *testing.T) {
	root := t.TempDir()
	for name, text := range map[string]string{"client/i18n/i18n.go": fixtureWords, "client/verdict/verdict.go": fixtureOther,
		"gui/present/said.go": fixtureSaid, "gui/present/said_windows.go": fixtureWindows} {
		lay(t, filepath.Join(root, name), text)
	}
	s, err := readSource(root)
	assert.NoError(t, err)
	if len(s.faults) > 0 || len(s.broken) > 0 {
		t.Error(s.faults, s.broken)
	}
	found := texts(s.used)
	want := []string{"%s by the %s", "%s files", "%s of %s", "%s pairs", "Open ‹button›", "a typed constant", "an untyped constant", "beside another module's value", "by a parameter", "filled by another module: %s", "in a case", "in a field of a widget", "in a list", "in a loop",
		"in a table of another module's kinds", "in a table of structs", "in another module's call", "in another package's struct", "in its function", "inside", "on another system", "split in two"}
	assert.Equal(t, want, slices.Sorted(maps.Keys(found)))
	if u := found["%s pairs"]; !u.plural || u.one != "%s pair" || u.area != "present" {
		t.Errorf("%+v", u)
	}
}

func TestWhatIsNotAsTheRulesSayIsSeen(t *testing.T) {
	root := t.TempDir()
	lay(t, filepath.Join(root, "client/i18n/i18n.go"), fixtureWords)
	lay(t, filepath.Join(root, "gui/inbox/faults.go"), fixtureFaults)
	lay(t, filepath.Join(root, "gui/nowhere/said.go"), strings.ReplaceAll(fixtureOther, "untyped", "")+"\nvar title i18n.Key = \"x\"\n")
	lay(t, filepath.Join(root, "gui/present/broken.go"), "package present\nfunc {")
	s, err := readSource(root)
	assert.NoError(t, err)
	if len(s.broken) != 1 {
		t.Errorf("the file that can't be parsed is not named: %q", s.broken)
	}
	for _, want := range []string{"faults.go:5:13: is said before a language is chosen", "makes a key of what is no constant", "is a plural of what is no constant",
		"is no constant in a constant context", `"%s of %s" does not go with 1 arguments`, `"ends with a space " begins or ends with a space`, "said.go:9:22: is in no area"} {
		if !slices.ContainsFunc(s.faults, func(f string) bool { return strings.Contains(f, want) }) {
			t.Errorf("%q is not seen in %q", want, s.faults)
		}
	}
	if len(s.faults) != 7 {
		t.Errorf("%d faults: %q", len(s.faults), s.faults)
	}
}

func lay(t *testing.T, name, text string) {
	t.Helper()
	assert.NoError(t, os.MkdirAll(filepath.Dir(name), 0o700))
	assert.NoError(t, os.WriteFile(name, []byte(text), 0o600))
}
