// Package jsontree is an index of JSON text of any shape and size, which reads values on demand. It imports the standard library alone.
//
// Read goes over the text once and keeps a few marks for every kilobyte; everything else is read from the text on demand, at a cost that
// depends on what is asked for (a row on screen), not on the document. Numbers and texts stay as they were sent.
package jsontree

import (
	"bytes"
	"context"
	"fmt"
	"slices"

	"assay/client/i18n"
)

const (
	// grain is the largest distance between two marks, in bytes: text without marks is read again, a grain at most.
	grain = 1 << 10
	// deepest is how deep values may be nested, a hundred times as deep as encoding/json allows.
	deepest = 1_000_000
	// checkEvery is how many bytes are read between two checks of the context.
	checkEvery = 1 << 20
)

// span is a value that takes more than a grain of text, the spans inside it excluded. So there is at most one span for each grain of text,
// and skipping any other value takes at most a grain.
type span struct {
	start, end int
	count      int    // children
	marks      []mark // in ascending order
}

// mark is the place of one child; in an object, that of its key.
type mark struct{ offset, index int }

// Document is a JSON text and its index. After Read it is immutable, and any number of goroutines may use it.
type Document struct {
	// Mask, if set before the first use, returns the part of a text that may be shown: of a value under a key (both decoded), of a
	// key ("", key), or of text that is no JSON. Several goroutines may call it at once.
	Mask func(key, text string) string

	data  []byte // the whole text
	text  []byte // the beginning of data that is JSON
	root  int    // where the root begins; len(text) if there is none
	spans []span // by start
}

// Read indexes a JSON text, which must not be changed afterwards. If the text is not JSON to its end, it returns a *Fault and a document
// with the part that can be read. The document is nil only if ctx has ended. A byte order mark at the beginning is skipped.
func Read(ctx context.Context, data []byte) (*Document, error) { return read(ctx, data, grain) }

func read(ctx context.Context, data []byte, grain int) (*Document, error) {
	r := reader{data: data, grain: grain, nextCheck: checkEvery}
	r.at = len(data) - len(bytes.TrimPrefix(data, []byte("\xef\xbb\xbf")))
	r.at = skipSpace(data, r.at)
	d := &Document{data: data, root: r.at}
	fault := r.run(ctx)
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	d.text = data
	if fault != nil {
		d.text = data[:fault.Offset]
		for len(r.stack) > 0 { // open values end where the text does
			r.at = fault.Offset
			r.pop()
		}
	}
	slices.SortFunc(r.spans, func(a, b span) int { return a.start - b.start })
	d.spans = slices.Clip(r.spans)
	if fault != nil {
		return d, fault
	}
	return d, nil
}

// frame is an open value while the text is read.
type frame struct {
	start   int
	count   int
	covered int // bytes inside that belong to spans of their own
	marked  int // own bytes before the last mark
	marks   []mark
	object  bool
}

func (f *frame) own(at int) int { return at - f.start - f.covered }

// mark records the next child, which begins at an offset, if the last mark is a grain away.
func (f *frame) mark(at, grain int) {
	if own := f.own(at); own-f.marked >= grain {
		f.marks = append(f.marks, mark{offset: at, index: f.count})
		f.marked = own
	}
}

type reader struct {
	data      []byte
	grain     int
	at        int
	nextCheck int
	stack     []frame
	spans     []span
}

// run reads the whole text. If ctx ends, it stops early without a fault.
func (r *reader) run(ctx context.Context) *Fault {
	if r.at >= len(r.data) {
		return newFault(r.data, len(r.data), empty)
	}
	for {
		if r.at >= r.nextCheck {
			if ctx.Err() != nil {
				return nil
			}
			r.nextCheck = r.at + checkEvery
		}
		r.numbers()
		opened, fault := r.value()
		if fault != nil {
			return fault
		}
		if opened {
			continue
		}
		more, fault := r.afterValue()
		if fault != nil || !more {
			return fault
		}
	}
}

// numbers reads the numbers of a list that are followed by another value. It does the same as value and afterValue, faster.
func (r *reader) numbers() {
	if len(r.stack) == 0 || r.stack[len(r.stack)-1].object {
		return
	}
	top := &r.stack[len(r.stack)-1]
	for r.at < r.nextCheck && r.at < len(r.data) && (r.data[r.at] == '-' || '0' <= r.data[r.at] && r.data[r.at] <= '9') {
		end, ok := readNumber(r.data, r.at)
		if !ok || end >= len(r.data) || r.data[end] != ',' || end-r.at >= r.grain {
			return
		}
		top.count++
		r.at = skipSpace(r.data, end+1)
		top.mark(r.at, r.grain)
	}
}

// value reads the value at r.at, where there is no white space. If that has children, it moves to the first.
func (r *reader) value() (opened bool, fault *Fault) {
	if r.at >= len(r.data) {
		return false, r.bad(r.at)
	}
	switch c := r.data[r.at]; c {
	case '{', '[':
		if len(r.stack) == deepest {
			return false, newFault(r.data, r.at, tooDeep)
		}
		r.counted()
		r.stack = append(r.stack, frame{start: r.at, object: c == '{'})
		r.at = skipSpace(r.data, r.at+1)
		if r.at < len(r.data) && r.data[r.at] == c+2 { // '}' and ']' are two code points after their openers
			r.at++
			r.pop()
			return false, nil
		}
		return true, r.child()
	case '"':
		end, ok := readString(r.data, r.at)
		if !ok {
			return false, r.bad(end)
		}
		r.counted()
		r.pass(end)
	default:
		end, ok := readScalar(r.data, r.at)
		if !ok || end == len(r.data) && len(r.stack) > 0 { // a number that is cut short may have been another one
			return false, r.bad(end)
		}
		r.counted()
		r.pass(end)
	}
	return false, nil
}

// counted counts the value that begins here as a child of its parent.
func (r *reader) counted() {
	if len(r.stack) > 0 {
		r.stack[len(r.stack)-1].count++
	}
}

// pass moves to the end of a string or number. A long one becomes a span, so that it need not be read again to be skipped.
func (r *reader) pass(end int) {
	if size := end - r.at; size >= r.grain {
		r.spans = append(r.spans, span{start: r.at, end: end})
		if len(r.stack) > 0 {
			r.stack[len(r.stack)-1].covered += size
		}
	}
	r.at = end
}

// bad is the fault of a value at r.at whose text stops being JSON at end.
func (r *reader) bad(end int) *Fault {
	if end == len(r.data) {
		return newFault(r.data, r.at, brokenOff)
	}
	return newFault(r.data, r.at, notJSON)
}

// child moves to the next child's value, past its key in an object.
func (r *reader) child() *Fault {
	top := &r.stack[len(r.stack)-1]
	top.mark(r.at, r.grain)
	if !top.object {
		return nil
	}
	if r.at >= len(r.data) || r.data[r.at] != '"' {
		return r.bad(r.at)
	}
	end, ok := readString(r.data, r.at)
	if !ok {
		return r.bad(end)
	}
	r.pass(end)
	r.at = skipSpace(r.data, r.at)
	if r.at >= len(r.data) || r.data[r.at] != ':' {
		return r.bad(r.at)
	}
	r.at = skipSpace(r.data, r.at+1)
	return nil
}

// afterValue closes the values that end here and moves to the next one; more is false at the text's end.
func (r *reader) afterValue() (more bool, fault *Fault) {
	for len(r.stack) > 0 {
		r.at = skipSpace(r.data, r.at)
		closer := byte(']')
		if r.stack[len(r.stack)-1].object {
			closer = '}'
		}
		switch {
		case r.at < len(r.data) && r.data[r.at] == ',':
			r.at = skipSpace(r.data, r.at+1)
			return true, r.child()
		case r.at < len(r.data) && r.data[r.at] == closer:
			r.at++
			r.pop()
		default:
			return false, r.bad(r.at)
		}
	}
	if r.at = skipSpace(r.data, r.at); r.at < len(r.data) {
		return false, newFault(r.data, r.at, goesOn)
	}
	return false, nil
}

// pop closes the innermost open value, which ends before r.at.
func (r *reader) pop() {
	top := r.stack[len(r.stack)-1]
	r.stack[len(r.stack)-1] = frame{} // releases its marks
	r.stack = r.stack[:len(r.stack)-1]
	covered := top.covered
	if top.own(r.at) >= r.grain {
		r.spans = append(r.spans, span{start: top.start, end: r.at, count: top.count, marks: slices.Clip(top.marks)})
		covered = r.at - top.start
	}
	if len(r.stack) > 0 {
		r.stack[len(r.stack)-1].covered += covered
	}
}

// Fault is where and why a text stopped being JSON. The text before it can still be read.
type Fault struct {
	Offset int // in bytes, from the text's beginning
	Line   int // from 1
	Column int // in bytes, from 1
	reason reason
}

type reason int

const (
	notJSON reason = iota
	brokenOff
	empty
	tooDeep
	goesOn
)

func newFault(text []byte, offset int, why reason) *Fault {
	before := text[:offset]
	return &Fault{Offset: offset, Line: bytes.Count(before, []byte{'\n'}) + 1, Column: offset - bytes.LastIndexByte(before, '\n'), reason: why}
}

// Error implements error.
func (f *Fault) Error() string {
	return fmt.Sprintf("jsontree: %s at byte %d (line %d, column %d)",
		[...]string{"not JSON", "breaks off", "empty", "nested too deeply", "more text"}[f.reason], f.Offset, f.Line, f.Column)
}

// Sentence is the message for a person.
func (f *Fault) Sentence() string {
	line, column := i18n.Count(f.Line), i18n.Count(f.Column)
	switch f.reason {
	case empty:
		return i18n.T("This document is empty.")
	case brokenOff:
		return i18n.F("This document breaks off at line %s, character %s. Assay shows what comes before.", line, column)
	case tooDeep:
		return i18n.F("This document is nested too deeply from line %s, character %s on. Assay shows what comes before.", line, column)
	case goesOn:
		return i18n.F("More text follows where this document should end, at line %s, character %s.", line, column)
	}
	if f.Offset == 0 {
		return i18n.T("This document is not JSON. Its text is shown as it was sent.")
	}
	return i18n.F("This document can't be read from line %s, character %s on. Assay shows what comes before.", line, column)
}
