package folders

import (
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"assay/client"
	"assay/client/i18n"
	"assay/client/media"
	"assay/client/submission"
	"assay/watch"
)

// Settings are what the person chose for a folder.
type Settings struct {
	Path       string // absolute
	Gate       submission.Gate
	Types      []client.MediaType // that count; none: all supported ones
	Only, Skip []string           // patterns of names, see watch.Folder
	Subfolders bool
	Quiet      time.Duration // see watch.Folder; 0, or from 200 ms to an hour
	Paused     bool
	// MoveTo is where a file is moved once it is answered, "" for nowhere: absolute, on the same volume. It holds for answers after it was set.
	MoveTo string
	Case   string // the ID of the case that its files are put into, "" for none. It holds for files that are accepted after it was set
}

// Default are the settings of a new folder: the person is asked before a file is sent, and folders in it count as well, since cameras and messengers
// make folders of their own.
func Default(path string) Settings {
	return Settings{Path: path, Gate: submission.GateAsk, Subfolders: true}
}

// The bounds of Quiet.
const (
	quietLeast = 200 * time.Millisecond
	quietMost  = time.Hour
)

// tidy returns the settings without empty parts.
func (s Settings) tidy() Settings {
	s.Types, s.Only, s.Skip = slices.Clone(s.Types), patterns(s.Only), patterns(s.Skip)
	s.MoveTo = strings.TrimSpace(s.MoveTo)
	return s
}

// patterns returns the patterns that are not empty.
func patterns(given []string) []string {
	var kept []string
	for _, pattern := range given {
		if pattern = strings.TrimSpace(pattern); pattern != "" {
			kept = append(kept, pattern)
		}
	}
	return kept
}

// check returns a *Problem if the settings themselves are wrong, else nil; it does not read the disk.
func (s Settings) check() error {
	switch s.Gate {
	case submission.GateSend, submission.GateAsk, submission.GateNever:
	default:
		return &Problem{Message: i18n.M("Assay does not know the gate %s. Choose whether to send files, to ask first, or never to send them.", quoted(string(s.Gate)))}
	}
	if s.Quiet != 0 && (s.Quiet < quietLeast || s.Quiet > quietMost) {
		return &Problem{Message: i18n.M("Assay can wait from 0.2 seconds to one hour until a file has stopped changing. Choose a time in that range.")}
	}
	for _, t := range s.Types {
		if len(extensions([]client.MediaType{t})) == 0 {
			return &Problem{Message: i18n.M("%s is not a supported type of file. Choose pictures, videos, recordings or texts.", quoted(string(t)))}
		}
	}
	for _, pattern := range slices.Concat(s.Only, s.Skip) {
		if _, err := path.Match(pattern, ""); err != nil {
			return &Problem{Message: i18n.M("The pattern %s can't be understood: a bracket in it is not closed, or nothing follows its last character. "+
				"Use * for any letters and ? for one.", quoted(pattern)), Err: err}
		}
		if strings.Contains(pattern, "/") {
			return &Problem{Message: i18n.M("The pattern %s contains a slash. A pattern is for the name of a file or folder, not for its path.", quoted(pattern))}
		}
	}
	return nil
}

const chooseOther i18n.Key = "Choose another one for the files that are done."

// checkMoveTo returns a *Problem if files can't be moved to MoveTo whatever is on the disk, which it does not read, else nil. own are Assay's own
// folders.
func (s Settings) checkMoveTo(own []string) error {
	if !filepath.IsAbs(s.MoveTo) {
		return &Problem{Message: i18n.Sentences(i18n.M("The folder %s needs its full path.", shown(s.MoveTo)), i18n.M(chooseOther))}
	}
	for _, one := range own {
		if filepath.Clean(one) == filepath.Clean(s.MoveTo) || within(one, s.MoveTo) {
			return &Problem{Message: i18n.Sentences(i18n.M("Assay keeps its own files in the folder %s.", shown(s.MoveTo)), i18n.M(chooseOther))}
		}
	}
	return nil
}

// watched is the folder in the watcher's terms.
func (s Settings) watched(id string) watch.Folder {
	return watch.Folder{ID: id, Path: s.Path, Subfolders: s.Subfolders, Only: s.names(), Skip: s.Skip, Quiet: s.Quiet, Paused: s.Paused}
}

// sameFiles reports whether the same files count under both settings.
func (s Settings) sameFiles(o Settings) bool {
	return s.Subfolders == o.Subfolders && slices.Equal(s.Types, o.Types) && slices.Equal(s.Only, o.Only) && slices.Equal(s.Skip, o.Skip)
}

// extensions are those of the media types, without dots; of all types where none is given.
func extensions(types []client.MediaType) []string {
	return slices.DeleteFunc(slices.Concat(media.Supported(), media.Convertible()), func(extension string) bool {
		t, _, _ := media.Accepted("." + extension)
		return len(types) > 0 && !slices.Contains(types, t)
	})
}

// counts reports whether a file's name has an extension that counts.
func (s Settings) counts(name string) bool {
	t, _, accepted := media.Accepted(name)
	return accepted && (len(s.Types) == 0 || slices.Contains(s.Types, t))
}

// names are the patterns of names that count: the person's, narrowed to the types that count. A pattern that can't be narrowed stays as it is; counts
// sorts out the other types.
func (s Settings) names() []string {
	endings := extensions(s.Types)
	only := s.Only
	if len(only) == 0 {
		only = []string{"*"}
	}
	var all []string
	for _, pattern := range only {
		for _, narrowed := range narrow(pattern, endings) {
			if !slices.Contains(all, narrowed) {
				all = append(all, narrowed)
			}
		}
	}
	if len(all) == 0 {
		return s.Only // no supported file has such a name; without patterns all files would count
	}
	return all
}

// narrow returns patterns of the names that a pattern matches and that have one of the endings.
func narrow(pattern string, endings []string) []string {
	var narrowed []string
	dot := strings.LastIndexByte(pattern, '.')
	for _, ending := range endings {
		if dot >= 0 {
			if match, err := path.Match(strings.ToLower(pattern[dot+1:]), ending); err == nil && match {
				narrowed = append(narrowed, pattern[:dot+1]+ending)
			}
		}
		if strings.HasSuffix(pattern, "*") && !strings.HasSuffix(pattern, `\*`) {
			narrowed = append(narrowed, pattern+"."+ending)
		}
	}
	if len(narrowed) == 0 && dot < 0 {
		return []string{pattern}
	}
	for _, p := range narrowed {
		if _, err := path.Match(p, ""); err != nil { // the last dot was inside brackets
			return []string{pattern}
		}
	}
	return narrowed
}
