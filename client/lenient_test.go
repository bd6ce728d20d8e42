package client

import (
	"encoding/json"
	"errors"
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"assay/client/assert"
	"assay/client/plain"
)

// FuzzFields holds that a struct is filled as encoding/json would fill it from a map, field by field.
func FuzzFields(f *testing.F) {
	for _, seed := range []string{
		`{}`, `null`, `[{"name":"x"}]`, `{"name":"a","name":"b"}`, "\t{ \"name\" : \"a\\\"b\" , \"list\" : [ { \"x\" : [ ] } , 1 ] , \"map\":{\"]\":\"}\"}}\n", `{"\u006eame":"escaped","Name":"other"}`,
		`{"lines":[ "a" ,5,null,"b",[],{"x":","}],"score":1e999,"raw":{"a":[1,{"b":"\\"}]},"flag":"TRUE","list":[1,"x",null],"map":{"a":1,"b":"c"}}`, `{"summary":null,"lines":[],"score":-0.5}`, `{"summary":{"status":"FAKE"},"":1}`, `{"a":"\"}","name":"z"}`, "{\"name\xff\":\"\xff\"}", `{"a":1}x`, `{"name": 5 , "raw" : 5 }`,
	} {
		f.Add([]byte(seed))
	}
	type all struct {
		Name    plain.Text        `json:"name"`
		Score   Score             `json:"score"`
		Raw     json.RawMessage   `json:"raw"`
		Flag    Bool              `json:"flag"`
		List    []string          `json:"list"`
		Lines   []plain.Text      `json:"lines"`
		Map     map[string]string `json:"map,omitempty"`
		Summary *Summary          `json:"summary"`
		Unread  string            `json:"-"`
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		var got, want all
		err, wantErr := decodeLenient(data, &got), slowly(data, &want)
		assert.Equal(t, err == nil, wantErr == nil)
		if diff := cmp.Diff(got, want, cmp.AllowUnexported(Score{}, plain.Text{})); diff != "" {
			t.Fatalf("it reads otherwise:\n%s", diff)
		}
	})
}

// slowly does the same with a map.
func slowly(data []byte, dst any) error {
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(data, &fields); err != nil {
		return err
	}
	if fields == nil {
		return errors.New("null is no object")
	}
	v := reflect.ValueOf(dst).Elem()
	for i := range v.NumField() {
		name, _, _ := strings.Cut(v.Type().Field(i).Tag.Get("json"), ",")
		raw, sent := fields[name]
		if !sent || name == "-" {
			continue
		}
		err := json.Unmarshal(raw, v.Field(i).Addr().Interface())
		var oneOfMany *json.UnmarshalTypeError
		kind := v.Field(i).Kind()
		if err != nil && (!errors.As(err, &oneOfMany) || kind != reflect.Slice && kind != reflect.Map) {
			v.Field(i).SetZero()
		}
	}
	return nil
}
