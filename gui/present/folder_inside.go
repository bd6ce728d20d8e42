package present

import (
	"time"

	"assay/client/folders"
	"assay/client/i18n"
	"assay/client/plain"
)

// FolderInside is what a folder holds that would count.
type FolderInside struct {
	Files  int
	Bytes  int64
	Newest []FolderInsideFile // to choose from; not all of them where there are many
}

// FolderInsideFile is one of them.
type FolderInsideFile struct {
	Path  string
	Name  string // safe for the screen
	Bytes int64
	At    time.Time
}

// FolderInsideOf puts what was found into words' reach.
func FolderInsideOf(in folders.Inside) FolderInside {
	inside := FolderInside{Files: in.Files, Bytes: in.Bytes}
	for _, f := range in.Newest {
		inside.Newest = append(inside.Newest, FolderInsideFile{Path: f.Path, Name: plain.From(f.Name).String(), Bytes: f.Size, At: f.Time})
	}
	return inside
}

// Words are how much it is: "1,204 files, 8.3 GB".
func (i FolderInside) Words() string {
	if i.Files == 0 {
		return i18n.T("Nothing that counts is inside yet.")
	}
	return filesText(i.Files) + ", " + i18n.Size(i.Bytes)
}

// Listed says which of them can be chosen, "" where it is all of them.
func (i FolderInside) Listed() string {
	if len(i.Newest) >= i.Files {
		return ""
	}
	return i18n.N(len(i.Newest), "The newest %s of %s are listed.", "The newest %s of %s are listed.", i18n.Count(i.Files))
}

// Size is the file's size in words.
func (f FolderInsideFile) Size() string { return i18n.Size(f.Bytes) }

// When says when it was last changed.
func (f FolderInsideFile) When(now time.Time) string {
	if f.At.IsZero() {
		return ""
	}
	return i18n.DayTime(f.At, now)
}

// FolderChosen says how many files were chosen.
func FolderChosen(n int, bytes int64) string {
	if n == 0 {
		return i18n.T("None chosen")
	}
	return i18n.N(n, "%s chosen, %s", "%s chosen, %s", i18n.Size(bytes))
}

func filesText(n int) string {
	return i18n.N(n, "%s file", "%s files")
}

// FolderBegin is what becomes of the files that a folder holds when it is added, as the screen offers it.
type FolderBegin int

// The beginnings, in the order in which they are offered.
const (
	FolderOnlyNew FolderBegin = iota
	FolderAll
	FolderChoose
)

// FolderBegins are the beginnings in words, which say what leaves this computer at once.
func FolderBegins(g FolderGate) []FolderChoice {
	all, ticked := i18n.T("They are taken too."), i18n.T("Those that you tick are taken too.")
	switch g {
	case FolderAsks:
		all = i18n.T("They are taken too, and wait in the inbox until you allow them.")
		ticked = i18n.T("Those that you tick are taken too, and wait in the inbox until you allow them.")
	case FolderSends:
		all = i18n.T("They are taken too, and are sent to the service.")
		ticked = i18n.T("Those that you tick are taken too, and are sent to the service.")
	}
	return []FolderChoice{
		FolderOnlyNew: {i18n.T("Only new files"), i18n.T("What is inside now is left alone.")},
		FolderAll:     {i18n.T("All of them"), all},
		FolderChoose:  {i18n.T("Choose…"), ticked},
	}
}

// Begin is what it stands for.
func (b FolderBegin) Begin() folders.Begin {
	switch b {
	case FolderAll:
		return folders.All
	case FolderChoose:
		return folders.Chosen
	}
	return folders.OnlyNew
}
