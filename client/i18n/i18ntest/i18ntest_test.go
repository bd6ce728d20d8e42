package i18ntest_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"assay/client/i18n"
	"assay/client/i18n/i18ntest"
)

func TestForgottenWordsAreFound(t *testing.T) {
	i18ntest.Pseudo(t)
	for name, c := range map[string]struct {
		text string
		want []string
	}{
		"a text that is translated":        {i18n.T("Not sent yet"), nil},
		"one that is not":                  {"Not sent yet", []string{"Not", "sent", "yet"}},
		"a word filled into a translation": {i18n.F("The %s waits", "file"), []string{"file"}},
		"data":                             {i18n.F("%s waits", "holiday.jpg") + " · " + i18n.Size(5<<20), nil},
	} {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(c.want, i18ntest.Forgotten(c.text, "holiday", "holiday.jpg", "")); len(c.want) != 0 && diff != "" {
				t.Error(diff)
			} else if len(c.want) == 0 && len(i18ntest.Forgotten(c.text, "holiday", "holiday.jpg", "")) != 0 {
				t.Errorf("%q: %v", c.text, i18ntest.Forgotten(c.text, "holiday.jpg"))
			}
		})
	}
}

func TestTheLanguageComesBack(t *testing.T) {
	t.Run("for a test", func(t *testing.T) {
		i18ntest.Speak(t, "fr")
		if i18n.Language() != "fr" {
			t.Error(i18n.Language())
		}
	})
	if i18n.Language() != "en" {
		t.Error(i18n.Language())
	}
}
