package client

import (
	"bytes"
	"encoding"
	"encoding/json"
	"errors"
	"iter"
	"reflect"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"
)

var errNoObject = errors.New("it is no object")

// decodeLenient fills the struct that dst points to from a JSON object, field by field: a field of unexpected shape keeps its zero value and affects
// no other. It fails only if data is no object.
func decodeLenient(data []byte, dst any) error {
	if !json.Valid(data) {
		return errNoObject
	}
	return decodeFields(data, dst)
}

// decodeFields is decodeLenient for data that is JSON, as it is in UnmarshalJSON. It does not look at it again for each object in it, which an export
// of very many results would pay for.
func decodeFields(data []byte, dst any) error {
	data = bytes.TrimSpace(data)
	if len(data) == 0 || data[0] != '{' {
		return errNoObject
	}
	v := reflect.ValueOf(dst).Elem()
	names := fieldsOf(v.Type())
	sent := make([][]byte, v.NumField()) // of a name that is there twice, the last one counts
	for key, value := range members(data) {
		if i, known := fieldOf(names, key); known {
			sent[i] = value
		}
	}
	for i, value := range sent {
		if value != nil {
			decodeField(value, v.Field(i))
		}
	}
	return nil
}

// decodeField reads one field; what is of another shape leaves its zero value.
func decodeField(value []byte, v reflect.Value) {
	var err error
	text, isText := simpleText(value)
	switch into := v.Addr().Interface().(type) {
	case json.Unmarshaler:
		err = into.UnmarshalJSON(value)
	case encoding.TextUnmarshaler:
		if isText {
			err = into.UnmarshalText(text)
		} else {
			err = json.Unmarshal(value, into)
		}
	default:
		switch {
		case isText && v.Kind() == reflect.String:
			v.SetString(string(text))
		case value[0] == '[' && v.Kind() == reflect.Slice && reflect.PointerTo(v.Type().Elem()).Implements(unmarshaler):
			err = decodeList(value, v)
		default:
			err = json.Unmarshal(value, into)
		}
	}
	if err == nil {
		return
	}
	var oneOfMany *json.UnmarshalTypeError
	if !errors.As(err, &oneOfMany) || v.Kind() != reflect.Slice && v.Kind() != reflect.Map {
		v.SetZero() // after a wrong type, half a list or map may be there: all of the field goes
	}
}

// simpleText is the text that a value is, where it stands in the JSON just as it is, which nearly all do.
func simpleText(value []byte) (text []byte, ok bool) {
	if value[0] != '"' || bytes.IndexByte(value, '\\') >= 0 || !utf8.Valid(value) {
		return nil, false
	}
	return value[1 : len(value)-1], true
}

var unmarshaler = reflect.TypeFor[json.Unmarshaler]()

// decodeList reads a list of what reads itself, and returns the first error.
func decodeList(list []byte, v reflect.Value) (first error) {
	all := slices.Collect(elements(list))
	v.Set(reflect.MakeSlice(v.Type(), len(all), len(all)))
	for i, element := range all {
		own, _ := v.Index(i).Addr().Interface().(json.Unmarshaler)
		if err := own.UnmarshalJSON(element); err != nil && first == nil {
			first = err
		}
	}
	return first
}

// fields are the indexes of a struct's fields by their names in JSON, by the struct's type.
var fields sync.Map

func fieldsOf(t reflect.Type) map[string]int {
	if known, ok := fields.Load(t); ok {
		return known.(map[string]int) //nolint:forcetypeassert // nothing else is stored
	}
	names := map[string]int{}
	for i := range t.NumField() {
		if name, _, _ := strings.Cut(t.Field(i).Tag.Get("json"), ","); name != "-" && name != "" {
			names[name] = i
		}
	}
	fields.Store(t, names)
	return names
}

// fieldOf is the field that a key with its quotation marks means.
func fieldOf(names map[string]int, key []byte) (i int, known bool) {
	if bytes.IndexByte(key, '\\') < 0 {
		i, known = names[string(key[1:len(key)-1])]
		return i, known
	}
	var name string
	_ = json.Unmarshal(key, &name) // a key is a text
	i, known = names[name]
	return i, known
}

// members yields the members of an object that is JSON without white space around it, in the order sent: the key with its quotation marks, and the value.
func members(object []byte) iter.Seq2[[]byte, []byte] {
	return func(yield func(key, value []byte) bool) {
		for at := 0; ; {
			key := bytes.IndexByte(object[at:], '"')
			if key < 0 {
				return
			}
			at += key
			end := literalEnd(object, at)
			value := end + bytes.IndexByte(object[end:], ':') + 1
			for isSpace(object[value]) {
				value++
			}
			next := valueEnd(object, value)
			if !yield(object[at:end], object[value:next]) {
				return
			}
			at = next
		}
	}
}

// elements yields the elements of a list that is JSON.
func elements(list []byte) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		for at := 1; ; {
			for isSpace(list[at]) || list[at] == ',' {
				at++
			}
			if list[at] == ']' {
				return
			}
			next := valueEnd(list, at)
			if !yield(list[at:next]) {
				return
			}
			at = next
		}
	}
}

const jsonSpace = " \t\r\n"

func isSpace(b byte) bool { return b == ' ' || b == '\n' || b == '\t' || b == '\r' }

// valueEnd is the index after the value that begins at start, in data that is JSON.
func valueEnd(data []byte, start int) int {
	depth := 0
	for i := start; i < len(data); {
		switch data[i] {
		case '"':
			i = literalEnd(data, i)
		case '{', '[':
			depth++
			i++
		case '}', ']':
			depth--
			i++
		default:
			if depth > 0 {
				i++
				continue
			}
			for i < len(data) && data[i] != ',' && data[i] != ']' && data[i] != '}' && !isSpace(data[i]) {
				i++
			}
			return i
		}
		if depth == 0 {
			return i
		}
	}
	return len(data)
}
