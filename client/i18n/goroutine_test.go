package i18n_test

import (
	"errors"
	"sync"
	"testing"

	"assay/client/assert"
	"assay/client/i18n"
)

func TestInSpeaksAnotherLanguageOnOneGoroutine(t *testing.T) {
	use(t, "es", "")
	const text = i18n.Key("Notes")
	var said, elsewhere, carried, nested, after string
	assert.NoError(t, i18n.In("de", func() error {
		said = i18n.T(text)
		carry := i18n.Carry()
		var all sync.WaitGroup
		all.Go(func() { elsewhere = i18n.T(text) })
		all.Go(func() { carry(func() { carried = i18n.T(text) }) })
		all.Wait()
		assert.NoError(t, i18n.In("fr", func() error {
			nested = i18n.Language()
			return i18n.In("", func() error { nested += i18n.Language(); return nil })
		}))
		after = i18n.Language()
		return nil
	}))
	assert.Equal(t, []string{"Notizen", "Notas", "Notizen", "frfr", "de", "Notas"}, []string{said, elsewhere, carried, nested, after, i18n.T(text)})
	failed := errors.New("failed")
	if err := i18n.In("pt", func() error { return failed }); !errors.Is(err, failed) || i18n.Language() != "es" {
		t.Error(err, i18n.Language())
	}
	if err := i18n.In("xy", func() error { t.Error("it ran"); return nil }); err == nil {
		t.Error("there is such a language")
	}
	i18n.Carry()(func() { assert.Equal(t, "es", i18n.Language()) })
}
