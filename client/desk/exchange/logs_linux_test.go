package exchange_test

import (
	"os"
	"testing"

	"assay/client/assert"
	"assay/client/desk/exchange"
	"assay/client/desk/postgres/desktest"
	"assay/client/store"
	"assay/client/submission"
)

// logged is a person whose records can be put back.
type logged struct {
	*person
	folder   string
	database *desktest.Database
}

// twoLogs are two people with some entries in their custody logs, of which the desk and the other know.
func twoLogs(t *testing.T) (ines, rui *logged) {
	t.Helper()
	database, people := setup(t, "ines", "rui")
	both := make([]*logged, 2)
	for i, p := range people {
		folder := t.TempDir()
		both[i] = &logged{openPerson(t, folder, database.URL(p.login)), folder, database}
		t.Cleanup(func() { assert.NoError(t, both[i].Store.Close()) })
		_, err := exchange.Join(t.Context(), both[i].Params)
		assert.NoError(t, err)
		both[i].grows("a", "b")
		both[i].once()
	}
	ines, rui = both[0], both[1]
	ines.once()
	return ines, rui
}

// grows has the custody log grow by an entry for each, and an hour pass.
func (l *logged) grows(contents ...string) {
	l.t.Helper()
	for _, content := range contents {
		_, err := l.Store.Add(l.t.Context(), []submission.Submission{answered(l.t, content)})
		assert.NoError(l.t, err)
	}
	does(l.t, l.database, "UPDATE desk.checkpoints SET at = at - interval '2 hours'")
}

// backup is a copy of the records, and reopen has the person go on with the records of a folder.
func (l *logged) backup() (folder string) {
	l.t.Helper()
	folder = l.t.TempDir()
	assert.NoError(l.t, l.Store.Close())
	assert.NoError(l.t, os.CopyFS(folder, os.DirFS(l.folder)))
	l.reopen(l.folder)
	return folder
}

func (l *logged) reopen(folder string) {
	l.t.Helper()
	l.folder, l.person = folder, openPerson(l.t, folder, l.database.URL(l.login))
}

func (l *logged) restore(backup string) {
	l.t.Helper()
	assert.NoError(l.t, l.Store.Close())
	l.reopen(backup)
}

func (l *logged) wantChanged(want ...store.ChangedLog) {
	l.t.Helper()
	got, err := l.Store.ChangedLogs(l.t.Context())
	assert.NoError(l.t, err)
	assert.Equal(l.t, want, got)
}

// known is how many checkpoints the desk has.
func (l *logged) known() (n int) {
	l.t.Helper()
	assert.NoError(l.t, l.database.Login(l.database.Owner).QueryRow(l.t.Context(), "SELECT count(*) FROM desk.checkpoints").Scan(&n))
	return n
}

func TestTheDeskKnowsCustodyLogs(t *testing.T) {
	t.Run("that only grow: nothing is said", func(t *testing.T) {
		ines, rui := twoLogs(t)
		assert.Equal(t, 2, ines.known())
		ines.once() // nothing new
		ines.grows("c")
		ines.once()
		assert.Equal(t, 3, ines.known())
		_, err := ines.Store.Add(t.Context(), []submission.Submission{answered(t, "d")})
		assert.NoError(t, err)
		ines.once() // within the hour
		assert.Equal(t, 3, ines.known())
		rui.once()
		ines.wantChanged()
		rui.wantChanged()
	})
	t.Run("that was put back: its own person is told, and the others are", func(t *testing.T) {
		ines, rui := twoLogs(t)
		older := ines.backup()
		ines.grows("c", "d", "e")
		ines.once()
		rui.once()
		ines.restore(older)
		ines.grows("f")
		ines.once()
		rui.once()
		ines.wantChanged(store.ChangedLog{Member: ines.login, Here: true, Change: store.LogShrank})
		rui.wantChanged(store.ChangedLog{Member: ines.login, Change: store.LogShrank})
		ines.grows("g", "h", "i") // it stays said when there are as many again
		ines.once()
		rui.once()
		ines.wantChanged(store.ChangedLog{Member: ines.login, Here: true, Change: store.LogShrank})
		rui.wantChanged(store.ChangedLog{Member: ines.login, Change: store.LogShrank})
	})
	t.Run("that was written again, and is longer: its own person is told", func(t *testing.T) {
		ines, _ := twoLogs(t)
		older := ines.backup()
		ines.grows("c")
		ines.once()
		ines.restore(older)
		ines.grows("d", "e")
		assert.NoError(t, exchange.Look(t.Context(), ines.Params))
		ines.wantChanged(store.ChangedLog{Member: ines.login, Here: true, Change: store.LogChanged})
	})
	t.Run("that was written again, and is as long: the others are told", func(t *testing.T) {
		ines, rui := twoLogs(t)
		older := ines.backup()
		ines.grows("c")
		ines.once()
		rui.once()
		ines.restore(older)
		ines.grows("d")
		ines.once()
		rui.once()
		rui.wantChanged(store.ChangedLog{Member: ines.login, Change: store.LogChanged})
	})
	t.Run("that the server has forgotten: the others have not", func(t *testing.T) {
		ines, rui := twoLogs(t)
		older := ines.backup()
		ines.grows("c")
		ines.once()
		rui.once()
		does(t, ines.database, "DELETE FROM desk.checkpoints")
		ines.restore(older)
		ines.once()
		rui.once()
		rui.wantChanged(store.ChangedLog{Member: ines.login, Change: store.LogShrank})
	})
	t.Run("of which the server tells what nobody signed: it is not believed", func(t *testing.T) {
		ines, rui := twoLogs(t)
		does(t, ines.database, "INSERT INTO desk.checkpoints (device, size, root, note, at) SELECT device, 1, sha256('1'), replace(note, E'\\n'||size||E'\\n', E'\\n1\\n'), now() + interval '1 hour' FROM desk.checkpoints")
		does(t, ines.database, "INSERT INTO desk.checkpoints (device, size, root, note, at) SELECT device, 99, root, replace(note, E'\\n'||size||E'\\n', E'\\n99\\n'), now() + interval '1 hour' FROM desk.checkpoints WHERE size > 1")
		ines.once()
		rui.once()
		ines.wantChanged()
		rui.wantChanged()
	})
}
