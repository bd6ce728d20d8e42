package folders

import (
	"path"
	"slices"
	"strings"
	"time"

	"assay/client"
	"assay/client/i18n"
	"assay/client/submission"
	"assay/watch"
)

// Settings are what a person chose for a folder.
type Settings struct {
	Path       string // absolute
	Gate       submission.Gate
	Types      []client.MediaType // that count; none: all that are supported
	Only, Skip []string           // patterns of names, see watch.Folder
	Subfolders bool
	Quiet      time.Duration // see watch.Folder; 0, or from 200 ms to an hour
	Paused     bool
	// MoveTo is where a file goes once it is answered, "" for nowhere: absolute, on the same volume. It holds for answers that
	// come after it was set.
	MoveTo string
}

// Default are the settings of a folder for which nothing was chosen yet: it is asked before a file leaves, and the folders in it
// count as well, since cameras and messengers make folders of their own.
func Default(path string) Settings {
	return Settings{Path: path, Gate: submission.GateAsk, Subfolders: true}
}

// How long a file may be asked to rest.
const (
	quietLeast = 200 * time.Millisecond
	quietMost  = time.Hour
)

// tidy is the settings with what means nothing left out.
func (s Settings) tidy() Settings {
	s.Types, s.Only, s.Skip = slices.Clone(s.Types), patterns(s.Only), patterns(s.Skip)
	s.MoveTo = strings.TrimSpace(s.MoveTo)
	return s
}

// patterns leaves out empty ones.
func patterns(given []string) []string {
	var kept []string
	for _, pattern := range given {
		if pattern = strings.TrimSpace(pattern); pattern != "" {
			kept = append(kept, pattern)
		}
	}
	return kept
}

// check says what is wrong with the settings themselves, without a look at the disk: a *Problem, or nil.
func (s Settings) check() error {
	switch s.Gate {
	case submission.GateSend, submission.GateAsk, submission.GateNever:
	default:
		return &Problem{Text: i18n.F("It is not known what to do with files at the gate %s. Choose whether they are sent, asked for, or never leave.", quoted(string(s.Gate)))}
	}
	if s.Quiet != 0 && (s.Quiet < quietLeast || s.Quiet > quietMost) {
		return &Problem{Text: i18n.T("A file can be asked to rest from 0.2 seconds to an hour before it is taken. Choose a time between.")}
	}
	for _, t := range s.Types {
		if len(extensions([]client.MediaType{t})) == 0 {
			return &Problem{Text: i18n.F("%s is no type of file that is supported. Choose pictures, videos, recordings or texts.", quoted(string(t)))}
		}
	}
	for _, pattern := range slices.Concat(s.Only, s.Skip) {
		if _, err := path.Match(pattern, ""); err != nil {
			return &Problem{Text: i18n.F("The pattern %s can't be understood: a bracket in it is not closed, or nothing follows its last character. "+
				"Use * for any letters and ? for one.", quoted(pattern)), Err: err}
		}
		if strings.Contains(pattern, "/") {
			return &Problem{Text: i18n.F("The pattern %s holds a slash. Patterns are of names, of files and of folders, and not of ways to them.", quoted(pattern))}
		}
	}
	return nil
}

// watched is what the watcher is told of a folder.
func (s Settings) watched(id string) watch.Folder {
	return watch.Folder{ID: id, Path: s.Path, Subfolders: s.Subfolders, Only: s.names(), Skip: s.Skip, Quiet: s.Quiet, Paused: s.Paused}
}

// sameFiles reports whether the same files count under both.
func (s Settings) sameFiles(o Settings) bool {
	return s.Subfolders == o.Subfolders && slices.Equal(s.Types, o.Types) && slices.Equal(s.Only, o.Only) && slices.Equal(s.Skip, o.Skip)
}
