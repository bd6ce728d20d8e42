// Package presenttest is what tests of view models share: answers of the service, and a check that each text of a model is translated.
// It imports packages of client, and never the toolkit.
package presenttest

import (
	"encoding/json"
	"reflect"
	"testing"

	"assay/client"
	"assay/client/i18n/i18ntest"
)

// Result is an answer of the service, as it is sent.
func Result(t testing.TB, text string) *client.Result {
	t.Helper()
	r := new(client.Result)
	if err := json.Unmarshal([]byte(text), r); err != nil {
		t.Fatal(err)
	}
	return r
}

// data is what the fixtures call themselves, and what was sent: nobody translates that.
var data = []string{"NAME.JPG", "FOLDER", "DESK", "RELEASE", "REQUEST", "ENGLISH", "MODEL", "ENSEMBLE", "REASON", "CODE", "DECISION", "HTTPS", "IDENTITY", "SHA", "PATH", "WORDS", "TITLE",
	"JSON", "EXIF", "XMP", "IPTC", "SHA-256", "assay watch", "models", "finalScore", "normalizedPredictionNumber", "rollingAvgNumber", "predictionNumber", "resultsSummary.metadata", "chunks", "scenes",
	"frames", "tubes", "decision", "score", "scores", "C2PA", "made", "false", "true", "jpg", "MAYBE", "quality", "FAKE", "AUTHENTIC", "SUSPICIOUS", "ARTIFICIAL"}

// Translated fails the test for each text of some values that is not translated. They were made after i18ntest.Pseudo, with the names
// in data. Texts of types of their own, such as present.Medium, are told apart and not shown.
func Translated(t testing.TB, values ...any) {
	t.Helper()
	for _, v := range values {
		for _, text := range texts(v) {
			if forgotten := i18ntest.Forgotten(text, data...); len(forgotten) > 0 {
				t.Errorf("%q in %q", forgotten, text)
			}
		}
	}
}

// texts are all that is said in a value.
func texts(value any) []string {
	var all []string
	var look func(v reflect.Value)
	look = func(v reflect.Value) {
		switch v.Kind() {
		case reflect.String:
			if v.Type() == reflect.TypeFor[string]() && v.CanInterface() {
				all = append(all, v.String())
			}
		case reflect.Struct:
			for i := range v.NumField() {
				if v.Type().Field(i).IsExported() {
					look(v.Field(i))
				}
			}
		case reflect.Slice, reflect.Array:
			for i := range v.Len() {
				look(v.Index(i))
			}
		case reflect.Pointer, reflect.Interface:
			if !v.IsNil() {
				look(v.Elem())
			}
		}
	}
	look(reflect.ValueOf(value))
	return all
}
