package store

import (
	"testing"

	"assay/client"
)

// WaitForTidying waits until what a start leaves for later is done.
func WaitForTidying(s *Store) { s.work.Wait() }

// Place is how finished content gets its name.
func Place(s *Store, temporary, hash string) error { return s.place(temporary, hash) }

// CheckAtOnce changes up to how many bytes a file is checked before it is used, until the test ends.
func CheckAtOnce(t *testing.T, bytes int64) {
	before := checkedAtOnce
	checkedAtOnce = bytes
	t.Cleanup(func() { checkedAtOnce = before })
}

// BeforeSettled does something between the commit of one result and that the listings know of it.
func BeforeSettled(s *Store, status client.Status, do func()) {
	s.listings.forget()
	s.listings.commits()
	do()
	s.listings.settled(map[int64]change{1: {is: &status}})
}

// RemembersCounts reports whether how many results there are of each status need not be counted.
func RemembersCounts(s *Store) bool { return s.listings.whole != nil }

// HoldWrites keeps anything from being written until release is called; waiting is how many writes would share a transaction then.
func HoldWrites(s *Store) (waiting func() int, release func()) {
	<-s.writing
	return func() int {
		s.joining.Lock()
		defer s.joining.Unlock()
		return len(s.waiting)
	}, func() { s.writing <- struct{}{} }
}
