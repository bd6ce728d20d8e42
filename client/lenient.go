package client

import (
	"encoding/json"
	"errors"
	"reflect"
	"strings"
)

// decodeLenient fills the struct behind dst from a JSON object, field by field: a field of unexpected
// shape keeps its zero value and spoils nothing else. It fails only where data is no object.
func decodeLenient(data []byte, dst any) error {
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
		if !sent || name == "-" || name == "" {
			continue
		}
		err := json.Unmarshal(raw, v.Field(i).Addr().Interface())
		var oneOfMany *json.UnmarshalTypeError
		kind := v.Field(i).Kind()
		if err != nil && (!errors.As(err, &oneOfMany) || kind != reflect.Slice && kind != reflect.Map) {
			v.Field(i).SetZero() // a wrong type leaves the rest of a list or map decoded, and nothing of another field
		}
	}
	return nil
}
