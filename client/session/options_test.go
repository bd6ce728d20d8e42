package session

import (
	"testing"

	"assay/client/i18n"
)

func TestLanguageOfTheStart(t *testing.T) {
	t.Cleanup(func() { _ = i18n.Use("en", "") }) // it has English
	for _, c := range []struct {
		name, wanted string
		locales      []string
		want         string
	}{
		{"English where nothing is said", "", nil, "en"},
		{"the system's", "", []string{"xx-XX", "fr-CA", "de-DE"}, "fr"},
		{"the person's own before it", "de", []string{"fr-CA"}, "de"},
		{"English where the system's is not spoken", "", []string{"xx-XX"}, "en"},
	} {
		t.Run(c.name, func(t *testing.T) {
			machine := Machine{Locales: func() ([]string, error) { return c.locales, nil }}
			if err := machine.speak(c.wanted); err != nil || i18n.Language() != c.want {
				t.Errorf("it speaks %s: %v", i18n.Language(), err)
			}
		})
	}
}
