package i18n

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"assay/client/plain"
)

// Message is a sentence that is made later: its code, which is its Key, and its arguments. Records store messages and errors carry them, and String
// makes the sentence in the language in use, so that it changes with the language. The zero value is no message. Two messages are
// equal (==) if they have the same content.
type Message struct{ code string } // JSON of coded; "" for none

// coded is the JSON of a message. A verbatim text is a JSON string, a number is a JSON number, and every other message is an object with one of
// these fields, besides Args.
type coded struct {
	Code  Key        `json:"code,omitempty"`
	One   Key        `json:"one,omitempty"` // of N: Code is then the form for other numbers, and the first of Args the number
	Args  []Message  `json:"args,omitempty"`
	Texts []Message  `json:"texts,omitempty"` // one after the other
	Size  *int64     `json:"size,omitempty"`  // in bytes, formatted by Size
	Bytes *int64     `json:"bytes,omitempty"` // formatted by Bytes
	Count *int64     `json:"count,omitempty"`
	Wait  *int64     `json:"wait,omitempty"` // in nanoseconds
	Clock *time.Time `json:"clock,omitempty"`
}

// M is F, made when it is shown: text is the code, a constant. An argument may be another message; other texts are stored as they are, and shown plain.
func M(text Key, args ...any) Message { return coded{Code: text, Args: messages(args)}.message() }

// MN is N, made when it is shown.
func MN(n int, one, other Key, args ...any) Message {
	return coded{Code: other, One: one, Args: append([]Message{CountMessage(n)}, messages(args)...)}.message()
}

// Verbatim is a text that is the same in every language, such as one from the service, or a name. It is shown plain.
func Verbatim(text string) Message {
	if text == "" {
		return Message{}
	}
	return encodedText(text)
}

// Sentences are messages one after the other.
func Sentences(texts ...Message) Message {
	var all []Message
	for _, text := range texts {
		if !text.IsZero() {
			all = append(all, text)
		}
	}
	switch len(all) {
	case 0:
		return Message{}
	case 1:
		return all[0]
	}
	return coded{Texts: all}.message()
}

// SizeMessage is Size, made when it is shown.
func SizeMessage(bytes int64) Message { return coded{Size: &bytes}.message() }

// BytesMessage is Bytes, made when it is shown.
func BytesMessage(n int64) Message { return coded{Bytes: &n}.message() }

// CountMessage is Count, made when it is shown.
func CountMessage(n int) Message {
	count := int64(n)
	return coded{Count: &count}.message()
}

// WaitMessage is Wait, made when it is shown.
func WaitMessage(d time.Duration) Message {
	wait := int64(d)
	return coded{Wait: &wait}.message()
}

// ClockMessage is Clock in this computer's zone, made when it is shown.
func ClockMessage(t time.Time) Message { return coded{Clock: &t}.message() }

// messages converts each argument to a message.
func messages(args []any) []Message {
	var all []Message
	for _, arg := range args {
		switch arg := arg.(type) {
		case Message:
			all = append(all, arg)
		case plain.Text:
			all = append(all, encodedText(arg.Verbatim()))
		case int, int64:
			all = append(all, encoded(arg))
		default:
			all = append(all, encodedText(fmt.Sprint(arg)))
		}
	}
	return all
}

func (c coded) message() Message {
	return encoded(c)
}

// encodedText replaces invalid UTF-8 as JSON does, so that a message that was read from a record equals the one that was stored.
func encodedText(text string) Message { return encoded(string([]rune(text))) }

func encoded(value any) Message {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(value); err != nil {
		panic(err) // all texts, numbers and messages can be encoded
	}
	return Message{strings.TrimSuffix(b.String(), "\n")}
}

// IsZero reports whether it is no message.
func (m Message) IsZero() bool { return m.code == "" }

// Equal reports whether two messages have the same content.
func (m Message) Equal(other Message) bool { return m == other }

// String is the sentence in the language in use.
func (m Message) String() string { return m.in(current()) }

func (m Message) in(s *spoken) string {
	switch {
	case m.code == "":
		return ""
	case m.code[0] != '{':
		return fmt.Sprint(inLine([]any{m.plainValue()})...)
	}
	var c coded
	if json.Unmarshal([]byte(m.code), &c) != nil {
		return plain.Line(m.code)
	}
	switch {
	case c.Code != "":
		return s.filled(s.sentence(c), values(s, c.Args))
	case c.Size != nil:
		return s.sizeText(*c.Size)
	case c.Bytes != nil:
		return s.bytes(*c.Bytes)
	case c.Count != nil:
		return s.count(*c.Count)
	case c.Wait != nil:
		return s.wait(time.Duration(*c.Wait))
	case c.Clock != nil:
		return s.clock(c.Clock.Local(), false)
	}
	texts := make([]string, len(c.Texts))
	for i, text := range c.Texts {
		texts[i] = text.in(s)
	}
	return strings.Join(texts, " ")
}

// sentence is an argument as text.
func (s *spoken) sentence(c coded) string {
	if now, ok := reworded[string(c.Code)]; ok {
		c.Code, c.One = now.Other, now.One
	}
	if c.One == "" {
		return s.text(c.Code)
	}
	var number coded
	if len(c.Args) > 0 && json.Unmarshal([]byte(c.Args[0].code), &number) == nil && number.Count != nil {
		return s.plural(int(*number.Count), c.One, c.Code)
	}
	return s.text(c.Code)
}

func values(s *spoken, args []Message) []any {
	all := make([]any, len(args))
	for i, arg := range args {
		if strings.HasPrefix(arg.code, "{") {
			all[i] = arg.in(s)
		} else {
			all[i] = arg.plainValue()
		}
	}
	return all
}

// plainValue is a text or a number as an argument for a verb.
func (m Message) plainValue() any {
	var text string
	var number int64
	switch {
	case json.Unmarshal([]byte(m.code), &text) == nil:
		return text
	case json.Unmarshal([]byte(m.code), &number) == nil:
		return number
	}
	return m.code
}

// Map returns the message with each verbatim text in it replaced by change's result.
func (m Message) Map(change func(string) string) Message {
	if m.code == "" {
		return m
	}
	if m.code[0] != '{' {
		if text, ok := m.plainValue().(string); ok {
			return Verbatim(change(text))
		}
		return m
	}
	var c coded
	if json.Unmarshal([]byte(m.code), &c) != nil {
		return m
	}
	for _, parts := range [][]Message{c.Args, c.Texts} {
		for i := range parts {
			parts[i] = parts[i].Map(change)
		}
	}
	return encoded(c)
}

// MarshalJSON encodes it for a record: null for no message.
func (m Message) MarshalJSON() ([]byte, error) {
	if m.code == "" {
		return []byte("null"), nil
	}
	return []byte(m.code), nil
}

// UnmarshalJSON decodes it from a record. Fields that this version does not know are dropped; only what is no text, number or object is an error.
func (m *Message) UnmarshalJSON(record []byte) error {
	var text string
	var number int64
	var c coded
	switch {
	case string(record) == "null", string(record) == `""`:
		*m = Message{}
	case json.Unmarshal(record, &text) == nil:
		*m = encodedText(text)
	case json.Unmarshal(record, &number) == nil:
		*m = encoded(number)
	default:
		if err := json.Unmarshal(record, &c); err != nil {
			return fmt.Errorf("a message: %w", err)
		}
		*m = encoded(c)
	}
	return nil
}

// MessageOf returns an error's message for the person, or fallback if it has none. If errors that wrap each other have messages, the outermost one
// counts, since it knows best what was done.
func MessageOf(err error, fallback Message) Message {
	switch err := err.(type) { //nolint:errorlint // it unwraps by itself
	case interface{ UserMessage() Message }:
		return err.UserMessage()
	case interface{ Sentence() string }:
		return Verbatim(err.Sentence())
	case interface{ Unwrap() error }:
		return MessageOf(err.Unwrap(), fallback)
	case interface{ Unwrap() []error }:
		for _, one := range err.Unwrap() {
			if own := MessageOf(one, Message{}); !own.IsZero() {
				return own
			}
		}
	}
	return fallback
}

// Sentence is an error's message in the language in use, or its text if it has none.
func Sentence(err error) string { return MessageOf(err, Verbatim(err.Error())).String() }
