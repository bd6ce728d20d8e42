package store

import (
	"context"
	"encoding/hex"
	"time"
)

// Folder is a watched folder, and what its owner keeps with it.
type Folder struct {
	ID        string // chosen by its owner: the same for the same path
	Path      string
	Added     time.Time
	Temporary bool   // it is watched by `assay watch` alone
	Settings  []byte // its owner's, in any form
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

// KeepFolder keeps a folder, or other settings of one that is kept already; what is known of its files stays.
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

// RemoveFolder forgets a folder with all that is known of its files. What was taken from it stays. An unknown one is no error.
func (s *Store) RemoveFolder(ctx context.Context, id string) error {
	return s.write(ctx, "remove the watched folder", func(ctx context.Context, t *transaction) error {
		_, err := t.exec(ctx, "DELETE FROM folders WHERE id = ?", id) // and with it what refers to it
		return err
	})
}

// FolderFile is a file of a watched folder as it was seen last.
type FolderFile struct {
	Name   string // below the folder, in whatever bytes the system names it
	Size   int64
	Time   int64    // of its last change
	File   uint64   // its number on the disk, 0 where there is none
	SHA256 [32]byte // of its content, all zero while that is not known
}

// filesAtOnce is how many known files are read at a time, so that no reading goes on while they are looked at.
const filesAtOnce = 1000

// KnownFiles calls each with every file that is known of a folder, named by its ID, in the order of the names' bytes, until it
// gives an error, which is returned. Few of them are in memory at a time.
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
			from = append([]byte(files[len(files)-1].Name), 0) // the next name that there can be
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

// RememberFiles keeps files of a folder, named by its ID, as they were seen last: all of them or none. Their contents count as
// announced from now on, as far as they are known. An unknown folder is ErrNoFolder.
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

// writeFolder is write for what belongs to a folder, which is given by its key.
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

// AnnouncedContents says of each content whether it was announced in a folder, named by its ID.
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

// Contents counts the contents that were announced in a folder, named by its ID.
func (s *Store) Contents(ctx context.Context, folder string) (n int, err error) {
	count, err := s.readers.number(ctx, "SELECT count(*) FROM folder_contents WHERE folder = (SELECT key FROM folders WHERE id = ?)", folder)
	return int(count), s.read("count the announced contents", err)
}
