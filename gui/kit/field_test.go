package kit_test

import (
	"testing"

	"fyne.io/fyne/v2/test"

	"assay/gui/kit"
)

func TestNoTextBeginsWithTheSpaceThatOpenedItsField(t *testing.T) {
	test.NewTempApp(t)
	for name, field := range map[string]interface {
		TypedRune(char rune)
	}{"a line": kit.NewField("", nil), "a secret": kit.NewSecretField("", nil)} {
		t.Run(name, func(t *testing.T) {
			for _, char := range " a b" {
				field.TypedRune(char)
			}
			said := ""
			switch f := field.(type) {
			case *kit.Field:
				said = f.Text
			case *kit.SecretField:
				said = f.Text
			}
			if said != "a b" {
				t.Errorf("%q", said)
			}
		})
	}
}
