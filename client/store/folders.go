package store

import (
	"context"
	"encoding/hex"
	"time"
)

// Folder is a watched folder, with the settings that client/folders keeps of it.
type Folder struct {
	ID        string // set by the caller: the same for the same path
	Path      string
	Added     time.Time
	Temporary bool   // only `assay watch` watches it
	Settings  []byte // in the caller's own form
}

// Folders returns the folders, in the order in which they were added.
func (s *Store) Folders(ctx context.Context) ([]Folder, error) {
	var all []Folder
	err := s.readers.each(ctx, func(row scanner) error {
		var f Folder
		err := row.Scan(&f.ID, &f.Path, timeInto{&f.Added}, &f.Temporary, &f.Settings)
		all = append(all, f)
		return err
	}, "SELECT id, path, added, passing, settings FROM folders ORDER BY added, key")
	if err != nil {
		return nil, s.read("read the watched folders", err)
	}
	return all, nil
}

// KeepFolder adds a folder, or replaces the settings of one that is kept; what is known of its files stays.
func (s *Store) KeepFolder(ctx context.Context, f Folder) error {
	if f.Settings == nil {
		f.Settings = []byte{}
	}
	return s.write(ctx, "keep the watched folder", func(ctx context.Context, t *transaction) error {
		_, err := t.exec(ctx, `INSERT INTO folders (id, path, added, passing, settings) VALUES (?, ?, ?, ?, ?) ON CONFLICT (id) DO UPDATE
			SET path = excluded.path, added = excluded.added, passing = excluded.passing, settings = excluded.settings`,
			f.ID, f.Path, timeValue(f.Added), f.Temporary, f.Settings)
		return err
	})
}

// RemoveFolder removes a folder and all that is known of its files. Submissions from it stay. An unknown one is no error.
func (s *Store) RemoveFolder(ctx context.Context, id string) error {
	return s.write(ctx, "remove the watched folder", func(ctx context.Context, t *transaction) error {
		_, err := t.exec(ctx, "DELETE FROM folders WHERE id = ?", id) // and with it what refers to it
		return err
	})
}

// FolderFile is a file of a watched folder, as it was last seen.
type FolderFile struct {
	Name   string // relative to the folder, in the bytes that the system gives
	Size   int64
	Time   int64    // when it was last changed
	File   uint64   // its file ID (inode), 0 where there is none
	SHA256 [32]byte // of its content, all zero while that is not known
}

// filesAtOnce is how many known files are read at a time, so that no query is open while the caller handles them.
const filesAtOnce = 1000

// KnownFiles calls each with every known file of a folder, named by its ID, in the order of the names' bytes. It stops at the first error of each and
// returns it. Only a few files are in memory at a time.
func (s *Store) KnownFiles(ctx context.Context, folder string, each func(FolderFile) error) error {
	var files []FolderFile
	from := []byte{}
	for more := true; more; {
		files = files[:0]
		err := s.readers.each(ctx, func(row scanner) error {
			f, err := readFolderFile(row)
			files = append(files, f)
			return err
		}, "SELECT name, size, time, file, sha256 FROM folder_files WHERE folder = (SELECT key FROM folders WHERE id = ?) AND name >= ? ORDER BY name"+
			limit(filesAtOnce), folder, from)
		if err != nil {
			return s.read("read the known files", err)
		}
		for _, f := range files {
			if err := each(f); err != nil {
				return err
			}
		}
		if more = len(files) == filesAtOnce; more {
			from = append([]byte(files[len(files)-1].Name), 0) // the smallest name after the last one
		}
	}
	return nil
}

func readFolderFile(row scanner) (FolderFile, error) {
	var f FolderFile
	var name, sum []byte
	var file int64
	if err := row.Scan(&name, &f.Size, &f.Time, &file, &sum); err != nil {
		return FolderFile{}, err
	}
	f.Name, f.File = string(name), uint64(file) //nolint:gosec // the same bits
	copy(f.SHA256[:], sum)
	return f, nil
}

// RememberFiles keeps files of a folder, named by its ID, as they were last seen: all of them or none. Their contents count as announced from then
// on, if they are known. An unknown folder is ErrNoFolder.
func (s *Store) RememberFiles(ctx context.Context, folder string, files []FolderFile) error {
	return s.writeFolder(ctx, "keep the known files", folder, func(ctx context.Context, t *transaction, key int64) error {
		for _, f := range files {
			var sum []byte
			if f.SHA256 != [32]byte{} {
				sum = f.SHA256[:]
				if _, err := t.exec(ctx, "INSERT INTO folder_contents (folder, sha256) VALUES (?, ?) ON CONFLICT DO NOTHING", key, sum); err != nil {
					return err
				}
			}
			if _, err := t.exec(ctx, `INSERT INTO folder_files (folder, name, size, time, file, sha256) VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (folder, name)
				DO UPDATE SET size = excluded.size, time = excluded.time, file = excluded.file, sha256 = excluded.sha256`,
				key, []byte(f.Name), f.Size, f.Time, int64(f.File), sum); err != nil { //nolint:gosec // the same bits
				return err
			}
		}
		return nil
	})
}

// ForgetFiles forgets files of a folder, by their names; their contents stay announced. An unknown folder is ErrNoFolder.
func (s *Store) ForgetFiles(ctx context.Context, folder string, names []string) error {
	return s.writeFolder(ctx, "forget known files", folder, func(ctx context.Context, t *transaction, key int64) error {
		for _, name := range names {
			if _, err := t.exec(ctx, "DELETE FROM folder_files WHERE folder = ? AND name = ?", key, []byte(name)); err != nil {
				return err
			}
		}
		return nil
	})
}

// writeFolder is write for a folder's data; do gets the folder's key.
func (s *Store) writeFolder(ctx context.Context, op, folder string, do func(ctx context.Context, t *transaction, key int64) error) error {
	return s.write(ctx, op, func(ctx context.Context, t *transaction) error {
		key, err := t.number(ctx, "SELECT key FROM folders WHERE id = ?", folder)
		switch {
		case err != nil:
			return err
		case key == 0:
			return ErrNoFolder
		}
		return do(ctx, t, key)
	})
}

// AnnouncedContents reports of each content whether it was announced in a folder, named by its ID.
func (s *Store) AnnouncedContents(ctx context.Context, folder string, contents [][32]byte) ([]bool, error) {
	announced := map[[32]byte]bool{}
	wanted := make([]string, len(contents))
	for i, content := range contents {
		wanted[i] = hex.EncodeToString(content[:])
	}
	err := s.readers.each(ctx, func(row scanner) error {
		var sum []byte
		if err := row.Scan(&sum); err != nil {
			return err
		}
		var content [32]byte
		copy(content[:], sum)
		announced[content] = true
		return nil
	}, `SELECT c.sha256 FROM json_each(?) j CROSS JOIN folder_contents c
		WHERE c.folder = (SELECT key FROM folders WHERE id = ?) AND c.sha256 = unhex(j.value)`, list(wanted), folder)
	if err != nil {
		return nil, s.read("look for announced contents", err)
	}
	answers := make([]bool, len(contents))
	for i, content := range contents {
		answers[i] = announced[content]
	}
	return answers, nil
}
