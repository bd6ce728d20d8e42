package store

import (
	"context"
	"time"

	"github.com/google/uuid"

	"assay/client/custody"
	"assay/client/i18n"
	"assay/client/plain"
)

// DeskLog is what a computer's custody log was when it told the desk.
type DeskLog struct {
	Device uuid.UUID
	custody.Checkpoint
	Received time.Time // by the clock of the desk's server
}

// LogChange is how a custody log is not the one that the desk knew before with more entries since, which is all that a log ever becomes.
type LogChange string

// The changes.
const (
	LogShrank  LogChange = "shrank"  // it has fewer entries
	LogChanged LogChange = "changed" // it has other ones
)

// ChangedLog is a custody log that was changed.
type ChangedLog struct {
	Member string // as the desk shows them
	Here   bool   // it is the log of these records
	Change LogChange
}

// String says so, to the person.
func (c ChangedLog) String() string {
	name := plain.From(c.Member).Folded().String()
	switch {
	case c.Here && c.Change == LogShrank:
		return i18n.T("This computer's custody log has fewer entries than the desk knows: an older copy of the records was put back, or entries were removed.")
	case c.Here:
		return i18n.T("This computer's custody log is not the one that the desk knows: it was changed outside Assay.")
	case c.Change == LogShrank:
		return i18n.F("The custody log on a computer of %s has fewer entries than before: an older copy of the records was put back there, or entries were removed.", name)
	}
	return i18n.F("The custody log on a computer of %s has other entries than before: it was changed outside Assay.", name)
}

// CustodyNow is a checkpoint of the custody log as it is now. ok is false while its tree is being built, and where there are no entries.
func (s *Store) CustodyNow(ctx context.Context) (c custody.Checkpoint, ok bool, err error) {
	const op = "read the custody log"
	select {
	case <-s.treeBuilt:
	default:
		return c, false, nil
	}
	c.At = s.options.Now()
	var broken int64
	if _, err := s.readers.one(ctx, []any{&c.Origin, &broken}, selectLog); err != nil {
		return c, false, s.read(op, err)
	}
	tree, _, err := s.readers.openTree(ctx)
	if err != nil {
		return c, false, s.read(op, err)
	}
	c.Size, c.Root = tree.Size(), tree.Root()
	return c, c.Size > 0, nil
}

// SetDeskLogs keeps what the desk has of its computers' custody logs, in the order in which it came there, and finds which of these shrank or were changed:
// of this computer's by the log itself, of the others' by what was seen of them before. What was found once stays found. The checkpoints were verified.
func (s *Store) SetDeskLogs(ctx context.Context, all []DeskLog) error {
	return s.write(ctx, "keep what the desk has of custody logs", func(ctx context.Context, t *transaction) error {
		m, joined, err := t.membership(ctx)
		if err != nil || !joined {
			return err
		}
		var origin string
		var broken int64
		if _, err := t.one(ctx, []any{&origin, &broken}, selectLog); err != nil {
			return err
		}
		own, _, err := t.openTree(ctx)
		if err != nil {
			return err
		}
		for _, log := range all {
			var before DeskLog
			var root []byte
			var found LogChange
			known, err := t.one(ctx, []any{&before.Size, &root, timeInto{&before.Received}, &found}, "SELECT size, root, at, found FROM desk_logs WHERE device = ? AND origin = ?", log.Device.String(), log.Origin)
			if err != nil {
				return err
			}
			copy(before.Root[:], root)
			change := LogChange("")
			switch {
			case log.Device == m.Device && log.Origin != origin: // of the same person's records of another service
				continue
			case log.Device == m.Device:
				if change, err = t.changeOf(ctx, own, log); err != nil {
					return err
				}
			case known && log.Received.After(before.Received) && log.Size < before.Size:
				change = LogShrank
			case known && log.Size == before.Size && log.Root != before.Root:
				change = LogChanged
			}
			if known && log.Size <= before.Size {
				log.Size, log.Root, log.Received = before.Size, before.Root, before.Received
			}
			if found == "" && change != "" {
				found, t.desk = change, true
			}
			if _, err := t.exec(ctx, `INSERT INTO desk_logs (device, origin, size, root, at, found) VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (device, origin) DO UPDATE SET
				size = excluded.size, root = excluded.root, at = excluded.at, found = excluded.found`,
				log.Device.String(), log.Origin, log.Size, log.Root[:], timeValue(log.Received), string(found)); err != nil {
				return err
			}
		}
		return nil
	})
}

// changeOf compares the custody log, whose tree is now, with what the desk has of it.
func (t *transaction) changeOf(ctx context.Context, now *custody.Tree, at DeskLog) (LogChange, error) {
	if at.Size > now.Size() {
		return LogShrank, nil
	}
	then, err := custody.OpenTree(at.Size, t.nodes(ctx))
	if err != nil || then.Root() == at.Root {
		return "", err
	}
	return LogChanged, nil
}

// ChangedLogs are the custody logs of this desk's computers that were changed, this computer's own first.
func (s *Store) ChangedLogs(ctx context.Context) (all []ChangedLog, err error) {
	err = s.readers.each(ctx, func(row scanner) error {
		var c ChangedLog
		err := row.Scan(&c.Member, &c.Here, &c.Change)
		all = append(all, c)
		return err
	}, `SELECT DISTINCT coalesce(m.display, d.member), l.device = (SELECT device FROM desk) AS here, l.found FROM desk_logs l JOIN desk_devices d ON d.id = l.device
		LEFT JOIN desk_members m ON m.name = d.member WHERE l.found <> '' ORDER BY here DESC, 1, 3`)
	return all, s.read("read the desk", err)
}
