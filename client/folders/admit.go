package folders

import (
	"context"
	"os"
	"path/filepath"

	"assay/client/i18n"
	"assay/watch"
)

// admit says whether a folder can be watched with these settings, and gives them tidied. id is the folder's own, "" for one that
// is not watched yet: it is in nobody's way but that of the others. The error is a *Problem, or ctx's. It reads the disk, and
// lets go of it once ctx ends.
func (f *Folders) admit(ctx context.Context, s Settings, id string) (Settings, error) {
	s = s.tidy()
	type checked struct {
		clean string
		err   error
	}
	c, ok := answered(ctx, nil, func() checked {
		clean, err := watch.Check(s.Path, f.Own)
		return checked{clean, err}
	})
	if !ok {
		return s, ctx.Err()
	}
	if c.err != nil {
		return s, problemOf(c.err, i18n.F("The folder %s can't be watched.", shown(s.Path)))
	}
	s.Path = c.clean
	if err := s.check(); err != nil {
		return s, err
	}
	if s.MoveTo != "" {
		err, ok := answered(ctx, nil, func() error { return f.checkTarget(s) })
		if !ok {
			return s, ctx.Err()
		}
		if err != nil {
			return s, err
		}
		s.MoveTo = filepath.Clean(s.MoveTo)
	}
	return s, f.overlap(ctx, s, f.others(id))
}

// reach waits until the disk of a folder answers, whatever it says: a dead share holds up the adding of this folder and of no other.
func (f *Folders) reach(ctx context.Context, path string) error {
	if _, ok := answered(ctx, nil, func() error { _, err := os.Stat(path); return err }); !ok {
		return ctx.Err()
	}
	return nil
}

// others are the settings of all watched folders but one.
func (f *Folders) others(id string) []Settings {
	f.mu.Lock()
	defer f.mu.Unlock()
	var all []Settings
	for _, e := range f.order {
		if e.id != id {
			all = append(all, e.Settings)
		}
	}
	return all
}

// checkTarget says why files can't be moved to MoveTo: a *Problem, or nil.
func (f *Folders) checkTarget(s Settings) error {
	const chooseOther i18n.Key = "Choose another one for the files that are done."
	name := shown(s.MoveTo)
	if !filepath.IsAbs(s.MoveTo) {
		return &Problem{Text: i18n.F("The folder %s is not named in full.", name) + " " + i18n.T(chooseOther)}
	}
	for _, own := range f.Own {
		if filepath.Clean(own) == filepath.Clean(s.MoveTo) || within(own, s.MoveTo) {
			return &Problem{Text: i18n.F("Assay keeps its own files in the folder %s.", name) + " " + i18n.T(chooseOther)}
		}
	}
	target, err := os.Stat(s.MoveTo)
	switch {
	case os.IsNotExist(err):
		return &Problem{Text: i18n.F("The folder %s does not exist.", name) + " " + i18n.T(chooseOther), Err: err}
	case err != nil:
		return &Problem{Text: i18n.F("The folder %s can't be read.", name) + " " + i18n.T(chooseOther), Err: err}
	case !target.IsDir():
		return &Problem{Text: i18n.F("%s is a file, not a folder.", name) + " " + i18n.T(chooseOther)}
	}
	source, err := os.Stat(s.Path)
	if err != nil {
		return &Problem{Text: i18n.F("The folder %s can't be read.", shown(s.Path)), Err: err}
	}
	if os.SameFile(source, target) {
		return &Problem{Text: i18n.F("The folder %s is the watched one itself.", name) + " " + i18n.T(chooseOther)}
	}
	same, err := sameVolume(s.Path, s.MoveTo)
	if err != nil {
		return &Problem{Text: i18n.F("The folder %s can't be read.", name) + " " + i18n.T(chooseOther), Err: err}
	}
	if !same {
		return &Problem{Text: i18n.F("The folder %s is on another disk. Files are moved within one disk alone, so that none is ever half there.", name) + " " + i18n.T(chooseOther)}
	}
	return nil
}
