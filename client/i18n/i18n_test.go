package i18n_test

import (
	"errors"
	"testing"

	"assay/client/assert"
	"assay/client/i18n"
	"assay/client/plain"
	"assay/client/plain/plaintest"
)

// speak chooses translations for one test.
func speak(t *testing.T, language string, texts map[string]i18n.Entry) {
	t.Helper()
	t.Cleanup(func() {
		if err := i18n.Use("en", ""); err != nil {
			t.Error(err)
		}
	})
	i18n.Say(language, texts)
}

func use(t *testing.T, language, region string) {
	t.Helper()
	speak(t, language, nil) // to be put back
	assert.NoError(t, i18n.Use(language, region))
}

func TestEnglishIsItsOwnTranslation(t *testing.T) {
	assert.Equal(t, "Not sent yet", i18n.T("Not sent yet"))
	assert.Equal(t, "3 of 12 done", i18n.F("%s of %s done", "3", "12"))
	assert.Equal(t, "Open", i18n.C("button", "Open"))
	for n, want := range map[int]string{0: "0 files wait", 1: "1 file waits", 2: "2 files wait", 1234: "1,234 files wait"} {
		assert.Equal(t, want, i18n.N(n, "%s file waits", "%s files wait"))
	}
	assert.Equal(t, "", i18n.List())
	assert.Equal(t, "a", i18n.List("a"))
	assert.Equal(t, "a, b and c", i18n.List("a", "b", "c"))
}

func TestTranslations(t *testing.T) {
	speak(t, "de", map[string]i18n.Entry{
		"Not sent yet":        {Other: "Noch nicht gesendet"},
		"Open":                {Other: "Offen"},
		"Open ‹button›":       {Other: "Öffnen"},
		"%s of %s done":       {Other: "Von %[2]s sind %[1]s fertig"},
		"%s and %s":           {Other: "%s und %s"},
		"%s files from %s":    {One: "Eine Datei aus %[2]s", Other: "%s Dateien aus %s"},
		"%s files were sent.": {One: "Eine Datei wurde gesendet.", Other: "%s Dateien wurden gesendet."},
	})
	t.Run("the text is looked up", func(t *testing.T) { assert.Equal(t, "Noch nicht gesendet", i18n.T("Not sent yet")) })
	t.Run("a text without one stays English", func(t *testing.T) { assert.Equal(t, "Sent", i18n.T("Sent")) })
	t.Run("a context has its own", func(t *testing.T) {
		assert.Equal(t, "Offen", i18n.T("Open"))
		assert.Equal(t, "Öffnen", i18n.C("button", "Open"))
	})
	t.Run("a context without one is said as the word alone", func(t *testing.T) { assert.Equal(t, "Offen", i18n.C("menu", "Open")) })
	t.Run("arguments come in the language's own order", func(t *testing.T) { assert.Equal(t, "Von 12 sind 3 fertig", i18n.F("%s of %s done", "3", "12")) })
	t.Run("a list is joined by the language's and", func(t *testing.T) { assert.Equal(t, "a, b und c", i18n.List("a", "b", "c")) })
	t.Run("a form may leave the number out", func(t *testing.T) {
		assert.Equal(t, "Eine Datei wurde gesendet.", i18n.N(1, "%s file was sent.", "%s files were sent."))
		assert.Equal(t, "1.200 Dateien wurden gesendet.", i18n.N(1200, "%s file was sent.", "%s files were sent."))
		assert.Equal(t, "Eine Datei aus Desk", i18n.N(1, "%s file from %s", "%s files from %s", "Desk"))
	})
	t.Run("a pair in a table is N's", func(t *testing.T) {
		pair := i18n.Plural{One: "%s file from %s", Other: "%s files from %s"}
		assert.Equal(t, "2 Dateien aus Desk", pair.For(2, "Desk"))
	})
}

func TestWhichNumbersTakeTheFormOfOne(t *testing.T) {
	for language, zero := range map[string]string{"en": "other", "es": "other", "de": "other", "fr": "one", "pt": "one"} {
		speak(t, language, map[string]i18n.Entry{"o": {One: "one", Other: "other"}})
		assert.Equal(t, zero, i18n.N(0, "one", "o"))
		assert.Equal(t, "one", i18n.N(1, "one", "o"))
		assert.Equal(t, "other", i18n.N(2, "one", "o"))
	}
}

func TestPseudoLanguage(t *testing.T) {
	use(t, i18n.PseudoLanguage, "")
	assert.Equal(t, "‹Šéñđ íţ ··›", i18n.T("Send it"))
	assert.Equal(t, "‹B öƒ A: 7 ·······›", i18n.F("%[2]s of %[1]s: %[3]d", "A", "B", 7))
	assert.Equal(t, "‹1 ƒíļé ··›", i18n.N(1, "%s file", "%s files"))
	assert.Equal(t, "‹100 % öƒ it ····›", i18n.F("100 %% of %s", "it"))
	assert.Equal(t, "‹1 % öƒ íţ ···›", i18n.T("1 % of it"))
	assert.Equal(t, "", i18n.T(""))
}

func TestALanguageIsChosen(t *testing.T) {
	t.Run("each that is listed is there", func(t *testing.T) {
		for _, name := range i18n.All() {
			use(t, name.Code, "")
			assert.Equal(t, name.Code, i18n.Language())
		}
	})
	t.Run("none named is English", func(t *testing.T) {
		use(t, "", "us")
		assert.Equal(t, "en US", i18n.Language()+" "+i18n.Region())
	})
	t.Run("an unknown one changes nothing", func(t *testing.T) {
		use(t, "fr", "")
		if err := i18n.Use("tlh", ""); err == nil {
			t.Error("no error")
		}
		assert.Equal(t, "fr", i18n.Language())
	})
	t.Run("while others look texts up", func(t *testing.T) {
		use(t, "de", "")
		done := make(chan struct{})
		go func() {
			defer close(done)
			for range 200 {
				i18n.Count(1234)
			}
		}()
		for range 20 {
			if err := i18n.Use("en", "US"); err != nil {
				t.Error(err)
			}
		}
		<-done
	})
}

func TestBest(t *testing.T) {
	for _, c := range []struct {
		name, wanted string
		system       []string
		want         string
	}{
		{"what is wanted beats the system", "fr", []string{"de-DE"}, "fr "},
		{"its region is the system's where that speaks it", "en", []string{"de-DE", "en-US"}, "en US"},
		{"a wanted region is kept", "es-MX", []string{"es-ES"}, "es MX"},
		{"the system's first that is spoken", "", []string{"sv_SE", "pt_BR.UTF-8", "en_US"}, "pt BR"},
		{"a locale with a modifier", "", []string{"de_AT@euro"}, "de AT"},
		{"a script is no region", "", []string{"es-Latn-MX"}, "es MX"},
		{"a continent's number", "", []string{"es-419"}, "es 419"},
		{"what is wanted and not spoken is not wanted", "tlh", []string{"de"}, "de "},
		{"a machine's locale is English", "", []string{"C.UTF-8", "POSIX"}, "en "},
		{"nothing known is English", "", nil, "en "},
		{"an empty name is none", "", []string{"", "_", "fr"}, "fr "},
		{"the pseudo language is not offered", "xx", []string{"xx"}, "en "},
	} {
		t.Run(c.name, func(t *testing.T) {
			language, region := i18n.Best(c.wanted, c.system)
			assert.Equal(t, c.want, language+" "+region)
		})
	}
}

func TestWhatIsFilledInStaysInTheLine(t *testing.T) {
	type name string
	for _, text := range plaintest.Hostile() {
		all := []any{text, name(text), errors.New(text), plain.From(text)}
		for _, said := range []string{
			i18n.F("%s: %s", text, name(text)), i18n.F("%v, %v", all[2], all[3]), i18n.N(2, "%s %s", "%s %s", text), i18n.List(text, text, text),
		} {
			plaintest.OneLine(t, said)
		}
		if all[0] != any(text) {
			t.Error("the caller's arguments were changed")
		}
	}
}
