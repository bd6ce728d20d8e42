package i18n_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"assay/assets/lang"
	"assay/client"
	"assay/client/assert"
	"assay/client/i18n"
	"assay/client/verdict"
)

// translations are one language's, by key.
type translations struct {
	entries map[string]i18n.Entry
	area    map[string]string
	faults  []string
}

func readTranslations(language string) translations {
	all := translations{entries: map[string]i18n.Entry{}, area: map[string]string{}}
	files, err := lang.Files.ReadDir(language)
	if err != nil {
		return translations{faults: []string{err.Error()}}
	}
	for _, file := range files {
		area := strings.TrimSuffix(file.Name(), ".json")
		if !slices.Contains(areas, area) {
			all.faults = append(all.faults, file.Name()+" is of no area")
			continue
		}
		raw, err := lang.Files.ReadFile(path.Join(language, file.Name()))
		if err == nil {
			err = all.take(area, raw)
		}
		if err != nil {
			all.faults = append(all.faults, fmt.Sprintf("%s: %v", file.Name(), err))
		}
	}
	return all
}

// take reads entry by entry, for a key that stands twice is a fault that a map would hide.
func (t *translations) take(area string, raw []byte) error {
	in := json.NewDecoder(bytes.NewReader(raw))
	in.DisallowUnknownFields()
	if _, err := in.Token(); err != nil {
		return err
	}
	for in.More() {
		token, err := in.Token()
		if err != nil {
			return err
		}
		key := token.(string)
		var e i18n.Entry
		if err := in.Decode(&e); err != nil {
			return fmt.Errorf("%q: %w", key, err)
		}
		if other, twice := t.area[key]; twice {
			t.faults = append(t.faults, fmt.Sprintf("%q stands twice: in %s and in %s", key, other, area))
		}
		t.entries[key], t.area[key] = e, area
	}
	if _, err := in.Token(); err != nil {
		return err
	}
	if _, err := in.Token(); !errors.Is(err, io.EOF) {
		return errors.New("something follows the end")
	}
	return nil
}

// TestWhatIsSaid holds the source to the rules of the package.
func TestWhatIsSaid(t *testing.T) {
	if testing.Short() {
		t.Skip("reads the whole source; no goroutine is in it")
	}
	s := sourceOf(t)
	for _, fault := range s.faults {
		t.Error(fault)
	}
	if len(s.used) < 100 {
		t.Errorf("only %d texts were found", len(s.used))
	}
}

// TestTranslations is that every language says everything that is said, and nothing else.
func TestEveryLanguageIsComplete(t *testing.T) {
	if testing.Short() {
		t.Skip("reads the whole source; no goroutine is in it")
	}
	s := sourceOf(t)
	said := texts(s.used)
	for _, name := range i18n.All()[1:] {
		t.Run(name.Code, func(t *testing.T) {
			have := readTranslations(name.Code)
			for _, fault := range have.faults {
				t.Error(fault)
			}
			missing := map[string][]string{}
			for _, key := range slices.Sorted(maps.Keys(said)) {
				e, ok := have.entries[key]
				if !ok {
					missing[said[key].area] = append(missing[said[key].area], key)
					continue
				}
				for _, fault := range faultsOf(said[key], e) {
					t.Errorf("%s.json: %q: %s", have.area[key], key, fault)
				}
			}
			for _, area := range areas {
				if keys := missing[area]; len(keys) > 0 {
					t.Errorf("%s.json: %d of the texts are missing, such as %q at %s", area, len(keys), keys[0], said[keys[0]].at)
				}
			}
			for _, key := range slices.Sorted(maps.Keys(have.entries)) {
				if _, ok := said[key]; !ok {
					t.Errorf("%s.json: nothing says %q", have.area[key], key)
				}
			}
		})
	}
}

var (
	closing  = regexp.MustCompile(`[.:;,?!…]$`)
	context  = regexp.MustCompile(` ‹[^‹›]*›$`)
	sentence = regexp.MustCompile(`[a-zA-Z]+ [a-zA-Z]+ [a-zA-Z]+`)
	// proof are words that a headline must not say of a file, in any language.
	proof = regexp.MustCompile(`(?i)authenti|autenti|auténti|autênti|\becht|genuin|\bréel|\breal\b|véritable|verdader|verdadeir|original`)
)

// abbreviated are texts that are abbreviations in some languages, which end in a point there.
var abbreviated = map[string]bool{"%sk": true}

// faultsOf are what is wrong with a translation.
func faultsOf(u used, e i18n.Entry) (faults []string) {
	english := context.ReplaceAllString(u.key, "")
	switch {
	case u.plural && (e.One == "" || e.Other == ""):
		return []string{`needs the forms "one" and "other"`}
	case !u.plural && e.One != "":
		return []string{"has no form for one"}
	case e.Other == "":
		return []string{"is empty"}
	}
	for _, form := range []string{e.One, e.Other} {
		switch {
		case form == "":
			continue
		case form != strings.TrimSpace(form):
			faults = append(faults, "begins or ends with a space")
		case closing.FindString(form) != closing.FindString(english) && !abbreviated[english]:
			faults = append(faults, fmt.Sprintf("%q ends otherwise than in English", form))
		case strings.Contains(form, "..."):
			faults = append(faults, "has three points for an ellipsis")
		case sentence.MatchString(english) && form == english:
			faults = append(faults, "is still English")
		}
	}
	want, one, other := verbsOf(english), verbsOf(e.One), verbsOf(e.Other)
	if !maps.Equal(want, other) {
		faults = append(faults, fmt.Sprintf("%q takes other arguments than in English", e.Other))
	}
	if u.plural {
		delete(want, 1)
		delete(one, 1)
		if !maps.Equal(want, one) {
			faults = append(faults, fmt.Sprintf("%q takes other arguments than in English", e.One))
		}
	}
	return faults
}

func TestHeadlinesClaimNoProof(t *testing.T) {
	for _, name := range i18n.All() {
		t.Run(name.Code, func(t *testing.T) {
			use(t, name.Code, "")
			for _, status := range []client.Status{client.Fake, client.Suspicious, client.Authentic, client.NotApplicable, client.UnableToEvaluate, client.Analyzing, "", client.Contradictory} {
				said := verdict.Say(status)
				if status == client.Contradictory {
					said = verdict.Contradictory()
				}
				for _, text := range []string{said.Headline, said.Short, said.InText, said.After} {
					if text == "" || proof.MatchString(text) {
						t.Errorf("%s: %q says more than the models can", status, text)
					}
				}
			}
		})
	}
}

func TestFaultsOfATranslationAreSeen(t *testing.T) {
	plain, many := used{key: "Sent to %s at %s."}, used{key: "%s files of %s", one: "%s file of %s", plural: true}
	for name, c := range map[string]struct {
		u    used
		e    i18n.Entry
		want int
	}{
		"none":                       {plain, i18n.Entry{Other: "Um %[2]s an %[1]s gesendet."}, 0},
		"a verb is missing":          {plain, i18n.Entry{Other: "An %s gesendet."}, 1},
		"a verb is another":          {plain, i18n.Entry{Other: "An %s um %d gesendet."}, 1},
		"a point is missing":         {plain, i18n.Entry{Other: "An %s um %s gesendet"}, 1},
		"a space is too much":        {plain, i18n.Entry{Other: "An %s um %s gesendet. "}, 1},
		"a form that English lacks":  {plain, i18n.Entry{One: "x", Other: "An %s um %s gesendet."}, 1},
		"it is empty":                {plain, i18n.Entry{}, 1},
		"it is English":              {used{key: "Sent to the service"}, i18n.Entry{Other: "Sent to the service"}, 1},
		"a word may be the same":     {used{key: "Format"}, i18n.Entry{Other: "Format"}, 0},
		"the context is not said":    {used{key: "Open ‹button›"}, i18n.Entry{Other: "Öffnen"}, 0},
		"forms":                      {many, i18n.Entry{One: "Eine Datei von %[2]s", Other: "%s Dateien von %s"}, 0},
		"a form is missing":          {many, i18n.Entry{Other: "%s Dateien von %s"}, 1},
		"a form's verb is missing":   {many, i18n.Entry{One: "Eine Datei", Other: "%s Dateien von %s"}, 1},
		"the number must be in many": {many, i18n.Entry{One: "%s Datei von %s", Other: "Dateien von %[2]s"}, 1},
	} {
		t.Run(name, func(t *testing.T) {
			if got := faultsOf(c.u, c.e); len(got) != c.want {
				t.Errorf("%d faults: %q", len(got), got)
			}
		})
	}
}

// readOnce reads the source once for all tests.
var readOnce = sync.OnceValues(func() (*source, error) {
	root, err := filepath.Abs("../..")
	if err != nil {
		return nil, err
	}
	return readSource(root)
})

func sourceOf(t *testing.T) *source {
	t.Helper()
	s, err := readOnce()
	assert.NoError(t, err)
	for _, file := range s.broken {
		t.Errorf("left out: %s", file)
	}
	return s
}
