package folders

import (
	"time"

	"assay/client/i18n"
	"assay/client/store"
	"assay/client/submission"
)

// Names are the patterns of the names that count.
func (s Settings) Names() []string { return s.names() }

// Kept is what the store is given of settings, over a row that is kept already.
func Kept(row store.Folder, change func(*Settings)) (store.Folder, error) {
	k, _ := readRecord(row, nil)
	change(&k.Settings)
	return k.row()
}

// ReadKept reads a row; ok is false where something of it can't be.
func ReadKept(row store.Folder) (s Settings, ok bool) {
	k, ok := readRecord(row, []string{"/assay"})
	return k.Settings, ok
}

// Gathering gathers batches.
type Gathering struct{ *gathering }

// NewGathering returns one in which nothing has happened.
func NewGathering() Gathering { return Gathering{newGathering()} }

// Take is for submissions that are taken now.
func (g Gathering) Take(now time.Time, ids ...string) {
	g.expect(ids)
	g.accepted(now, ids, func(string) bool { return true })
}

// Expect is for submissions that are about to be taken, Accepted for those of them that were.
func (g Gathering) Expect(ids ...string) { g.expect(ids) }

// Accepted see Expect.
func (g Gathering) Accepted(now time.Time, ids []string, taken func(string) bool) {
	g.accepted(now, ids, taken)
}

// See notes how a submission stands.
func (g Gathering) See(now time.Time, s submission.Submission) { g.see(now, s) }

// Lose notes that one is not to be seen any more.
func (g Gathering) Lose(id string) { g.lose(id) }

// Resume notes one of an earlier run.
func (g Gathering) Resume(s submission.Submission) { g.resume(s) }

// Tell gives the batch that is due.
func (g Gathering) Tell(now time.Time) (Batch, bool) { return g.take(now) }

// RenameAlone renames a file to a name that must be free.
var RenameAlone = renameAlone

// MoveRetry is how long a move that failed waits.
const MoveRetry = moveRetry

// Sentence is what the person reads of an error.
func Sentence(err error) string { return messageOf(err, i18n.Verbatim("It went wrong.")).String() }

// Remembered counts the submissions whose files' paths are known, for moving them.
func (f *Folders) Remembered() int {
	f.moves.mu.Lock()
	defer f.moves.mu.Unlock()
	return len(f.moves.paths)
}
