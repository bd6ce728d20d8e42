package part_test

import (
	"testing"

	"fyne.io/fyne/v2/test"

	"assay/gui/part"
)

func TestNoTextBeginsWithTheSpaceThatOpenedItsField(t *testing.T) {
	test.NewTempApp(t)
	for name, field := range map[string]interface {
		TypedRune(char rune)
	}{"a line": part.NewField("", nil), "a secret": part.NewSecretField("", nil)} {
		t.Run(name, func(t *testing.T) {
			for _, char := range " a b" {
				field.TypedRune(char)
			}
			said := ""
			switch f := field.(type) {
			case *part.Field:
				said = f.Text
			case *part.SecretField:
				said = f.Text
			}
			if said != "a b" {
				t.Errorf("%q", said)
			}
		})
	}
}
