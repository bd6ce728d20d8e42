package i18n

import (
	"bytes"
	"errors"
	"runtime"
	"strconv"
	"sync"
	"sync/atomic"
)

// others are the languages of goroutines that speak another one than the one in use, by the goroutine's number.
var others struct {
	count atomic.Int64 // so that the number is looked up only where there are some
	byID  sync.Map     // int64: *spoken
}

// other is the language of this goroutine, if In gave it one.
func other() *spoken {
	if others.count.Load() == 0 {
		return nil
	}
	s, _ := others.byID.Load(goroutine())
	said, _ := s.(*spoken)
	return said
}

// goroutine is the number of this goroutine, as it stands in its stack: "goroutine 18 [running]:"; 0 where that reads otherwise.
func goroutine() int64 {
	var stack [64]byte
	number, found := bytes.CutPrefix(stack[:runtime.Stack(stack[:], false)], []byte("goroutine "))
	if end := bytes.IndexByte(number, ' '); found && end > 0 {
		if id, err := strconv.ParseInt(string(number[:end]), 10, 64); err == nil {
			return id
		}
	}
	return 0
}

// In runs do, and all that do says on this goroutine is in a language of All, "" for the one that is said anyway. Other goroutines go on in theirs: for one that do
// starts, see Carry. Dates and numbers have the language's usual forms. A report for a desk abroad is
// written so, while the window stays in the person's language.
func In(language string, do func() error) error {
	in := current()
	if language == "" || language == in.language {
		return do()
	}
	next, err := speak(language, "")
	if err != nil {
		return err
	}
	return next.run(do)
}

// Carry returns a function that runs another, on whichever goroutine it is called, in the language of the goroutine that called Carry.
func Carry() func(do func()) {
	s := other()
	if s == nil {
		return func(do func()) { do() }
	}
	return func(do func()) {
		_ = s.run(func() error { do(); return nil }) // a number that was found once is found again
	}
}

func (s *spoken) run(do func() error) error {
	id := goroutine()
	if id == 0 {
		return errors.New("this version of Go does not number its goroutines")
	}
	before, nested := others.byID.Swap(id, s)
	others.count.Add(1)
	defer func() {
		others.count.Add(-1)
		if nested {
			others.byID.Store(id, before)
		} else {
			others.byID.Delete(id)
		}
	}()
	return do()
}
